"""The approximate search as a whole: how much it finds, in what kinds of data, and when it is left for an exact one."""

import logging
import pickle
from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.datasets import make_blobs, make_swiss_roll

from s3nmf import S3NMF
from s3nmf.estimators import assign as assign_module
from s3nmf.graph import approximate, neighbors
from s3nmf.graph.approximate import index_of
from s3nmf.graph.neighbors import nearest_neighbors, nearest_to, neighbor_index
from s3nmf.graph.settings import NEIGHBOR_SEARCH


def blobs(n_features, n=5000):
    return make_blobs(n, n_features=n_features, centers=8, cluster_std=2.0, random_state=0)[0]


def copies():
    random = np.random.default_rng(0)
    X = random.normal(size=(300, 20))
    return X[(300 * random.random(5000) ** 3).astype(int)]


def half_zero():
    random = np.random.default_rng(0)
    X = random.normal(size=(5000, 8))
    X[random.random(5000) < 0.5] = 0
    return X


def unequal_densities():
    random = np.random.default_rng(0)
    return np.vstack([scale * random.normal(size=(n, 5)) for scale, n in ((1e-3, 3000), (1, 1500), (100, 500))])


SETS = {
    "blobs-5": lambda: blobs(5),
    "blobs-20": lambda: blobs(20),
    "blobs-200": lambda: blobs(200),
    "uniform-16": lambda: np.random.default_rng(0).random((5000, 16)),
    "swiss-roll": lambda: make_swiss_roll(5000, noise=0.1, random_state=0)[0],
    "copies": copies,
    "half-zero": half_zero,
    "unequal-densities": unequal_densities,
    "grid": lambda: np.random.default_rng(0).integers(0, 3, (5000, 10)).astype(float),
    "far-from-0": lambda: 1e7 + blobs(10),
    "single-precision": lambda: blobs(100).astype(np.float32),
}


@pytest.mark.parametrize("name", SETS)
def test_nearly_all_neighbours_are_found_in_every_kind_of_data(name):
    """A neighbour is what is no farther than the last of the true ones."""
    X = SETS[name]()
    exact, found = (nearest_neighbors(X, 13, search=search) for search in ("exact", "approximate"))
    assert (found.distances <= exact.distances[:, -1:] * (1 + 1e-9)).mean() >= 0.95
    assert (found.indices != np.arange(len(X))[:, None]).all()
    assert (np.diff(found.distances, axis=1) >= 0).all()
    assert all(len(set(row)) == 13 for row in found.indices.tolist())
    direct = np.linalg.norm(X[:, None].astype(float)[:50] - X[found.indices[:50]], axis=2)
    np.testing.assert_allclose(found.distances[:50], direct, rtol=1e-12)


@pytest.mark.parametrize("name", ["copies", "half-zero"])
def test_copies_are_found_and_are_at_no_distance(name):
    X = SETS[name]()
    _, inverse, counts = np.unique(X, axis=0, return_inverse=True, return_counts=True)
    n_copies = np.minimum(counts[inverse.ravel()] - 1, 13)
    assert ((nearest_neighbors(X, 13, search="approximate").distances == 0).sum(axis=1) >= n_copies).all()


@pytest.mark.parametrize("convert", [np.asarray, sp.csr_array])
@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
def test_the_search_for_other_points_finds_nearly_all_and_every_equal_row(convert, metric):
    """A row that is another one but for the sign of a zero is equal to it."""
    X, _ = make_blobs(2300, n_features=70, centers=5, random_state=0)
    X = np.round(np.where(abs(X) < 4, 0, X), 1)
    train, new = convert(X[:2000]), convert(np.vstack([X[2000:], X[1500:1600], -0.0 * X[:1]]))
    exact, found, alone = (
        nearest_to(train, queries, 10, metric, search)
        for queries, search in ((new, "exact"), (new, "approximate"), (new[7:9], "approximate"))
    )
    assert (found.distances <= exact.distances[:, -1:] * (1 + 1e-7) + 1e-12).mean() >= 0.95
    assert (found.indices[300:400] == np.arange(1500, 1600)[:, None]).any(axis=1).all()
    assert (found.distances[300:400, 0] == 0).all()
    assert (np.diff(found.distances, axis=1) >= 0).all()
    np.testing.assert_array_equal(alone.indices, found.indices[7:9])
    np.testing.assert_array_equal(alone.distances, found.distances[7:9])


@pytest.mark.parametrize("convert", [np.asarray, sp.csr_array])
def test_by_the_cosine_a_row_of_zeros_is_far_from_all(convert):
    X = blobs(6, 1000)
    X[::50] = 0
    exact, found = (nearest_neighbors(convert(X), 9, "cosine", search) for search in ("exact", "approximate"))
    others = np.setdiff1d(np.arange(1000), np.arange(0, 1000, 50))
    assert (found.distances[others] <= exact.distances[others, -1:] + 1e-12).mean() >= 0.95
    assert not np.isin(found.indices[others], np.arange(0, 1000, 50)).any()
    np.testing.assert_allclose(
        np.median(found.distances[others], axis=0), np.median(exact.distances[others], axis=0), rtol=0.02
    )


@pytest.fixture
def nothing_is_quick(monkeypatch):
    monkeypatch.setattr(neighbors, "NEIGHBOR_SEARCH", replace(NEIGHBOR_SEARCH, exact_pairs=0))


@pytest.mark.parametrize("bound", ["exact_pairs", "exact_work"])
def test_large_data_is_searched_approximately_and_the_log_says_so(monkeypatch, caplog, bound):
    X = blobs(20, 600)
    most = 600 * 600 * (20 if bound == "exact_work" else 1)
    for number, is_exact in ((most, True), (most - 1, False)):
        monkeypatch.setattr(neighbors, "NEIGHBOR_SEARCH", replace(NEIGHBOR_SEARCH, **{bound: number}))
        caplog.clear()
        with caplog.at_level(logging.INFO, logger="s3nmf"):
            nearest_neighbors(X, 5)
        assert ("neighbours of 600 points with 20 features: approximate, which finds " in caplog.text) != is_exact
        assert is_exact == (caplog.text == "")


@pytest.mark.usefixtures("nothing_is_quick")
def test_what_has_no_structure_is_searched_exactly(caplog):
    X = np.random.default_rng(0).normal(size=(600, 300))
    with caplog.at_level(logging.INFO, logger="s3nmf"):
        found = nearest_neighbors(X, 5)
    assert "exact, since an approximate search would find too few of them or be as slow" in caplog.text
    np.testing.assert_array_equal(found.indices, nearest_neighbors(X, 5, search="exact").indices)


@pytest.mark.usefixtures("nothing_is_quick")
@pytest.mark.parametrize("search", ["auto", "approximate"])
def test_other_metrics_are_searched_exactly_and_the_log_says_so(caplog, search):
    X = np.random.default_rng(0).integers(0, 2, (100, 20)).astype(float)
    with caplog.at_level(logging.INFO, logger="s3nmf"):
        found = nearest_neighbors(X, 5, "hamming", search)
    assert "exact, since there is no approximate search by metric='hamming'" in caplog.text
    np.testing.assert_array_equal(found.indices, nearest_neighbors(X, 5, "hamming", "exact").indices)


@pytest.mark.parametrize(("n", "k"), [(2, 1), (3, 2), (10, 9), (40, 39)])
@pytest.mark.parametrize("d", [1, 3, 100])
def test_few_points_are_all_found(n, k, d):
    X = np.random.default_rng(0).normal(size=(n, d))
    exact, found = (nearest_neighbors(X, k, search=search) for search in ("exact", "approximate"))
    np.testing.assert_allclose(found.distances, exact.distances)


def test_points_that_are_all_the_same_are_neighbours_of_each_other():
    found = nearest_neighbors(np.ones((500, 70)), 5, search="approximate")
    assert (found.distances == 0).all()
    assert (found.indices != np.arange(500)[:, None]).all()


def test_components_that_do_not_tell_neighbours_apart_are_not_enough():
    """Between blobs, a few components hold nearly all of the variance; within them, none does."""
    assert index_of(blobs(200), 13).cells.blocks.shape[1] >= 200


def test_the_recall_that_an_index_tells_is_about_that_of_all_points():
    X = blobs(10)
    index = index_of(X, 13)
    exact = nearest_neighbors(X, 13, search="exact").distances[:, -1:]
    true = (index.within(13)[0] <= exact * (1 + 1e-9)).mean()
    assert index.recall >= NEIGHBOR_SEARCH.recall
    assert abs(index.recall - true) < 0.02


@pytest.mark.parametrize("convert", [np.asarray, sp.csr_array])
def test_neighbours_are_the_same_to_the_last_bit_on_any_number_of_threads(monkeypatch, convert):
    """From the projection to the ranking, with each block of rows shared out however few there are."""
    X = blobs(90, 2000)
    X = convert(np.where(abs(X) < 6, 0, X))
    monkeypatch.setattr("s3nmf._threads._WORTH_A_THREAD", 1.0)
    found = []
    for n_threads in (1, 2, 4, 7):
        monkeypatch.setattr("s3nmf._threads.effective_n_threads", lambda n_threads=n_threads: n_threads)
        found.append(nearest_neighbors(X, 8, search="approximate"))
    for one in found[1:]:
        np.testing.assert_array_equal(one.indices, found[0].indices)
        np.testing.assert_array_equal(one.distances, found[0].distances)


@pytest.mark.parametrize("search", ["exact", "approximate"])
def test_an_index_is_built_once_and_sent(search):
    X = blobs(20, 1200)
    index = neighbor_index(X[:1000], n_queries=200, n_neighbors=5, search=search)
    sent = pickle.loads(pickle.dumps(index))
    expected = nearest_to(X[:1000], X[1000:], 5, search=search)
    for found in (index.nearest(X[1000:]), sent.nearest(X[1000:])):
        np.testing.assert_array_equal(found.indices, expected.indices)
        np.testing.assert_array_equal(found.distances, expected.distances)
    np.testing.assert_array_equal(sent.nearest(X[1007:1009]).indices, expected.indices[7:9])


def test_new_points_are_searched_for_approximately_where_that_takes_long_and_not_before(monkeypatch, caplog):
    X = blobs(20, 600)
    monkeypatch.setattr(neighbors, "NEIGHBOR_SEARCH", replace(NEIGHBOR_SEARCH, exact_pairs=600 * 20))
    with caplog.at_level(logging.INFO, logger="s3nmf"):
        few = nearest_to(X, X[:20] + 0.01, 5)
        nearest_to(X, X + 0.01, 5, search="exact")
        assert caplog.text == ""
        nearest_to(X, X[:21] + 0.01, 5)
    assert "neighbours of 21 points with 20 features: approximate" in caplog.text
    np.testing.assert_array_equal(few.indices, nearest_to(X, X[:20] + 0.01, 5, search="exact").indices)


def test_predict_searches_as_fit_does():
    """Approximately where that is asked for; a point that was fitted gets its own label all the same."""
    X, _ = make_blobs(700, n_features=20, centers=4, cluster_std=6.0, random_state=0)
    model = S3NMF(4, n_members=4, search="approximate", random_state=0).fit(X[:600])
    order = np.random.default_rng(0).permutation(600)
    np.testing.assert_array_equal(model.predict(X[order]), model.labels_[order])
    searches = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(assign_module, "nearest_to", lambda *given: searches.append(given[4]) or nearest_to(*given))
        labels = model.predict(X[600:])
        exact = model.set_params(search="exact").predict(X[600:])
    assert searches == ["approximate", "exact"]
    assert (labels == exact).mean() > 0.95


def test_nearly_all_neighbours_are_found_in_mnist(data_directory):
    X = np.load(data_directory / "mnist.npz")["X"].astype(np.float32)
    index = approximate.index_of(X, 17)
    assert index.recall >= 0.985
    rows = np.random.default_rng(1).choice(len(X), 300, replace=False).astype(np.int32)
    exact, _ = index.exact(X, rows, rows, 17)
    assert (index.within(17)[0][rows] <= exact[:, -1:] * (1 + 1e-9)).mean() >= 0.98
