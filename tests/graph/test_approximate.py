"""The search by pynndescent, which is compiled for half a minute in each process of tests that comes to it: in one."""

import logging
import pickle
import sys
from types import SimpleNamespace

import numba
import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.datasets import make_blobs
from threadpoolctl import threadpool_limits

from s3nmf import S3NMF
from s3nmf.estimators import assign as assign_module
from s3nmf.graph import approximate, neighbors
from s3nmf.graph.neighbors import nearest_neighbors, nearest_to, neighbor_index


@pytest.mark.filterwarnings("ignore")
def test_the_approximate_search_finds_almost_all_and_repeats():
    X, _ = make_blobs(3000, n_features=20, centers=5, random_state=0)
    exact, found, again = (nearest_neighbors(X, 10, search=s) for s in ("exact", "approximate", "approximate"))
    recall = np.mean([np.isin(row, true).mean() for row, true in zip(found.indices, exact.indices, strict=True)])
    assert recall >= 0.98
    assert (found.indices != np.arange(3000)[:, None]).all()
    assert (np.diff(found.distances, axis=1) >= -1e-6).all()
    np.testing.assert_array_equal(found.indices, again.indices)


@pytest.mark.filterwarnings("ignore")
def test_large_data_is_searched_approximately_and_the_log_says_so(monkeypatch, caplog):
    X = np.random.default_rng(0).random((300, 20))
    monkeypatch.setattr(neighbors, "EXACT_WORK", 300 * 300 * 20 - 1)
    with caplog.at_level(logging.INFO, logger="s3nmf"):
        nearest_neighbors(X, 5)
    assert "neighbours of 300 points with 20 features: approximate" in caplog.text
    caplog.clear()
    with caplog.at_level(logging.INFO, logger="s3nmf"):
        nearest_neighbors(X, 5, search="exact")
        nearest_neighbors(X[:, :15], 5)  # by a tree
    assert caplog.text == ""


def test_without_the_extra_large_data_is_searched_exactly_and_the_log_says_what_helps(monkeypatch, caplog):
    X = np.random.default_rng(0).random((300, 20))
    monkeypatch.setattr(neighbors, "EXACT_WORK", 0)
    monkeypatch.setattr(neighbors, "find_spec", lambda name: None)
    expected = nearest_neighbors(X, 5, search="exact").indices
    np.testing.assert_array_equal(nearest_neighbors(X, 5).indices, expected)
    assert "s3nmf[approx]" in caplog.text


def test_asking_for_what_is_not_installed_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "pynndescent", None)
    with pytest.raises(ImportError, match=r"Install s3nmf\[approx\], or choose search='exact'"):
        nearest_neighbors(np.random.default_rng(0).random((30, 20)), 5, search="approximate")


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("convert", [np.asarray, sp.csr_array])
def test_the_approximate_search_for_other_points_finds_almost_all_and_every_equal_row(convert):
    X, _ = make_blobs(2300, n_features=20, centers=5, random_state=0)
    X = np.round(X, 1) + 0.0
    train, new = convert(X[:2000]), convert(np.vstack([X[2000:], X[1500:1600], -0.0 * X[:1]]))
    exact, found, alone = (
        nearest_to(train, queries, 10, search=search)
        for queries, search in ((new, "exact"), (new, "approximate"), (new[7:9], "approximate"))
    )
    recall = np.mean([np.isin(row, true).mean() for row, true in zip(found.indices, exact.indices, strict=True)])
    assert recall >= 0.98
    assert (found.indices[300:400] == np.arange(1500, 1600)[:, None]).any(axis=1).all()
    assert (found.distances[300:400, 0] == 0).all()
    assert (np.diff(found.distances, axis=1) >= 0).all()
    np.testing.assert_array_equal(alone.indices, found.indices[7:9])


@pytest.mark.filterwarnings("ignore")
def test_equal_rows_are_found_though_the_search_misses_them(monkeypatch):
    """A row that is another one but for the sign of a zero is equal to it."""
    X = np.random.default_rng(0).integers(0, 3, (200, 20)).astype(float)

    class Blind:
        def query(self, queries, k, epsilon):
            return np.tile(np.arange(k), (queries.shape[0], 1)), np.ones((queries.shape[0], k), dtype=np.float32)

    monkeypatch.setattr(approximate, "index_of", lambda *given: Blind())
    queries = np.where(X[50:60] == 0, -0.0, X[50:60])
    for convert in (np.asarray, sp.csr_array):
        _, indices = approximate.neighbors_of_others(convert(X), convert(queries), 5, "euclidean")
        assert indices[:, 0].tolist() == list(range(50, 60))
        assert (indices[:, 1:] == np.arange(4)).all()


@pytest.mark.filterwarnings("ignore")
def test_new_points_are_searched_for_approximately_where_that_takes_long_and_not_before(monkeypatch, caplog):
    X = np.random.default_rng(0).random((300, 20))
    monkeypatch.setattr(neighbors, "EXACT_WORK", 300 * 20 * 20)
    with caplog.at_level(logging.INFO, logger="s3nmf"):
        few = nearest_to(X, X[:20] + 0.01, 5)
        nearest_to(X, X + 0.01, 5, search="exact")
        assert caplog.text == ""
        nearest_to(X, X[:21] + 0.01, 5)
    assert "neighbours of 21 points with 20 features: approximate" in caplog.text
    np.testing.assert_array_equal(few.indices, nearest_to(X, X[:20] + 0.01, 5, search="exact").indices)


@pytest.mark.filterwarnings("ignore")
def test_the_approximate_search_for_other_points_is_the_same_on_any_number_of_threads():
    X = np.random.default_rng(0).random((1200, 20))
    threads_before, answers = numba.get_num_threads(), []
    for n_threads in (1, threads_before):
        numba.set_num_threads(n_threads)
        with threadpool_limits(limits=n_threads):
            answers.append(nearest_to(X[:1000], X[1000:], 5, search="approximate").indices)
    np.testing.assert_array_equal(*answers)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("search", ["exact", "approximate"])
def test_an_index_is_built_once_and_sent(search):
    X = np.random.default_rng(0).random((1200, 20))
    index = neighbor_index(X[:1000], n_queries=200, n_neighbors=5, search=search)
    sent = pickle.loads(pickle.dumps(index))
    expected = nearest_to(X[:1000], X[1000:], 5, search=search)
    for found in (index.nearest(X[1000:]), sent.nearest(X[1000:])):
        np.testing.assert_array_equal(found.indices, expected.indices)
        np.testing.assert_array_equal(found.distances, expected.distances)
    np.testing.assert_array_equal(sent.nearest(X[1007:1009]).indices, expected.indices[7:9])


def test_the_approximate_search_takes_no_more_threads_than_numba_began_with(monkeypatch, caplog):
    """As in a worker of joblib, where settings of numba may say more than there are."""
    taken = []
    monkeypatch.setattr(numba.np.ufunc.parallel, "NUM_THREADS", 1)
    monkeypatch.setattr(numba.config, "NUMBA_NUM_THREADS", 2)
    monkeypatch.setitem(sys.modules, "pynndescent", SimpleNamespace(NNDescent=lambda X, **how: taken.append(how)))
    with caplog.at_level(logging.INFO, logger="s3nmf"):
        approximate.index_of(np.zeros((30, 20)), 5, "euclidean")
    assert taken[0]["n_jobs"] == 1
    assert "numba has one thread here" in caplog.text


@pytest.mark.filterwarnings("ignore")
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
