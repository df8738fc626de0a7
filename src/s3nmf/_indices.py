"""The indices of a sparse matrix, in 32 bits where they fit.

That is half the memory, one kind of matrix for compiled loops, and what scikit-learn's spectral methods and k-means ask
for; SciPy keeps 64 bits once they are there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.sparse as sp

from s3nmf._types import SparseMatrix

_REMEDY = "Build the matrix again."


def compact(matrix: Any, dtype: Any = None) -> SparseMatrix:
    """The matrix as CSR, with 32-bit indices if it has fewer than 2^31 rows, columns and entries."""
    csr = sp.csr_array(matrix, dtype=dtype)
    index = np.int32 if max(csr.nnz, *csr.shape) < np.iinfo(np.int32).max else np.int64
    csr.indptr, csr.indices = csr.indptr.astype(index, copy=False), csr.indices.astype(index, copy=False)
    return csr


def check_indices(matrix: Any) -> None:
    """Refuse a sparse matrix whose indices point outside of it, which compiled loops would follow: O(entries).

    SciPy does not look at them when the arrays of a matrix are changed, and not at all of them when it is made.

    Examples
    --------
    >>> matrix = sp.csr_array(np.eye(3))
    >>> matrix.indices[1] = 7
    >>> check_indices(matrix)
    Traceback (most recent call last):
    ...
    ValueError: An entry of row 1 of the sparse matrix is in column 7; there are columns 0 to 2. Build the matrix again.
    """
    if not sp.issparse(matrix):
        return
    if matrix.ndim != 2:
        raise ValueError(f"The sparse array has shape {matrix.shape}; a table or a graph has rows and columns.")
    if matrix.format == "coo":
        for name, indices, size in zip(("row", "column"), matrix.coords, matrix.shape, strict=False):
            _check_range(indices, size, lambda at: f"Entry {at} of the sparse matrix", name)
    elif matrix.format in {"csr", "csc", "bsr"}:
        _check_compressed(matrix)


def _check_compressed(matrix: Any) -> None:
    rows, columns = ("column", "row") if matrix.format == "csc" else ("row", "column")
    n_rows, n_columns = matrix.shape[::-1] if matrix.format == "csc" else matrix.shape
    if matrix.format == "bsr":
        rows, columns = "block row", "block column"
        n_rows, n_columns = n_rows // matrix.blocksize[0], n_columns // matrix.blocksize[1]
    starts, n_entries = matrix.indptr, min(len(matrix.indices), len(matrix.data))
    if len(starts) != n_rows + 1:
        raise ValueError(f"The sparse matrix has {n_rows} {rows}s and {len(starts)} row pointers. {_REMEDY}")
    wrong = np.flatnonzero((starts[1:] < starts[:-1]) | (starts[1:] > n_entries) | (starts[:-1] < 0))
    if wrong.size or starts[0] != 0:
        at = int(wrong[0]) if wrong.size else 0
        raise ValueError(
            f"{rows.capitalize()} {at} of the sparse matrix begins at entry {starts[at]} and ends at {starts[at + 1]}; "
            f"there are {n_entries} entries, {rows} 0 begins at 0, and none ends before it begins. {_REMEDY}"
        )
    _check_range(
        matrix.indices[: starts[-1]],
        n_columns,
        lambda at: f"An entry of {rows} {int(np.searchsorted(starts, at, side='right')) - 1} of the sparse matrix",
        columns,
    )


def _check_range(indices: Any, size: int, place: Callable[[int], str], name: str) -> None:
    if indices.size and (indices.min() < 0 or indices.max() >= size):
        at = int(np.argmax((indices < 0) | (indices >= size)))
        raise ValueError(f"{place(at)} is in {name} {indices[at]}; there are {name}s 0 to {size - 1}. {_REMEDY}")
