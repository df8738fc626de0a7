"""The loops that take the time, compiled by numba when they are first called and kept on disk.

Import this module where it is used, not at the top of another: numba takes longer to import than the rest of the
library. Every function works on a range of rows or of blocks of rows and releases the interpreter's lock, so that a
`Team` can share the ranges out. Sums run in the order in which they are written: no fast-math, so that neither the
number of threads, nor the width of a vector register, nor the members beside a member change a bit of its result.
"""

from __future__ import annotations

import numpy as np
from numba import njit

# Rows a block: sums over rows are kept for each block and added up afterwards, in one order for any number of threads.
# Short blocks keep float32 sums exact; long ones keep the c x c sums of many clusters from filling the memory.
BLOCK = 256
BLAS_BLOCK = 1024


@njit(nogil=True, cache=True)
def _gather(first, last, columns, weights, source, begin, out):
    """out = sum of weights[e] * source[columns[e], begin:] over the entries e of a row, four at a time."""
    width = out.size
    end = begin + width
    out[:] = 0
    e = first
    while e + 4 <= last:
        s0, s1 = source[columns[e], begin:end], source[columns[e + 1], begin:end]
        s2, s3 = source[columns[e + 2], begin:end], source[columns[e + 3], begin:end]
        w0, w1, w2, w3 = weights[e], weights[e + 1], weights[e + 2], weights[e + 3]
        for t in range(width):
            out[t] += w0 * s0[t] + w1 * s1[t] + w2 * s2[t] + w3 * s3[t]
        e += 4
    while e < last:
        s0, w0 = source[columns[e], begin:end], weights[e]
        for t in range(width):
            out[t] += w0 * s0[t]
        e += 1


@njit(nogil=True, cache=True)
def product_rows(first, last, starts, columns, weights, source, out):
    """Rows first to last of a sparse matrix times `source`."""
    for i in range(first, last):
        _gather(starts[i], starts[i + 1], columns, weights, source, 0, out[i])


@njit(nogil=True, cache=True)
def distances_of_rows(first, last, X, neighbors, out):
    """out[i, j] = ||X[i] - X[neighbors[i, j]]||, for rows first to last."""
    for i in range(first, last):
        for j in range(neighbors.shape[1]):
            other = neighbors[i, j]
            total = 0.0
            for t in range(X.shape[1]):
                difference = np.float64(X[i, t]) - np.float64(X[other, t])
                total += difference * difference
            out[i, j] = np.sqrt(total)


@njit(nogil=True, cache=True, error_model="numpy")
def _update(v, product, denominator, epsilon, floor, row_scale, out, fit, step):
    """out = v (product / denominator)^(1/4) for a row, and its shares in <V, SV> and in the largest step."""
    for t in range(v.size):
        x = v[t] * np.sqrt(np.sqrt(product[t] / (denominator[t] + epsilon)))
        x = max(x, floor)
        out[t] = x
        fit[t] += v[t] * product[t]
        step[t] = max(step[t], abs(x - v[t]) * row_scale)


@njit(nogil=True, cache=True)
def _times_gram(v, gram, out):
    """out[k, m] = sum_j v[j, m] gram[j, k, m], four j at a time."""
    n_clusters, n_members = v.shape
    out[:] = 0
    j = 0
    while j + 4 <= n_clusters:
        v0, v1, v2, v3 = v[j], v[j + 1], v[j + 2], v[j + 3]
        for k in range(n_clusters):
            g0, g1, g2, g3 = gram[j, k], gram[j + 1, k], gram[j + 2, k], gram[j + 3, k]
            to = out[k]
            for m in range(n_members):
                to[m] += v0[m] * g0[m] + v1[m] * g1[m] + v2[m] * g2[m] + v3[m] * g3[m]
        j += 4
    while j < n_clusters:
        v0 = v[j]
        for k in range(n_clusters):
            g0, to = gram[j, k], out[k]
            for m in range(n_members):
                to[m] += v0[m] * g0[m]
        j += 1


@njit(nogil=True, cache=True)
def _add_gram(v, gram):
    """gram[k, j, m] += v[k, m] v[j, m] for j <= k."""
    n_clusters, n_members = v.shape
    for k in range(n_clusters):
        vk = v[k]
        for j in range(k + 1):
            to, vj = gram[k, j], v[j]
            for m in range(n_members):
                to[m] += vk[m] * vj[m]


@njit(nogil=True, cache=True)
def sweep_members_innermost(
    first, last, starts, columns, weights, source, V, gram, row_scale, epsilon, floor, out, grams, fits, steps
):
    """The multiplicative update of blocks first to last of V (n, c, b), for few clusters.

    In the same pass: the Gram matrix of the new V (its lower triangle), <V, SV> of the old one and the largest step, by
    block. The product S V is `source` itself where there are no sparse rows to combine it by.
    """
    n, n_clusters, n_members = V.shape
    width = n_clusters * n_members
    flat, flat_out = V.reshape(n, width), out.reshape(n, width)
    product = np.empty(width, V.dtype)
    denominator = np.empty((n_clusters, n_members), V.dtype)
    flat_denominator = denominator.reshape(width)
    fit, step = np.empty(width, V.dtype), np.empty(width, V.dtype)
    for block in range(first, last):
        fit[:] = 0
        step[:] = 0
        grams[block] = 0
        for i in range(block * BLOCK, min(n, (block + 1) * BLOCK)):
            if starts.size:
                _gather(starts[i], starts[i + 1], columns, weights, source, 0, product)
            else:
                product[:] = source[i]
            _times_gram(V[i], gram, denominator)
            _update(flat[i], product, flat_denominator, epsilon, floor, row_scale[i], flat_out[i], fit, step)
            _add_gram(out[i], grams[block])
        fits[block] = 0
        steps[block] = 0
        for k in range(n_clusters):
            for m in range(n_members):
                fits[block, m] += fit[k * n_members + m]
                steps[block, m] = max(steps[block, m], step[k * n_members + m])


@njit(nogil=True, cache=True)
def sweep_clusters_innermost(
    first, last, starts, columns, weights, source, V, gram, row_scale, epsilon, floor, out, grams, fits, steps
):
    """The same for V (n, b, c) with many clusters, where BLAS multiplies faster than a loop."""
    n, n_members, n_clusters = V.shape
    product = np.empty(n_clusters, V.dtype)
    fit, step = np.empty(n_clusters, V.dtype), np.empty(n_clusters, V.dtype)
    factor, denominator = np.empty((BLAS_BLOCK, n_clusters), V.dtype), np.empty((BLAS_BLOCK, n_clusters), V.dtype)
    for block in range(first, last):
        begin = block * BLAS_BLOCK
        size = min(n - begin, BLAS_BLOCK)
        for m in range(n_members):
            own = m * n_clusters
            for r in range(size):
                factor[r] = V[begin + r, m]
            np.dot(factor[:size], gram[m], denominator[:size])
            fit[:] = 0
            step[:] = 0
            for r in range(size):
                i = begin + r
                if starts.size:
                    _gather(starts[i], starts[i + 1], columns, weights, source, own, product)
                else:
                    product[:] = source[i, own : own + n_clusters]
                to = out[i, m]
                _update(V[i, m], product, denominator[r], epsilon, floor, row_scale[i], to, fit, step)
                factor[r] = to
            np.dot(factor[:size].T, factor[:size], grams[block, m])
            fits[block, m] = fit.sum()
            steps[block, m] = step.max()
