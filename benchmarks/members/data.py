"""The data of the comparison: a `Set` makes a `Case`, points or a graph whose clusters are known.

Most sets are fixed, and only methods have a seed; of random graphs several are drawn. A draw of the tables of R is one.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property, lru_cache, partial

import numpy as np
import scipy.sparse as sp
from sklearn.datasets import load_breast_cancer, load_digits, load_wine, make_blobs, make_circles, make_moons
from sklearn.preprocessing import scale

from benchmarks.data import CACHE, mnist
from benchmarks.members.packaged import KEEL, N_TABLES_OF_R, keel, tables_of_r
from experiments.datasets import SHAPES, data_directory, load
from s3nmf.graph.affinity import affinity_among
from s3nmf.graph.neighbors import Neighbors, nearest_neighbors, resolve_n_neighbors

# Neighbours of more points than these are searched for once, and kept in a file.
_WORTH_KEEPING = 20_000
# scikit-learn's page that compares clustering methods on toy data sets.
TOY_POINTS, TOY_SEED, TOY_SEED_OF_BLOBS = 500, 30, 170
_MIXING_OF_LFR = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6)
_IMBALANCE = (1, 4, 10)
_MIXING_OF_BLOCKS = {"weak": 0.3, "strong": 0.5}
_DEGREE = 20


@dataclass(frozen=True, eq=False)
class Case:
    """Points X, or the affinity of a graph, and the true clusters, which no method sees: only how many there are."""

    name: str
    y: np.ndarray
    X: np.ndarray | None = None
    affinity: sp.csr_array | None = None
    asked: int | None = None
    _neighbors: dict[int, Neighbors] = field(default_factory=dict)

    @property
    def n_clusters(self):
        """How many clusters methods are asked for: as many as there are, unless it was said."""
        return self.asked or int(np.unique(self.y).size)

    def neighbors(self, k):
        """The k nearest neighbours of each point, as `S3NMF` searches for them: searched for once."""
        if k not in self._neighbors:
            self._neighbors[k] = self._search(k)
        return self._neighbors[k]

    def _search(self, k):
        if len(self.X) <= _WORTH_KEEPING:
            return nearest_neighbors(self.X, k)
        path = CACHE / f"neighbors-{self.name}-{k}.npz"
        if path.exists():
            with np.load(path) as file:
                return Neighbors(file["distances"], file["indices"])
        found = nearest_neighbors(self.X, k)
        CACHE.mkdir(parents=True, exist_ok=True)
        np.savez(path, distances=found.distances, indices=found.indices)
        return found

    @cached_property
    def graph(self):
        """W: the graph that is given, or that of as many neighbours as `S3NMF` takes by default."""
        if self.X is None:
            return self.affinity
        return affinity_among(self.neighbors(resolve_n_neighbors("auto", len(self.X))), "mean-distance")


@dataclass(frozen=True)
class Set:
    """Where cases come from.

    Attributes
    ----------
    group : str
        ten, more, unseen, tables, toy, drawn, unequal, mnist, lfr or blocks.
    make : callable
        From the number of a draw to a `Case`.
    draws : int
        How many there are.
    seeds : int
        How often a method is started on each.
    """

    name: str
    group: str
    make: Callable[[int], Case]
    seeds: int
    draws: int = 1

    @property
    def is_graph(self):
        return self.group in {"lfr", "blocks"}


@lru_cache(maxsize=3)
def case_of(name, draw):
    return SETS[name].make(draw)


def _of_paper(name, draw):
    _, X, y = load(name)
    return Case(name, y, X.astype(np.float64))


def _of_sklearn(name, loader, standardised, draw):
    X, y = loader(return_X_y=True)
    return Case(name, y, scale(X) if standardised else X)


def _usps(draw):
    with np.load(data_directory() / "usps.npz") as file:
        return Case("USPS", file["y"], file["X"].astype(np.float64))


def _unseen(name, draw):
    return Case(name, *keel(name))


def _table_of_r(draw):
    return Case("tables of R", *tables_of_r()[draw])


def _mnist(draw):
    X, y = mnist()
    return Case("MNIST", y, X)


def toy_sets():
    """The six of scikit-learn's page, by its parameters: X, y and the number of clusters that it asks for."""
    n, seed, of_blobs = TOY_POINTS, TOY_SEED, TOY_SEED_OF_BLOBS
    aniso, y = make_blobs(n, random_state=of_blobs)
    found = {
        "circles": (*make_circles(n, factor=0.5, noise=0.05, random_state=seed), 2),
        "moons": (*make_moons(n, noise=0.05, random_state=seed), 2),
        "varied": (*make_blobs(n, cluster_std=[1.0, 2.5, 0.5], random_state=of_blobs), 3),
        "stretched": (aniso @ np.array([[0.6, -0.6], [-0.4, 0.8]]), y, 3),
        "blobs": (*make_blobs(n, random_state=seed), 3),
        "no structure": (np.random.RandomState(seed).rand(n, 2), np.zeros(n, int), 3),
    }
    return {name: (scale(X), y, n_clusters) for name, (X, y, n_clusters) in found.items()}


def _toy(name, draw):
    X, y, _ = toy_sets()[name]
    return Case(name, y, X)


def _rings(draw):
    X, y = make_circles(300, factor=0.5, noise=0.05, random_state=0)
    return Case("rings", y, X)


def _large_toy(name, make, draw):
    X, y = make(5000, noise=0.05, random_state=0)
    return Case(name, y, X)


def _line(draw):
    """Three groups of 100 points in a row, their centres five standard deviations apart."""
    X, y = make_blobs([100, 100, 100], centers=[[0, 0], [5, 0], [10, 0]], random_state=draw)
    return Case("line", y, X)


def _close_moons(name, draw):
    """Moons of 150 to 1000 points that come close to each other."""
    random = np.random.default_rng(draw)
    X, y = make_moons(int(random.choice([150, 300, 500, 1000])), noise=random.uniform(0.05, 0.1), random_state=draw)
    return Case(name, y, X)


def _touching(name, draw, stretched=False):
    """Two to eight Gaussian clusters of one size, 150 to 1500 points in all, in two to ten dimensions, that touch."""
    random = np.random.default_rng(draw)
    n_clusters, n_features = int(random.integers(2, 9)), 2 if stretched else int(random.choice([2, 3, 5, 10]))
    centers = random.normal(size=(n_clusters, n_features))
    distances = np.linalg.norm(centers[:, None] - centers, axis=2)
    nearest = np.median(np.sort(distances, axis=1)[:, 1])
    sizes = [int(random.choice([150, 300, 500, 1500])) // n_clusters] * n_clusters
    X, y = make_blobs(sizes, centers=centers * random.uniform(4, 6) / nearest, random_state=draw)
    return Case(name, y, X @ random.normal(size=(2, 2)) if stretched else X)


def _unequal(name, sizes, centers, spreads, draw):
    """Gaussian clusters of these sizes; centers are given, or drawn in so many dimensions with a deviation."""
    if isinstance(centers, tuple):
        n_features, deviation = centers
        centers = np.random.default_rng(draw).normal(size=(len(sizes), n_features)) * deviation
    X, y = make_blobs(sizes, centers=np.array(centers), cluster_std=spreads, random_state=draw)
    return Case(name, y, X)


def _uneven(name, make, sizes, draw):
    """A toy of scikit-learn, one half of which has many times the points of the other."""
    X, y = make(sizes, random_state=draw)
    return Case(name, y, X)


def _thinned(name, of, draw):
    """Up to 200 points of a class of a data set, ten times fewer of another, and in between of those between."""
    whole, random = case_of(of, 0), np.random.default_rng(draw)
    classes = random.permutation(np.unique(whole.y))
    shares = np.geomspace(1.0, 0.1, classes.size)
    rows = []
    for which, share in zip(classes, shares, strict=True):
        points = random.permutation(np.flatnonzero(whole.y == which))[:200]
        rows.append(points[: round(share * points.size)])
    rows = np.sort(np.concatenate(rows))
    return Case(name, np.unique(whole.y[rows], return_inverse=True)[1], whole.X[rows])


def _lfr(name, n, mixing, draw):
    """Lancichinetti, Fortunato and Radicchi's graph: degrees and sizes of clusters by power laws."""
    import networkx as nx

    G = nx.LFR_benchmark_graph(
        n, 3, 1.5, mixing, average_degree=_DEGREE, max_degree=50, min_community=20, max_community=100, seed=draw,
        max_iters=2000,
    )  # fmt: skip
    G.remove_edges_from(list(nx.selfloop_edges(G)))
    # The set of the points of a cluster is kept with each of them.
    first = [min(G.nodes[point]["community"]) for point in range(n)]
    return _graph(name, G, np.unique(first, return_inverse=True)[1], draw)


def _blocks(name, imbalance, mixing, draw):
    """Two large and two small blocks of 1000 points in all; a share of the edges of each point, `mixing`, leaves."""
    import networkx as nx

    small = round(500 / (1 + imbalance))
    sizes = [500 - small, 500 - small, small, small]
    between = mixing * _DEGREE / sum(sizes)
    P = np.full((4, 4), between)
    np.fill_diagonal(P, [(1 - mixing) * _DEGREE / size for size in sizes])
    G = nx.stochastic_block_model(sizes, P, seed=draw)
    return _graph(name, G, np.repeat(np.arange(4), sizes), draw)


def _graph(name, G, y, draw):
    """The adjacency, its points in random order, which tells nothing of their clusters."""
    import networkx as nx

    order = np.random.default_rng(draw).permutation(y.size)
    A = nx.to_scipy_sparse_array(G, nodelist=order.tolist(), dtype=np.float64, format="csr")
    return Case(name, y[order], affinity=sp.csr_array(A))


def _real_sets():
    for name in SHAPES:
        yield Set(name, "ten", partial(_of_paper, name), seeds=20)
    for name, loader, standardised in (
        ("digits", load_digits, False),
        ("breast cancer", load_breast_cancer, True),
        ("wine", load_wine, True),
    ):
        yield Set(name, "more", partial(_of_sklearn, name, loader, standardised), seeds=10)
    yield Set("USPS", "more", _usps, seeds=10)
    for name in KEEL:
        yield Set(name, "unseen", partial(_unseen, name), seeds=5)
    yield Set("tables of R", "tables", _table_of_r, seeds=1, draws=N_TABLES_OF_R)


def _toy_sets():
    for name in ("circles", "moons", "varied", "stretched", "blobs"):
        yield Set(name, "toy", partial(_toy, name), seeds=10)
    yield Set("rings", "toy", _rings, seeds=10)
    for name, make in (("moons, 5000", make_moons), ("circles, 5000", partial(make_circles, factor=0.5))):
        yield Set(name, "toy", partial(_large_toy, name, make), seeds=5)
    yield Set("line", "toy", _line, seeds=10, draws=5)


def _drawn_sets():
    for name, make in (
        ("moons that come close", _close_moons),
        ("blobs that touch", _touching),
        ("stretched blobs that touch", partial(_touching, stretched=True)),
    ):
        yield Set(name, "drawn", partial(make, name), seeds=1, draws=30)
    for name, sizes, centers, spreads in (
        ("two, 10:1", (400, 40), [[0, 0], [4, 0]], 1.0),
        ("four, 10:1", (300, 300, 30, 30), [[0, 0], [6, 0], [0, 6], [6, 6]], 1.0),
        ("three, 10:1, the large wide", (300, 100, 30), [[0, 0], [7, 0], [0, 7]], [2.0, 1.0, 0.5]),
        ("ten, 30:1", (300, 200, 150, 100, 80, 60, 50, 30, 20, 10), (10, 2.0), 1.0),
        ("twenty, 20:1", tuple(range(14, 294, 14)), (16, 1.5), 1.0),
        ("six, 1:1", (100,) * 6, (5, 2.5), 1.0),
    ):
        yield Set(name, "unequal", partial(_unequal, name, sizes, centers, spreads), seeds=3, draws=4)
    for name, make, sizes in (
        ("moons, 5:1", partial(make_moons, noise=0.06), (400, 80)),
        ("circles, 10:1", partial(make_circles, noise=0.05, factor=0.4), (400, 40)),
    ):
        yield Set(name, "unequal", partial(_uneven, name, make, sizes), seeds=3, draws=4)
    for of in ("digits", "USPS", "COIL20"):
        yield Set(f"{of}, 10:1", "unequal", partial(_thinned, f"{of}, 10:1", of), seeds=3, draws=4)


def _graphs():
    for n, seeds in ((1000, 3), (10_000, 1)):
        for mixing in _MIXING_OF_LFR:
            name = f"LFR {n} {mixing}"
            yield Set(name, "lfr", partial(_lfr, name, n, mixing), seeds, draws=3)
    for imbalance in _IMBALANCE:
        for word, mixing in _MIXING_OF_BLOCKS.items():
            name = f"blocks 1:{imbalance} {word}"
            yield Set(name, "blocks", partial(_blocks, name, imbalance, mixing), seeds=3, draws=3)


SETS = {
    found.name: found
    for found in (
        *_real_sets(),
        *_toy_sets(),
        *_drawn_sets(),
        Set("MNIST", "mnist", _mnist, seeds=10),
        *_graphs(),
    )
}
