"""How far what was found exceeds what the same search finds where there is nothing to find."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, TypeAlias

import numpy as np
import scipy.sparse as sp

from s3nmf._indices import compact
from s3nmf._threads import team
from s3nmf._types import FloatArray
from s3nmf.trust import figures
from s3nmf.trust.figures import Figures, Search, known_sparseness
from s3nmf.trust.nulls import one_cloud, rewired, same_radii

# Of more points so many are drawn: real and random ones alike, so that their figures compare.
MOST_POINTS = 1000
# Fewer points say nothing.
FEWEST_POINTS = 20
_NULLS = 8
_FEWEST_NULLS = 4
# Figures of the data themselves are the mean over as many searches. A graph that is given cannot be sampled, and one
# search of a large one is a third of a fit.
_SEARCHES = 2
_LARGE_GRAPH = 10_000
# Figures of more edges than these would take more memory than the fit.
_MOST_EDGES = 50_000_000
# Differences below these are never surprising, however alike the few random data happen to be.
_SMALLEST_SD_OF_SPARSENESS = 0.01
_SMALLEST_SD_OF_LOG_CROSSING = 0.15
_SMALLEST_SD_IN_GRAPHS = 0.03
# Shares of links below this are as good as none.
_NO_LINKS = 0.002
# Where no link crosses in the data, and some do in most random data: as good as certain.
_APART = 9.0
_MOSTLY = 0.75
_BOTH_BEYOND = 1.5
# Distances that mean something for points of a normal distribution.
METRICS = frozenset({"euclidean", "l2", "sqeuclidean", "manhattan", "cityblock", "l1", "cosine", "correlation",
                     "chebyshev", "minkowski"})  # fmt: skip

Look: TypeAlias = Callable[[Any, int], Figures | None]


@dataclass(frozen=True)
class Evidence:
    """What sets the clusters apart, beside data of the same spread without clusters.

    Attributes
    ----------
    score : float
        By how many standard deviations the figures exceed those of data without clusters, of the kind that comes
        closest.
    found : Figures
        Of communities of the data, or of a sample of them.
    by_chance : Figures
        The mean of those of data without clusters, of that kind.
    n_points : int
        How many points were looked at.
    n_clusters : int
        Into how many communities they were cut, about.
    """

    score: float
    found: Figures
    by_chance: Figures
    n_points: int
    n_clusters: int


def evidence_in_features(X: Any, n_clusters: int, metric: str = "euclidean") -> Evidence | None:
    """Compare points with two kinds of data without clusters: one cloud, and clouds with the same radii.

    None where that says nothing: of a handful of points, of points that are all the same, or by distances between
    yes and no.

    Examples
    --------
    >>> random = np.random.default_rng(0)
    >>> noise = random.normal(size=(300, 3))
    >>> three = noise + 8 * np.eye(3)[np.arange(300) % 3]
    >>> evidence_in_features(noise, 3).score < 3 < evidence_in_features(three, 3).score
    True
    """
    if metric not in METRICS or n_clusters < 2:
        return None
    random = np.random.default_rng(0)
    points, axes = _on_principal_axes(X, metric, random)
    if points is None:
        return None

    def given(points: FloatArray) -> FloatArray:
        return points if axes is None else np.asarray(points @ axes)

    def look(points: FloatArray, seed: int) -> Figures | None:
        return figures.of_points(given(points), metric, Search(n_clusters, seed))

    kinds = [[kind(points, random) for _ in range(_NULLS)] for kind in (one_cloud, same_radii)]
    real, *nulls = _seen([[points] * _SEARCHES, *kinds], look)
    return _compared(figures.mean(real), nulls, len(points), n_clusters)


def evidence_in_graph(W: Any, n_clusters: int) -> Evidence | None:
    """Compare a graph with graphs of the same degrees whose edges lead anywhere.

    Graphs of neighbours are far from those, clusters or not: neighbours of neighbours are neighbours. Where there are
    features, `evidence_in_features` is the fair comparison. None for a handful of points, and for tens of millions of
    edges.
    """
    W = compact(W)
    n = W.shape[0]
    if n < max(FEWEST_POINTS, 2 * n_clusters) or n_clusters < 2 or not 0 < W.nnz <= _MOST_EDGES:
        return None
    searches = _SEARCHES if n <= _LARGE_GRAPH else 1
    random = np.random.default_rng(0)

    def look(W: Any, seed: int) -> Figures | None:
        return figures.of_graph(W, Search(n_clusters, seed))

    without = [rewired(W, max(MOST_POINTS, 20 * n_clusters), random) for _ in range(_NULLS)]
    real, null = _seen([[W] * searches, without], look)
    return _compared(figures.mean(real), [null], n, n_clusters)


def _on_principal_axes(X: Any, metric: str, random: np.random.Generator) -> tuple[Any, Any]:
    """A sample of the points on their principal axes; and the axes, where distances are not Euclidean.

    A row that is there twice is there once: random data have no duplicates, and pairs of them look like clusters.
    """
    rows = np.sort(random.permutation(X.shape[0])[:MOST_POINTS])
    sample = np.unique(X[rows].toarray() if sp.issparse(X) else np.asarray(X)[rows], axis=0)
    centered = sample.astype(np.float64) - sample.mean(axis=0)
    scale = np.abs(centered).max(initial=0.0)
    if len(sample) < FEWEST_POINTS or not scale > 0:
        return None, None
    U, s, axes = np.linalg.svd(centered / scale, full_matrices=False)
    kept = s > 1e-8 * s[0]
    points = U[:, kept] * s[kept]
    if metric in {"euclidean", "l2", "sqeuclidean"}:
        return points, None
    # Axes in units of the data, and the mean as one more direction, in which nothing varies.
    mean = sample.mean(axis=0) / scale
    return np.column_stack([points, np.ones(len(points))]), np.vstack([axes[kept], mean])


def _seen(kinds: Sequence[Sequence[Any]], look: Look) -> list[list[Figures]]:
    """The figures of several data of each kind, those left out that cannot be cut: on all threads, the same on any."""
    tasks = [(data, seed) for kind in kinds for seed, data in enumerate(kind, 1)]
    found: list[Figures | None] = [None] * len(tasks)

    def some(first: int, last: int) -> None:
        for at in range(first, last):
            found[at] = look(*tasks[at])

    with team() as threads:
        threads.run(some, len(tasks), work=np.inf)
    left = iter(found)
    return [[one for one in islice(left, len(kind)) if one is not None] for kind in kinds]


def _compared(real: Figures | None, nulls: Sequence[list[Figures]], n_points: int, n_clusters: int) -> Evidence | None:
    """The score against the kind of random data that comes closest; None where either cannot be cut."""
    if real is None or min(map(len, nulls)) < _FEWEST_NULLS:
        return None
    scores = [_standing_out(real, kind) for kind in nulls]
    closest = int(np.argmin([one.sum() for one in scores]))
    score = scores[closest].sum() / np.sqrt(2.0)
    # Rings in each other have the radii of rings in each other. Both figures far beyond one cloud are enough.
    score = max(score, scores[0].min() / _BOTH_BEYOND)
    if _is_apart(real, nulls[0]):
        score = max(score, _APART)
    by_chance = figures.mean(nulls[closest]) or real
    return Evidence(float(score), real, by_chance, n_points, n_clusters)


def _standing_out(real: Figures, kind: list[Figures]) -> FloatArray:
    """By how many standard deviations fewer links cross, and the data are sparser where they do.

    Where either has no sparseness, what the links say counts for it.
    """
    logs = np.log([one.crossing + _NO_LINKS for one in kind])
    sparseness = known_sparseness(kind)
    sd = max(float(logs.std(ddof=1)), _SMALLEST_SD_OF_LOG_CROSSING if sparseness.size else _SMALLEST_SD_IN_GRAPHS)
    fewer = float(logs.mean() - np.log(real.crossing + _NO_LINKS)) / sd
    if not np.isfinite(real.sparseness) or sparseness.size <= len(kind) / 2:
        return np.array([fewer, fewer])
    sd = max(float(sparseness.std(ddof=1)), _SMALLEST_SD_OF_SPARSENESS)
    return np.array([fewer, (real.sparseness - sparseness.mean()) / sd])


def _is_apart(real: Figures, kind: list[Figures]) -> bool:
    """Whether no link joins large communities, as it does in most of the random data, which have distances."""
    return not np.isfinite(real.sparseness) and known_sparseness(kind).size >= _MOSTLY * len(kind)
