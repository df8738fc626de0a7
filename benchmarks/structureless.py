"""Tables without clusters, kind by kind: what a verdict should call "no clusters".

Each kind is a function of a random generator and a number of rows. Columns of the first group have one hump each. Those
of the second have humps, gaps or values of their own, which may be named, but are no clusters of rows.
"""

import numpy as np
from scipy.stats import norm

SIZES = (100, 200, 500, 1000, 2000, 5000)
FIRST_SEED = 700_000


def _columns(random):
    return int(random.choice([2, 3, 5, 10, 20]))


def _mixed_by(random, X):
    """The same columns, correlated."""
    d = X.shape[1]
    return X @ (random.normal(size=(d, d)) * 0.7 ** np.arange(d)).T


def _on_a_ring(random, n, thickness):
    angle = random.uniform(0, 2 * np.pi, n)
    return np.column_stack([np.cos(angle), np.sin(angle)]) + random.normal(0, thickness, (n, 2))


def _on_a_sphere(random, n):
    X = random.normal(size=(n, 3))
    return X / np.linalg.norm(X, axis=1, keepdims=True) + random.normal(0, 0.05, (n, 3))


def _swiss_roll(random, n):
    along = 1.5 * np.pi * (1 + 2 * random.uniform(size=n))
    return np.column_stack([along * np.cos(along), 21 * random.uniform(size=n), along * np.sin(along)])


def _banana(random, n):
    x = random.normal(0, 2, n)
    return np.column_stack([x, 0.5 * x**2 + random.normal(size=n)])


def _funnel(random, n):
    width = random.normal(size=n)
    return np.column_stack([width, random.normal(size=(n, 2)) * np.exp(width / 2)[:, None]])


def _copula(random, n, quantile):
    """Correlated columns, each with the law that the quantile function says."""
    d = _columns(random)
    A = random.normal(size=(d, d))
    Z = random.normal(size=(n, d)) @ A + 0.5 * random.normal(size=(n, 1))
    return quantile(norm.cdf((Z - Z.mean(axis=0)) / Z.std(axis=0)))


def _counts(random, n):
    """Counts of rows of varying depth, on a common profile."""
    d = int(random.choice([10, 30, 100]))
    profile = random.dirichlet(np.full(d, 0.5))
    depth = random.lognormal(6, 0.6, (n, 1))
    return random.poisson(depth * profile).astype(float)


def _likert(random, n, values, factor):
    items = int(random.choice([5, 10, 20]))
    Z = random.normal(size=(n, items)) + (1.0 if factor else 0.0) * random.normal(size=(n, 1))
    cuts = norm.ppf(np.arange(1, values) / values) * Z.std()
    return np.searchsorted(cuts, Z).astype(float)


def _walks(random, n):
    return np.cumsum(random.normal(size=(n, _columns(random))), axis=0)


def _autoregressive(random, n):
    noise = random.normal(size=(n, _columns(random)))
    X = np.empty_like(noise)
    X[0] = noise[0] / np.sqrt(1 - 0.97**2)
    for row in range(1, n):
        X[row] = 0.97 * X[row - 1] + noise[row]
    return X


KINDS = {
    "normal": lambda random, n: random.normal(size=(n, _columns(random))),
    "correlated": lambda random, n: _mixed_by(random, random.normal(size=(n, _columns(random)))),
    "uniform": lambda random, n: random.uniform(size=(n, _columns(random))),
    "one column": lambda random, n: random.normal(size=(n, 1)),
    "t with 3 degrees": lambda random, n: random.standard_t(3, size=(n, _columns(random))),
    "one ring": lambda random, n: _on_a_ring(random, n, float(random.choice([0.05, 0.1, 0.2]))),
    "lognormal": lambda random, n: random.lognormal(size=(n, _columns(random))),
    "exponential": lambda random, n: random.exponential(size=(n, _columns(random))),
    "Dirichlet(.3)": lambda random, n: random.dirichlet(np.full(max(3, _columns(random)), 0.3), n),
    "Likert, one factor": lambda random, n: _likert(random, n, int(random.choice([4, 5, 7])), True),
    "Likert, independent": lambda random, n: _likert(random, n, int(random.choice([4, 5, 7])), False),
    "random walks": _walks,
    "AR(.97)": _autoregressive,
    "counts of varying depth": _counts,
    "correlated lognormal": lambda random, n: _copula(random, n, lambda u: np.exp(norm.ppf(u))),
    "correlated gamma": lambda random, n: _copula(random, n, lambda u: -np.log1p(-u)),
    "sphere": _on_a_sphere,
    "Swiss roll": _swiss_roll,
    "banana": _banana,
    "funnel": _funnel,
    "elliptical t": lambda random, n: (
        _mixed_by(random, random.normal(size=(n, _columns(random)))) / np.sqrt(random.chisquare(4, (n, 1)) / 4)
    ),
    "Poisson": lambda random, n: random.poisson(float(random.choice([1, 3, 10])), (n, max(3, _columns(random)))) * 1.0,
}
GAPPED = {
    "beta(.5, .5)": lambda random, n: random.beta(0.5, 0.5, (n, _columns(random))),
    "two normal, one rounded": lambda random, n: np.column_stack(
        [random.normal(size=(n, 2)), random.normal(size=n).round()]
    ),
    "normal, Poisson, binary": lambda random, n: np.column_stack(
        [random.normal(size=(n, 2)), random.poisson(3, n), random.integers(0, 2, n)]
    ),
    "rare 0/1": lambda random, n: (random.uniform(size=(n, int(random.choice([5, 10, 20])))) < 0.1) * 1.0,
    "even 0/1": lambda random, n: (random.uniform(size=(n, int(random.choice([5, 10, 20])))) < 0.5) * 1.0,
    "discrete": lambda random, n: random.integers(0, 6, (n, max(3, _columns(random)))) * 1.0,
    "normal, two categories": lambda random, n: np.column_stack(
        [random.normal(size=(n, 6)), *(np.eye(k)[random.integers(0, k, n)] for k in (2, 3))]
    ),
    "one column of two humps": lambda random, n: np.column_stack(
        [random.normal(size=n) + 6 * random.integers(0, 2, n), random.normal(size=(n, 3))]
    ),
    "zero-inflated": lambda random, n: random.lognormal(size=(n, 5)) * (random.uniform(size=(n, 5)) < 0.6),
}


def scaled(X):
    """Columns brought to one scale, as the command line does."""
    spread = X.std(axis=0)
    return (X - X.mean(axis=0)) / np.where(spread > 0, spread, 1.0)


def table(kind, draw):
    """The table of that kind and draw: half of the draws have their columns brought to one scale."""
    at = [*KINDS, *GAPPED].index(kind)
    random = np.random.default_rng((FIRST_SEED, at, draw))
    X = (KINDS | GAPPED)[kind](random, SIZES[draw % len(SIZES)])
    return scaled(X) if draw // len(SIZES) % 2 else X
