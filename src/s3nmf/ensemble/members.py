"""Algorithm 2: factorize one operator from b starts and learn what each member is worth."""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from typing import Literal, TypeAlias

import numpy as np
from joblib import Parallel, delayed, effective_n_jobs

from s3nmf._threads import Team, team
from s3nmf._types import FloatArray
from s3nmf.ensemble.conventions import Conventions
from s3nmf.ensemble.stopping import authors_rule, text_rule
from s3nmf.ensemble.weights import learned_weights, rounding_level, spectral_residuals
from s3nmf.operators import SymmetricOperator
from s3nmf.solvers.base import Factorization, Iterate, Solver, Starts, StepBelow, StoppingRule, Watch, side_by_side
from s3nmf.solvers.multiplicative import MEMBERS_FOR_A_LOOP
from s3nmf.solvers.starts import RandomStarts

Weighting: TypeAlias = Literal["learned", "uniform"]


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


def factorize_members(
    operator: SymmetricOperator,
    starts: Starts,
    *,
    solver: Solver,
    tau: float,
    weighting: Weighting,
    max_iter: int,
    tol: float,
    conventions: Conventions,
    threads: Team,
    n_jobs: int | None = None,
    watch: Watch | None = None,
) -> tuple[Factorization, FloatArray]:
    """Factorize from every start; return the factorization of all members and their weights (b,).

    The update of V does not contain alpha, so the weights are computed for the stopping rule and at the end. Members
    that stop by themselves are independent of each other, and are split over the workers of joblib.
    """

    def residuals(iterate: Iterate) -> FloatArray:
        return spectral_residuals(operator, iterate) if conventions.residual_norm == "spectral" else iterate.objective

    def weights(residuals: FloatArray) -> FloatArray:
        if weighting == "uniform":
            return np.full(residuals.size, 1.0 / residuals.size)
        return learned_weights(residuals, tau, floor=rounding_level(operator))

    def objective(iterate: Iterate) -> float:
        misfit = residuals(iterate)
        return float(weights(misfit) ** tau @ misfit)

    rules: dict[str, StoppingRule] = {
        "each": StepBelow(tol),
        "text": text_rule(lambda iterate: weights(residuals(iterate)), tol),
        "authors": authors_rule(objective, tol),
    }
    stop = rules[conventions.inner_stop]
    # BLAS multiplies a dense matrix by many columns in another order than by few: those members stay together.
    independent = conventions.inner_stop == "each" and operator.rows is not None
    n_batches = min(effective_n_jobs(n_jobs), len(starts) // MEMBERS_FOR_A_LOOP) if independent else 1
    if n_batches > 1:
        factorization = _factorize_in_batches(
            operator, starts, solver, n_batches=n_batches, max_iter=max_iter, stop=stop, n_threads=threads.n_threads
        )
    else:
        factorization = solver(operator, starts, max_iter=max_iter, stop=stop, team=threads, watch=watch)
    last = Iterate(factorization.n_iter, factorization.factors, np.zeros(len(starts)), factorization.residuals)
    return factorization, weights(residuals(last))


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
