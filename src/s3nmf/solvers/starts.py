"""Where a factorization starts: drawn at random, a stream of its own for every member of every round, or given."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, TypeAlias

import numpy as np
from sklearn.utils import check_random_state

from s3nmf._types import FloatArray
from s3nmf.operators import SymmetricOperator

StartScale: TypeAlias = Literal["uniform", "kuang"]
StartSource: TypeAlias = Callable[[int, SymmetricOperator], FloatArray]


def start_source(
    starts: StartScale | Any | None, shape: tuple[int, int, int, int], random_state: Any = None
) -> StartSource:
    """Return what gives the starts (b, n, c) of a round, by its number from 1 and its operator.

    Parameters
    ----------
    starts : {"uniform", "kuang"}, array or None
        How to scale random starts (None is "uniform"), or the starts of all rounds.
    shape : tuple
        (rounds, members, n, c)
    random_state : int, RandomState or None
    """
    if starts is None or isinstance(starts, str):
        entropy = int(check_random_state(random_state).randint(np.iinfo(np.int32).max))
        scale: StartScale = "kuang" if starts == "kuang" else "uniform"
        return lambda number, operator: draw_starts(operator, shape[1:], scale, (entropy, number))
    given = np.asarray(starts, dtype=np.float64)
    if given.shape != shape:
        raise ValueError(
            f"starts has shape {given.shape}; here it must be (rounds, members, n_samples, n_clusters) = {shape}."
        )
    if not np.isfinite(given).all() or (given < 0).any():
        raise ValueError("starts must be finite and >= 0: the updates keep the sign of every entry.")
    return lambda number, operator: given[number - 1]


def draw_starts(
    operator: SymmetricOperator, shape: tuple[int, int, int], scale: StartScale, seed: tuple[int, int]
) -> FloatArray:
    """Draw nonnegative starts of shape (b, n, c).

    The stream of a member depends on the seed and its number alone, so neither how many members there are nor the order
    in which they are computed changes a start.

    Parameters
    ----------
    scale : {"uniform", "kuang"}
        U(0, 1), as in the paper, or 2 sqrt(mean(S) / c) U(0, 1), which has the scale of the solution.
    """
    _, n, n_clusters = shape
    starts = np.empty(shape)
    for member, start in enumerate(starts):
        np.random.default_rng((*seed, member)).random(out=start)
    if scale == "kuang":
        starts *= 2.0 * np.sqrt((operator @ np.ones(n)).sum() / n**2 / n_clusters)
    return starts
