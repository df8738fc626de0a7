"""The indices of a sparse matrix, in 32 bits where they fit.

That is half the memory, one kind of matrix for compiled loops, and what scikit-learn's spectral methods and k-means ask
for; SciPy keeps 64 bits once they are there.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

from s3nmf._types import SparseMatrix


def compact(matrix: Any, dtype: Any = None) -> SparseMatrix:
    """The matrix as CSR, with 32-bit indices if it has fewer than 2^31 rows, columns and entries."""
    csr = sp.csr_array(matrix, dtype=dtype)
    index = np.int32 if max(csr.nnz, *csr.shape) < np.iinfo(np.int32).max else np.int64
    csr.indptr, csr.indices = csr.indptr.astype(index, copy=False), csr.indices.astype(index, copy=False)
    return csr
