"""Passes over the edges of a graph in compressed rows that need no second copy of it."""

from __future__ import annotations

import numpy as np

from s3nmf._compiled.fetching import WORTH_FETCHING, fetch_groups
from s3nmf._compiled.loop import loop

# The smallest number that single precision holds in full.
_LEAST = float(np.finfo(np.float32).tiny)


@loop()
def scrambled(z):
    """64 bits that look random, and are other ones for every number (the last steps of splitmix64)."""
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@loop()
def fingerprint_across(first, last, starts, columns, bits):
    """A number that is zero, over all rows, if every entry w_ij has the same one across the diagonal, w_ji.

    Scrambled entries above the diagonal less those below; sums modulo 2^64 are the same in every order. That other
    matrices have a zero, too, would be a chance of 1 in 2^64. `bits` are the weights as whole numbers.
    """
    found = np.uint64(0)
    for i in range(first, last):
        for e in range(starts[i], starts[i + 1]):
            j = columns[e]
            low, high = np.uint64(min(i, j)), np.uint64(max(i, j))
            entry = scrambled(scrambled((low << np.uint64(32)) | high) ^ bits[e])
            if j > i:
                found += entry
            elif j < i:
                found -= entry
    return found


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
            if n >= WORTH_FETCHING:
                fetch_groups(found, at, end, starts, neighbors, piece)
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
def sizes_of_rows(first, last, starts, columns, weights, order, sizes):
    """How many edges some rows of `reordered` have: none to the point itself, and none without a weight."""
    for row in range(first, last):
        i = order[row]
        size = 0
        for e in range(starts[i], starts[i + 1]):
            size += columns[e] != i and weights[e] > 0.0
        sizes[row] = size


@loop()
def reordered(first, last, starts, columns, weights, order, row_of, scale, new_starts, neighbors, new_weights):
    """Put some rows of the graph in another order, without self loops, its weights times `scale` in single precision.

    No weight is zero: what single precision cannot hold is the least that it can, so that the edge stays one.
    """
    for row in range(first, last):
        i, at = order[row], new_starts[row]
        if last - first >= WORTH_FETCHING:
            fetch_groups(order, row, last, starts, columns, row_of)
        for e in range(starts[i], starts[i + 1]):
            if columns[e] != i and weights[e] > 0.0:
                neighbors[at], new_weights[at] = row_of[columns[e]], max(weights[e] * scale, _LEAST)
                at += 1


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
