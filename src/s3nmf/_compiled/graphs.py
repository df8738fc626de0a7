"""Passes over the edges of a graph in compressed rows that need no second copy of it."""

from __future__ import annotations

import numpy as np

from s3nmf._compiled.loop import loop

# The smallest number that single precision holds in full.
_LEAST = float(np.finfo(np.float32).tiny)


@loop()
def largest_gap(starts, columns, weights):
    """The largest |w_ij - w_ji|, and where it is; the columns of a row are in increasing order."""
    most, row, column = 0.0, 0, 0
    for i in range(starts.size - 1):
        for e in range(starts[i], starts[i + 1]):
            j = columns[e]
            low, high = starts[j], starts[j + 1]
            while low < high:
                middle = (low + high) // 2
                if columns[middle] < i:
                    low = middle + 1
                else:
                    high = middle
            back = weights[low] if low < starts[j + 1] and columns[low] == i else 0.0
            gap = abs(weights[e] - back)
            if gap > most:
                most, row, column = gap, i, j
    return most, row, column


@loop()
def pieces(starts, neighbors, group):
    """The connected pieces of the groups of points, numbered by their first points; and how many there are."""
    n = group.size
    piece = np.full(n, -1, np.int32)
    found = np.empty(n, np.int32)
    count = 0
    for first in range(n):
        if piece[first] >= 0:
            continue
        piece[first] = count
        found[0] = first
        at, end = 0, 1
        while at < end:
            i = found[at]
            at += 1
            for e in range(starts[i], starts[i + 1]):
                j = neighbors[e]
                if piece[j] < 0 and group[j] == group[i]:
                    piece[j] = count
                    found[end] = j
                    end += 1
        count += 1
    return piece, count


@loop()
def links_by_group(starts, neighbors, weights, group, i, links, near):
    """Add up the links of a point by the groups that they lead to, put these into `near`, and return how many they are.

    `links` must be zero; whoever calls sets it to zero again, at those of `near`.
    """
    n_near = 0
    for e in range(starts[i], starts[i + 1]):
        c = group[neighbors[e]]
        if links[c] == 0.0:
            near[n_near] = c
            n_near += 1
        links[c] += weights[e]
    return n_near


@loop()
def reordered(starts, columns, weights, order, row_of, scale):
    """The graph with its rows in another order, without self loops, its weights times `scale` in single precision.

    No weight is zero: what single precision cannot hold is the least that it can, so that the edge stays one.
    """
    n = order.size
    new_starts = np.zeros(n + 1, np.int64)
    for row in range(n):
        i = order[row]
        size = 0
        for e in range(starts[i], starts[i + 1]):
            size += columns[e] != i and weights[e] > 0.0
        new_starts[row + 1] = new_starts[row] + size
    neighbors, new_weights = np.empty(new_starts[n], np.int32), np.empty(new_starts[n], np.float32)
    for row in range(n):
        i, at = order[row], new_starts[row]
        for e in range(starts[i], starts[i + 1]):
            if columns[e] != i and weights[e] > 0.0:
                neighbors[at], new_weights[at] = row_of[columns[e]], max(weights[e] * scale, _LEAST)
                at += 1
    return new_starts, neighbors, new_weights


@loop()
def edges_of(matrix, order, scale):
    """The same graph as `reordered` makes, of a dense matrix, neighbours in that order, too; as many bytes as that."""
    n = order.size
    starts = np.zeros(n + 1, np.int64)
    for i in range(n):
        size = 0
        for j in range(n):
            size += j != i and matrix[order[i], order[j]] > 0.0
        starts[i + 1] = starts[i] + size
    neighbors, weights = np.empty(starts[n], np.int32), np.empty(starts[n], np.float32)
    for i in range(n):
        at = starts[i]
        for j in range(n):
            if j != i and matrix[order[i], order[j]] > 0.0:
                neighbors[at], weights[at] = j, max(matrix[order[i], order[j]] * scale, _LEAST)
                at += 1
    return starts, neighbors, weights
