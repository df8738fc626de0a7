"""Points with fewer coordinates, in single precision: those by which the cells of an index are made and searched."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias, cast

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.decomposition import PCA, TruncatedSVD
from sklearn.utils import gen_batches

from s3nmf._threads import Team, one_thread
from s3nmf._types import FloatArray
from s3nmf.graph.operators import sparse_product
from s3nmf.graph.settings import NEIGHBOR_SEARCH

Coordinates: TypeAlias = NDArray[np.float32]

_ROWS_AT_ONCE = 2**15
# Squares of sums of these are finite in single precision, whatever outliers there are.
_MOST_SPREADS = 1e12


@dataclass(frozen=True, eq=False)
class Projection:
    """From rows to coordinates: row by row, so that equal rows have equal coordinates, whatever rows are beside them.

    Attributes
    ----------
    mean : array of shape (n_features,)
        Sparse rows are not centred.
    scale : float
    components : array of shape (n_features, n_coordinates), or None
        None for the columns themselves.
    """

    mean: FloatArray
    scale: float
    components: Coordinates | None

    def __call__(self, X: Any, threads: Team) -> Coordinates:
        """The coordinates of rows."""
        from s3nmf._core.cells import project  # noqa: PLC0415

        if sp.issparse(X):
            return cast(Coordinates, sparse_product(X, cast(FloatArray, self.components), threads))
        out = np.empty((X.shape[0], X.shape[1] if self.components is None else self.components.shape[1]), np.float32)
        if self.components is None:
            for rows in gen_batches(len(out), _ROWS_AT_ONCE):
                spreads = (X[rows] - self.mean) * self.scale
                out[rows] = np.clip(spreads, -_MOST_SPREADS, _MOST_SPREADS)
            return out

        def projected(first: int, last: int) -> None:
            project(first, last, X, self.mean, self.scale, self.components, out)

        threads.run(projected, len(out), work=X.shape[1] * out.size)
        return out


def projection_of(rows: Any, variance: float) -> Projection:
    """The columns; where there are many, principal components of these rows that hold this share of the variance."""
    if sp.issparse(rows):
        return _of_sparse(rows, variance)
    rows = np.asarray(rows, dtype=np.float64)
    mean = rows.mean(axis=0)
    rows -= mean
    scale = 1.0 / (np.abs(rows).max() or 1.0)
    if rows.shape[1] <= NEIGHBOR_SEARCH.most_columns:
        return Projection(mean, float(scale), None)
    n_components = min(NEIGHBOR_SEARCH.most_components, *rows.shape)
    with one_thread(), _without_variance():
        found = PCA(n_components, random_state=0).fit((rows * scale).astype(np.float32))
    return Projection(mean, float(scale), _components(found, variance))


def _of_sparse(rows: Any, variance: float) -> Projection:
    n_components = min(NEIGHBOR_SEARCH.most_components, *rows.shape)
    with one_thread(), _without_variance():
        found = TruncatedSVD(n_components, n_iter=2, random_state=0).fit(rows.astype(np.float64))
    return Projection(np.zeros(rows.shape[1]), 1.0, _components(found, variance))


def _without_variance() -> np.errstate:
    """Rows that are all the same have none to explain; one component is kept then, since NaN sorts last."""
    return np.errstate(invalid="ignore")


def _components(found: PCA | TruncatedSVD, variance: float) -> Coordinates:
    """Those that hold most of the variance, filled up with zeros to a width that the loops take."""
    from s3nmf._core.cells import WIDTH  # noqa: PLC0415

    held = np.cumsum(found.explained_variance_ratio_)
    n_kept = min(int(np.searchsorted(held, variance)) + 1, held.size)
    n_coordinates = -(-n_kept // WIDTH) * WIDTH
    components = np.zeros((found.components_.shape[1], n_coordinates), np.float32)
    kept = found.components_[:n_coordinates].T
    components[:, : kept.shape[1]] = kept
    return components
