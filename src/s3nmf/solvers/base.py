"""What every solver of min ||S - V V'||^2, V >= 0 shares: the state of a run, when to stop, and the loop.

A solver is one function, a `Sweep`: it takes the operator and the current `Iterate` of all members and returns their
next factors. `factorize` does the rest. Adding a solver is adding a file with a sweep.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from s3nmf._types import FloatArray
from s3nmf.operators import SymmetricOperator


@dataclass(frozen=True)
class Iterate:
    """All members after a sweep. Members stand side by side, so that one product S V serves them all."""

    sweep: int
    factors: FloatArray
    """V of each member, (n, b, c)."""
    product: FloatArray
    """S V, (n, b, c)."""
    gram: FloatArray
    """V'V of each member, (b, c, c)."""
    residuals: FloatArray
    """||S - V V'||_F^2 of each member, (b,)."""


Sweep: TypeAlias = Callable[[SymmetricOperator, Iterate], FloatArray]
StoppingRule: TypeAlias = Callable[[Iterate, Iterate], bool]


@dataclass(frozen=True)
class Factorization:
    """Where a run of `factorize` ended, and how it got there."""

    last: Iterate
    objective: FloatArray
    """||S - V V'||_F^2 of each member, at the start and after each sweep, (n_iter + 1, b)."""
    converged: bool

    @property
    def n_iter(self) -> int:
        return self.last.sweep

    @property
    def factors(self) -> FloatArray:
        """V of each member, (b, n, c)."""
        return self.last.factors.transpose(1, 0, 2)


def factorize(
    operator: SymmetricOperator, starts: FloatArray, sweep: Sweep, *, max_iter: int, stop: StoppingRule
) -> Factorization:
    """Sweep over all members from their starts (b, n, c) until the rule says stop or `max_iter` is reached.

    Costs one product S V a sweep, which serves both the objective of this sweep and the update of the next.
    """
    iterate = _evaluate(operator, np.ascontiguousarray(starts.transpose(1, 0, 2)), 0)
    objective = [iterate.residuals]
    converged = False
    while iterate.sweep < max_iter and not converged:
        following = _evaluate(operator, sweep(operator, iterate), iterate.sweep + 1)
        objective.append(following.residuals)
        converged = stop(iterate, following)
        iterate = following
    return Factorization(iterate, np.array(objective), converged)


def largest_step(operator: SymmetricOperator, before: Iterate, after: Iterate) -> float:
    """The largest change of an entry of V, over all members, for a single point."""
    step = after.factors - before.factors
    by_row = np.abs(step, out=step).max(axis=(1, 2))
    return float((by_row / np.sqrt(operator.multiplicity)).max())


def _evaluate(operator: SymmetricOperator, V: FloatArray, sweep: int) -> Iterate:
    n = V.shape[0]
    product = (operator @ V.reshape(n, -1)).reshape(V.shape)
    by_member = V.transpose(1, 0, 2)
    gram = by_member.transpose(0, 2, 1) @ by_member
    # ||S - VV'||^2 = ||S||^2 - 2 <V, SV> + ||V'V||^2; rounding can take a perfect fit below zero.
    fit = operator.squared_norm - 2 * np.einsum("nbc,nbc->b", V, product) + np.einsum("bij,bij->b", gram, gram)
    return Iterate(sweep, V, product, gram, np.maximum(fit, 0.0))
