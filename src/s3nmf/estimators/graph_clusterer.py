"""What every estimator of the library shares: it clusters an affinity graph, given or built from features."""

from __future__ import annotations

from typing import Any, Literal, cast

from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils import Tags
from sklearn.utils.validation import validate_data

from s3nmf._types import Affinity
from s3nmf._validation import (
    AFFINITY_CHECKS,
    FEATURE_CHECKS,
    check_affinity_values,
    check_feature_range,
    check_feature_values,
    conversion_of,
    native,
)
from s3nmf._warnings import SuspiciousDataWarning, warn
from s3nmf.graph import affinity as graph
from s3nmf.graph.kernels import Kernel
from s3nmf.graph.neighbors import NeighborCount, Search
from s3nmf.graph.traps import traps_in_affinity, traps_in_features


class GraphClusterer(ClusterMixin, BaseEstimator):  # type: ignore[misc]
    """An estimator that clusters an affinity graph, given or built from features."""

    affinity: Literal["nearest_neighbors", "precomputed"]
    n_neighbors: NeighborCount
    kernel: Kernel
    metric: str
    search: Search

    def _affinity(self, X: Any) -> Affinity:
        """Check X, set `n_features_in_`, and return W."""
        return self._affinity_of(self._checked(X))

    def _checked(self, X: Any) -> Any:
        """Return X as an array or CSR matrix, and set `n_features_in_`; features are checked for their values too."""
        X = self._validated(X, reset=True)
        if self.affinity == "precomputed":
            traps = traps_in_affinity(X)
        else:
            names = getattr(self, "feature_names_in_", None)
            check_feature_values(X, names)
            traps = traps_in_features(X, names, self.metric)
        for trap in traps:
            warn(trap, SuspiciousDataWarning)
        return X

    def _checked_new(self, X: Any) -> Any:
        """The same for new points, which must have the columns of those that were fitted."""
        X = self._validated(X, reset=False, ensure_min_samples=1)
        if self.affinity == "precomputed":
            check_affinity_values(X)
        else:
            check_feature_range(X, getattr(self, "feature_names_in_", None))
        return X

    def _validated(self, X: Any, **how: Any) -> Any:
        checks = AFFINITY_CHECKS if self.affinity == "precomputed" else FEATURE_CHECKS
        with conversion_of(X):
            return native(validate_data(self, X, **{**checks, **how}))

    def _affinity_of(self, checked: Any) -> Affinity:
        """W of a checked X."""
        if self.affinity == "precomputed":
            return cast(Affinity, checked)
        return graph.affinity_of(checked, self.n_neighbors, self.kernel, self.metric, self.search)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.pairwise = tags.input_tags.positive_only = self.affinity == "precomputed"
        return tags
