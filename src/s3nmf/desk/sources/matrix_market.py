"""MatrixMarket files.

Their numbers are read by numpy: scipy's `mmread` crashes the interpreter over a NUL byte, and over numbers with many
digits (scipy issue 19949).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any, BinaryIO, NamedTuple

import numpy as np
import scipy.sparse as sp

from s3nmf._words import shortened
from s3nmf.desk.sources.errors import SourceError, foreign
from s3nmf.desk.sources.formats import file_format
from s3nmf.desk.sources.graph import Graph, check_shape, graph_from_matrix
from s3nmf.desk.sources.opening import text_lines
from s3nmf.desk.sources.options import Options

_FIELDS = {"real": 3, "double": 3, "integer": 3, "pattern": 2}
_REMEDY = "Check that it is a MatrixMarket file, or write it again (scipy.io.mmwrite)."


class _Header(NamedTuple):
    is_sparse: bool
    columns: int
    """Numbers in a line: row, column and, if edges have one, weight; or a weight alone."""
    is_symmetric: bool
    n: int
    entries: int


@file_format("mtx", ".mtx", ".mm", kind="graph")
def read_matrix_market(stream: BinaryIO, source: str, options: Options) -> Graph:
    """Read a MatrixMarket file; nodes are called 1, 2, ... as they are in the file."""
    lines = text_lines(stream, source, options.encoding)
    header = _header(lines, source)
    body = (line for line in lines if line.strip())
    first = next(body, None)
    if first is None:
        raise SourceError(f"{source} announces {header.entries:,} entries and has none. It is cut off: write it again.")
    with foreign("numpy", source, _REMEDY):
        numbers = np.loadtxt(chain([first], body), ndmin=2, comments=None)
    if numbers.shape != (header.entries, header.columns):
        raise SourceError(
            f"{source} announces {header.entries:,} lines of {header.columns} numbers and has {numbers.shape[0]:,} of "
            f"{numbers.shape[1]}. It is cut off or damaged: write it again."
        )
    matrix = _sparse(numbers, header, source) if header.is_sparse else _dense(numbers, header)
    return graph_from_matrix(matrix, None, source, first=1, normalize=options.normalize)


def _header(lines: Iterator[str], source: str) -> _Header:
    words = next(lines, "").casefold().split()
    if len(words) != 5 or words[:2] != ["%%matrixmarket", "matrix"]:
        raise SourceError(f"{source} does not begin with '%%MatrixMarket matrix ...'. {_REMEDY}")
    layout, field, symmetry = words[2:]
    if layout not in {"coordinate", "array"} or field not in _FIELDS or symmetry not in {"general", "symmetric"}:
        raise SourceError(
            f"{source} holds a matrix that is {shortened(' '.join(words[2:]))!r}. Weights of edges are real, integer "
            "or pattern, general or symmetric, in coordinate or array layout: write it as such."
        )
    sizes = next((line.split() for line in lines if line.strip() and not line.startswith("%")), [])
    is_sparse = layout == "coordinate"
    if len(sizes) != (3 if is_sparse else 2) or not all(size.isdecimal() and len(size) < 19 for size in sizes):
        raise SourceError(f"{source}: the line of sizes is {shortened(' '.join(sizes))!r}. {_REMEDY}")
    rows, columns, *rest = map(int, sizes)
    check_shape((rows, columns), rest[0] if rest else rows * columns, source)
    if is_sparse:
        return _Header(True, _FIELDS[field], symmetry == "symmetric", rows, rest[0])
    entries = rows * (rows + 1) // 2 if symmetry == "symmetric" else rows * rows
    return _Header(False, 1, symmetry == "symmetric", rows, entries)


def _sparse(numbers: Any, header: _Header, source: str) -> Any:
    ends, n = numbers[:, :2], header.n
    wrong = np.flatnonzero(~((ends >= 1) & (ends <= n) & (ends == np.floor(ends))).all(axis=1))
    if wrong.size:
        i, j = ends[wrong[0]]
        raise SourceError(
            f"{source}: entry {wrong[0] + 1} is at [{i:g}, {j:g}]; rows and columns are 1 to {n}. {_REMEDY}"
        )
    weights = numbers[:, 2] if header.columns == 3 else np.ones(len(numbers))
    i, j = ends.T.astype(np.intp) - 1
    A = sp.csr_array((weights, (i, j)), shape=(n, n))
    return A + sp.tril(A, -1).T + sp.triu(A, 1).T if header.is_symmetric else A


def _dense(numbers: Any, header: _Header) -> Any:
    n = header.n
    if not header.is_symmetric:
        return numbers.reshape(n, n).T
    A = np.zeros((n, n))
    # The lower triangle by columns is the upper one by rows.
    A[np.triu_indices(n)] = A.T[np.triu_indices(n)] = numbers[:, 0]
    return A
