"""Algorithm 1: factorize, rebuild the similarity from the partitions, repeat until the members agree."""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass, field
from functools import partial
from numbers import Integral, Real
from typing import Any, Literal, TypeAlias

import numpy as np

from s3nmf._memory import refuse_if_too_large
from s3nmf._sklearn import Interval, StrOptions
from s3nmf._threads import team
from s3nmf._types import FloatArray, IntArray
from s3nmf._validation import check_parameters
from s3nmf._warnings import MORE_SWEEPS, warn_if_empty
from s3nmf.affinity.given import prepare_affinity
from s3nmf.ensemble.anmi import agreement
from s3nmf.ensemble.confidence import confidence
from s3nmf.ensemble.conventions import INDEPENDENT, Conventions
from s3nmf.ensemble.members import Weighting, factorize_members, most_promising
from s3nmf.operators import (
    AffinityOperator,
    CoAssociation,
    SymmetricOperator,
    collapsed_co_association,
    local_affinity,
    soft_co_association,
)
from s3nmf.partitions import by_decreasing_size
from s3nmf.progress import Callback, Clock
from s3nmf.solvers.base import Solver, clusters_of
from s3nmf.solvers.declared import declared, solvers_that
from s3nmf.solvers.starts import RandomStarts, StartScale, check_starts, start_source
from s3nmf.solvers.symmetric_nmf import FACTORIZATION, SolverName, solver_of

Reconstruction: TypeAlias = Literal["hard", "soft"]
Precision: TypeAlias = Literal["float32", "float64"]

PARAMETERS: dict[str, list[Any]] = {
    **FACTORIZATION,
    "n_members": [Interval(Integral, 1, None, closed="left")],
    "tau": [Interval(Real, 1, None, closed="neither")],
    "max_rounds": [Interval(Integral, 1, None, closed="left")],
    "weighting": [StrOptions({"learned", "uniform"})],
    "reconstruction": [StrOptions({"hard", "soft"})],
    "collapse": ["boolean"],
    "trials": [Interval(Integral, 1, None, closed="left")],
    "dtype": [StrOptions({"float32", "float64"})],
    "n_jobs": [Integral, None],
    "callback": [callable, None],
    "conventions": [Conventions],
}

logger = logging.getLogger("s3nmf")


@dataclass(frozen=True, eq=False)
class Round:
    """What one round of Algorithm 1 found.

    Attributes
    ----------
    number : int
        Counted from 1.
    member_labels : array of shape (n_members, n_samples)
        The partition of each member, clusters by decreasing size.
    weights : array of shape (n_members,)
        alpha.
    agreement : float
        ANMI of the members.
    objective : array of shape (n_iter + 1, n_members)
        ||S - V V'||_F^2 of each member, at the start and after each sweep.
    n_iter : int
        Sweeps.
    converged : bool
        Whether the inner stop was met before `max_iter`.
    seconds : float
    """

    number: int
    member_labels: IntArray
    weights: FloatArray
    agreement: float
    objective: FloatArray
    n_iter: int
    converged: bool
    seconds: float


@dataclass(frozen=True, eq=False)
class S3NMFResult:
    """One partition, how sure it is of every point, and how it came about.

    Attributes
    ----------
    labels : array of shape (n_samples,)
        The partition of the chosen round's member with the largest weight; clusters by decreasing size.
    confidence : array of shape (n_samples,)
        In [0, 1]: the share of a point's own cluster in its co-association, by the members of round 1. They saw the
        data independently of each other; later rounds agree because they are made to. A point without any edge has 0.
    chosen_round : int
        Counted from 1: the first round with the highest agreement.
    history : tuple of Round
        All rounds that were run.
    isolated : array
        Points without any edge, in increasing order: nothing is known about where they belong.
    """

    labels: IntArray
    confidence: FloatArray
    chosen_round: int
    history: tuple[Round, ...]
    isolated: IntArray = field(default_factory=lambda: np.empty(0, dtype=np.intp))

    @property
    def member_labels(self) -> IntArray:
        """Partitions of the members of the chosen round, (n_members, n_samples)."""
        return self.history[self.chosen_round - 1].member_labels

    @property
    def weights(self) -> FloatArray:
        """Weights of the members of the chosen round, (n_members,)."""
        return self.history[self.chosen_round - 1].weights

    @property
    def agreement(self) -> FloatArray:
        """ANMI of each round."""
        return np.array([found.agreement for found in self.history])

    @property
    def timings(self) -> FloatArray:
        """Seconds of each round."""
        return np.array([found.seconds for found in self.history])


def self_supervised_nmf(
    affinity: Any,
    n_clusters: int,
    *,
    n_members: int = 20,
    tau: float = 2.0,
    solver: SolverName | Solver = "square_root",
    max_rounds: int = 10,
    max_iter: int = 250,
    tol: float = 1e-4,
    starts: StartScale | Any | None = None,
    weighting: Weighting = "learned",
    reconstruction: Reconstruction = "hard",
    collapse: bool = True,
    trials: int = 4,
    dtype: Precision = "float32",
    conventions: Conventions = INDEPENDENT,
    random_state: Any = None,
    n_jobs: int | None = None,
    callback: Callback | None = None,
) -> S3NMFResult:
    """Cluster the points of an affinity matrix by self-supervised symmetric NMF (S3NMF).

    Round 1 factorizes W from `n_members` random starts. Each later round factorizes the similarity
    S = sum_m alpha_m M_m M_m' of the partitions M_m before it, from fresh starts, and so sharpens it. The rounds end
    when the agreement of the members drops or is complete; the round with the highest agreement is returned.

    A sweep of a member costs O(nnz c + n c^2) in round 1. Later rounds see only the u different tuples of labels, at
    O(u c (b + c)) a sweep, so a fit costs little more than its first round. Nothing n x n is allocated unless the
    affinity is.

    Parameters
    ----------
    affinity : array or sparse matrix of shape (n_samples, n_samples)
        W, symmetric and nonnegative; better normalised (`s3nmf.affinity.normalize_affinity`), as that of
        `s3nmf.affinity.nearest_neighbor_affinity` is.
    n_clusters : int
    n_members : int
        Factorizations a round, b in the paper.
    tau : float > 1
        Near 1 the best member takes all the weight, towards infinity all members weigh the same.
    solver : {"square_root", "multiplicative", "newton", "anls", "hals", "sbsum", "vbsum"} or callable
        How each member is factorized, see `symmetric_nmf`. The default takes half the sweeps of "multiplicative", which
        is the paper's, and goes to the same partitions. More exact is not better: members that all find the same
        optimum have nothing to vote on.
    max_rounds, max_iter : int
        The most rounds, and the most sweeps a round.
    tol : float
        The sweeps of a member end when no entry of its V moves by more, relative to the scale of W.
    starts : {"uniform", "kuang"} or array of shape (max_rounds, n_members, n_samples, n_clusters)
        Draw the starts from U(0, 1), the default and the paper's choice, or at the scale of the solution; or use these.
    weighting : {"learned", "uniform"}
        Weigh members by their fit, or all the same (the paper's ablation "w/o alpha").
    reconstruction : {"hard", "soft"}
        Rebuild S from the partitions, or from the factors, S = sum_m alpha_m V_m V_m' (the paper's ablation "SOFT").
    collapse : bool
        Whether points with the same labels in all members share a start in the next round, and so remain together. The
        objective is the same, the cost much lower. False is the paper to the letter; `starts` given for every point and
        a soft reconstruction, which tells such points apart, imply it.
    trials : int
        Starts tried for each member of a collapsed round; those that fit best after a fifth of the sweeps go on. 1 is
        the paper.
    dtype : {"float32", "float64"}
        Precision of the factors of the multiplicative updates. Single precision takes half the time and memory. The
        rounds of a hard reconstruction without `collapse`, which add up all points of a cluster, are always in double.
    conventions : Conventions
        When the sweeps end and how members are compared: each member stops by itself, or as in the paper's text
        (`TEXT`) or the published code (`AUTHORS`).
    random_state : int, RandomState or None
        The same seed gives the same labels: on any number of threads, for any `n_jobs`, by any backend of joblib.
    n_jobs : int or None
        Workers of joblib that the members are split over, at least four members each. One worker already uses all
        cores; more are for processes on other machines, or where a backend of joblib is active.
    callback : callable or None
        Called with a `Progress` after each sweep and round (with several workers, after each round).

    Returns
    -------
    S3NMFResult

    Examples
    --------
    >>> from sklearn.datasets import make_moons
    >>> from s3nmf.affinity import nearest_neighbor_affinity
    >>> X, y = make_moons(200, noise=0.1, random_state=0)
    >>> result = self_supervised_nmf(nearest_neighbor_affinity(X), n_clusters=2, random_state=0)
    >>> result.member_labels.shape, result.chosen_round
    ((20, 200), 3)
    """
    check_parameters(PARAMETERS, locals(), "self_supervised_nmf")
    history: list[Round] = []
    with team() as threads:
        W, scale, isolated = prepare_affinity(affinity, n_clusters)
        n = W.shape[0]
        starts = check_starts(starts, max_rounds=max_rounds, n_members=n_members, n_samples=n, n_clusters=n_clusters)
        _refuse_if_too_large(n, n_members, n_clusters, dtype)
        operator: SymmetricOperator
        if isinstance(starts, np.ndarray):
            starts[0] /= np.sqrt(scale)
            operator, row_of, collapse = AffinityOperator(W, precision=dtype), np.arange(n), False
        else:
            operator, row_of = local_affinity(W, dtype)
            collapse = collapse and reconstruction == "hard"
        starts_of = start_source(starts, n_members, n_clusters, random_state)
        solve = _solver(solver, conventions)
        clock = Clock(callback, max_iter, max_rounds, collapse)
        try_starts = partial(most_promising, trials=trials, sweeps=max(1, max_iter // 5), solver=solve, threads=threads)
        factorize = partial(
            factorize_members,
            solver=solve,
            tau=tau,
            weighting=weighting,
            max_iter=max_iter,
            tol=tol,
            conventions=conventions,
            threads=threads,
            n_jobs=n_jobs,
            watch=clock.sweep_over,
        )
        for number in range(1, max_rounds + 1):
            began = time.perf_counter()
            round_starts = starts_of(number, operator)
            if collapse and number > 1 and trials > 1 and isinstance(round_starts, RandomStarts):
                round_starts = try_starts(operator, round_starts)
            factorization, weights = factorize(operator, round_starts)
            labels = np.array([by_decreasing_size(clusters_of(operator, V)[row_of]) for V in factorization.factors])
            found = Round(
                number=number,
                member_labels=labels,
                weights=weights,
                agreement=agreement(labels, conventions.nmi_average, conventions.pairs),
                objective=factorization.objective * (scale * scale if number == 1 else 1.0),
                n_iter=factorization.n_iter,
                converged=bool(factorization.converged.all()),
                seconds=time.perf_counter() - began,
            )
            logger.info("round %d: agreement %.4f after %d sweeps", number, found.agreement, found.n_iter)
            history.append(found)
            over = number == max_rounds or (conventions.outer_stop == "drop" and _is_over(history))
            clock.round_over(found.agreement, last=over)
            if over:
                break
            if collapse:
                operator, row_of = collapsed_co_association(labels, weights, dtype)
            elif reconstruction == "hard":
                operator, row_of = CoAssociation(labels, weights), np.arange(n)
            else:
                # Its rows are those of the round before.
                operator = soft_co_association(factorization.factors, weights, dtype)
            del factorization  # as large as the one to come
        return _result(history, n_clusters, isolated)


def _refuse_if_too_large(n: int, n_members: int, n_clusters: int, dtype: Precision) -> None:
    """V of all members, the next V, and the results; and the labels, as they are made and compared."""
    needed = n * n_members * (3 * n_clusters * np.dtype(dtype).itemsize + 4 * np.dtype(np.intp).itemsize)
    refuse_if_too_large(
        needed,
        f"It grows with n_samples={n}, n_members={n_members}, n_clusters={n_clusters} and the precision "
        f"(dtype={dtype!r}): use fewer of them.",
    )


def _solver(solver: SolverName | Solver, conventions: Conventions) -> Solver:
    if conventions.inner_stop != "each" and not declared(solver).stops_jointly:
        raise ValueError(
            f"solver={solver!r} cannot stop by inner_stop={conventions.inner_stop!r}, which weighs members by "
            f"||S - V V'||^2 after each sweep; {solvers_that('stops_jointly')} can. Or use "
            "Conventions(inner_stop='each')."
        )
    return solver_of(solver)


def _is_over(history: list[Round]) -> bool:
    """The members agree completely, or less than in the round before."""
    levels = [found.agreement for found in history[-2:]]
    return levels[-1] == 1.0 or levels[-1] < levels[0]


def _result(history: list[Round], n_clusters: int, isolated: IntArray) -> S3NMFResult:
    chosen = max(history, key=lambda found: found.agreement)
    labels = chosen.member_labels[np.argmax(chosen.weights)].copy()
    warn_if_empty(int(labels.max()) + 1, n_clusters, MORE_SWEEPS)
    sure = confidence(CoAssociation(history[0].member_labels, history[0].weights), labels)
    sure[isolated] = 0.0
    return S3NMFResult(labels, sure, chosen.number, tuple(history), isolated)
