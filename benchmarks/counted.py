"""Generated data with a known number of clusters: a hundred cases a seed, 200 to 400 points each."""

from typing import NamedTuple

import numpy as np

N_POINTS = 400


class Case(NamedTuple):
    kind: str
    n_clusters: int
    detail: str
    X: np.ndarray


def suite(seed):
    """Blobs that touch and that do not, of unequal sizes, stretched; rings in each other, and side by side."""
    recipes = []
    for k in range(2, 11):
        recipes += [("blobs apart", k, blobs, {"d": d, "distance": 6}) for d in (2, 10)]
        recipes += [("blobs that touch", k, blobs, {"d": d, "distance": 4}) for d in (2, 10)]
        recipes += [("blobs of unequal sizes", k, unequal_blobs, {"d": d, "distance": 5}) for d in (2, 5, 10)]
        recipes += [("stretched blobs", k, stretched_blobs, {"d": d, "distance": 6.4}) for d in (2, 5)]
    return _cases(seed, recipes + _rings(even=True))


def scattered_rings(seed):
    """The rings of the suite with points at random angles along them, and so with gaps as wide as rings are apart."""
    return _cases(seed, _rings(even=False))


def one_cloud(seed):
    """Sixty clouds without clusters, normal and uniform, in 2, 5 and 10 dimensions."""
    random = np.random.default_rng((seed, 1000))
    clouds = [draw(size=(300, d)) for d in (2, 5, 10) for draw in (random.normal, random.uniform) for _ in range(10)]
    return [Case("one cloud", 1, f"d {cloud.shape[1]}", cloud) for cloud in clouds]


def blobs(random, k, d, distance):
    """Spheres of standard deviation 1, their centres at least `distance` apart, as many points in each."""
    labels = np.arange(_size(k)) % k
    return centers(random, k, d, distance)[labels] + random.normal(size=(labels.size, d))


def unequal_blobs(random, k, d, distance):
    """The largest has four to eight times the points of the smallest."""
    shares = np.geomspace(1, random.uniform(4, 8), k)
    labels = np.repeat(np.arange(k), np.maximum((N_POINTS * shares / shares.sum()).astype(int), 12))
    return centers(random, k, d, distance)[labels] + random.normal(size=(labels.size, d))


def stretched_blobs(random, k, d, distance):
    """Standard deviations between 0.6 and 1.6, along axes of their own in the plane."""
    labels = np.arange(_size(k)) % k
    middle, widths = centers(random, k, d, distance), random.uniform(0.6, 1.6, (k, d))
    offsets = random.normal(size=(labels.size, d)) * widths[labels]
    if d == 2:
        angles = random.uniform(0, np.pi, k)[labels]
        cos, sin = np.cos(angles), np.sin(angles)
        offsets = np.stack([cos * offsets[:, 0] - sin * offsets[:, 1], sin * offsets[:, 0] + cos * offsets[:, 1]], 1)
    return middle[labels] + offsets


def rings(random, k, noise, even):
    """Of radius 1, 2, ... around one centre, with noise."""
    radii = np.arange(1, k + 1)
    sizes = (N_POINTS * radii / radii.sum()).astype(int)
    return np.vstack([ring(random, size, radius, noise, even) for size, radius in zip(sizes, radii, strict=True)])


def ring_pairs(random, k, noise, even):
    """Rings of radius 1, each with one of radius 0.4 inside, at least 3 apart."""
    size = N_POINTS // (k // 2)
    inner = size * 3 // 10
    middles = centers(random, k // 2, 2, 3.0)
    return np.vstack(
        [
            middle + ring(random, points, radius, noise, even)
            for middle in middles
            for points, radius in ((size - inner, 1.0), (inner, 0.4))
        ]
    )


def ring(random, size, radius, noise, even):
    angles = 2 * np.pi * (np.arange(size) / size if even else random.random(size))
    return radius * np.stack([np.cos(angles), np.sin(angles)], 1) + random.normal(0, noise, (size, 2))


def centers(random, k, d, distance):
    """As many points at least `distance` apart, drawn in a box that leaves them little more room than they need."""
    side = distance * max(1.6 * k ** (1 / min(d, 3)), 2.0)
    while True:
        found = []
        for _ in range(2000):
            one = random.uniform(0, side, d)
            if all(np.linalg.norm(one - other) >= distance for other in found):
                found.append(one)
            if len(found) == k:
                return np.array(found)
        side *= 1.1


def _size(k):
    return min(max(40 * k, 200), N_POINTS)


def _rings(even):
    nested = [("rings in each other", k, rings, noise) for k in (2, 3, 4) for noise in (0.05, 0.08, 0.1)]
    pairs = [("pairs of rings", k, ring_pairs, noise) for k in (2, 4, 6, 8, 10) for noise in (0.04, 0.06)]
    return [(kind, k, make, {"noise": noise, "even": even}) for kind, k, make, noise in nested + pairs]


def _cases(seed, recipes):
    cases = []
    for number, (kind, k, make, how) in enumerate(recipes):
        detail = ", ".join(f"{name} {value}" for name, value in how.items() if name != "even")
        cases.append(Case(kind, k, detail, make(np.random.default_rng((seed, number)), k, **how)))
    return cases
