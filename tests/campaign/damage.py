"""What goes wrong with arrays and sparse matrices before they reach anybody."""

import numpy as np
import scipy.sparse as sp

OF_VALUES = ("nan", "inf", "-inf", "negative", "asymmetric", "huge", "tiny", "denormal", "1e300", "1e-310", "zeros")
OF_SHAPE = ("no rows", "no columns", "one row", "one axis", "three axes", "a number", "not square")
OF_CELLS = ("text", "None", "ragged", "nested")
OF_INDICES = ("column beyond", "column before", "row past the data", "row backwards", "first row later", "short data",
              "short rows", "unsorted", "twice", "explicit zero")  # fmt: skip


def damaged(X, rng, kinds):
    """The array after an accident of one of these kinds, and which one."""
    kind = str(rng.choice(kinds))
    if kind in OF_VALUES:
        return _values(X.copy(), kind, rng), kind
    if kind in OF_SHAPE:
        return _shape(X, kind), kind
    return _cells(X, kind, rng), kind


def _values(X, kind, rng):
    at = tuple(int(rng.integers(size)) for size in X.shape)
    match kind:
        case "nan" | "inf" | "-inf":
            X[at] = float(kind)
        case "negative":
            X[at] = -abs(X[at]) - 0.5
        case "asymmetric":
            X[at] += 0.3
        case "zeros":
            X[:] = 0.0
        case "denormal":
            X[at] = 5e-324
        case _:
            X *= {"huge": 1e160, "tiny": 1e-160, "1e300": 1e300, "1e-310": 1e-310}[kind]
    return X


def _shape(X, kind):
    return {
        "no rows": X[:0],
        "no columns": X[:, :0],
        "one row": X[:1],
        "one axis": X[0],
        "three axes": X[None],
        "a number": X[0, 0],
        "not square": X[:, 1:] if X.shape[1] > 1 else X[1:],
    }[kind]


def _cells(X, kind, rng):
    rows = X.tolist()
    at, column = int(rng.integers(len(rows))), int(rng.integers(X.shape[1]))
    match kind:
        case "text":
            rows[at][column] = str(rng.choice(["oak", "", "1.5", "nan", "1e999"]))
        case "None":
            rows[at][column] = None
        case "ragged":
            rows[at].append(1.0)
            return rows
        case "nested":
            rows[at][column] = [1.0, {}]
            return rows
    return np.array(rows, dtype=object)


def damaged_indices(matrix, rng):
    """A sparse matrix whose own arrays do not fit each other, or are in disorder."""
    kind = str(rng.choice(OF_INDICES))
    if not sp.issparse(matrix) or matrix.format not in {"csr", "csc", "bsr"} or matrix.nnz < 2:
        return matrix, "none"
    data, indices, indptr = matrix.data.copy(), matrix.indices.copy(), matrix.indptr.copy()
    at, row = int(rng.integers(indices.size)), int(rng.integers(1, indptr.size))
    match kind:
        case "column beyond":
            indices[at] = int(rng.choice([max(matrix.shape), 10**6, 2**31 - 1]))
        case "column before":
            indices[at] = -int(rng.choice([1, 5, 2**31 - 1]))
        case "row past the data":
            indptr[row:] += int(rng.choice([1, 10**7]))
        case "row backwards":
            indptr[row] = -3
        case "first row later":
            indptr[0] = 1
        case "short data":
            data = data[: data.shape[0] // 2]
        case "short rows":
            indptr = indptr[:-1]
        case "unsorted":
            indices, data = indices[::-1].copy(), data[::-1].copy()
        case "twice":
            indices[at] = indices[at - 1]
        case "explicit zero":
            data[0] = 0
    matrix.data, matrix.indices, matrix.indptr = data, indices, indptr
    return matrix, kind
