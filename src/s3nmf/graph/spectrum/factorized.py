"""The inverse of a sparse graph, for leading eigenvectors of graphs that are slow to walk through.

Points in a plane, chains and outliers have eigenvalues so close to 1 that Lanczos iterations with the graph do not tell
them apart. Lanczos iterations with (s I - N)^-1, s just above 1, do so in a few products; their price is the fill of a
sparse factorization, small for just those graphs and prohibitive for well-mixed ones.
"""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import reverse_cuthill_mckee
from scipy.sparse.linalg import LinearOperator, splu

from s3nmf._memory import available_bytes
from s3nmf._types import FloatArray, SparseMatrix

# Distance of the shift from the largest eigenvalue.
_SHIFT = 1e-9
# Multiplications within the envelope; SuperLU was measured to take 98 seconds where they are 0.86e12.
_AFFORDABLE = 1e12
_BYTES_PER_ENTRY = 2 * 12


def factorization_is_affordable(graph: SparseMatrix) -> bool:
    """Whether a factorization takes no more than minutes and fits into memory.

    By the envelope of the graph in reverse Cuthill-McKee order, within which all fill of such a factorization lies.
    """
    order = reverse_cuthill_mckee(sp.csr_matrix(graph), symmetric_mode=True)
    entries = graph[order][:, order].tocoo()
    first = np.arange(graph.shape[0])
    np.minimum.at(first, entries.row, entries.col)
    widths = (np.arange(graph.shape[0]) - first).astype(np.float64)
    available = available_bytes()
    fits = available is None or _BYTES_PER_ENTRY * widths.sum() < available
    return bool(fits and widths @ widths < _AFFORDABLE)


def factorized_inverse(graph: SparseMatrix) -> LinearOperator:
    """(s I - N)^-1 of a sparse symmetric N whose largest eigenvalue is at most 1."""
    n = graph.shape[0]
    shifted = sp.csc_array((1.0 + _SHIFT) * sp.eye_array(n) - graph)
    # Positive definite, so that pivots stay on the diagonal and the order can be chosen for little fill.
    factors = splu(shifted, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options={"SymmetricMode": True})
    return LinearOperator((n, n), matvec=factors.solve, matmat=factors.solve, dtype=np.float64)


def eigenvalue_of(of_inverse: FloatArray) -> FloatArray:
    """The eigenvalue of N that an eigenvalue of the inverse stands for."""
    return np.asarray(1.0 + _SHIFT - 1.0 / of_inverse)
