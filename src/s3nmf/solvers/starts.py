"""Where a factorization starts: drawn at random, a stream of its own for every member of every round, or given."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

import numpy as np
from sklearn.utils import check_random_state

from s3nmf._types import FloatArray
from s3nmf.graph.operators import SymmetricOperator
from s3nmf.solvers.base import Starts

StartScale: TypeAlias = Literal["uniform", "kuang", "spread"]
StartSource: TypeAlias = Callable[[int, SymmetricOperator], Starts]


# What a start from similarities, which go up to 1, has in addition at random: without it no entry that is zero could
# grow, and members would all find the same.
_HAZE = 1.0
_ALIKE = 1e-9


def start_source(
    starts: StartScale | FloatArray | None, n_members: int, n_clusters: int, random_state: Any = None
) -> StartSource:
    """Return what gives the starts of a round, by its number from 1 and its operator.

    Parameters
    ----------
    starts : {"uniform", "kuang", "spread"}, array or None
        How to draw random starts (None is "uniform"), or the checked starts of all rounds. "spread" is for rounds after
        the first, which factorize a co-association.
    n_members, n_clusters : int
    random_state : int, RandomState or None
    """
    if isinstance(starts, np.ndarray):
        return lambda number, operator: starts[number - 1]
    entropy = int(check_random_state(random_state).randint(np.iinfo(np.int32).max))

    def drawn(number: int, operator: SymmetricOperator) -> Starts:
        if starts == "spread" and number > 1:
            return SpreadStarts((entropy, number), range(n_members), n_clusters, operator)
        norms = _norms(operator, n_clusters, "kuang" if starts == "kuang" else "uniform")
        return RandomStarts((entropy, number), range(n_members), n_clusters, norms)

    return drawn


@dataclass(frozen=True)
class RandomStarts:
    """Nonnegative starts (n, c), drawn from U(0, 1) when asked for, each row at a scale.

    The stream of a member depends on the seed and its number alone, so neither how many members there are nor where and
    in which order they are computed changes a start.
    """

    seed: tuple[int, int]
    members: range
    n_clusters: int
    norms: FloatArray

    def __len__(self) -> int:
        return len(self.members)

    def times(self, factor: int) -> RandomStarts:
        """The same starts, and more of them: so many times as many."""
        return replace(self, members=range(factor * len(self.members)))

    def __getitem__(self, member: Any) -> Any:
        if isinstance(member, slice):
            return replace(self, members=self.members[member])
        start = np.random.default_rng((*self.seed, self.members[member])).random((self.norms.size, self.n_clusters))
        start *= self.norms[:, None]
        return start


@dataclass(frozen=True)
class SpreadStarts:
    """Starts (n, c) whose columns are the similarities to c rows of a co-association that are far from each other.

    The rows are drawn one after the other, as the centres of k-means++ are: a row stands for its points, and is the
    more likely the less similar they are to those drawn before.
    """

    seed: tuple[int, int]
    members: range
    n_clusters: int
    operator: SymmetricOperator

    def __len__(self) -> int:
        return len(self.members)

    def __getitem__(self, member: Any) -> Any:
        if isinstance(member, slice):
            return replace(self, members=self.members[member])
        random = np.random.default_rng((*self.seed, self.members[member]))
        n, points = self.operator.shape[0], self.operator.multiplicity
        norms = np.sqrt(points)
        similar, nearest = np.empty((n, self.n_clusters)), np.zeros(n)
        for column in range(self.n_clusters):
            # Where every point is like one that was drawn, any will do.
            chance = points * np.maximum(1.0 - nearest, _ALIKE)
            row = random.choice(n, p=chance / chance.sum())
            unit = np.zeros((n, 1))
            unit[row] = 1.0
            similar[:, column] = (self.operator @ unit).ravel() / (norms * norms[row])
            nearest = np.maximum(nearest, similar[:, column])
        return (similar + _HAZE * random.random(similar.shape)) * norms[:, None]


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


def _norms(operator: SymmetricOperator, n_clusters: int, scale: Literal["uniform", "kuang"]) -> FloatArray:
    """The scale of each row: 1, as in the paper, or 2 sqrt(mean(S) / c), which is that of the solution.

    A row that stands for d points alike has the norm of d equal rows, sqrt(d) times that of one.
    """
    norms = np.sqrt(operator.multiplicity)
    if scale == "kuang":
        mean = norms @ (operator @ norms) / operator.multiplicity.sum() ** 2
        norms *= 2.0 * np.sqrt(mean / n_clusters)
    return norms
