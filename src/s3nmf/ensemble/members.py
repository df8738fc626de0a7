"""Algorithm 2: factorize one operator from b starts and learn what each member is worth."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeAlias

import numpy as np

from s3nmf._types import FloatArray
from s3nmf.ensemble.conventions import Conventions
from s3nmf.ensemble.weights import learned_weights, rounding_level, spectral_residuals
from s3nmf.operators import SymmetricOperator
from s3nmf.solvers.base import Factorization, Iterate, StoppingRule, factorize, largest_step
from s3nmf.solvers.multiplicative import multiplicative_sweep

Weighting: TypeAlias = Literal["learned", "uniform"]

AUTHORS_MIN_SWEEPS = 300


def factorize_members(
    operator: SymmetricOperator,
    starts: FloatArray,
    *,
    tau: float,
    weighting: Weighting,
    max_iter: int,
    tol: float,
    conventions: Conventions,
) -> tuple[Factorization, FloatArray]:
    """Factorize from every start (b, n, c); return the factorization of all members and their weights (b,).

    The update of V does not contain alpha, so the weights are computed for the stopping rule and at the end.
    """

    def residuals(iterate: Iterate) -> FloatArray:
        return spectral_residuals(operator, iterate) if conventions.residual_norm == "spectral" else iterate.residuals

    def weights(iterate: Iterate) -> FloatArray:
        if weighting == "uniform":
            n_members = iterate.residuals.size
            return np.full(n_members, 1.0 / n_members)
        return learned_weights(residuals(iterate), tau, floor=rounding_level(operator))

    def objective(iterate: Iterate) -> float:
        return float(weights(iterate) ** tau @ residuals(iterate))

    def step(before: Iterate, after: Iterate) -> float:
        return largest_step(operator, before, after)

    stop = _text_rule(step, weights, tol) if conventions.inner_stop == "text" else _authors_rule(objective, tol)
    factorization = factorize(operator, starts, multiplicative_sweep, max_iter=max_iter, stop=stop)
    return factorization, weights(factorization.last)


def _text_rule(
    step: Callable[[Iterate, Iterate], float], weights: Callable[[Iterate], FloatArray], tol: float
) -> StoppingRule:
    """max(|V^t - V^(t-1)|, |alpha^t - alpha^(t-1)|) < tol, over all entries and members."""

    def stop(before: Iterate, after: Iterate) -> bool:
        if step(before, after) >= tol:
            return False
        return bool(np.abs(weights(after) - weights(before)).max() < tol)

    return stop


def _authors_rule(objective: Callable[[Iterate], float], tol: float) -> StoppingRule:
    """More than 300 sweeps, and a step of the weighted objective below tol."""

    def stop(before: Iterate, after: Iterate) -> bool:
        return after.sweep > AUTHORS_MIN_SWEEPS and abs(objective(after) - objective(before)) < tol

    return stop
