"""The multiplicative update of all members in one pass over the rows."""

from __future__ import annotations

import numpy as np

from s3nmf._compiled.loop import loop
from s3nmf._compiled.products import add_gram, gather, times_gram

# Rows a block: sums over rows are kept for each block and added up afterwards, in one order for any number of threads.
# Short blocks keep float32 sums exact; long ones keep the c x c sums of many clusters from filling the memory.
BLOCK = 256
BLAS_BLOCK = 1024


@loop(error_model="numpy")
def _update(v, product, denominator, row_scale, row_penalty, epsilon, floor, fourth_root, out, fit, step):
    """out = v (product / (denominator + row_penalty v))^(1/2 or 1/4) for a row; its shares in fit and largest step.

    The fit is <V, SV> less the penalty.
    """
    for t in range(v.size):
        penalty = row_penalty * v[t]
        factor = np.sqrt(product[t] / (denominator[t] + penalty + epsilon))
        if fourth_root:
            factor = np.sqrt(factor)
        x = max(v[t] * factor, floor)
        out[t] = x
        fit[t] += v[t] * (product[t] - penalty)
        step[t] = max(step[t], abs(x - v[t]) * row_scale)


@loop()
def sweep_members_innermost(
    first,
    last,
    starts,
    columns,
    weights,
    source,
    V,
    gram,
    row_scale,
    row_penalty,
    epsilon,
    floor,
    fourth_root,
    out,
    grams,
    fits,
    steps,
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
                gather(starts[i], starts[i + 1], columns, weights, source, 0, product)
            else:
                product[:] = source[i]
            times_gram(V[i], gram, denominator)
            limits = row_scale[i], row_penalty[i], epsilon, floor, fourth_root
            _update(flat[i], product, flat_denominator, *limits, flat_out[i], fit, step)
            add_gram(out[i], grams[block])
        fits[block] = 0
        steps[block] = 0
        for k in range(n_clusters):
            for m in range(n_members):
                fits[block, m] += fit[k * n_members + m]
                steps[block, m] = max(steps[block, m], step[k * n_members + m])


@loop()
def sweep_clusters_innermost(
    first,
    last,
    starts,
    columns,
    weights,
    source,
    V,
    gram,
    row_scale,
    row_penalty,
    epsilon,
    floor,
    fourth_root,
    out,
    grams,
    fits,
    steps,
):
    """The same for V (n, b, c) with many clusters, where BLAS multiplies faster than a loop.

    What is done from first to last is one member's block each, so that threads can share a single block.
    """
    n, n_members, n_clusters = V.shape
    product = np.empty(n_clusters, V.dtype)
    fit, step = np.empty(n_clusters, V.dtype), np.empty(n_clusters, V.dtype)
    factor, denominator = np.empty((BLAS_BLOCK, n_clusters), V.dtype), np.empty((BLAS_BLOCK, n_clusters), V.dtype)
    for piece in range(first, last):
        block, m = divmod(piece, n_members)
        begin, own = block * BLAS_BLOCK, m * n_clusters
        size = min(n - begin, BLAS_BLOCK)
        for r in range(size):
            factor[r] = V[begin + r, m]
        np.dot(factor[:size], gram[m], denominator[:size])
        fit[:] = 0
        step[:] = 0
        for r in range(size):
            i = begin + r
            if starts.size:
                gather(starts[i], starts[i + 1], columns, weights, source, own, product)
            else:
                product[:] = source[i, own : own + n_clusters]
            to, limits = out[i, m], (row_scale[i], row_penalty[i], epsilon, floor, fourth_root)
            _update(V[i, m], product, denominator[r], *limits, to, fit, step)
            factor[r] = to
        np.dot(factor[:size].T, factor[:size], grams[block, m])
        fits[block, m] = fit.sum()
        steps[block, m] = step.max()
