"""How thorough an approximate search must be, measured on points whose true neighbours are found by an exact one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from s3nmf._threads import Team, team
from s3nmf._types import FloatArray
from s3nmf.graph.cells import CellIndex, canonical, cell_index, sample_of
from s3nmf.graph.projection import projection_of
from s3nmf.graph.settings import NEIGHBOR_SEARCH

_ROWS_PROJECTED, _FEWEST_PROJECTED, _ENTRIES_PROJECTED = 10_000, 1000, 2e7
# Distances that differ by no more are the same.
_ROUNDING = 1e-9


@dataclass(frozen=True, eq=False)
class _Sample:
    """Some points whose true neighbours are known.

    Attributes
    ----------
    rows : array of shape (n_sampled,)
    n_neighbors : int
    farthest : array of shape (n_sampled, 1)
        The distance of the last of their neighbours: what is as near as that is one.
    """

    rows: NDArray[np.int32]
    n_neighbors: int
    farthest: FloatArray

    def recall(self, index: CellIndex, candidates: NDArray[np.int32], threads: Team) -> float:
        """The share of the neighbours that are among the candidates."""
        distances, _ = index.ranked(index.X, self.rows, candidates, self.n_neighbors, threads)
        return float(np.mean(distances <= self.farthest))


def index_of(X: Any, n_neighbors: int) -> CellIndex:
    """An index by which nearly all of so many neighbours are found, of other points as of those in it."""
    X = canonical(X)
    n, d = X.shape
    rows = X[sample_of(n, int(min(_ROWS_PROJECTED, max(_FEWEST_PROJECTED, _ENTRIES_PROJECTED // d))))]
    index = cell_index(X, projection_of(rows, NEIGHBOR_SEARCH.variance))
    sample = _sample(index, n_neighbors)
    index, is_enough = _with_candidates(index, sample)
    if not is_enough and index.projection.components is not None:
        index, _ = _with_candidates(cell_index(X, projection_of(rows, 1.0)), sample)
    return _with_probes(index, sample)


def _sample(index: CellIndex, n_neighbors: int) -> _Sample:
    rows = sample_of(index.X.shape[0], NEIGHBOR_SEARCH.n_measured)
    distances, _ = index.exact(index.X, rows, rows, n_neighbors)
    return _Sample(rows, n_neighbors, distances[:, -1:] * (1 + _ROUNDING))


def _with_candidates(index: CellIndex, sample: _Sample) -> tuple[CellIndex, bool]:
    """The index with as many candidates as hold the true neighbours if all cells are searched; and whether they do."""
    most = index.X.shape[0] - 1
    numbers = [min(most, round(share * sample.n_neighbors) + 1) for share in NEIGHBOR_SEARCH.candidates]
    everywhere = replace(index, n_probes=index.cells.n_cells, n_candidates=numbers[-1])
    with team() as threads:
        found = everywhere.candidates(index.projection(index.X[sample.rows], threads), sample.rows, threads)
        for number in numbers:
            recall = sample.recall(index, np.ascontiguousarray(found[:, :number]), threads)
            if recall >= NEIGHBOR_SEARCH.recall_of_candidates:
                return replace(index, n_candidates=number), True
    return replace(everywhere, recall=recall), False


def _with_probes(index: CellIndex, sample: _Sample) -> CellIndex:
    """The index with as many cells searched as it takes to find enough of the true neighbours."""
    with team() as threads:
        coordinates = index.projection(index.X[sample.rows], threads)
        for n_probes in _numbers_of_probes(index.cells.n_cells):
            index = replace(index, n_probes=n_probes)
            recall = sample.recall(index, index.candidates(coordinates, sample.rows, threads), threads)
            index = replace(index, recall=recall)
            if recall >= NEIGHBOR_SEARCH.recall:
                break
    return index


def _numbers_of_probes(n_cells: int) -> list[int]:
    """Ever more cells, by a fifth at a time, up to all."""
    numbers = [round(2 ** (step / 4)) for step in range(8, 4 * n_cells.bit_length())]
    return [number for number in numbers if number < n_cells] + [n_cells]
