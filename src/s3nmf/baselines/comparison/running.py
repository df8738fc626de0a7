"""Methods one after the other on the same problem: what each found, and how long that took."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from s3nmf._types import IntArray
from s3nmf.baselines.comparison.contestants import Contestant, Problem
from s3nmf.metrics import Scores, aligned, correct, evaluate, normalized_mutual_information
from s3nmf.partitions import NO_CLUSTER, by_decreasing_size

# What a method raises that cannot be run on these data; anything else is a fault.
_REFUSALS = (ValueError, TypeError, MemoryError, ArithmeticError)
_TINY = 24


@dataclass(frozen=True, eq=False)
class MethodFit:
    """What a method found.

    Attributes
    ----------
    name, title : str
        What it is called: short, and in words.
    labels : array of shape (n_samples,)
        Clusters have the numbers of those of the first method that they share most points with; -1 is no cluster.
    seconds : float
        That took, without loading modules, which only a first run does.
    with_first : float
        Normalised mutual information with the labels of the first method; 1 for that one itself.
    scores : Scores or None
        Beside known groups, where there are some. Points in no cluster are never right.
    """

    name: str
    title: str
    labels: IntArray
    seconds: float
    with_first: float
    scores: Scores | None

    @property
    def n_clusters(self) -> int:
        return int(np.unique(self.labels[self.labels != NO_CLUSTER]).size)

    @property
    def n_noise(self) -> int:
        """Points in no cluster."""
        return int((self.labels == NO_CLUSTER).sum())


class Failure(NamedTuple):
    """A method that could not be run, and why."""

    name: str
    title: str
    error: Exception


def run_each(
    methods: Iterable[Contestant],
    problem: Problem,
    truth: IntArray | None = None,
    begin: Callable[[Contestant], None] | None = None,
) -> Iterator[MethodFit | Failure]:
    """What each method finds, as soon as it has; `begin` is told which one is next."""
    tiny = _tiny(problem)
    first: IntArray | None = None
    for method in methods:
        if begin is not None:
            begin(method)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # how many clusters were found is what is compared
                _warm_up(method, tiny)
                start = time.perf_counter()
                labels = _ordered(method.labels_for(problem))
                seconds = time.perf_counter() - start
        except _REFUSALS as error:
            yield Failure(method.name, method.title, error)
            continue
        first = labels if first is None else first
        labels = aligned(labels, first)
        with_first = normalized_mutual_information(first, labels, average="arithmetic")
        scores = None if truth is None else _scores(truth, labels)
        yield MethodFit(method.name, method.title, labels, seconds, with_first, scores)


def _warm_up(method: Contestant, tiny: Problem) -> None:
    """Have its modules loaded before its time is taken."""
    with suppress(*_REFUSALS):  # it will say what is wrong when it gets the real problem
        method.labels_for(tiny)


def _tiny(problem: Problem) -> Problem:
    """Two rings, in arrays of the kinds that the problem has."""
    turn = np.arange(_TINY) * 4 * np.pi / _TINY
    points = np.column_stack([np.cos(turn), np.sin(turn)]) + 9.0 * (np.arange(_TINY)[:, None] >= _TINY // 2)
    ring = np.roll(np.eye(_TINY // 2), 1, axis=1)
    affinity: Any = np.kron(np.eye(2), ring + ring.T) / 2
    affinity[0, -1] = affinity[-1, 0] = 0.01
    if callable(problem.graph):  # which may take a while to build, and not everyone needs it
        affinity = sp.csr_array(affinity)
    elif sp.issparse(problem.graph):
        affinity = sp.csr_array(affinity, dtype=problem.graph.dtype)
    given: Any = problem.points
    if given is not None:
        given = points.astype(given.dtype) if isinstance(given, np.ndarray) else sp.csr_array(points, dtype=given.dtype)
    return Problem(given, affinity, 2, problem.seed)


def _ordered(labels: IntArray) -> IntArray:
    """Clusters by decreasing size, as everywhere in the library; those in none stay there."""
    ordered = np.full(labels.size, NO_CLUSTER, dtype=np.intp)
    placed = labels != NO_CLUSTER
    if placed.any():
        ordered[placed] = by_decreasing_size(labels[placed])
    return ordered


def _scores(truth: IntArray, labels: IntArray) -> Scores:
    placed = labels != NO_CLUSTER
    right = int(correct(truth[placed], labels[placed]).sum()) if placed.any() else 0
    return evaluate(truth, labels, nmi_average="arithmetic")._replace(accuracy=right / labels.size)
