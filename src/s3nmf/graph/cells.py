"""Almost all of the nearest neighbours: the points in the cells whose centres are nearest, ranked by exact distances.

Points with many columns are projected on principal components, and put into cells by k-means. The nearest of the points
in some cells are candidates, whose exact distances decide.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.utils import gen_batches

from s3nmf._threads import Team, team
from s3nmf._types import FloatArray, IntArray
from s3nmf.graph.exact import asked, searcher
from s3nmf.graph.projection import Coordinates, Projection
from s3nmf.graph.settings import NEIGHBOR_SEARCH

MISSING = -1
_ROWS_AT_ONCE = 2**15
# Of sums of squares in single precision.
_ROUNDED_UP = np.float32(1.0001)


class Cells(NamedTuple):
    """Points in cells, in blocks that are read coordinate by coordinate."""

    blocks: Coordinates
    """Of shape (n_blocks, n_coordinates, points in a block)."""
    points: NDArray[np.int32]
    """The number of each point in the blocks, -1 where a cell has no more."""
    starts: NDArray[np.int64]
    """The first block of each cell, and the end."""

    @property
    def n_cells(self) -> int:
        return self.starts.size - 1

    def batches(self) -> Iterator[tuple[NDArray[np.int32], Coordinates]]:
        """All points, cell by cell, and their coordinates."""
        in_block = self.blocks.shape[2]
        for blocks in gen_batches(len(self.blocks), _ROWS_AT_ONCE // in_block):
            points = self.points[in_block * blocks.start : in_block * blocks.stop]
            rows = self.blocks[blocks].transpose(0, 2, 1).reshape(points.size, -1)
            yield points[points != MISSING], rows[points != MISSING]


@dataclass(frozen=True, eq=False)
class CellIndex:
    """Points in cells, by which the neighbours of any point are found: the same ones on any number of threads.

    Attributes
    ----------
    X : array or csr_array of shape (n_samples, n_features)
    projection : Projection
    centres : Cells
        The centres of the cells, in one cell.
    cells : Cells
    radii : array of shape (n_cells,)
        No point of a cell is farther from its centre.
    n_probes : int
        How many cells are searched.
    n_candidates : int
        How many points of these are ranked by exact distances.
    recall : float
        The share of the true neighbours that are found so, of a sample of the points.
    """

    X: Any
    projection: Projection
    centres: Cells
    cells: Cells
    radii: NDArray[np.float32]
    n_probes: int
    n_candidates: int
    recall: float = 0.0

    @property
    def is_worthwhile(self) -> bool:
        """Whether enough is found, and in less time than an exact search takes."""
        enough = self.recall >= NEIGHBOR_SEARCH.least_recall
        return enough and self.n_probes <= NEIGHBOR_SEARCH.most_cells * self.cells.n_cells

    def within(self, n_neighbors: int) -> tuple[FloatArray, IntArray]:
        """Distances and numbers of the nearest other points of each point: O(n (n_cells + candidates d))."""
        n = self.X.shape[0]
        distances, indices = np.empty((n, n_neighbors)), np.empty((n, n_neighbors), dtype=np.int32)
        with team() as threads:
            for points, coordinates in self.cells.batches():
                candidates = self.candidates(coordinates, points, threads)
                distances[points], indices[points] = self.ranked(self.X, points, candidates, n_neighbors, threads)
        self._fill_gaps(distances, indices, self.X, np.arange(n, dtype=np.int32))
        return distances, indices

    def nearest(self, queries: Any, n_neighbors: int) -> tuple[FloatArray, IntArray]:
        """Distances and numbers of the points nearest to each of others, among them any that it is equal to."""
        queries = canonical(queries)
        n = queries.shape[0]
        distances, indices = np.empty((n, n_neighbors)), np.empty((n, n_neighbors), dtype=np.int32)
        no_point = np.full(n, MISSING, np.int32)
        with team() as threads:
            for rows in gen_batches(n, _ROWS_AT_ONCE):
                coordinates = self.projection(queries[rows], threads)
                candidates = self.candidates(coordinates, no_point[rows], threads)
                numbers = np.arange(rows.start, rows.stop, dtype=np.int32)
                distances[rows], indices[rows] = self.ranked(queries, numbers, candidates, n_neighbors, threads)
        self._fill_gaps(distances, indices, queries, no_point)
        return distances, indices

    def candidates(self, coordinates: Coordinates, itself: NDArray[np.int32], threads: Team) -> NDArray[np.int32]:
        """Numbers of the points that are nearest by their coordinates, in the cells that are searched."""
        from s3nmf._core.cells import candidates as search_cells  # noqa: PLC0415

        found = np.empty((len(coordinates), self.n_candidates), np.int32)
        where = self.centres, self.cells, self.radii
        scanned = self.centres.points.size + self.cells.points.size * self.n_probes / self.cells.n_cells

        def search(first: int, last: int) -> None:
            search_cells(first, last, *where, self.n_probes, coordinates, itself, found)

        threads.run(search, len(found), work=coordinates.size * scanned)
        return found

    def ranked(
        self, X: Any, rows: NDArray[np.int32], candidates: NDArray[np.int32], n_neighbors: int, threads: Team
    ) -> tuple[FloatArray, IntArray]:
        """The nearest of the candidates for some rows of X, by exact distances."""
        from s3nmf._core.cells import nearest_rows, nearest_sparse_rows  # noqa: PLC0415

        distances = np.empty((len(candidates), n_neighbors))
        points = np.empty((len(candidates), n_neighbors), dtype=np.int32)
        own = self.X

        def rank(first: int, last: int) -> None:
            nearest_rows(first, last, X, rows, own, candidates, distances, points)

        def rank_sparse(first: int, last: int) -> None:
            parts = X.data, X.indices, X.indptr, rows, own.data, own.indices, own.indptr
            nearest_sparse_rows(first, last, *parts, candidates, distances, points)

        width = own.nnz / own.shape[0] if sp.issparse(own) else own.shape[1]
        threads.run(rank_sparse if sp.issparse(own) else rank, len(candidates), work=candidates.size * width)
        return distances, points

    def _fill_gaps(self, distances: FloatArray, indices: IntArray, X: Any, itself: NDArray[np.int32]) -> None:
        """Where the cells that are searched have too few points, search all points exactly."""
        gaps = np.flatnonzero(indices[:, -1] == MISSING)
        if gaps.size:
            distances[gaps], indices[gaps] = self.exact(X, gaps.astype(np.int32), itself[gaps], indices.shape[1])

    def exact(
        self, X: Any, rows: NDArray[np.int32], itself: NDArray[np.int32], n_neighbors: int
    ) -> tuple[FloatArray, IntArray]:
        """The same of all points: O(n d) a row."""
        one_more = min(n_neighbors + 1, self.X.shape[0])
        found = asked(searcher(self.X, one_more, algorithm="brute"), rows.size, X[rows])[1].astype(np.int32)
        found[found == itself[:, None]] = MISSING
        with team() as threads:
            return self.ranked(X, rows, found, n_neighbors, threads)


def cell_index(X: Any, projection: Projection) -> CellIndex:
    """Canonical rows in cells by their projection, O(n sqrt(n) d). One cell is searched, for one candidate."""
    n = X.shape[0]
    n_cells = min(n, round(NEIGHBOR_SEARCH.cells * np.sqrt(n)))
    with team() as threads:
        coordinates = projection(X, threads)
        centres = _k_means(coordinates[sample_of(n, NEIGHBOR_SEARCH.sample_of_cell * n_cells)], n_cells, threads)
        cell, squares = _nearest_centres(coordinates, centres, threads)
    radii = np.zeros(len(centres), np.float32)
    np.maximum.at(radii, cell, np.sqrt(squares))
    cells = in_cells(coordinates, cell, len(centres))
    return CellIndex(X, projection, _one_cell(centres), cells, radii * _ROUNDED_UP, n_probes=1, n_candidates=1)


def in_cells(coordinates: Coordinates, cell: IntArray, n_cells: int) -> Cells:
    """Points in their cells, whose last blocks are filled up."""
    from s3nmf._core.cells import POINTS_IN_BLOCK  # noqa: PLC0415

    sizes = np.bincount(cell, minlength=n_cells)
    starts = np.concatenate([[0], np.cumsum(-(-sizes // POINTS_IN_BLOCK))])
    order = np.argsort(cell, kind="stable")
    before = np.cumsum(sizes) - sizes
    place = np.arange(cell.size) + np.repeat(starts[:-1] * POINTS_IN_BLOCK - before, sizes)
    points = np.full(starts[-1] * POINTS_IN_BLOCK, MISSING, np.int32)
    points[place] = order
    blocks = np.zeros((starts[-1], coordinates.shape[1], POINTS_IN_BLOCK), np.float32)
    for batch in gen_batches(cell.size, _ROWS_AT_ONCE):
        block, lane = np.divmod(place[batch], POINTS_IN_BLOCK)
        blocks[block, :, lane] = coordinates[order[batch]]
    return Cells(blocks, points, starts.astype(np.int64))


def _one_cell(points: Coordinates) -> Cells:
    return in_cells(points, np.zeros(len(points), dtype=np.intp), 1)


def _nearest_centres(
    coordinates: Coordinates, centres: Coordinates, threads: Team
) -> tuple[NDArray[np.int32], Coordinates]:
    """The centre that is nearest to each point, and its squared distance."""
    from s3nmf._core.cells import nearest_centres  # noqa: PLC0415

    nearest, squares = np.empty(len(coordinates), np.int32), np.empty(len(coordinates), np.float32)
    cells = _one_cell(centres)

    def search(first: int, last: int) -> None:
        nearest_centres(first, last, cells, coordinates, nearest, squares)

    threads.run(search, nearest.size, work=coordinates.size * len(centres))
    return nearest, squares


def _k_means(coordinates: Coordinates, n_cells: int, threads: Team) -> Coordinates:
    """Centres of cells by some steps of Lloyd's algorithm, from different points. A cell without points keeps its own.

    Not by scikit-learn's, whose sums are those of BLAS, which differ between machines.
    """
    centres = np.unique(coordinates, axis=0)
    centres = centres[sample_of(len(centres), n_cells)]
    for _ in range(NEIGHBOR_SEARCH.steps):
        cell, _ = _nearest_centres(coordinates, centres, threads)
        sizes = np.bincount(cell, minlength=len(centres))
        members = sp.csr_array((np.ones(cell.size), (cell, np.arange(cell.size))), shape=(len(centres), cell.size))
        means = (members @ coordinates)[sizes > 0] / sizes[sizes > 0, None]
        centres = centres.copy()
        centres[sizes > 0] = means
    return centres


def canonical(X: Any) -> Any:
    """Rows as the loops read them: one after the other, in floating point; sparse ones with their columns in order."""
    dtype = np.float32 if X.dtype == np.float32 else np.float64
    if not sp.issparse(X):
        return np.ascontiguousarray(X, dtype=dtype)
    X = sp.csr_array(X, dtype=dtype)
    if not X.has_canonical_format or not X.data.all():
        X = X.copy()
        X.sum_duplicates()
        X.eliminate_zeros()
    return X


def sample_of(n: int, size: int) -> NDArray[np.int32]:
    """The numbers of so many of n points, always the same."""
    return np.sort(np.random.default_rng(0).choice(n, min(n, size), replace=False)).astype(np.int32)
