"""Points without an edge: they belong to no cluster, so the others are clustered without them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from s3nmf._types import Affinity, IntArray
from s3nmf.method.members import Communities, FirstRound, Partitions
from s3nmf.method.recipe import Recipe
from s3nmf.method.result import Round, S3NMFResult
from s3nmf.partitions import NO_CLUSTER, by_decreasing_size, stacked


@dataclass(frozen=True, eq=False)
class Joined:
    """The points with an edge, of n: what is given for all points is cut down to them, and the result is of all again.

    Attributes
    ----------
    n : int
    isolated : array
        Points without an edge, in increasing order.
    """

    n: int
    isolated: IntArray

    @property
    def points(self) -> IntArray:
        """Those with an edge, in increasing order."""
        return np.setdiff1d(np.arange(self.n), self.isolated, assume_unique=True)

    def affinity(self, W: Affinity) -> Any:
        """Of those points."""
        points = self.points
        return W[points][:, points]

    def features(self, X: Any) -> Any:
        """Of those points."""
        return X[self.points]

    def members(self, find: FirstRound) -> FirstRound:
        """A source of partitions of those points. One of the user's own is asked for them in any case."""
        if isinstance(find, Communities):
            wider = None if find.wider is None else self._graph(find.wider)
            return replace(find, more_graphs=tuple(map(self._graph, find.more_graphs)), wider=wider)
        if isinstance(find, Partitions) and np.ndim(find.labels) == 2 and np.shape(find.labels)[1] == self.n:
            return replace(find, labels=np.asarray(find.labels)[:, self.points])
        return find

    def recipe(self, how: Recipe) -> Recipe:
        """With the starts of those points."""
        if isinstance(how.starts, str):
            return how
        starts = np.asarray(how.starts)
        return replace(how, starts=starts[..., self.points, :]) if starts.shape[-2:-1] == (self.n,) else how

    def _graph(self, make: Callable[[], Affinity]) -> Callable[[], Affinity]:
        return lambda: self.affinity(make())

    def result(self, found: S3NMFResult) -> S3NMFResult:
        """Of all points: those without an edge have no label, and no membership; for members, each is on its own."""
        labels = np.full(self.n, NO_CLUSTER, dtype=np.intp)
        labels[self.points] = found.labels
        shares = np.zeros((self.n, found.membership.shape[1]))
        shares[self.points] = found.membership
        history = tuple(map(self._round, found.history))
        return replace(found, labels=labels, membership=shares, history=history, isolated=self.isolated)

    def _round(self, found: Round) -> Round:
        def of_all(labels: IntArray) -> IntArray:
            whole = np.empty(self.n, dtype=np.intp)
            whole[self.points] = labels
            whole[self.isolated] = int(labels.max()) + 1 + np.arange(self.isolated.size)
            return by_decreasing_size(whole)

        return replace(found, member_labels=stacked(map(of_all, found.member_labels)))
