"""Points that move to the cluster that their links make likeliest.

The model is a degree-corrected planted partition: points i and j have a link of weight k_i k_j w on average, k the sums
of their links, w = w_c if both are in cluster c, and w = w_0 if they are in different ones. Its log-likelihood is

    sum over pairs i < j of  A_ij log w - k_i k_j w,

but for a constant, and each w that fits a partition best is the weight of the links that there are, over the sum of
k_i k_j. By them, point i in cluster c adds A(i, c) log(w_c / w_0) - k_i k(c without i) (w_c - w_0) to what it would be
without a cluster. There is no resolution to choose, and no size to prefer.
"""

from __future__ import annotations

import numpy as np

from s3nmf._compiled.graphs import links_by_group
from s3nmf._compiled.loop import loop

# A move must gain more than this share of what is compared: less is rounding, and might go back and forth for ever.
_ROUNDING = 1e-9
# A cluster without links is not infinitely less dense than the rest.
_LEAST = 1e-12


@loop()
def move_to_likeliest(starts, neighbors, weights, label, n_clusters, most_passes):
    """Move points, in place and in their order, until a pass moves none or after so many; return how many it took.

    Each move raises the likelihood, and so does fitting the densities again, which is done after each. A cluster keeps
    half of its points: this is about points, not about clusters.
    """
    k, size, strength, squares, inner = _sums(starts, neighbors, weights, label, n_clusters)
    fewest = size / 2
    total = strength.sum()
    outside = total - inner.sum()
    apart = total * total - (strength * strength).sum()
    density = np.empty(n_clusters)
    pull = np.zeros(n_clusters)
    near = np.empty(n_clusters, np.int64)
    for number in range(most_passes):
        if outside <= _ROUNDING * total:
            return number
        between = _between(outside, apart, total)
        for c in range(n_clusters):
            density[c] = _density(size[c], inner[c], strength[c], squares[c], between)
        n_moves = 0
        for i in range(label.size):
            own = label[i]
            n_near = links_by_group(starts, neighbors, weights, label, i, pull, near)
            if size[own] - 1 >= fewest[own] and (n_near > 1 or (n_near == 1 and near[0] != own)):
                stay = _worth(pull[own], k[i] * (strength[own] - k[i]), density[own], between)
                best, most = own, stay + _ROUNDING * abs(stay)
                for t in range(n_near):
                    c = near[t]
                    worth = _worth(pull[c], k[i] * strength[c], density[c], between)
                    if c != own and worth > most:
                        best, most = c, worth
                if best != own:
                    label[i] = best
                    n_moves += 1
                    outside += 2 * (pull[own] - pull[best])
                    apart += 2 * k[i] * (strength[own] - k[i] - strength[best])
                    between = _between(outside, apart, total)
                    for c, sign in ((own, -1), (best, 1)):
                        size[c] += sign
                        inner[c] += sign * 2 * pull[c]
                        strength[c] += sign * k[i]
                        squares[c] += sign * k[i] * k[i]
                        density[c] = _density(size[c], inner[c], strength[c], squares[c], between)
            for t in range(n_near):
                pull[near[t]] = 0.0
        if n_moves == 0:
            return number
    return most_passes


@loop()
def log_likelihood(starts, neighbors, weights, label, n_clusters):
    """Of the partition with the densities that fit it best, but for a constant, over the weight of all links."""
    _, size, strength, squares, inner = _sums(starts, neighbors, weights, label, n_clusters)
    total = strength.sum()
    if total == 0.0:
        return 0.0
    outside = max(total - inner.sum(), 0.0)
    found = _fit(outside, total * total - (strength * strength).sum())
    for c in range(n_clusters):
        found += _fit(inner[c], strength[c] * strength[c] - squares[c] if size[c] > 1 else 0.0)
    return (found / total + np.log(total)) / 2


@loop()
def _fit(links, pairs):
    return links * np.log(links / pairs) if links > 0.0 and pairs > 0.0 else 0.0


@loop()
def _sums(starts, neighbors, weights, label, n_clusters):
    """The links of each point; and of each cluster: points, links, their squares, and links inside, both ways."""
    k = np.zeros(label.size)
    size = np.zeros(n_clusters, np.int64)
    strength, squares, inner = np.zeros(n_clusters), np.zeros(n_clusters), np.zeros(n_clusters)
    for i in range(label.size):
        own = label[i]
        for e in range(starts[i], starts[i + 1]):
            k[i] += weights[e]
            if label[neighbors[e]] == own:
                inner[own] += weights[e]
        size[own] += 1
        strength[own] += k[i]
        squares[own] += k[i] * k[i]
    return k, size, strength, squares, inner


@loop()
def _worth(links, pairs, density, between):
    """What a point adds to the likelihood in a cluster that it has these links to."""
    return links * np.log(density / between) - pairs * (density - between)


@loop()
def _between(outside, apart, total):
    """The density between clusters; where hardly a link is left, links and pairs are taken to be what rounding is."""
    return max(outside, _ROUNDING * total) / max(apart, _ROUNDING * total * total)


@loop()
def _density(size, inner, strength, squares, between):
    """Of a cluster; one point alone is as dense as what is between clusters."""
    pairs = strength * strength - squares if size > 1 else 0.0
    return max(inner / pairs, _LEAST * between) if pairs > 0.0 else between
