"""Data sets for questions that are asked without the number of clusters: each set is a function that makes X and y.

The sets stand in a fixed order, so that they fall into two halves, those in even and those in odd places. Rules and
limits were chosen with the figures of both halves in view.
"""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np
from sklearn.datasets import load_iris, make_circles, make_moons
from sklearn.preprocessing import scale

from benchmarks.counted import centers, ring, stretched_blobs, unequal_blobs
from benchmarks.members import data as members

# Columns of classes of the tables of R on which some method that is told the number of clusters has an adjusted Rand
# index of .2, and the sets of KEEL for which the same holds, by the runs behind docs/members.md.
KEEL = (
    "ionosphere", "letter", "movement_libras", "penbased", "phoneme", "ring", "satimage", "segment", "texture",
    "twonorm", "wisconsin",
)  # fmt: skip
TEN = ("CHART", "USPST", "SEEDS", "MSRA", "SEMEION", "PALM", "IRIS", "COIL20", "MNIST*", "USPS*")


class UnknownSet(NamedTuple):
    """A data set, its kind, and how to make it: a function that returns X and y."""

    name: str
    kind: str
    make: Callable


def _case(name):
    case = members.case_of(name, 0)
    return np.asarray(case.X, np.float64), case.y


def _iris():
    data = load_iris()
    return scale(data.data), data.target


def _table(number):
    y, X = members.tables_of_r()[number]
    return X, y


def _blobs(seed, k, d, distance, size):
    random = np.random.default_rng(seed)
    y = np.repeat(np.arange(k), size)
    return centers(random, k, d, distance)[y] + random.normal(size=(y.size, d)), y


def _unequal(seed, k, d, distance):
    random = np.random.default_rng(seed)
    X = unequal_blobs(random, k, d, distance)
    sizes = np.random.default_rng(seed).uniform(4, 8)
    shares = np.geomspace(1, sizes, k)
    return X, np.repeat(np.arange(k), np.maximum((400 * shares / shares.sum()).astype(int), 12))


def _sized(seed, sizes, d, distance):
    random = np.random.default_rng(seed)
    y = np.repeat(np.arange(len(sizes)), sizes)
    return centers(random, len(sizes), d, distance)[y] + random.normal(size=(y.size, d)), y


def _stretched(seed, k, d, distance):
    X = stretched_blobs(np.random.default_rng(seed), k, d, distance)
    return X, np.arange(len(X)) % k


def _chains(seed, k, size):
    """Winding curves beside each other, of so many points each."""
    random = np.random.default_rng(seed)
    y = np.repeat(np.arange(k), size)
    along = random.uniform(0, 10, y.size)
    X = np.column_stack([along, np.sin(along) + 1.6 * y])
    return X + random.normal(0, 0.12, X.shape), y


def _spirals(seed, size):
    random = np.random.default_rng(seed)
    y = np.repeat(np.arange(2), size)
    angle = 3 * np.pi * np.sqrt(random.uniform(0.05, 1, y.size))
    sign = np.where(y == 0, 1.0, -1.0)[:, None]
    X = sign * angle[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])
    return X + random.normal(0, 0.25, X.shape), y


def _rings(seed, k, size, noise):
    random = np.random.default_rng(seed)
    X = np.vstack([ring(random, size * (at + 1), at + 1.0, noise, even=True) for at in range(k)])
    return X, np.repeat(np.arange(k), [size * (at + 1) for at in range(k)])


def _noisy(make, share, seed):
    """A set with so large a share of uniform points in its box, which are one class of their own."""
    X, y = make()
    random = np.random.default_rng(seed)
    n_noise = round(share * len(X) / (1 - share))
    noise = random.uniform(X.min(axis=0), X.max(axis=0), (n_noise, X.shape[1]))
    return np.vstack([X, noise]), np.append(y, np.full(n_noise, y.max() + 1))


def _real():
    for name in TEN:
        yield UnknownSet(name, "ten", partial(_case, name))
    for name in ("digits", "breast cancer", "wine", "USPS"):
        yield UnknownSet(name, "real", partial(_case, name))
    yield UnknownSet("iris, standardised", "real", _iris)
    for name in KEEL:
        yield UnknownSet(name, "real", partial(_case, name))


def _toys():
    for name in ("circles", "moons", "varied", "stretched", "blobs", "rings", "moons, 5000", "circles, 5000", "line"):
        yield UnknownSet(f"toy {name}", "toy", partial(_case, name))
    yield UnknownSet("chains", "toy", partial(_chains, 1, 4, 150))
    yield UnknownSet("chains, 6000", "toy", partial(_chains, 2, 3, 2000))
    yield UnknownSet("spirals", "toy", partial(_spirals, 3, 300))
    yield UnknownSet("rings of 20,000", "toy", partial(_rings, 4, 3, 3333, 0.08))
    for seed in (5, 6):
        yield UnknownSet(f"moons {seed}", "toy", lambda seed=seed: make_moons(400, noise=0.09, random_state=seed))
    yield UnknownSet("circles 10:1", "toy", lambda: make_circles((600, 60), factor=0.3, noise=0.05, random_state=7))


def _generated():
    for seed, (k, d, distance, size) in enumerate(
        [(2, 2, 4, 150), (3, 2, 4, 100), (4, 3, 5, 150), (5, 5, 5, 100), (6, 10, 6, 80), (8, 2, 5, 60),
         (10, 10, 5, 100), (2, 50, 8, 200), (7, 20, 6, 300), (5, 2, 4.5, 1000), (4, 2, 6, 5000)]
    ):  # fmt: skip
        yield UnknownSet(f"{k} blobs, d {d}", "blobs", partial(_blobs, 100 + seed, k, d, distance, size))
    for seed, (k, d, distance) in enumerate([(3, 2, 5), (5, 5, 5), (8, 10, 5), (4, 2, 6)]):
        yield UnknownSet(f"{k} unequal blobs, d {d}", "unequal", partial(_unequal, 200 + seed, k, d, distance))
    for seed, (sizes, d, distance) in enumerate(
        [((800, 80, 40), 2, 8), ((1000, 300, 100, 30), 3, 7), ((2000, 2000, 2000, 100, 100, 100, 100), 2, 9),
         ((540, 60), 2, 6)]
    ):  # fmt: skip
        name = f"blobs of {sizes[0]} to {sizes[-1]}"
        yield UnknownSet(name, "unequal", partial(_sized, 300 + seed, sizes, d, distance))
    for seed, (k, d, distance) in enumerate([(3, 2, 6.4), (6, 2, 6.4), (5, 5, 6.4), (9, 2, 7)]):
        yield UnknownSet(f"{k} stretched, d {d}", "stretched", partial(_stretched, 400 + seed, k, d, distance))
    for seed, (k, d, distance, size) in enumerate(
        [(40, 10, 6, 10), (30, 2, 6, 15), (25, 8, 6, 40), (60, 20, 7, 20), (100, 10, 7, 20), (15, 3, 5, 100)]
    ):
        yield UnknownSet(f"{k} blobs of {size}, d {d}", "many", partial(_blobs, 500 + seed, k, d, distance, size))
    for seed, make in enumerate(
        [partial(_blobs, 600, 4, 2, 8, 200), partial(_blobs, 601, 8, 2, 8, 150), partial(_rings, 602, 2, 200, 0.05),
         lambda: make_moons(600, noise=0.05, random_state=603), partial(_sized, 604, (600, 200, 100), 3, 9)]
    ):  # fmt: skip
        yield UnknownSet(f"20 % noise {seed}", "noise", partial(_noisy, make, 0.2, 610 + seed))


def _tables():
    for number in _WORTH_A_LOOK:
        yield UnknownSet(f"R {number}", "tables of R", partial(_table, number))


# Numbers of the tables (`tables_of_r`) on which some method that is told the number of clusters has .2.
_WORTH_A_LOOK = (
    0, 31, 39, 42, 59, 75, 87, 112, 123, 124, 125, 137, 138, 140, 149, 150, 152, 156, 159, 160, 168, 172, 173, 175, 178,
    181, 185, 186, 194, 212,
)  # fmt: skip


def all_sets():
    """All of them, in their order."""
    return [*_real(), *_toys(), *_generated(), *_tables()]


def half(number):
    """Which half a set is in, by its place."""
    return "even" if number % 2 == 0 else "odd"
