"""Greedy coordinate descent on the rows of H with H' held, in the splitting of graph-regularized SymNMF.

Arrays are (n, c, b), members innermost. A row h minimises a quadratic with gradient g and Hessian Q = H''H' + mu I.
"""

from __future__ import annotations

import numpy as np

from s3nmf._compiled.loop import loop
from s3nmf._compiled.products import gather

BLOCK = 256


@loop()
def gradients(first, last, starts, columns, weights, source, H, other, dual, Q, mu, row_penalty, out, gains):
    """g = H Q - S H' + p H' - mu H' + Y by row, and the largest gain of one step by block and member."""
    n, n_clusters, n_members = H.shape
    product = np.empty(n_clusters * n_members)
    for block in range(first, last):
        gains[block] = 0
        for i in range(block * BLOCK, min(n, (block + 1) * BLOCK)):
            gather(starts[i], starts[i + 1], columns, weights, source, 0, product)
            for k in range(n_clusters):
                for m in range(n_members):
                    total = (row_penalty[i] - mu) * other[i, k, m] + dual[i, k, m] - product[k * n_members + m]
                    for j in range(n_clusters):
                        total += H[i, j, m] * Q[j, k, m]
                    out[i, k, m] = total
                    gains[block, m] = max(gains[block, m], _gain(H[i, k, m], total, Q[k, k, m]))


@loop()
def _gain(x, slope, curvature):
    """How much the best step of one entry lowers the quadratic."""
    step = max(x - slope / curvature, 0.0) - x
    return -step * (slope + 0.5 * curvature * step)


@loop()
def descend(first, last, H, gradient, Q, enough, row_scale, steps):
    """Take the best entry of a row again and again, until it gains less than `enough`; at most c^2 times."""
    n, n_clusters, n_members = H.shape
    for block in range(first, last):
        steps[block] = 0
        for i in range(block * BLOCK, min(n, (block + 1) * BLOCK)):
            for m in range(n_members):
                for _ in range(n_clusters * n_clusters):
                    best, most = -1, 0.0
                    for k in range(n_clusters):
                        gain = _gain(H[i, k, m], gradient[i, k, m], Q[k, k, m])
                        if gain > most:
                            best, most = k, gain
                    if best < 0 or most < enough[m]:
                        break
                    x = H[i, best, m]
                    step = max(x - gradient[i, best, m] / Q[best, best, m], 0.0) - x
                    H[i, best, m] = x + step
                    steps[block, m] = max(steps[block, m], abs(step) * row_scale[i])
                    for k in range(n_clusters):
                        gradient[i, k, m] += step * Q[best, k, m]
