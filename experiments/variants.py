"""The methods in the forms that the paper's experiments compare, each as an estimator."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Self

from sklearn.base import BaseEstimator, ClusterMixin

from experiments.golden import authors_starts
from experiments.repeated_ssc import RepeatedSSC
from s3nmf._types import Affinity, FloatArray, IntArray
from s3nmf.method import Recipe, S3NMFResult, self_supervised_nmf

DEFAULT, TEXTUAL, GOLDEN, ALL_ROUNDS = "S3NMF", "S3NMF (text)", "S3NMF (authors' starts)", "S3NMF (all rounds)"
WITHOUT_ALPHA, SOFT = "w/o alpha", "SOFT"
VARIANTS = (WITHOUT_ALPHA, SOFT, TEXTUAL, ALL_ROUNDS, GOLDEN)


def with_variants(methods: Mapping[str, BaseEstimator]) -> dict[str, BaseEstimator]:
    """The methods, with S3NMF in the paper's form, its two ablations and its other forms.

    SSC, whose convex program takes minutes and knows no seed, is repeated from one solution of it.
    """
    if taken := [name for name in methods if name in VARIANTS]:
        raise ValueError(f"{', '.join(taken)} is what a form of {DEFAULT} is called. Give the method another name.")
    sizes = {name: methods[DEFAULT].get_params()[name] for name in ("n_members", "max_rounds")}
    default, text, authors = Recipe(similarity="collapsed"), Recipe.named("text"), Recipe.named("authors")
    return {
        **methods,
        **({"SSC": RepeatedSSC.like(methods["SSC"])} if "SSC" in methods else {}),
        DEFAULT: PaperS3NMF(**sizes, recipe=default),
        WITHOUT_ALPHA: PaperS3NMF(**sizes, recipe=replace(default, weighting="uniform")),
        SOFT: PaperS3NMF(**sizes, recipe=replace(default, similarity="soft")),
        TEXTUAL: PaperS3NMF(recipe=text),
        ALL_ROUNDS: PaperS3NMF(recipe=replace(default, outer_stop="never")),
        GOLDEN: PaperS3NMF(recipe=authors, authors_starts=True),
    }


class PaperS3NMF(ClusterMixin, BaseEstimator):  # type: ignore[misc]
    """S3NMF of a given affinity as the paper has it, whose round 1 factorizes, by any recipe.

    Parameters
    ----------
    n_clusters : int
    n_members : int
    max_rounds : int
    tau : float
        Of the weights, in place of the recipe's: the paper has a figure for it.
    recipe : Recipe, optional
    authors_starts : bool
        Whether to start where the published script does.
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
        self,
        n_clusters: int = 8,
        *,
        n_members: int = 20,
        max_rounds: int = 10,
        tau: float = 2.0,
        recipe: Recipe | None = None,
        authors_starts: bool = False,
        random_state: Any = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.n_members = n_members
        self.max_rounds = max_rounds
        self.tau = tau
        self.recipe = recipe
        self.authors_starts = authors_starts
        self.random_state = random_state

    def fit(self, W: Affinity, y: Any = None) -> Self:
        """Cluster the points of an affinity matrix."""
        recipe = replace(self.recipe or Recipe(), tau=self.tau)
        if self.authors_starts:
            recipe = replace(recipe, starts=authors_starts(W.shape[0], self.n_clusters))
        self.result_ = self_supervised_nmf(
            W,
            self.n_clusters,
            members="factorizations",
            n_members=self.n_members,
            max_rounds=self.max_rounds,
            recipe=recipe,
            random_state=self.random_state,
        )
        self.labels_ = self.result_.labels
        self.confidence_ = self.result_.confidence
        self.member_labels_ = self.result_.member_labels
        self.agreement_ = self.result_.agreement
        self.chosen_round_ = self.result_.chosen_round
        self.n_iter_ = sum(found.n_iter for found in self.result_.history)
        return self
