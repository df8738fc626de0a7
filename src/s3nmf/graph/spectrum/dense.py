"""The largest eigenvalues of a dense matrix, by a second driver of LAPACK where the first gives up.

The one that finds a part of the spectrum is the fastest, and fails on some matrices whose eigenvalues are nearly all
the same, as those of complete graphs are. The one that finds all of them does not.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.linalg import LinAlgError, eigh

from s3nmf._types import FloatArray


def largest_eigenpairs(make: Callable[[], FloatArray], count: int) -> tuple[FloatArray, FloatArray]:
    """Eigenvalues (count,) in increasing order, and eigenvectors (n, count), of the symmetric matrix that is made.

    The matrix is overwritten, and made again for the second driver. O(n^3).

    Examples
    --------
    >>> values, vectors = largest_eigenpairs(lambda: np.diag([1.0, 3.0, 2.0]), 2)
    >>> values
    array([2., 3.])
    """
    matrix = make()
    n = len(matrix)
    try:
        values, vectors = eigh(matrix, subset_by_index=(n - count, n - 1), overwrite_a=True)
        if values.size == count:  # it may also give up without a word
            return values, vectors
    except LinAlgError:
        pass
    try:
        values, vectors = eigh(make(), driver="evd", overwrite_a=True)
    except LinAlgError as error:
        raise LinAlgError(
            f"LAPACK did not find the eigenvalues of a {n} x {n} matrix by either of two methods ({error}). Change the "
            "scale of the affinity, or use a method without eigenvectors, such as S3NMF."
        ) from error
    return np.asarray(values[n - count :]), np.asarray(vectors[:, n - count :])
