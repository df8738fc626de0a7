"""How matrices are factorized, weighted and compared, as one value: what hardly anyone but a reproduction sets."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import cached_property
from numbers import Integral, Real
from typing import Any, Literal, TypeAlias

from s3nmf._sklearn import Interval, StrOptions
from s3nmf._validation import check_parameters
from s3nmf.method.anmi import NMIAverage, Pairs
from s3nmf.method.settings import SPEED
from s3nmf.solvers.base import Solver
from s3nmf.solvers.declared import declared, solvers_that
from s3nmf.solvers.starts import StartScale
from s3nmf.solvers.symmetric_nmf import FACTORIZATION, SolverName

Similarity: TypeAlias = Literal["collapsed", "normalized", "literal", "soft"]
Precision: TypeAlias = Literal["float32", "float64"]
Weighting: TypeAlias = Literal["learned", "uniform"]
RecipeName: TypeAlias = Literal["default", "unequal", "text", "authors"]

_ALLOWED: dict[str, list[Any]] = {
    **{name: FACTORIZATION[name] for name in ("solver", "max_iter", "tol")},
    "starts": [StrOptions({"auto", "uniform", "kuang", "spread"}), "array-like"],
    "trials": [Interval(Integral, 1, None, closed="left")],
    "precision": [StrOptions({"float32", "float64"})],
    "similarity": [StrOptions({"auto", "collapsed", "normalized", "literal", "soft"})],
    "weighting": [StrOptions({"learned", "uniform"})],
    "tau": [Interval(Real, 1, None, closed="neither")],
    "residual_norm": [StrOptions({"frobenius", "spectral"})],
    "inner_stop": [StrOptions({"each", "text", "authors"})],
    "outer_stop": [StrOptions({"drop", "never"})],
    "nmi_average": [StrOptions({"arithmetic", "max"})],
    "pairs": [StrOptions({"distinct", "all"})],
}


@dataclass(frozen=True)
class Recipe:
    """How the factorizations of a fit are made, weighted and compared. The defaults are fast and go the same way.

    `dataclasses.replace` makes a variant of one. Four have names: "default"; "unequal", for clusters of which some have
    many times as many points as others; "text", the paper to the letter; and "authors", their published code where it
    differs from the text.

    Parameters
    ----------
    solver : str or callable, default="square_root"
        How each member is factorized, see `s3nmf.symmetric_nmf`. The default takes half the sweeps of "multiplicative",
        which is the paper's, and goes to the same partitions. More exact is not better: members that all find the same
        optimum have nothing to vote on.
    max_iter : int, default=250
        The most sweeps of a round.
    tol : float, default=1e-4
        The sweeps of a member end when no entry of its V moves by more, relative to the scale of W.
    starts : {"auto", "uniform", "kuang", "spread"} or array, default="auto"
        Where factorizations start: at U(0, 1), as in the paper; at random in the scale of the solution; in rounds after
        the first, at random plus the similarities to points that are far from each other, drawn as the centres of
        k-means++ are; or here, an array of shape (max_rounds, n_members, n_samples, n_clusters). "auto" is "uniform" if
        round 1 factorizes, and "spread" if it has partitions from elsewhere: those agree so well that uniform starts
        would leave clusters empty.
    trials : int, default=4
        Starts tried for each member of a collapsed round, unless they are spread; those that fit best after a fifth of
        the sweeps go on. 1 is the paper.
    precision : {"float32", "float64"}, default="float32"
        Of the factors of the multiplicative updates. Single precision takes half the time and memory. Rounds
        of a literal similarity, which add up all points of a cluster, are always in double.
    similarity : {"auto", "collapsed", "normalized", "literal", "soft"}, default="auto"
        What is rebuilt from the members and factorized in the next round: S = sum_m alpha_m M_m M_m' of their
        partitions M_m, with one row for all points that no member tells apart; the same normalised by its row sums, so
        that small clusters weigh about as much as large ones; with a row for each point, as in the paper; or
        S = sum_m alpha_m V_m V_m' of their factors (the paper's ablation "SOFT"). "auto" is "collapsed"; unless round 1
        factorizes, "normalized" and recursive cuts are candidates beside it, and the best by its score is taken.
    weighting : {"learned", "uniform"}, default="learned"
        Weigh members by their fit, or all the same (the paper's ablation "w/o alpha").
    tau : float > 1, default=2.0
        Near 1 the best member takes all the weight, towards infinity all members weigh the same.
    residual_norm : {"frobenius", "spectral"}, default="frobenius"
        The norm of S - V V' that a member is weighted by: the text's, or that of the authors' code.
    inner_stop : {"each", "text", "authors"}, default="each"
        Stop each member by itself, when no entry of its V moves by `tol`. Or all members together: when no entry of any
        V nor any weight does (the text) or, after 300 sweeps, when the objective does not (the authors' code).
    outer_stop : {"drop", "never"}, default="drop"
        End the rounds when the agreement drops or is complete, or go on to `max_rounds` (to see what the stop misses).
    nmi_average : {"arithmetic", "max"}, default="arithmetic"
        The normalisation of the mutual information in the agreement.
    pairs : {"distinct", "all"}, default="distinct"
        The pairs of members that the agreement averages over.

    Examples
    --------
    >>> from dataclasses import replace
    >>> from s3nmf import Recipe
    >>> text = Recipe.named("text")
    >>> text.max_iter, replace(text, weighting="uniform").weighting
    (500, 'uniform')
    """

    solver: SolverName | Solver = "square_root"
    max_iter: int = 250
    tol: float = 1e-4
    starts: StartScale | Literal["auto"] | Any = "auto"
    trials: int = 4
    precision: Precision = "float32"
    similarity: Similarity | Literal["auto"] = "auto"
    weighting: Weighting = "learned"
    tau: float = 2.0
    residual_norm: Literal["frobenius", "spectral"] = "frobenius"
    inner_stop: Literal["each", "text", "authors"] = "each"
    outer_stop: Literal["drop", "never"] = "drop"
    nmi_average: NMIAverage = "arithmetic"
    pairs: Pairs = "distinct"

    def __post_init__(self) -> None:
        check_parameters(_ALLOWED, {field.name: getattr(self, field.name) for field in fields(self)}, "Recipe")
        if self.inner_stop != "each" and not declared(self.solver).stops_jointly:
            raise ValueError(
                f"solver={self.solver!r} cannot stop by inner_stop={self.inner_stop!r}, which weighs members by "
                f"||S - V V'||^2 after each sweep; {solvers_that('stops_jointly')} can. Or use inner_stop='each'."
            )

        if self.has_starts and self.similarity == "normalized":
            raise ValueError(
                "similarity='normalized' has one row for all points that no member tells apart, and starts are given "
                "for every point. Use similarity='literal', or random starts."
            )

    @classmethod
    def named(cls, name: RecipeName) -> Recipe:
        """The recipe of that name."""
        if name not in RECIPES:
            raise ValueError(f"There is no recipe {name!r}; there is {', '.join(map(repr, RECIPES))}.")
        return RECIPES[name]

    @classmethod
    def of(cls, recipe: RecipeName | Recipe) -> Recipe:
        """The recipe itself, or the one of that name."""
        return recipe if isinstance(recipe, Recipe) else cls.named(recipe)

    @property
    def has_starts(self) -> bool:
        """Whether the starts of all rounds are given, for every point."""
        return not isinstance(self.starts, str)

    def check_for(self, by_paper: bool) -> None:
        """Starts of all rounds, and factors to go on from, are there only if round 1 factorizes."""
        for wants, name in ((self.has_starts, "starts"), (self.rebuilt == "soft", "similarity='soft'")):
            if wants and not by_paper:
                raise ValueError(
                    f"A recipe with {name} needs round 1 to factorize the affinity. Use members='factorizations'."
                )

    def starts_after(self, factorizes: bool) -> StartScale | Any:
        """Where factorizations start, by whether round 1 is one of them."""
        if self.has_starts or self.starts != "auto":
            return self.starts
        return "uniform" if factorizes else "spread"

    @cached_property
    def rebuilt(self) -> Similarity:
        """What is rebuilt from the members: with starts that are given for every point, no points can share a row."""
        shared: Similarity = "literal" if self.has_starts else "collapsed"
        return shared if self.similarity in {"auto", "collapsed"} else self.similarity  # type: ignore[return-value]

    def similarities_of(self, n_clusters: int) -> tuple[Similarity, ...]:
        """What members vote by where so many clusters are asked for, unless round 1 factorizes: a vote for each."""
        compares = self.similarity == "auto" and n_clusters <= SPEED.clusters_compared
        return ("collapsed", "normalized") if compares else (self.rebuilt,)

    @property
    def shares_rows(self) -> bool:
        """Whether points that no member tells apart have one row in rounds after the first."""
        return self.rebuilt in {"collapsed", "normalized"}


_TEXT = Recipe(
    solver="multiplicative",
    max_iter=500,
    tol=1e-3,
    starts="uniform",
    trials=1,
    precision="float64",
    similarity="literal",
    inner_stop="text",
)
RECIPES: dict[str, Recipe] = {
    "default": Recipe(),
    "unequal": Recipe(similarity="normalized"),
    "text": _TEXT,
    "authors": replace(_TEXT, residual_norm="spectral", inner_stop="authors", nmi_average="max", pairs="all"),
}
