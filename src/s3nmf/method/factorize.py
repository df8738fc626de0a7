"""Algorithm 2: factorize one matrix from b starts, and learn what each member is worth."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise

import numpy as np
from joblib import Parallel, delayed, effective_n_jobs

from s3nmf._memory import refuse_if_too_large
from s3nmf._threads import Team, team
from s3nmf._types import FloatArray, IntArray
from s3nmf.graph.operators import Problem, SymmetricOperator
from s3nmf.method.recipe import Precision, Recipe
from s3nmf.method.stopping import authors_rule, text_rule
from s3nmf.method.views import View
from s3nmf.method.weights import learned_weights, rounding_level, spectral_residuals
from s3nmf.partitions import by_decreasing_size, stacked
from s3nmf.solvers.base import (
    Factorization,
    Iterate,
    Solver,
    Starts,
    StepBelow,
    StoppingRule,
    Watch,
    clusters_of,
    side_by_side,
)
from s3nmf.solvers.multiplicative import MEMBERS_FOR_A_LOOP
from s3nmf.solvers.starts import RandomStarts, StartSource
from s3nmf.solvers.symmetric_nmf import solver_of


@dataclass(frozen=True, eq=False)
class Members:
    """The members of a round: their partitions, and what each is worth.

    Attributes
    ----------
    labels : array of shape (n_members, n_samples)
        The partition of each member, clusters by decreasing size.
    weights : array of shape (n_members,)
        alpha.
    objective : array of shape (n_iter + 1, n_members)
        ||S - V V'||_F^2 of each member, at the start and after each sweep; (0, n_members) where nothing was factorized.
    n_iter : int
        Sweeps.
    converged : bool
        Whether all members came to their end before the most sweeps.
    resolutions : array of shape (n_members,) or None
        Of the modularity that each partition is a maximum of, where the members are communities.
    views : tuple of View
        What was found in each view of the data, where members are communities of them.
    factors : list of arrays of shape (n_rows, n_clusters)
        V of each member, where there is one.
    row_of : array of shape (n_samples,)
        The row of each point in the factors.
    """

    labels: IntArray
    weights: FloatArray
    objective: FloatArray
    n_iter: int = 0
    converged: bool = True
    resolutions: FloatArray | None = None
    views: tuple[View, ...] = ()
    factors: list[FloatArray] = field(default_factory=list)
    row_of: IntArray = field(default_factory=lambda: np.empty(0, np.intp))


@dataclass(frozen=True)
class Factorizer:
    """Algorithm 2, set up for a fit."""

    recipe: Recipe
    starts_of: StartSource
    threads: Team
    n_jobs: int | None = None
    watch: Watch | None = None

    def __call__(self, number: int, problem: Problem) -> Members:
        """The members of a round: the partitions of the factorizations from its starts, and their weights."""
        recipe, solve = self.recipe, solver_of(self.recipe.solver)
        operator, row_of = problem
        starts = self.starts_of(number, operator)
        self._refuse_if_too_large(operator.shape[0], row_of.size, len(starts), starts[0].shape[1])
        if number > 1 and recipe.shares_rows and recipe.trials > 1 and isinstance(starts, RandomStarts):
            sweeps = max(1, recipe.max_iter // 5)
            starts = most_promising(operator, starts, recipe.trials, sweeps=sweeps, solver=solve, threads=self.threads)
        run, weights = factorize(
            operator, starts, solve, recipe, threads=self.threads, n_jobs=self.n_jobs, watch=self.watch
        )
        return Members(
            labels=stacked(by_decreasing_size(clusters_of(operator, V)[row_of]) for V in run.factors),
            weights=weights,
            objective=run.objective,
            n_iter=run.n_iter,
            converged=bool(run.converged.all()),
            # As large as those to come: kept only for a similarity that is made of them.
            factors=run.factors if recipe.rebuilt == "soft" else [],
            row_of=row_of,
        )

    def _refuse_if_too_large(self, n_rows: int, n: int, n_members: int, n_clusters: int) -> None:
        precision = self.recipe.precision
        refuse_if_too_large(
            bytes_of_factors(precision, n_rows, n, n_members, n_clusters),
            f"It grows with n_samples={n}, n_members={n_members}, n_clusters={n_clusters} and the precision "
            f"({precision}): use fewer of them.",
        )


def bytes_of_factors(precision: Precision, n_rows: int, n: int, n_members: int, n_clusters: int) -> float:
    """V of all members, the next V, and the results; and the labels, as they are made and compared."""
    return float(
        n_members * (3 * n_rows * n_clusters * np.dtype(precision).itemsize + 4 * n * np.dtype(np.intp).itemsize)
    )


def most_promising(
    operator: SymmetricOperator, starts: RandomStarts, trials: int, *, sweeps: int, solver: Solver, threads: Team
) -> Starts:
    """Try `trials` starts for each member, and return those that fit best after so many sweeps, to go on from there.

    A start of V that lets two columns share one cluster seldom recovers. Where a sweep is cheap, trying more starts is
    too, and the members of the round are better and agree more. As many are tried at a time as there are members, so
    that trials take no more memory than the round itself.
    """
    candidates = starts.times(trials)
    kept: list[FloatArray] = []
    residuals = np.empty(0)
    for first in range(0, len(candidates), len(starts)):
        group = candidates[first : first + len(starts)]
        tried = solver(operator, group, max_iter=sweeps, stop=StepBelow(0.0), team=threads)
        kept, residuals = kept + tried.factors, np.append(residuals, tried.residuals)
        best = np.sort(np.argsort(residuals, kind="stable")[: len(starts)])
        kept, residuals = [kept[place] for place in best], residuals[best]
    return kept


def factorize(
    operator: SymmetricOperator,
    starts: Starts,
    solver: Solver,
    recipe: Recipe,
    *,
    threads: Team,
    n_jobs: int | None = None,
    watch: Watch | None = None,
) -> tuple[Factorization, FloatArray]:
    """Factorize from every start; return the factorization of all members and their weights (b,).

    The update of V does not contain alpha, so the weights are computed for the stopping rule and at the end. Members
    that stop by themselves are independent of each other, and are split over the workers of joblib.
    """

    def residuals(iterate: Iterate) -> FloatArray:
        return spectral_residuals(operator, iterate) if recipe.residual_norm == "spectral" else iterate.objective

    def weights(residuals: FloatArray) -> FloatArray:
        if recipe.weighting == "uniform":
            return np.full(residuals.size, 1.0 / residuals.size)
        return learned_weights(residuals, recipe.tau, floor=rounding_level(operator))

    def objective(iterate: Iterate) -> float:
        misfit = residuals(iterate)
        return float(weights(misfit) ** recipe.tau @ misfit)

    rules: dict[str, StoppingRule] = {
        "each": StepBelow(recipe.tol),
        "text": text_rule(lambda iterate: weights(residuals(iterate)), recipe.tol),
        "authors": authors_rule(objective, recipe.tol),
    }
    stop = rules[recipe.inner_stop]
    # BLAS multiplies a dense matrix by many columns in another order than by few: those members stay together.
    independent = recipe.inner_stop == "each" and operator.rows is not None
    n_batches = min(effective_n_jobs(n_jobs), len(starts) // MEMBERS_FOR_A_LOOP) if independent else 1
    if n_batches > 1:
        run = _factorize_in_batches(
            operator,
            starts,
            solver,
            n_batches=n_batches,
            max_iter=recipe.max_iter,
            stop=stop,
            n_threads=threads.n_threads,
        )
    else:
        run = solver(operator, starts, max_iter=recipe.max_iter, stop=stop, team=threads, watch=watch)
    last = Iterate(run.n_iter, run.factors, np.zeros(len(starts)), run.residuals)
    return run, weights(residuals(last))


def _factorize_in_batches(
    operator: SymmetricOperator,
    starts: Starts,
    solver: Solver,
    *,
    n_batches: int,
    max_iter: int,
    stop: StoppingRule,
    n_threads: int,
) -> Factorization:
    """One batch of members a worker of joblib; workers that share this machine share its threads."""
    bounds = [len(starts) * batch // n_batches for batch in range(n_batches + 1)]
    solve = partial(_factorize_batch, solver, n_threads=max(1, n_threads // n_batches), max_iter=max_iter, stop=stop)
    parts = Parallel(n_jobs=n_batches)(delayed(solve)(operator, starts[first:last]) for first, last in pairwise(bounds))
    return side_by_side(parts)


def _factorize_batch(
    solver: Solver, operator: SymmetricOperator, starts: Starts, *, n_threads: int, max_iter: int, stop: StoppingRule
) -> Factorization:
    with team(n_threads) as threads:
        return solver(operator, starts, max_iter=max_iter, stop=stop, team=threads)
