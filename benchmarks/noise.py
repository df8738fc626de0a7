"""How much noise `S3NMF(noise=True)` finds, and how many points it takes for noise that are none: docs/noise.md.

``python -m benchmarks.noise``. Takes some five minutes.
"""

import argparse
import warnings
from collections import defaultdict
from pathlib import Path

import numpy as np
from jinja2 import Template
from sklearn.cluster import HDBSCAN
from sklearn.datasets import make_blobs, make_circles, make_moons
from sklearn.metrics import adjusted_rand_score

from s3nmf import S3NMF

SEEDS = 6
SHARES = (0.05, 0.1, 0.2, 0.3)
# By how much of its width the box of the noise is wider than that of the clusters, on each side.
MARGINS = (0.5, 0.1)
SMALLEST = 15

CORNERS = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])


def _blobs(random, seed, n, k, width):
    return make_blobs(n, width, centers=k, center_box=(-15, 15) if width == 2 else (-10, 10), random_state=seed)


def _long(random, seed, n):
    X, y = _blobs(random, seed, n, 3, 2)
    return X @ random.normal(size=(2, 2)), y


def _cornered(apart, n, noise, sizes=None):
    """Three clusters of two columns, so far apart, of points that `noise` moves."""
    y = np.arange(n) % 3 if sizes is None else np.repeat(np.arange(3), sizes)
    return apart * CORNERS[y] + noise(y, (y.size, 2)), y


def _in_columns(random, n, width, center, noise):
    y = np.arange(n) % 3
    return center(y, width) + noise((n, width)), y


NOISY = {
    "moons": lambda random, seed, n: make_moons(n, noise=0.05, random_state=seed),
    "rings": lambda random, seed, n: make_circles(n, noise=0.04, factor=0.45, random_state=seed),
    "blobs": lambda random, seed, n: _blobs(random, seed, n, int(random.integers(3, 7)), 2),
    "blobs, 3 columns": lambda random, seed, n: _blobs(random, seed, n, 4, 3),
    "blobs, 8 columns": lambda random, seed, n: _blobs(random, seed, n, 5, 8),
    "long Gaussians": _long,
    "spreads of .5, 1, 2.5": lambda random, seed, n: _cornered(
        13, n, lambda y, size: np.array([0.5, 1, 2.5])[y][:, None] * random.normal(size=size)
    ),
    "sizes of 1, 1/3, 1/8": lambda random, seed, n: _cornered(
        9, n, lambda y, size: random.normal(size=size), [n, n // 3, n // 8]
    ),
}
CLEAN = NOISY | {
    "t, 3 degrees of freedom": lambda random, seed, n: _cornered(20, n, lambda y, size: random.standard_t(3, size)),
    "t, 5 degrees of freedom": lambda random, seed, n: _cornered(20, n, lambda y, size: random.standard_t(5, size)),
    "lognormal": lambda random, seed, n: _cornered(12, n, lambda y, size: random.lognormal(size=size)),
    "exponential": lambda random, seed, n: _cornered(9, n, lambda y, size: random.exponential(size=size)),
    "Gaussians that overlap": lambda random, seed, n: _cornered(3, n, lambda y, size: random.normal(size=size)),
    "Gaussians, rounded": lambda random, seed, n: _cornered(12, n, lambda y, size: random.normal(size=size).round()),
    "one Gaussian": lambda random, seed, n: (random.normal(size=(n, 3)), np.zeros(n, int)),
    "one t, 3 degrees of freedom": lambda random, seed, n: (random.standard_t(3, size=(n, 4)), np.zeros(n, int)),
    "dense in sparse": lambda random, seed, n: (
        random.normal(size=(n, 2)) * np.where(np.arange(n) % 3 == 0, 1, 8)[:, None],
        (np.arange(n) % 3 == 0).astype(int),
    ),
    "uniform, cut into three": lambda random, seed, n: (random.uniform(size=(n, 3)), np.arange(n) % 3),
    "blobs, 30 columns": lambda random, seed, n: _blobs(random, seed, n, 4, 30),
    "t, 10 columns": lambda random, seed, n: _in_columns(
        random, n, 10, lambda y, width: 10 * random.normal(size=(3, width))[y], lambda size: random.standard_t(3, size)
    ),
    "lognormal, 5 columns": lambda random, seed, n: _in_columns(
        random, n, 5, lambda y, width: 5.0 * y[:, None], lambda size: random.lognormal(size=size)
    ),
}


def drawn(kind, seed):
    """Points, and their clusters."""
    random = np.random.default_rng([seed, sum(map(ord, kind))])
    return CLEAN[kind](random, seed, int(random.choice([300, 600, 1500])))


def with_noise(X, y, share, margin, seed):
    """So large a share of uniform points among the others; they have the cluster -1."""
    random = np.random.default_rng([seed, 7])
    low, high = X.min(axis=0), X.max(axis=0)
    wider = margin * (high - low)
    noise = random.uniform(low - wider, high + wider, (round(len(X) * share / (1 - share)), X.shape[1]))
    order = random.permutation(len(X) + len(noise))
    return np.vstack([X, noise])[order], np.concatenate([y, np.full(len(noise), -1)])[order]


def measured(X, y):
    """The share of the noise that is found, that of the other points that is taken for noise, and ARI; for both."""
    k = np.unique(y[y >= 0]).size
    found = S3NMF(k, noise=True).fit(X).labels_, HDBSCAN(min_cluster_size=SMALLEST, copy=True).fit_predict(X)
    noise = y < 0
    return [
        (
            (labels[noise] < 0).mean() if noise.any() else np.nan,
            (labels[~noise] < 0).mean(),
            adjusted_rand_score(y, labels),
        )
        for labels in found
    ]


def cases():
    """Every case: its kind, what is among it, its half, and its data."""
    for seed in range(SEEDS):
        for kind in CLEAN:
            X, y = drawn(kind, seed)
            yield kind, None, seed % 2, (X, y)
            if kind in NOISY:
                for margin in MARGINS:
                    for share in SHARES:
                        yield kind, (margin, share), seed % 2, with_noise(X, y, share, margin, seed)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=Path("docs/noise.md"))
    output = parser.parse_args().output
    warnings.simplefilter("ignore")
    found = [(kind, among, half, measured(*data)) for kind, among, half, data in cases()]

    def mean(chosen):
        """Percentages for S3NMF and HDBSCAN, of the cases that are chosen."""
        values = np.mean([values for *case, values in found if chosen(*case)], axis=0)
        return [[f"{100 * share:.1f}" for share in row[:2]] + [f"{row[2]:.2f}"] for row in values]

    rows = defaultdict(list)
    for margin in MARGINS:
        for kind in NOISY:
            rows[margin].append(
                (kind, *mean(lambda k, among, _, kind=kind, m=margin: k == kind and among and among[0] == m))
            )
    template = Path(__file__).parent / "templates" / "noise.md.j2"
    page = Template(
        template.read_text(encoding="utf-8"), trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True
    ).render(
        rows=rows,
        shares=[(share, *mean(lambda _, among, half, s=share: among and among[1] == s)) for share in SHARES],
        halves=[
            (margin, half, *mean(lambda _, among, h, m=margin, half=half: among and among[0] == m and h == half))
            for margin in MARGINS
            for half in (0, 1)
        ],
        named=mean(lambda kind, among, _: kind in {"moons", "blobs", "rings"} and among and among[0] == MARGINS[0]),
        clean=[(kind, *mean(lambda k, among, _, kind=kind: k == kind and not among)) for kind in CLEAN],
        clean_halves=[mean(lambda _, among, h, half=half: not among and h == half) for half in (0, 1)],
        seeds=SEEDS,
        smallest=SMALLEST,
    )
    output.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
