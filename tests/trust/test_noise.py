"""Noise is found by how far apart points are, and tails, sparse clusters and grids are not taken for it."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import make_blobs, make_circles, make_moons
from sklearn.metrics import adjusted_rand_score

from s3nmf import S3NMF
from s3nmf.graph.neighbors import nearest_neighbors
from s3nmf.trust.noise import _deviances, noise_among
from s3nmf.trust.settings import NOISE

pytestmark = pytest.mark.filterwarnings("ignore::s3nmf.DisconnectedGraphWarning", "ignore::s3nmf.SuspiciousDataWarning")


def reach_of(X):
    return nearest_neighbors(X, NOISE.neighbors).distances[:, -1]


def among_noise(X, y, share, seed=0):
    rng = np.random.default_rng(seed)
    low, high = X.min(axis=0), X.max(axis=0)
    wider = (high - low) / 2
    noise = rng.uniform(low - wider, high + wider, (round(len(X) * share / (1 - share)), X.shape[1]))
    return np.vstack([X, noise]), np.concatenate([y, np.full(len(noise), -1)])


@pytest.mark.parametrize("share", [0.1, 0.25])
@pytest.mark.parametrize(
    ("X", "y"),
    [
        make_moons(500, noise=0.05, random_state=0),
        make_circles(500, noise=0.04, factor=0.45, random_state=0),
        make_blobs(500, centers=4, center_box=(-15, 15), random_state=2),
    ],
)
def test_most_noise_is_found_and_the_clusters_are_as_without_it(X, y, share):
    X, y = among_noise(X, y, share)
    model = S3NMF(y.max() + 1, noise=True).fit(X)
    found = model.labels_ == -1
    assert found[y < 0].mean() >= 0.7
    assert found[y >= 0].mean() <= 0.02
    assert adjusted_rand_score(y[y >= 0], model.labels_[y >= 0]) > 0.97
    assert model.n_noise_ == found.sum()
    assert not model.confidence_[found].any()
    np.testing.assert_array_equal(model.predict(X), model.labels_)


def test_what_is_kept_of_a_fit_with_noise_says_the_same(tmp_path):
    X, _ = among_noise(*make_moons(400, noise=0.05, random_state=0), 0.2)
    model = S3NMF(noise=True).fit(X)
    assert model.n_clusters_ == 2
    verdict = model.judge()
    assert verdict.has_clusters
    assert "components" not in " ".join(verdict.sentences)
    model.save(tmp_path / "m")
    loaded = S3NMF.load(tmp_path / "m")
    np.testing.assert_array_equal(loaded.labels_, model.labels_)
    np.testing.assert_array_equal(loaded.predict(X), model.labels_)
    assert loaded.judge().judgement == verdict.judgement
    new = np.array([[0.0, 1.0], [-1.5, -1.2], [900.0, 900.0]])
    for one in (model, loaded):
        assert (one.predict(new) == -1).tolist() == [False, True, True]
        assert one.assign(new).noise.tolist() == [False, True, True]
    assert S3NMF(2).fit(X).n_noise_ == 0


CLEAN = {
    "Gaussian": lambda rng, corners: corners + rng.normal(size=(450, 2)),
    "t": lambda rng, corners: corners + rng.standard_t(3, size=(450, 2)),
    "lognormal": lambda rng, corners: corners + rng.lognormal(size=(450, 2)),
    "unequal densities": lambda rng, corners: corners + np.exp(corners[:, :1] / 9) * rng.normal(size=(450, 2)) / 3,
    "overlapping": lambda rng, corners: corners / 5 + rng.normal(size=(450, 2)),
    "grid": lambda rng, corners: np.round(corners + rng.normal(size=(450, 2))),
    "copies": lambda rng, corners: (corners + rng.normal(size=(450, 2)))[np.arange(450) // 9 * 9],
}


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("kind", CLEAN)
def test_clusters_alone_have_no_noise(kind, seed):
    y = np.arange(450) % 3
    X = CLEAN[kind](np.random.default_rng(seed), np.array([[0.0, 0.0], [14.0, 0.0], [0.0, 14.0]])[y])
    assert noise_among(reach_of(X), y).mean() <= 0.01


def test_a_sparse_cluster_is_noise_only_where_it_is_found_in_all_clusters():
    """The same distances with other labels: what is one cluster is none of the noise."""
    rng = np.random.default_rng(0)
    reach = np.exp(np.concatenate([rng.normal(0, 0.3, 400), rng.normal(3, 0.3, 100)]))
    spread, together = np.arange(500) % 3, np.repeat([0, 1, 2], [200, 200, 100])
    assert noise_among(reach, spread)[400:].all()
    assert not noise_among(reach, together).any()


def literal_deviance(counts, i):
    """The same by a loop over humps, in the words of the docstring."""
    apart, best = NOISE.steps, 0.0
    left = max(range(i - apart + 1), key=lambda j: (counts[j], -j))
    for right in range(i + apart, len(counts)):
        V, L, H = counts[i], counts[left], counts[right]
        a, b = i - left, right - i
        if not H or H * max(1.0, (L / H) ** (b / (a + b))) <= V:
            continue
        ratio = max(1.0, (L / H) ** (b / (a + b)))
        expected = {"V": (V + H) * ratio / (1 + ratio), "H": (V + H) / (1 + ratio)}
        best = max(best, 2 * ((V * np.log(V / expected["V"]) if V else 0.0) + H * np.log(H / expected["H"])))
    return best


@given(st.lists(st.integers(0, 40), min_size=2 * NOISE.steps + 1, max_size=30))
@settings(max_examples=60, deadline=None)
def test_deviances_are_those_of_two_poisson_counts(counts):
    found = _deviances(np.array(counts, float))
    for i in range(NOISE.steps, len(counts) - NOISE.steps):
        np.testing.assert_allclose(found[i], literal_deviance(counts, i), rtol=1e-9, atol=1e-9)


@given(st.integers(0, 2**32 - 1), st.floats(1e-200, 1e200))
@settings(max_examples=30, deadline=None)
def test_units_and_the_order_of_points_do_not_matter(seed, unit):
    rng = np.random.default_rng(seed)
    reach = np.exp(np.concatenate([rng.normal(0, 0.3, 90), rng.normal(3, 0.2, 20)]))
    labels, order = np.arange(110) % 2, rng.permutation(110)
    found = noise_among(reach, labels)
    np.testing.assert_array_equal(noise_among(reach[order], labels[order]), found[order])
    if np.isclose(np.log(reach * unit) - np.log(unit), np.log(reach), rtol=1e-12).all():
        np.testing.assert_array_equal(noise_among(reach * 2.0**30, labels), found)


@pytest.mark.parametrize("reach", [np.zeros(9), np.ones(9), np.r_[0.0, np.arange(1.0, 9)], np.r_[1e-300, 1e300, 1, 2]])
def test_odd_distances_have_no_noise(reach):
    assert not noise_among(reach, np.zeros(reach.size, int)).any()
    assert not noise_among(reach, np.full(reach.size, -1)).any()
