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
    starts: StartScale | FloatArray | None, n_members: int, n_clusters: int, random_state: Any = None
) -> StartSource:
    """Return what gives the starts (b, n, c) of a round, by its number from 1 and its operator.

    Parameters
    ----------
    starts : {"uniform", "kuang"}, array or None
        How to scale random starts (None is "uniform"), or the checked starts of all rounds.
    n_members, n_clusters : int
    random_state : int, RandomState or None
    """
    if isinstance(starts, np.ndarray):
        return lambda number, operator: starts[number - 1]
    entropy = int(check_random_state(random_state).randint(np.iinfo(np.int32).max))
    scale: StartScale = "kuang" if starts == "kuang" else "uniform"
    return lambda number, operator: draw_starts(operator, n_members, n_clusters, scale=scale, seed=(entropy, number))


def check_starts(starts: Any, **sizes: int) -> Any:
    """Return starts that were given as an array of the named sizes; None and the name of a scale pass as they are."""
    if starts is None or isinstance(starts, str):
        return starts
    given = np.asarray(starts)
    shape = tuple(sizes.values())
    if given.shape != shape:
        raise ValueError(f"starts has shape {given.shape}; it must be ({', '.join(sizes)}) = {shape}.")
    if given.dtype.kind not in "fiub":
        raise ValueError(f"starts has dtype {given.dtype}; it must hold real numbers.")
    given = given.astype(np.float64)
    bad = np.argwhere(~(np.isfinite(given) & (given >= 0)))
    if bad.size:
        at = tuple(map(int, bad[0]))
        raise ValueError(f"starts is {given[at]} at {list(at)}; it must be finite and >= 0.")
    if not given.any(axis=(-2, -1)).all():
        raise ValueError("starts holds a start of zeros only, which stays zero. Every start needs a positive entry.")
    return given


def draw_starts(
    operator: SymmetricOperator, n_members: int, n_clusters: int, *, scale: StartScale, seed: tuple[int, int]
) -> FloatArray:
    """Draw nonnegative starts of shape (b, n, c).

    The stream of a member depends on the seed and its number alone, so neither how many members there are nor the order
    in which they are computed changes a start. A row that stands for d points alike has the norm of d equal rows,
    sqrt(d) times that of one.

    Parameters
    ----------
    scale : {"uniform", "kuang"}
        U(0, 1), as in the paper, or 2 sqrt(mean(S) / c) U(0, 1), which has the scale of the solution.
    """
    starts = np.empty((n_members, operator.shape[0], n_clusters))
    for member, start in enumerate(starts):
        np.random.default_rng((*seed, member)).random(out=start)
    norms = np.sqrt(operator.multiplicity)
    if scale == "kuang":
        mean = norms @ (operator @ norms) / operator.multiplicity.sum() ** 2
        norms *= 2.0 * np.sqrt(mean / n_clusters)
    starts *= norms[:, None]
    return starts
