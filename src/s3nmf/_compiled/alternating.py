"""Nonnegative least squares for all rows of U with V held: one sweep of coordinate descent, or exactly.

U and V are (n, c, b), members innermost, `gram` is V'V (c, c, b). Each row u of U minimises
||S_i - V u||^2 / 2 + penalty ||u - v||^2 / 2, that is u'Q u / 2 - u'q with Q = V'V + penalty I and
q = (S V)_i + penalty v, over u >= 0. In the same pass, by block of rows: the Gram matrix of the new U (its lower
triangle), <U, S V>, <U, V> and the largest step.
"""

from __future__ import annotations

import numpy as np

from s3nmf._compiled.loop import loop
from s3nmf._compiled.products import add_gram, follow, gather, vector_times_gram

BLOCK = 256
# What rounding leaves of a zero, relative to the largest number it came from.
_ZERO = 1e-12
_EXCHANGES = 3


@loop(error_model="numpy")
def descend(
    first, last, starts, columns, weights, source, V, gram, penalty, row_scale, U, grams, products, overlaps, steps
):
    """One sweep over the coordinates of each row (HALS)."""
    n, n_clusters, n_members = V.shape
    target, change = np.empty(n_clusters * n_members), np.empty(n_members)
    pull = np.empty((n_clusters, n_members))
    by_cluster = target.reshape(n_clusters, n_members)
    for block in range(first, last):
        _clear(block, grams, products, overlaps, steps)
        for i in range(block * BLOCK, min(n, (block + 1) * BLOCK)):
            _product(i, starts, columns, weights, source, target)
            u, v = U[i], V[i]
            vector_times_gram(u, gram, pull)
            for j in range(n_clusters):
                for m in range(n_members):
                    curvature = gram[j, j, m] + penalty
                    slope = pull[j, m] - by_cluster[j, m] + penalty * (u[j, m] - v[j, m])
                    x = max(u[j, m] - slope / curvature, 0.0) if curvature > 0.0 else u[j, m]
                    change[m] = x - u[j, m]
                    steps[block, m] = max(steps[block, m], abs(change[m]) * row_scale[i])
                    u[j, m] = x
                follow(change, gram, j, pull)
            _tally(u, v, by_cluster, products[block], overlaps[block])
            add_gram(u, grams[block])


@loop(error_model="numpy")
def solve(
    first, last, starts, columns, weights, source, V, gram, penalty, row_scale, U, grams, products, overlaps, steps
):
    """The minimiser of each row, by block principal pivoting from the entries that are positive now (ANLS)."""
    n, n_clusters, n_members = V.shape
    target = np.empty(n_clusters * n_members)
    by_cluster = target.reshape(n_clusters, n_members)
    Q = np.empty((n_members, n_clusters, n_clusters))
    for m in range(n_members):
        for k in range(n_clusters):
            for j in range(n_clusters):
                Q[m, k, j] = gram[k, j, m]
            Q[m, k, k] += penalty
    q, x = np.empty(n_clusters), np.empty(n_clusters)
    for block in range(first, last):
        _clear(block, grams, products, overlaps, steps)
        for i in range(block * BLOCK, min(n, (block + 1) * BLOCK)):
            _product(i, starts, columns, weights, source, target)
            u, v = U[i], V[i]
            for m in range(n_members):
                for k in range(n_clusters):
                    q[k] = by_cluster[k, m] + penalty * v[k, m]
                    x[k] = u[k, m]
                nonnegative_least_squares(Q[m], q, x)
                for k in range(n_clusters):
                    steps[block, m] = max(steps[block, m], abs(x[k] - u[k, m]) * row_scale[i])
                    u[k, m] = x[k]
            _tally(u, v, by_cluster, products[block], overlaps[block])
            add_gram(u, grams[block])


@loop()
def _product(i, starts, columns, weights, source, out):
    """Row i of S V, which is the source itself where there are no sparse rows to combine it by."""
    if starts.size:
        gather(starts[i], starts[i + 1], columns, weights, source, 0, out)
    else:
        out[:] = source[i]


@loop()
def _clear(block, grams, products, overlaps, steps):
    grams[block] = 0
    products[block] = 0
    overlaps[block] = 0
    steps[block] = 0


@loop()
def _tally(u, v, target, product, overlap):
    """The row's shares in <U, S V> and <U, V>."""
    n_clusters, n_members = u.shape
    for k in range(n_clusters):
        for m in range(n_members):
            product[m] += u[k, m] * target[k, m]
            overlap[m] += u[k, m] * v[k, m]


@loop(error_model="numpy")
def nonnegative_least_squares(Q, q, x):
    """Put the minimiser of x'Q x / 2 - x'q over x >= 0 into x, for a positive definite Q (Kim and Park 2011).

    The positive entries of x are the first guess of those that are positive at the end, the passive ones. Entries on
    the wrong side are exchanged all at once while that helps, and one at a time when it does not, which must end.
    """
    size = q.size
    passive, y = x > 0.0, np.empty(size)
    factor, index = np.empty((size, size)), np.empty(size, np.int64)
    fewest, budget = size + 1, _EXCHANGES
    scale = 0.0
    for k in range(size):
        scale = max(scale, abs(q[k]))
    while True:
        _solve_passive(Q, q, passive, x, factor, index)
        largest = 0.0
        for k in range(size):
            largest = max(largest, abs(x[k]))
        n_wrong, last_wrong = 0, -1
        for k in range(size):
            if passive[k]:
                y[k] = 0.0
                wrong = x[k] < -_ZERO * largest
            else:
                total = -q[k]
                for j in range(size):
                    total += Q[k, j] * x[j]
                y[k] = total
                wrong = total < -_ZERO * scale
            if wrong:
                n_wrong += 1
                last_wrong = k
        if n_wrong == 0:
            break
        if n_wrong < fewest:
            fewest, budget = n_wrong, _EXCHANGES
        elif budget > 0:
            budget -= 1
        else:
            passive[last_wrong] = not passive[last_wrong]
            continue
        for k in range(size):
            wrong = x[k] < -_ZERO * largest if passive[k] else y[k] < -_ZERO * scale
            if wrong:
                passive[k] = not passive[k]
    for k in range(size):
        x[k] = max(x[k], 0.0)


@loop(error_model="numpy")
def _solve_passive(Q, q, passive, x, factor, index):
    """Q x = q on the passive entries by Cholesky, x = 0 elsewhere."""
    n_passive = 0
    for k in range(q.size):
        x[k] = 0.0
        if passive[k]:
            index[n_passive] = k
            n_passive += 1
    for a in range(n_passive):
        for b in range(a + 1):
            total = Q[index[a], index[b]]
            for t in range(b):
                total -= factor[a, t] * factor[b, t]
            if a > b:
                factor[a, b] = total / factor[b, b]
            else:
                # An entry that the others determine, as that of an empty cluster without penalty, is left at zero.
                determined = total <= _ZERO * Q[index[a], index[a]]
                factor[a, a] = np.inf if determined else np.sqrt(total)
    for a in range(n_passive):
        total = q[index[a]]
        for t in range(a):
            total -= factor[a, t] * x[index[t]]
        x[index[a]] = total / factor[a, a]
    for a in range(n_passive - 1, -1, -1):
        total = x[index[a]]
        for t in range(a + 1, n_passive):
            total -= factor[t, a] * x[index[t]]
        x[index[a]] = total / factor[a, a]
