"""Work that several runs share: made when the first of them asks for it, and then read from the store's cache.

An estimator asks by a parameter of its `fit`: `partitions`, those that the ensemble methods combine, the same for all
of them in one repetition; `projection`, the matrix that SSC clusters, the same for all repetitions.
"""

from __future__ import annotations

import inspect
import time
from collections.abc import Callable, Hashable
from pathlib import Path
from typing import Any, NamedTuple

import joblib
from sklearn.base import BaseEstimator

import s3nmf
from experiments.problems import Problem
from experiments.repeated_ssc import Projection
from s3nmf._types import Affinity, IntArray


def _base_partitions(W: Affinity, n_clusters: int, **arguments: Any) -> IntArray:
    from s3nmf.baselines.consensus.base_partitions import base_partitions  # noqa: PLC0415

    return base_partitions(W, n_clusters, **arguments).labels


def _projection(W: Affinity, n_clusters: int, **arguments: Any) -> Projection:
    """The part of the solution that is clustered: n c numbers of n^2."""
    from s3nmf.baselines.spectral.sparse import sparse_projection  # noqa: PLC0415

    solution = sparse_projection(W, n_clusters, **arguments)
    return Projection(solution.embedding, solution.n_iter, solution.converged)


class Kind(NamedTuple):
    """How a kind of shared work is made of an affinity, and by which parameters of the estimator."""

    make: Callable[..., Any]
    parameters: tuple[str, ...]

    def arguments(self, model: BaseEstimator) -> dict[str, Any]:
        return {name: getattr(model, name) for name in self.parameters}


KINDS: dict[str, Kind] = {
    "partitions": Kind(_base_partitions, ("n_members", "max_iter", "tol", "random_state")),
    "projection": Kind(_projection, ("beta", "max_iter", "tol")),
}


def asked_for(model: BaseEstimator) -> str | None:
    """The kind of shared work that an estimator takes, if any."""
    taken = inspect.signature(model.fit).parameters
    return next((kind for kind in KINDS if kind in taken), None)


def name_of(problem: Problem, model: BaseEstimator) -> Hashable | None:
    """What two runs have in common if they share work."""
    kind = asked_for(model)
    return kind and (problem.data_hash, kind, *sorted(KINDS[kind].arguments(model).items()))


def shared_work(problem: Problem, model: BaseEstimator, cache: Path) -> tuple[dict[str, Any], float]:
    """What to give to `fit` beside the affinity, and how many seconds it took when it was made."""
    kind = asked_for(model)
    if kind is None:
        return {}, 0.0
    made = joblib.Memory(cache, verbose=0).cache(_timed)
    work, seconds = made(kind, s3nmf.__version__, problem.W, problem.n_clusters, KINDS[kind].arguments(model))
    return {kind: work}, seconds


def _timed(kind: str, version: str, W: Affinity, n_clusters: int, arguments: dict[str, Any]) -> tuple[Any, float]:
    """The work and its seconds; the version is an argument so that another one makes it anew."""
    began = time.perf_counter()
    work = KINDS[kind].make(W, n_clusters, **arguments)
    return work, time.perf_counter() - began
