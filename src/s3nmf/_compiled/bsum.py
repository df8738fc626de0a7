"""Block successive upper-bound minimisation: sweeps over V that change it entry by entry, or row by row.

V is (n, c, b), members innermost: each goes its own way, and a processor's vector unit takes several at a time. A sweep
is sequential, so threads share members out, not rows. V'V follows V; `gram` is brought along from sweep to sweep.
"""

from __future__ import annotations

import numpy as np

from s3nmf._compiled.loop import loop
from s3nmf._compiled.products import add_outer, exchange, follow, gather, vector_times_gram

_CLOSE = 1.0 - 1e-15
_VECTOR_STEPS = 10


@loop(error_model="numpy")
def positive_roots(p, r, z):
    """The root z >= 0 of z^3 + p z = r for p >= 0, by member; 0 where r <= 0. `p` and `r` are overwritten there.

    The left side is convex and increasing: from a point to the right of the root Newton's steps descend to it, by sums
    of positive terms, where the closed form cancels. Such points are r / p and the cube root of r; the smaller one is
    at most half as large again as the root, and in a sweep r / p is close to it. A member whose steps have ended stays
    where it is, so that it does not matter how long others take.
    """
    for m in range(r.size):
        if r[m] <= 0.0:
            p[m], r[m], z[m] = 1.0, 0.0, 0.0
        else:
            quotient = r[m] / p[m]
            z[m] = quotient if quotient * quotient <= p[m] else np.cbrt(r[m])
    moving = 1
    while moving:
        moving = 0
        for m in range(r.size):
            square = z[m] * z[m]
            closer = (2.0 * square * z[m] + r[m]) / (3.0 * square + p[m])
            moves = closer < z[m] * _CLOSE
            z[m] = closer if moves else z[m]
            moving += moves


@loop()
def _return(first, last, columns, returns, change, source):
    """Let the source follow a change of a row of V."""
    for e in range(first, last):
        weight, to = returns[e], source[columns[e]]
        for t in range(change.size):
            to[t] += weight * change[t]


@loop(error_model="numpy")
def sweep_entries(starts, columns, weights, returns, diagonal, row_scale, source, V, gram, changes, steps):
    """Minimise a convex quartic bound of ||S - V V'||^2 in each entry of V in turn.

    A step s of entry x = V_ij changes the objective by s^4 + 4 x s^3 + (a / 2) s^2 + d s with
    a = 4 ((V'V)_jj - S_ii + ||V_i||^2 + x^2) and d = 4 (V V'V - S V)_ij. With max(a, 12 x^2) for a the change is
    convex; its minimiser z = x + s solves z^3 + p z = r. `changes` gets what the objective changes by, `steps` the
    largest step.
    """
    n, n_clusters, n_members = V.shape
    shape, width = (n_clusters, n_members), n_clusters * n_members
    product, pull, old = np.empty(shape), np.empty(shape), np.empty(shape)
    flat_product, flat_change = product.reshape(width), old.reshape(width)
    p, r, z = np.empty(n_members), np.empty(n_members), np.empty(n_members)
    slope, curvature, step = np.empty(n_members), np.empty(n_members), np.empty(n_members)
    norm, overlap = np.empty(n_members), np.empty(n_members)
    changes[:] = 0
    steps[:] = 0
    for i in range(n):
        row, own, scale = V[i], diagonal[i], row_scale[i]
        gather(starts[i], starts[i + 1], columns, weights, source, 0, flat_product)
        # V'V is that of the old row until the row is done, and the rest added: with y for the old row and x for the new
        # one, (V V'V)_i = V'V x + ||x||^2 x - (x'y) y.
        old[:] = row
        vector_times_gram(row, gram, pull)
        norm[:] = 0
        for k in range(n_clusters):
            for m in range(n_members):
                norm[m] += row[k, m] * row[k, m]
        overlap[:] = norm
        for j in range(n_clusters):
            for m in range(n_members):
                x = row[j, m]
                slope[m] = 4.0 * (pull[j, m] + (norm[m] - overlap[m]) * x - product[j, m])
                curvature[m] = 4.0 * (gram[j, j, m] - own + norm[m] + x * x)
                p[m] = max(curvature[m] / 4.0 - 3.0 * x * x, 0.0)
                r[m] = x * (p[m] + x * x) - slope[m] / 4.0
            positive_roots(p, r, z)
            for m in range(n_members):
                x, s = row[j, m], z[m] - row[j, m]
                changes[m] += s * (slope[m] + s * (curvature[m] / 2.0 + s * (4.0 * x + s)))
                steps[m] = max(steps[m], abs(s) * scale)
                norm[m] += s * (2.0 * x + s)
                overlap[m] += s * x
                row[j, m], step[m] = z[m], s
            follow(step, gram, j, pull)
        exchange(old, row, gram)
        if returns.size:
            for k in range(n_clusters):
                for m in range(n_members):
                    old[k, m] = row[k, m] - old[k, m]
            _return(starts[i], starts[i + 1], columns, returns, flat_change, source)


@loop(error_model="numpy")
def _upper_bounds(P, guide, image, bound):
    """A bound of the largest eigenvalue of each nonnegative P, and a guide that makes the next one tighter.

    For any positive vector z the eigenvalue is at most max_j (P z)_j / z_j (Collatz and Wielandt), and equal for the
    leading eigenvector. P changes little from row to row, so one step of the power method a row keeps z close to it.
    """
    n_clusters, n_members = guide.shape
    bound[:] = 0
    vector_times_gram(guide, P, image)
    for k in range(n_clusters):
        for m in range(n_members):
            bound[m] = max(bound[m], image[k, m] / guide[k, m])
    # Mixed with the old one, and never close to zero: a vector that dies out would make the bound useless.
    for k in range(n_clusters):
        for m in range(n_members):
            if bound[m] > 0.0:
                guide[k, m] = 0.5 * guide[k, m] + 0.5 * image[k, m] / bound[m] + 1e-6
    for m in range(n_members):
        largest = 0.0
        for k in range(n_clusters):
            largest = max(largest, guide[k, m])
        for k in range(n_clusters):
            guide[k, m] /= largest


@loop(error_model="numpy")
def sweep_rows(order, starts, columns, weights, returns, diagonal, row_scale, source, V, gram, changes, steps):
    """Minimise bounds of ||S - V V'||^2 in each row x of V, in the given order.

    As a function of x it is ||x||^4 + 2 x'(P - S_ii I) x - 4 v'x and a constant, with P = V'V - x x' and
    v = (S V)_i - S_ii x at the old x. With s x'x + ... above x'P x, and -S_ii ||x||^2 linearised, the minimiser is
    x = t g / ||g|| with g = max(s x - P x + S_ii x + v, 0) and t^3 + s t = ||g||.
    """
    _, n_clusters, n_members = V.shape
    shape, width = (n_clusters, n_members), n_clusters * n_members
    v, g, image, before, guide = np.empty(shape), np.empty(shape), np.empty(shape), np.empty(shape), np.ones(shape)
    flat_product, flat_change = v.reshape(width), before.reshape(width)
    s, slack, root = np.empty(n_members), np.empty(n_members), np.empty(n_members)
    size, length = np.empty(n_members), np.empty(n_members)
    changes[:] = 0
    steps[:] = 0
    for i in order:
        x, own, scale = V[i], diagonal[i], row_scale[i]
        gather(starts[i], starts[i + 1], columns, weights, source, 0, flat_product)
        before[:] = x
        for k in range(n_clusters):
            for m in range(n_members):
                v[k, m] -= own * x[k, m]
        add_outer(-1.0, x, gram)
        _upper_bounds(gram, guide, image, s)
        _add_values(x, gram, v, own, -1.0, image, length, changes)
        for _ in range(_VECTOR_STEPS):
            vector_times_gram(x, gram, g)
            size[:] = 0
            for k in range(n_clusters):
                for m in range(n_members):
                    g[k, m] = max((s[m] + own) * x[k, m] - g[k, m] + v[k, m], 0.0)
                    size[m] += g[k, m] * g[k, m]
            for m in range(n_members):
                size[m] = np.sqrt(size[m])
                length[m], slack[m] = size[m], s[m]
            positive_roots(slack, length, root)
            for m in range(n_members):
                root[m] = root[m] / size[m] if size[m] > 0.0 else 0.0
            for k in range(n_clusters):
                for m in range(n_members):
                    x[k, m] = root[m] * g[k, m]
        _add_values(x, gram, v, own, 1.0, image, length, changes)
        add_outer(1.0, x, gram)
        for k in range(n_clusters):
            for m in range(n_members):
                steps[m] = max(steps[m], abs(x[k, m] - before[k, m]) * scale)
                before[k, m] = x[k, m] - before[k, m]
        if returns.size:
            _return(starts[i], starts[i + 1], columns, returns, flat_change, source)


@loop()
def _add_values(x, P, v, own, sign, image, norm, total):
    """Add sign (||x||^4 + 2 x'(P - own I) x - 4 v'x) to the total of each member."""
    n_clusters, n_members = x.shape
    vector_times_gram(x, P, image)
    norm[:] = 0
    for k in range(n_clusters):
        for m in range(n_members):
            norm[m] += x[k, m] * x[k, m]
            total[m] += sign * x[k, m] * (2.0 * image[k, m] - 4.0 * v[k, m])
    for m in range(n_members):
        total[m] += sign * norm[m] * (norm[m] - 2.0 * own)
