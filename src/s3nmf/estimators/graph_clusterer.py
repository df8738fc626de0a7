"""What every estimator of the library shares: it clusters an affinity graph, given or built from features."""

from __future__ import annotations

from typing import Any, Literal, cast

from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils import Tags
from sklearn.utils._param_validation import StrOptions
from sklearn.utils.validation import validate_data

from s3nmf._types import Affinity
from s3nmf._validation import AFFINITY_CHECKS, FEATURE_CHECKS, check_feature_values, refuse_text
from s3nmf.affinity import graph
from s3nmf.affinity.kernels import Kernel
from s3nmf.affinity.neighbors import NeighborCount, Search

GRAPH_PARAMETERS: dict[str, list[Any]] = {
    "affinity": [StrOptions({"nearest_neighbors", "precomputed"})],
    **graph.PARAMETERS,
}


class GraphClusterer(ClusterMixin, BaseEstimator):  # type: ignore[misc]
    """An estimator that clusters an affinity graph, given or built from features."""

    affinity: Literal["nearest_neighbors", "precomputed"]
    n_neighbors: NeighborCount
    kernel: Kernel
    metric: str
    search: Search

    def _affinity(self, X: Any) -> Affinity:
        """Check X, set `n_features_in_`, and return W."""
        precomputed = self.affinity == "precomputed"
        try:
            X = validate_data(self, X, **(AFFINITY_CHECKS if precomputed else FEATURE_CHECKS))
        except ValueError as error:
            refuse_text(X, error)
            raise
        if precomputed:
            return cast(Affinity, X)
        check_feature_values(X, getattr(self, "feature_names_in_", None))
        return graph.affinity_of(X, self.n_neighbors, self.kernel, self.metric, self.search)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.pairwise = tags.input_tags.positive_only = self.affinity == "precomputed"
        return tags
