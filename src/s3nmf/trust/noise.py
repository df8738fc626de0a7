"""Which points of a table are noise: those that are farther from others than the points of any cluster are."""

from __future__ import annotations

import numpy as np

from s3nmf._types import BoolArray, FloatArray, IntArray
from s3nmf.partitions import NO_CLUSTER
from s3nmf.trust.settings import NOISE


def noise_among(reach: FloatArray, labels: IntArray) -> BoolArray:
    """Whether each point is noise, by how far it reaches to a neighbour; all False where there is no noise.

    Uniform noise has one density, far lower than that of clusters, so the logarithm of the reach has a second hump, and
    points beyond the valley before it are noise. In clusters alone, with tails as heavy as those of a t distribution,
    the density of the logarithm is log-concave: it has one hump, and falls ever faster behind it. A dense cluster and a
    sparse one have two humps, too; but then the points beyond the valley are a cluster. Costs O(n) for each of up to
    1,000 places.

    Parameters
    ----------
    reach : array of shape (n_samples,)
        The distance from each point to one of its nearest neighbours, the same for all, such as the fifth.
    labels : array of shape (n_samples,)
        The clusters that were found among all points; -1 is in none.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> reach = np.exp(np.concatenate([rng.normal(0, 0.3, 500), rng.normal(2, 0.1, 50)]))
    >>> noise = noise_among(reach, np.arange(550) % 2)
    >>> int(noise[:500].sum()), int(noise[500:].sum())
    (0, 50)
    """
    if 2 * np.unique(reach).size < reach.size or not np.ptp(reach) > 0:  # rows on a grid, or copies
        return np.zeros(reach.size, dtype=bool)
    log = np.log(np.maximum(reach, reach[reach > 0].min()))
    ordered, window = np.sort(log), _window(log, labels)
    places = np.arange(ordered[0], ordered[-1] + window, window / NOISE.steps)
    counts = np.searchsorted(ordered, places + window / 2) - np.searchsorted(ordered, places - window / 2)
    most, valley = NOISE.deviance, np.inf
    for place, deviance in zip(places, _deviances(counts.astype(float)), strict=True):
        if deviance >= most and _is_noise(log > place, labels):
            most, valley = np.nextafter(deviance, np.inf), place
    return np.asarray(log > valley)


def _window(log: FloatArray, labels: IntArray) -> float:
    """The width of a window: in units of what the reach spreads to the dense side in a cluster."""
    clusters = [log[labels == k] for k in range(int(labels.max(initial=NO_CLUSTER)) + 1)] or [log]
    spreads = [float(np.median(one) - np.quantile(one, 0.1)) for one in clusters]
    return max(NOISE.window * float(np.median(spreads)), float(np.ptp(log)) * NOISE.steps / NOISE.places)


def _deviances(counts: FloatArray) -> FloatArray:
    """How far the count at each place lies below what a log-concave density has between two humps around it.

    Between the highest count to its left, L at a distance of a, and any count to its right, H at a distance of b, it
    has L^(b / (a + b)) H^(a / (a + b)) at least: a multiple of H. That both are Poisson counts of this ratio is tested
    by their deviance, for the H for which it is largest.
    """
    apart, found = NOISE.steps, np.zeros(counts.size)
    for i in range(apart, counts.size - apart):
        peak = int(np.argmax(counts[: i - apart + 1]))
        right = i + apart + np.flatnonzero(counts[i + apart :])
        a, b, hump, here = i - peak, right - i, counts[right], counts[i]
        ratio = np.maximum(1.0, (counts[peak] / hump) ** (b / (a + b)))
        both = here + hump
        deviance = 2 * (hump * np.log(hump * (1 + ratio) / both))
        if here:
            deviance += 2 * here * np.log(here * (1 + ratio) / (ratio * both))
        found[i] = np.where(here < ratio * hump, deviance, 0.0).max(initial=0.0)
    return found


def _is_noise(beyond: BoolArray, labels: IntArray) -> bool:
    """Whether points beyond a valley may be noise: no more than the others, and most of them are no sparse cluster."""
    placed = labels != NO_CLUSTER
    sizes = np.bincount(labels[placed])
    here = np.bincount(labels[placed & beyond], minlength=sizes.size)
    sparse = here > NOISE.sparse * sizes
    return bool(2 * beyond.sum() <= beyond.size and 2 * here[sparse].sum() <= beyond.sum())
