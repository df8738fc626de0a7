"""Algorithm 2: factorize one operator from b starts and learn what each member is worth."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Literal, TypeAlias

import numpy as np
from joblib import Parallel, delayed, effective_n_jobs

from s3nmf._threads import Team, team
from s3nmf._types import FloatArray
from s3nmf.ensemble.conventions import Conventions
from s3nmf.ensemble.weights import learned_weights, rounding_level, spectral_residuals
from s3nmf.operators import SymmetricOperator
from s3nmf.solvers.base import BoolArray, Factorization, Iterate, Starts, StepBelow, StoppingRule, Watch, side_by_side
from s3nmf.solvers.multiplicative import MEMBERS_FOR_A_LOOP, multiplicative

Weighting: TypeAlias = Literal["learned", "uniform"]

AUTHORS_MIN_SWEEPS = 300


def factorize_members(
    operator: SymmetricOperator,
    starts: Starts,
    *,
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
        return spectral_residuals(operator, iterate) if conventions.residual_norm == "spectral" else iterate.residuals

    def weights(residuals: FloatArray) -> FloatArray:
        if weighting == "uniform":
            return np.full(residuals.size, 1.0 / residuals.size)
        return learned_weights(residuals, tau, floor=rounding_level(operator))

    def objective(iterate: Iterate) -> float:
        misfit = residuals(iterate)
        return float(weights(misfit) ** tau @ misfit)

    rules: dict[str, StoppingRule] = {
        "each": StepBelow(tol),
        "text": _text_rule(lambda iterate: weights(residuals(iterate)), tol),
        "authors": _authors_rule(objective, tol),
    }
    stop = rules[conventions.inner_stop]
    n_batches = 1
    if conventions.inner_stop == "each":
        n_batches = max(1, min(effective_n_jobs(n_jobs), len(starts) // MEMBERS_FOR_A_LOOP))
    if n_batches == 1:
        factorization = multiplicative(operator, starts, max_iter=max_iter, stop=stop, team=threads, watch=watch)
    else:
        bounds = [len(starts) * batch // n_batches for batch in range(n_batches + 1)]
        n_threads = max(1, threads.n_threads // n_batches)
        parts = Parallel(n_jobs=n_batches)(
            delayed(_factorize_batch)(operator, starts[first:last], max_iter, stop, n_threads)
            for first, last in pairwise(bounds)
        )
        factorization = side_by_side(parts)
    last = Iterate(factorization.n_iter, factorization.factors, np.zeros(len(starts)), factorization.residuals)
    return factorization, weights(residuals(last))


def _factorize_batch(
    operator: SymmetricOperator, starts: Starts, max_iter: int, stop: StoppingRule, n_threads: int
) -> Factorization:
    with team(n_threads) as threads:
        return multiplicative(operator, starts, max_iter=max_iter, stop=stop, team=threads)


def _text_rule(weights: Callable[[Iterate], FloatArray], tol: float) -> StoppingRule:
    """All stop when max(|V^t - V^(t-1)|, |alpha^t - alpha^(t-1)|) < tol, over all entries and members."""
    before = np.array(np.inf)

    def stop(iterate: Iterate) -> BoolArray:
        nonlocal before
        now = weights(iterate)
        change, before = np.abs(now - before), now
        return np.full(iterate.steps.size, max(iterate.steps.max(), change.max()) < tol)

    return stop


def _authors_rule(objective: Callable[[Iterate], float], tol: float) -> StoppingRule:
    """All stop after more than 300 sweeps, at a step of the weighted objective below tol."""
    before = np.inf

    def stop(iterate: Iterate) -> BoolArray:
        nonlocal before
        if iterate.sweep < AUTHORS_MIN_SWEEPS:
            return np.zeros(iterate.steps.size, dtype=bool)
        now = objective(iterate)
        change, before = abs(now - before), now
        return np.full(iterate.steps.size, change < tol)

    return stop
