"""Modularity and local moves as they are written down: dense matrices, every move weighed by the modularity itself."""

from collections import deque

import numpy as np

MASK = (1 << 64) - 1


class SplitMix:
    """The generator of the compiled loops, in integers of any size."""

    def __init__(self, seed):
        self.state = seed

    def bits(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        return z ^ (z >> 31)

    def permuted(self, values):
        values = list(values)
        for i in range(len(values) - 1, 0, -1):
            j = ((self.bits() >> 32) * (i + 1)) >> 32
            values[i], values[j] = values[j], values[i]
        return values

    def order(self, n, window=8192):
        """Windows in random order, and what is in each in random order."""
        windows = self.permuted(range(-(-n // window)))
        return [i for w in windows for i in self.permuted(range(w * window, min(n, (w + 1) * window)))]


def modularity(W, labels, resolution):
    """sum over communities of w(C, C) / 2m - resolution (k(C) / 2m)^2."""
    W, labels = np.asarray(W), np.asarray(labels)
    together = labels[:, None] == labels
    total, k = W.sum(), W.sum(axis=1)
    return float((W * together).sum() / total - resolution * (np.outer(k, k) * together).sum() / total**2)


def moves(W, labels, resolution, seed):
    """The partition after local moves, the modularity after each of them, and whether no choice was a tie."""
    n = len(W)
    labels = list(labels)
    neighbors = [[j for j in range(n) if W[i, j] > 0 and j != i] for i in range(n)]
    clear = True
    queue, levels = SplitMix(seed).order(n), [modularity(W, labels, resolution)]
    while queue:
        i = queue.pop(0)
        own, now = labels[i], levels[-1]
        choices = dict.fromkeys(labels[j] for j in neighbors[i])
        gains = {}
        for choice in choices:
            tried = [*labels[:i], choice, *labels[i + 1 :]]
            gains[choice] = modularity(W, tried, resolution) - now
        gains.setdefault(own, 0.0)
        best = max(gains, key=gains.__getitem__)
        clear &= all(gains[best] - gain > 1e-9 for choice, gain in gains.items() if choice != best)
        if best != own and gains[best] > 1e-12:
            labels[i] = best
            levels.append(now + gains[best])
            queue += [j for j in neighbors[i] if labels[j] != best and j not in queue]
    return labels, levels, clear


def moves_by_links(starts, neighbors, weights, strength, *, pressure, seed, most_visits):
    """Local moves from single points, by sums of links: for graphs that are too large for a dense matrix."""
    n = len(strength)
    starts, neighbors, weights, strength = (array.tolist() for array in (starts, neighbors, weights, strength))
    labels, total, n_moves, n_visits = list(range(n)), list(strength), 0, 0
    queue, queued = deque(SplitMix(seed).order(n)), [True] * n
    while queue and n_visits < most_visits:
        n_visits += 1
        i = queue.popleft()
        queued[i] = False
        own, k, links = labels[i], strength[i], {}
        for e in range(starts[i], starts[i + 1]):
            c = labels[neighbors[e]]
            links[c] = links.get(c, 0.0) + weights[e]
        total[own] -= k
        best, most = own, links.get(own, 0.0) - pressure * k * total[own] + 1e-10 * k
        for c, link in links.items():
            gain = link - pressure * k * total[c]
            if gain > most and c != own:
                best, most = c, gain
        total[best] += k
        if best != own:
            labels[i] = best
            n_moves += 1
            for j in neighbors[starts[i] : starts[i + 1]]:
                if not queued[j] and labels[j] != best:
                    queued[j] = True
                    queue.append(j)
    return labels, n_moves
