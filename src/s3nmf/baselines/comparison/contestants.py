"""Who takes part: the thirteen of the catalogue, S3NMF as it is by default, and what people know from elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from importlib.util import find_spec
from typing import Any

import numpy as np
from sklearn.cluster import HDBSCAN, KMeans
from sklearn.mixture import GaussianMixture

from s3nmf._messages import Message, Parameter
from s3nmf._types import Affinity, IntArray
from s3nmf._words import listed
from s3nmf.baselines.comparison import names
from s3nmf.baselines.comparison.leiden import leiden
from s3nmf.estimators import S3NMF
from s3nmf.estimators.catalogue import methods

# First those that wait for no graph and whose time grows in proportion to the points, then the others by what they took
# on 4,000 points with ten features and six clusters, and HDBSCAN, whose time may grow with their square, behind Leiden.
_BY_SPEED = (
    *(names.K_MEANS, names.MIXTURE, "SR", "SC", names.LEIDEN, names.HDBSCAN, names.DEFAULT, "S3NMF", "GSNMF", "SNMF"),
    *("sBSUM", "SEC", "ANLS", "LWGP", "LWCA", "HALS", "vBSUM", "SSC"),
)


@dataclass(frozen=True, eq=False)
class Problem:
    """What every method is given.

    Attributes
    ----------
    points : array or csr_array of shape (n_samples, n_features), or None
        None where there is a graph and nothing else.
    graph : array or csr_array of shape (n_samples, n_samples), or callable
        The same graph for all that take one; or what builds it, when the first of them asks for it.
    n_clusters : int
    seed : int
    n_neighbors : int or "auto"
        Of the graph, for methods that build it themselves.
    """

    points: Any
    graph: Affinity | Callable[[], Affinity]
    n_clusters: int
    seed: int
    n_neighbors: Any = "auto"

    @cached_property
    def affinity(self) -> Affinity:
        """The graph, built now if it was not yet."""
        return self.graph() if callable(self.graph) else self.graph


@dataclass(frozen=True)
class Contestant:
    """A method, ready to run.

    Attributes
    ----------
    name, title : str
        Short, and in words.
    labels_for : callable
        From a problem to labels, -1 for points in no cluster.
    takes_points : bool
        Whether a graph is not enough.
    module : str or None
        What it cannot do without, beside what the library requires.
    slow_beyond : int or None
        The most points that take minutes, and not hours.
    """

    name: str
    labels_for: Callable[[Problem], IntArray]
    takes_points: bool = False
    module: str | None = None
    slow_beyond: int | None = None

    @property
    def title(self) -> str:
        return names.TITLES[self.name]


def contestants() -> dict[str, Contestant]:
    """All, by their short names, in the order in which they are run: what people know first."""
    found = [
        Contestant(names.DEFAULT, _by_default),
        Contestant(names.K_MEANS, _k_means, takes_points=True),
        Contestant(names.MIXTURE, _gaussian_mixture, takes_points=True),
        Contestant(names.HDBSCAN, _hdbscan, takes_points=True),
        Contestant(names.LEIDEN, _leiden, module="igraph"),
        # SSC takes about 3e-8 n^3 seconds.
        *(
            Contestant(name, partial(_of_catalogue, name=name), slow_beyond=2500 if name == "SSC" else None)
            for name in methods()
        ),
    ]
    return {one.name: one for one in found}


def chosen(asked: list[str] | None, n: int, *, has_points: bool) -> tuple[list[Contestant], list[str]]:
    """Those that were asked for, or all that can be run on so many points in good time; and who was left out, and why.

    Names are as in `s3nmf.baselines.comparison.names`.
    """
    known = contestants()
    wanted = list(known.values()) if asked is None else [known[name] for name in dict.fromkeys(asked)]
    running, without_columns, notes = [], [], []
    for one in wanted:
        if one.takes_points and not has_points:
            without_columns.append(one.title)
        elif one.module is not None and find_spec(one.module) is None:
            notes.append(f"Left out {one.title}, which needs {one.module}: pip install 's3nmf[leiden]'.")
        elif asked is None and one.slow_beyond is not None and n > one.slow_beyond:
            notes.append(_slow(one, one.slow_beyond))
        else:
            running.append(one)
    if without_columns:
        need = "needs" if len(without_columns) == 1 else "need"
        notes.insert(0, f"Left out {listed(without_columns)}, which {need} columns: there is only a graph.")
    return running, notes


def fastest_first(running: list[Contestant]) -> list[Contestant]:
    """In the order of the time that they take, for whoever has little."""
    return sorted(running, key=lambda one: _BY_SPEED.index(one.name))


def _slow(one: Contestant, beyond: int) -> str:
    """Why it was left out, and how to have it."""
    ask = Parameter("methods", [one.name])
    return Message("Left out {}, which is slow beyond {:,} points ({}).", one.title, beyond, ask)


def _by_default(problem: Problem) -> IntArray:
    """As `S3NMF` and `s3nmf cluster` do it, from the points where there are any: the time of its graph is in it."""
    model = S3NMF(problem.n_clusters, n_neighbors=problem.n_neighbors, random_state=problem.seed)
    if problem.points is None:
        model.set_params(affinity="precomputed", n_neighbors="auto").fit(problem.affinity)
    else:
        model.fit(problem.points)
    return model.labels_


def _of_catalogue(problem: Problem, name: str) -> IntArray:
    method = methods()[name]
    method.set_params(n_clusters=problem.n_clusters, affinity="precomputed", random_state=problem.seed)
    return np.asarray(method.fit(problem.affinity).labels_)


def _k_means(problem: Problem) -> IntArray:
    return np.asarray(KMeans(problem.n_clusters, n_init=10, random_state=problem.seed).fit_predict(problem.points))


def _gaussian_mixture(problem: Problem) -> IntArray:
    return np.asarray(GaussianMixture(problem.n_clusters, random_state=problem.seed).fit_predict(problem.points))


def _hdbscan(problem: Problem) -> IntArray:
    """It counts the clusters itself, and leaves points out of all of them."""
    return np.asarray(HDBSCAN(copy=True).fit_predict(problem.points))


def _leiden(problem: Problem) -> IntArray:
    return leiden(problem.affinity, problem.n_clusters, problem.seed)
