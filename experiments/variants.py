"""The methods in the forms that the paper's experiments compare, each as an estimator."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Self

from sklearn.base import BaseEstimator, ClusterMixin, clone

from experiments.golden import AS_PUBLISHED, authors_starts
from experiments.repeated_ssc import RepeatedSSC
from s3nmf._types import Affinity, FloatArray, IntArray
from s3nmf.ensemble import AUTHORS, TEXT, S3NMFResult, self_supervised_nmf
from s3nmf.ensemble.conventions import INDEPENDENT

DEFAULT, TEXTUAL, GOLDEN, ALL_ROUNDS = "S3NMF", "S3NMF (text)", "S3NMF (authors' starts)", "S3NMF (all rounds)"
WITHOUT_ALPHA, SOFT = "w/o alpha", "SOFT"
VARIANTS = (WITHOUT_ALPHA, SOFT, TEXTUAL, ALL_ROUNDS, GOLDEN)

# All options of the function by name, so that a run is known by those that are left at their defaults too.
_DEFAULTS: dict[str, Any] = {
    name: parameter.default
    for name, parameter in inspect.signature(self_supervised_nmf).parameters.items()
    if parameter.kind is parameter.KEYWORD_ONLY and name not in {"random_state", "n_jobs", "callback"}
}
# The paper's text to the letter, where the library's defaults are faster.
LITERAL: dict[str, Any] = {**AS_PUBLISHED, "tol": 1e-3, "conventions": TEXT}


def with_variants(methods: Mapping[str, BaseEstimator]) -> dict[str, BaseEstimator]:
    """The methods, and S3NMF's two ablations and its other forms.

    SSC, whose convex program takes minutes and knows no seed, is repeated from one solution of it.
    """
    if taken := [name for name in methods if name in VARIANTS]:
        raise ValueError(f"{', '.join(taken)} is what a form of {DEFAULT} is called. Give the method another name.")
    model = methods[DEFAULT]
    return {
        **methods,
        **({"SSC": RepeatedSSC.like(methods["SSC"])} if "SSC" in methods else {}),
        WITHOUT_ALPHA: clone(model).set_params(weighting="uniform"),
        SOFT: clone(model).set_params(reconstruction="soft"),
        TEXTUAL: FreeS3NMF(options={**_DEFAULTS, **LITERAL}),
        ALL_ROUNDS: FreeS3NMF(options={**_DEFAULTS, "conventions": replace(INDEPENDENT, outer_stop="never")}),
        GOLDEN: FreeS3NMF(options={**_DEFAULTS, **AS_PUBLISHED, "starts": "authors", "conventions": AUTHORS}),
    }


class FreeS3NMF(ClusterMixin, BaseEstimator):  # type: ignore[misc]
    """S3NMF of a given affinity with any option of `self_supervised_nmf`, which has more of them than `s3nmf.S3NMF`.

    Parameters
    ----------
    n_clusters : int
    options : dict, optional
        Keywords of the function; the starts "authors" are those of the published script.
    random_state : int, RandomState or None
    """

    labels_: IntArray
    confidence_: FloatArray
    member_labels_: IntArray
    agreement_: FloatArray
    chosen_round_: int
    n_iter_: int
    result_: S3NMFResult

    def __init__(
        self, n_clusters: int = 8, *, options: Mapping[str, Any] | None = None, random_state: Any = None
    ) -> None:
        self.n_clusters = n_clusters
        self.options = options
        self.random_state = random_state

    def fit(self, W: Affinity, y: Any = None) -> Self:
        """Cluster the points of an affinity matrix."""
        options = dict(self.options or {})
        if options.get("starts") == "authors":
            options["starts"] = authors_starts(W.shape[0], self.n_clusters)
        self.result_ = self_supervised_nmf(W, self.n_clusters, random_state=self.random_state, **options)
        self.labels_ = self.result_.labels
        self.confidence_ = self.result_.confidence
        self.member_labels_ = self.result_.member_labels
        self.agreement_ = self.result_.agreement
        self.chosen_round_ = self.result_.chosen_round
        self.n_iter_ = sum(found.n_iter for found in self.result_.history)
        return self
