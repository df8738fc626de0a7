"""Modularity and local moves as they are written down: dense matrices, every move weighed by the modularity itself."""

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

    def order(self, n):
        order = list(range(n))
        for i in range(n - 1, 0, -1):
            j = ((self.bits() >> 32) * (i + 1)) >> 32
            order[i], order[j] = order[j], order[i]
        return order


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
