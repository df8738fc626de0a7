"""Products with a sparse matrix and with Gram matrices, row by row, and distances between rows."""

from __future__ import annotations

import numpy as np

from s3nmf._compiled.loop import loop


@loop()
def gather(first, last, columns, weights, source, begin, out):
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


@loop()
def product_rows(first, last, starts, columns, weights, source, out):
    """Rows first to last of a sparse matrix times `source`."""
    for i in range(first, last):
        gather(starts[i], starts[i + 1], columns, weights, source, 0, out[i])


@loop()
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


@loop()
def add_gram(v, gram):
    """gram[k, j, m] += v[k, m] v[j, m] for j <= k.

    Here and below the clusters of a single member are taken as one vector, and its zeros, which are most of V near the
    end of the sweeps, are passed over.
    """
    n_clusters, n_members = v.shape
    if n_members == 1:
        rows, column = gram.reshape(n_clusters, n_clusters), v.reshape(n_clusters)
        for k in range(n_clusters):
            weight = column[k]
            if weight != 0.0:
                for j in range(k + 1):
                    rows[k, j] += weight * column[j]
        return
    for k in range(n_clusters):
        vk = v[k]
        for j in range(k + 1):
            to, vj = gram[k, j], v[j]
            for m in range(n_members):
                to[m] += vk[m] * vj[m]


@loop()
def times_gram(v, gram, out):
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


@loop()
def follow(step, gram, j, pull):
    """pull[k, m] += step[m] gram[j, k, m] for k > j: how v'gram changes with entry j of v, where it is still needed."""
    n_clusters, n_members = pull.shape
    if n_members == 1:
        weight, row, to = step[0], gram[j].reshape(n_clusters), pull.reshape(n_clusters)
        if weight != 0.0:
            for k in range(j + 1, n_clusters):
                to[k] += weight * row[k]
    else:
        for k in range(j + 1, n_clusters):
            for m in range(n_members):
                pull[k, m] += step[m] * gram[j, k, m]


@loop()
def vector_times_gram(v, gram, out):
    """`times_gram` for one member too, with the same sums in the same order."""
    n_clusters, n_members = v.shape
    if n_members > 1:
        times_gram(v, gram, out)
        return
    rows, to = gram.reshape(n_clusters, n_clusters), out.reshape(n_clusters)
    to[:] = 0
    j = 0
    while j + 4 <= n_clusters:
        v0, v1, v2, v3 = v[j, 0], v[j + 1, 0], v[j + 2, 0], v[j + 3, 0]
        for k in range(n_clusters):
            to[k] += v0 * rows[j, k] + v1 * rows[j + 1, k] + v2 * rows[j + 2, k] + v3 * rows[j + 3, k]
        j += 4
    while j < n_clusters:
        for k in range(n_clusters):
            to[k] += v[j, 0] * rows[j, k]
        j += 1


@loop()
def add_outer(sign, v, gram):
    """gram[j, k, m] += sign v[j, m] v[k, m]."""
    n_clusters, n_members = v.shape
    if n_members == 1:
        rows, column = gram.reshape(n_clusters, n_clusters), v.reshape(n_clusters)
        for j in range(n_clusters):
            weight = sign * column[j]
            if weight != 0.0:
                for k in range(n_clusters):
                    rows[j, k] += weight * column[k]
    else:
        for j in range(n_clusters):
            for k in range(n_clusters):
                for m in range(n_members):
                    gram[j, k, m] += sign * v[j, m] * v[k, m]


@loop()
def exchange(old, new, gram):
    """gram[j, k, m] += new[j, m] new[k, m] - old[j, m] old[k, m]."""
    n_clusters, n_members = new.shape
    if n_members == 1:
        rows, before, after = gram.reshape(n_clusters, n_clusters), old.reshape(n_clusters), new.reshape(n_clusters)
        for j in range(n_clusters):
            minus, plus = before[j], after[j]
            if minus != 0.0 or plus != 0.0:
                for k in range(n_clusters):
                    rows[j, k] += plus * after[k] - minus * before[k]
    else:
        for j in range(n_clusters):
            for k in range(j + 1):
                for m in range(n_members):
                    entry = gram[j, k, m] + (new[j, m] * new[k, m] - old[j, m] * old[k, m])
                    gram[j, k, m] = entry
                    gram[k, j, m] = entry
