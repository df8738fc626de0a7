"""The Fantope, {Q symmetric : 0 <= eigenvalues <= 1, trace c}: the convex hull of projections onto c dimensions."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.linalg import LinAlgError, eigh
from scipy.optimize import brentq

from s3nmf._types import FloatArray

# A part of the spectrum is cheaper than the whole of it up to this share.
_PART = 0.5


class FantopePoint(NamedTuple):
    """Q = E diag(s) E', by its positive eigenvalues s in (0, 1], largest first, and their eigenvectors (n, k)."""

    values: FloatArray
    vectors: FloatArray


def capped_simplex(w: FloatArray, total: float) -> tuple[FloatArray, float]:
    """The point of {0 <= s <= 1, sum(s) = total} nearest to w, clip(w - t, 0, 1), and t.

    Examples
    --------
    >>> import numpy as np
    >>> capped_simplex(np.array([3.0, 0.5, 0.5]), 2)[0]
    array([1. , 0.5, 0.5])
    """
    t = brentq(lambda shift: np.clip(w - shift, 0.0, 1.0).sum() - total, w.min() - 2.0, w.max(), xtol=1e-15)
    return np.clip(w - t, 0.0, 1.0), float(t)


def nearest_in_fantope(matrix: FloatArray, trace: int, n_eigenvalues: int) -> FantopePoint | None:
    """The nearest Q to a symmetric matrix, from its largest eigenvalues; None if so many are not enough, or not found.

    Eigenvalues below the shift t of the capped simplex become zero. So if the smallest of those computed is below t,
    the others are too, and need not be known. The lower triangle of the matrix is used, and the matrix overwritten.
    O(n^3).
    """
    n = len(matrix)
    # The transpose is what LAPACK can work on in place.
    if n_eigenvalues > _PART * n:
        w, E = eigh(matrix.T, lower=False, driver="evd", overwrite_a=True, check_finite=False)
    else:
        part = (n - n_eigenvalues, n - 1)
        try:
            w, E = eigh(matrix.T, lower=False, subset_by_index=part, overwrite_a=True, check_finite=False)
        except LinAlgError:  # where nearly all eigenvalues are the same; all at once they are found
            return None
    s, t = capped_simplex(w, trace)
    if w.size < n and w[0] > t:
        return None
    positive = np.flatnonzero(s)[::-1]
    return FantopePoint(s[positive], E[:, positive])
