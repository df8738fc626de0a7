"""Weights so small or large that their sums, squares or inverses are no numbers any more, brought back among them."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

from s3nmf._types import Affinity, FloatArray

# Squares and inverses of these are numbers, and so are sums of as many weights as there are. A factor changes no label.
_SMALLEST, _LARGEST = 1e-150, 1e150


def at_scale(objective: FloatArray, scale: float) -> FloatArray:
    """Squared distances between matrices at unit scale, at their own: 0 stays 0, and what is too large is infinite.

    Examples
    --------
    >>> at_scale(np.array([0.0, 4.0]), 1e200).tolist()
    [0.0, inf]
    """
    with np.errstate(over="ignore"):
        return np.asarray(objective * scale * scale)


def within_range(W: Affinity) -> tuple[Affinity, int]:
    """W, or where its largest entry is out of range W / 2^e, to at most 1 and without rounding; and e, else 0.

    Examples
    --------
    >>> within_range(np.array([[0.0, 0.5], [0.5, 0.0]]))[1]
    0
    >>> W, exponent = within_range(np.array([[0.0, 3e-310], [3e-310, 0.0]]))
    >>> bool(0.5 <= W.max() < 1.0), np.ldexp(W, exponent).tolist()
    (True, [[0.0, 3e-310], [3e-310, 0.0]])
    """
    entries = W.data if sp.issparse(W) else W  # the maximum of a sparse matrix sorts its entries, in place
    largest = float(np.max(entries, initial=0.0))
    if _SMALLEST <= largest <= _LARGEST or largest == 0.0:
        return W, 0
    exponent = int(np.frexp(largest)[1])
    if not sp.issparse(W):
        return np.ldexp(W, -exponent), exponent
    scaled: Any = W.copy()
    scaled.data = np.ldexp(scaled.data, -exponent)
    return scaled, exponent
