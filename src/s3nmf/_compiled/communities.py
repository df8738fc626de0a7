"""Communities of a graph by modularity: local moves with a work queue, aggregation, and moves again.

Louvain's method (Blondel et al. 2008) with the queue of Leiden's (Traag, Waltman, van Eck 2019),
and communities that hang together.

A graph is CSR arrays without self loops, and the strength of each point: the sum of its row, inner weight included.
With 2m the sum of all strengths and k those of a point or a community, a partition has the modularity

    sum over communities C of  w(C, C) / 2m - resolution (k(C) / 2m)^2,

and point i in community C gains w(i, C) - pressure k_i k(C without i) by it, pressure = resolution / 2m.

Every function works on one member alone, so that members can be shared out to threads. Orders come from a generator of
our own (splitmix64), whose stream is the same on every machine and in every version of every library.
"""

from __future__ import annotations

import numpy as np

from s3nmf._compiled.fetching import WORTH_FETCHING, fetch_links
from s3nmf._compiled.graphs import links_by_group, pieces, scrambled
from s3nmf._compiled.loop import loop

# A move must gain more than this share of the point's strength: less is rounding, and might go back and forth for ever.
_ROUNDING = 1e-10
WINDOW = 8192
# Visits of a point in the first local moves, on average.
FIRST_VISITS = 4
_NO_LIMIT = np.iinfo(np.int64).max


@loop()
def next_random(state):
    """The next 64 random bits (splitmix64); `state` holds one number."""
    state[0] += np.uint64(0x9E3779B97F4A7C15)
    return scrambled(state[0])


@loop()
def shuffle(order, state):
    """Put 0, 1, ... into random order, in place: windows in random order, and what is in each.

    Rows that are close to each other have neighbours in common. A window of them is read from the processor's cache,
    where an order over all rows of a large graph would wait for the memory at every visit.
    """
    n = order.size
    windows = np.arange(-(-n // WINDOW))
    _permute(windows, 0, windows.size, state)
    at = 0
    for window in windows:
        first = at
        for i in range(window * WINDOW, min(n, (window + 1) * WINDOW)):
            order[at] = i
            at += 1
        _permute(order, first, at, state)


@loop()
def _permute(values, first, last, state):
    for i in range(last - 1, first, -1):
        # The high half of a 32 by 32 bit product: below its second factor, as even as 2^-32 allows.
        j = first + np.int64(((next_random(state) >> np.uint64(32)) * np.uint64(i - first + 1)) >> np.uint64(32))
        values[i], values[j] = values[j], values[i]


@loop()
def local_moves(starts, neighbors, weights, strength, pressure, community, state, most_visits):
    """Move points to the community where they gain most until the queue is empty; return how many moves that took.

    All points are in the queue at first, in random order. When one has moved, its neighbours outside of its new
    community are queued again: their choice has become worse. Others may now gain by joining the community that has
    become smaller; few do, and they are not looked at. It ends early after so many visits.
    """
    n = strength.size
    # Side by side, since a visit needs both of a community: in a large graph each would wait for the memory.
    of_community = np.zeros((n, 2))
    total, pull = of_community[:, 0], of_community[:, 1]
    for i in range(n):
        total[community[i]] += strength[i]
    queue = np.empty(n, np.int32)
    shuffle(queue, state)
    queued = np.ones(n, np.bool_)
    near = np.empty(n, np.int32)
    head, length, n_moves, n_visits = 0, n, 0, 0
    while length > 0 and n_visits < most_visits:
        n_visits += 1
        if n >= WORTH_FETCHING:
            fetch_links(queue, head, n, starts, neighbors, weights, community, total)
        i = queue[head]
        head += 1
        if head == n:
            head = 0
        length -= 1
        queued[i] = False
        own = community[i]
        n_near = links_by_group(starts, neighbors, weights, community, i, pull, near)
        k = strength[i]
        total[own] -= k
        best, most = own, pull[own] - pressure * k * total[own] + _ROUNDING * k
        for t in range(n_near):
            c = near[t]
            gain = pull[c] - pressure * k * total[c]
            if gain > most and c != own:
                best, most = c, gain
            pull[c] = 0.0
        total[best] += k
        if best != own:
            community[i] = best
            n_moves += 1
            for e in range(starts[i], starts[i + 1]):
                j = neighbors[e]
                if not queued[j] and community[j] != best:
                    queued[j] = True
                    at = head + length
                    queue[at - n if at >= n else at] = j
                    length += 1
    return n_moves


@loop()
def renumber(community):
    """Number the communities 0, 1, ... by their first points, in place; return how many there are."""
    new = np.full(community.size, -1, np.int32)
    count = 0
    for i in range(community.size):
        c = community[i]
        if new[c] < 0:
            new[c] = count
            count += 1
        community[i] = new[c]
    return count


@loop()
def aggregate(starts, neighbors, weights, strength, community, count):
    """The graph of the communities, without their inner weight, which their strengths still hold."""
    n = community.size
    first = np.zeros(count + 1, np.int64)
    for i in range(n):
        first[community[i] + 1] += 1
    for c in range(count):
        first[c + 1] += first[c]
    members = np.empty(n, np.int32)
    place = first[:-1].copy()
    coarse_strength = np.zeros(count)
    for i in range(n):
        c = community[i]
        members[place[c]] = i
        place[c] += 1
        coarse_strength[c] += strength[i]
    coarse_starts = np.zeros(count + 1, np.int64)
    coarse_neighbors = np.empty(neighbors.size, np.int32)
    coarse_weights = np.empty(neighbors.size, weights.dtype)
    pull = np.zeros(count)
    at = 0
    for c in range(count):
        begin = at
        for p in range(first[c], first[c + 1]):
            if n >= WORTH_FETCHING:
                fetch_links(members, p, n, starts, neighbors, weights, community, pull)
            i = members[p]
            for e in range(starts[i], starts[i + 1]):
                d = community[neighbors[e]]
                if d != c:
                    if pull[d] == 0.0:
                        coarse_neighbors[at] = d
                        at += 1
                    pull[d] += weights[e]
        for e in range(begin, at):
            coarse_weights[e] = pull[coarse_neighbors[e]]
            pull[coarse_neighbors[e]] = 0.0
        coarse_starts[c + 1] = at
    # Views: of the room that was set aside, only what was written to takes memory.
    return coarse_starts, coarse_neighbors[:at], coarse_weights[:at], coarse_strength


@loop()
def merge(starts, neighbors, weights, strength, pressure, community, count, state):
    """Join communities in place, level by level, until none wants to move; return how many are left."""
    graph = aggregate(starts, neighbors, weights, strength, community, count)
    while True:
        coarse = np.arange(count).astype(np.int32)
        if local_moves(*graph, pressure, coarse, state, _NO_LIMIT) == 0:
            return count
        fewer = renumber(coarse)
        for i in range(community.size):
            community[i] = coarse[community[i]]
        if fewer == count:
            return count
        graph = aggregate(*graph, coarse, fewer)
        count = fewer


@loop()
def find_communities(starts, neighbors, weights, strength, pressure, community, state):
    """Put the communities of a graph into `community`, numbered by their first points; return how many there are.

    Points move and communities merge, and once more from the points of the partition found. The first moves only have
    to find what belongs together for sure; carried on to their end they were measured to take three times as long and
    to lead nowhere better. No community is in pieces.
    """
    n = community.size
    for i in range(n):
        community[i] = i
    _improve(starts, neighbors, weights, strength, pressure, community, state, FIRST_VISITS * n)
    return settle(starts, neighbors, weights, strength, pressure, community, state)


@loop()
def settle(starts, neighbors, weights, strength, pressure, community, state):
    """Make a partition better until no point wants to move and no two communities to merge; return how many are left.

    A point that joined two parts of a community may have left it. What hangs together by no edge loses nothing by the
    cut, and gains by the smaller strengths of its parts.
    """
    _improve(starts, neighbors, weights, strength, pressure, community, state, _NO_LIMIT)
    community[:], count = pieces(starts, neighbors, community)
    return count


@loop()
def _improve(starts, neighbors, weights, strength, pressure, community, state, most_visits):
    """Move points, at most so often, and merge communities."""
    moved = local_moves(starts, neighbors, weights, strength, pressure, community, state, most_visits)
    count = renumber(community)
    if moved:
        merge(starts, neighbors, weights, strength, pressure, community, count, state)


@loop()
def largest_pressure(starts, neighbors, weights, strength):
    """Above this pressure every point is best alone."""
    most = 0.0
    for i in range(strength.size):
        for e in range(starts[i], starts[i + 1]):
            most = max(most, weights[e] / (strength[i] * strength[neighbors[e]]))
    return most
