"""When the paper stops the sweeps of all members: by its text, and by the authors' code."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from s3nmf._types import FloatArray
from s3nmf.solvers.base import BoolArray, Iterate, StoppingRule

AUTHORS_MIN_SWEEPS = 300


def text_rule(weights: Callable[[Iterate], FloatArray], tol: float) -> StoppingRule:
    """All stop when max(|V^t - V^(t-1)|, |alpha^t - alpha^(t-1)|) < tol, over all entries and members."""
    before = np.array(np.inf)

    def stop(iterate: Iterate) -> BoolArray:
        nonlocal before
        now = weights(iterate)
        change, before = np.abs(now - before), now
        return np.full(iterate.steps.size, max(iterate.steps.max(), change.max()) < tol)

    return stop


def authors_rule(objective: Callable[[Iterate], float], tol: float) -> StoppingRule:
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
