"""How many blocks of nodes explain a graph that was given, if independent edges between blocks do.

In the graph of a table, points have positions: neighbours of a point are neighbours of each other, and the way from one
cluster to another has a valley or has none (`s3nmf.trust.borders`). In a network edges may lead everywhere, and the way
from any node to any other is short. Its clusters are blocks: edges are independent of each other, more of them inside.

The number of blocks is the number of negative eigenvalues of the Bethe-Hessian (Saade, Krzakala and Zdeborova 2014): of
a random graph with the same degrees it is 1, and blocks are counted as soon as any method could tell them from chance.
A graph of points with positions has as many as it has neighbourhoods. So the triangles decide: independent edges
between the blocks that were found make as many as there are.
"""

from __future__ import annotations

import warnings

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from s3nmf._types import FloatArray, IntArray
from s3nmf.graph.communities.graph import WeightedGraph
from s3nmf.trust.settings import BLOCKS

# Eigenvalues that are asked for at first; where all are negative, twice as many.
_FIRST = 8
# The sign of an eigenvalue is wanted, and not its digits.
_TOLERANCE = 1e-3


def n_blocks(graph: WeightedGraph) -> int:
    """How many blocks explain this graph; 0 if blocks do not explain it, or it is too large to see.

    Examples
    --------
    >>> from s3nmf.graph.communities.graph import weighted_graph
    >>> random = np.random.default_rng(0)
    >>> block = np.arange(200) // 100
    >>> edges = np.triu(random.random((200, 200)) < np.where(block == block[:, None], 0.15, 0.03), 1)
    >>> n_blocks(weighted_graph(sp.csr_array(edges | edges.T).astype(float)))
    2
    """
    starts, neighbors, _, _ = graph.arrays
    n = graph.n_rows
    if not n < neighbors.size or n > BLOCKS.most_nodes:
        return 0
    edges = sp.csr_array((np.ones(neighbors.size), neighbors, starts), shape=(n, n))
    vectors = detectable(edges)
    if not 1 < vectors.shape[1] < BLOCKS.most_blocks:
        return 0
    blocks = _grouped(vectors)
    random = np.random.default_rng(0)
    first, second = _one_end_each(edges, blocks)
    seen = closure(edges, random)
    by_chance = np.mean(
        [closure(_of_edges(*rewired(first, second, blocks, random), n), random) for _ in range(BLOCKS.rewirings)]
    )
    return vectors.shape[1] if abs(seen - by_chance) <= BLOCKS.triangles * by_chance else 0


def detectable(edges: sp.csr_array) -> FloatArray:
    """The eigenvectors of the Bethe-Hessian whose eigenvalues are negative, up to so many as are looked for."""
    degree = np.diff(edges.indptr).astype(float)
    n, squared = degree.size, float((degree**2).sum() / degree.sum()) - 1
    if squared <= 1:
        return np.ones((n, 1))
    bethe_hessian = sp.csr_array(sp.diags_array(squared - 1 + degree) - np.sqrt(squared) * edges)
    wanted = _FIRST
    while True:
        values, vectors = _lowest(bethe_hessian, min(wanted, n))
        if values[-1] >= 0 or wanted >= min(BLOCKS.most_blocks, n):
            return np.asarray(vectors[:, values < 0])
        wanted *= 2


def _lowest(matrix: sp.csr_array, wanted: int) -> tuple[FloatArray, FloatArray]:
    """The lowest eigenvalues in increasing order, and their vectors."""
    from scipy.sparse.linalg import eigsh  # noqa: PLC0415

    n = matrix.shape[0]
    if 3 * wanted >= n:
        values, vectors = np.linalg.eigh(matrix.toarray())
        return values[:wanted], vectors[:, :wanted]
    start = np.random.default_rng(0).normal(size=n)
    values, vectors = eigsh(matrix, wanted, which="SA", v0=start, tol=_TOLERANCE)
    order = np.argsort(values)
    return values[order], vectors[:, order]


def _grouped(vectors: FloatArray) -> IntArray:
    """The blocks: k-means of the directions of the nodes' rows."""
    from sklearn.cluster import KMeans  # noqa: PLC0415

    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of fewer distinct rows than blocks
        found = KMeans(vectors.shape[1], n_init=3, random_state=0).fit(vectors / np.maximum(length, 1e-12))
    return np.asarray(found.labels_, np.intp)


def _one_end_each(edges: sp.csr_array, blocks: IntArray) -> tuple[IntArray, IntArray]:
    """Both ends of each edge, the one in the block with the smaller number first."""
    both = edges.tocoo()
    first, second = both.row.astype(np.intp), both.col.astype(np.intp)
    once = (blocks[first] < blocks[second]) | ((blocks[first] == blocks[second]) & (first < second))
    return first[once], second[once]


def rewired(
    first: IntArray, second: IntArray, blocks: IntArray, random: np.random.Generator
) -> tuple[IntArray, IntArray]:
    """The edges of a graph with the same degrees and as many edges between any two blocks, and all else by chance.

    Two edges between the same blocks exchange their second ends, unless that made a loop or an edge that there is.
    """
    n, n_blocks = blocks.size, int(blocks.max()) + 1
    kind = blocks[first] * n_blocks + blocks[second]
    inside = blocks[first] == blocks[second]
    for _ in range(BLOCKS.sweeps):
        turned = inside & (random.random(first.size) < 0.5)
        first, second = np.where(turned, second, first), np.where(turned, first, second)
        order = np.lexsort((random.random(kind.size), kind))
        one, other = order[:-1:2], order[1::2]
        alike = kind[one] == kind[other]
        one, other = one[alike], other[alike]
        made = np.concatenate([_name(first[one], second[other], n), _name(first[other], second[one], n)])
        _, which, times = np.unique(made, return_inverse=True, return_counts=True)
        taken = (times[which] > 1) | np.isin(made, _name(first, second, n))
        loops = (first[one] == second[other]) | (first[other] == second[one])
        free = ~(taken[: one.size] | taken[one.size :] | loops)
        one, other = one[free], other[free]
        second[one], second[other] = second[other], second[one]
    return first, second


def _name(first: IntArray, second: IntArray, n: int) -> NDArray[np.int64]:
    return np.minimum(first, second).astype(np.int64) * n + np.maximum(first, second)


def _of_edges(first: IntArray, second: IntArray, n: int) -> sp.csr_array:
    half = sp.coo_array((np.ones(first.size), (first, second)), shape=(n, n)).tocsr()
    return sp.csr_array(half + half.T)


def closure(edges: sp.csr_array, random: np.random.Generator) -> float:
    """The transitivity: the share of the paths over two edges whose ends are joined, of so many that are drawn.

    Examples
    --------
    >>> closure(sp.csr_array(np.ones((4, 4)) - np.eye(4)), np.random.default_rng(0))
    1.0
    """
    starts, degree = edges.indptr.astype(np.int64), np.diff(edges.indptr)
    paths = degree.astype(float) * (degree - 1)
    if not paths.any():
        return 0.0
    middle = random.choice(degree.size, BLOCKS.paths, p=paths / paths.sum())
    one = random.integers(0, degree[middle])
    other = random.integers(0, degree[middle] - 1)
    other += other >= one
    ends = edges.indices[starts[middle] + one], edges.indices[starts[middle] + other]
    n = degree.size
    names = np.sort(_name(np.repeat(np.arange(n), degree), edges.indices, n))
    wanted = _name(*ends, n)
    at = np.minimum(np.searchsorted(names, wanted), names.size - 1)
    return float((names[at] == wanted).mean())
