import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp
from sklearn.base import clone, is_clusterer
from sklearn.datasets import make_blobs
from sklearn.exceptions import ConvergenceWarning
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks
from threadpoolctl import threadpool_limits

from s3nmf import NJWSpectralClustering, SparseSpectralClustering, SpectralRotation, _memory
from s3nmf.affinity import nearest_neighbor_affinity
from s3nmf.baselines.spectral.ng_jordan_weiss import ng_jordan_weiss
from s3nmf.baselines.spectral.rotation import spectral_rotation
from s3nmf.baselines.spectral.sparse import sparse_spectral_clustering
from s3nmf.metrics import accuracy

FUNCTION = {
    NJWSpectralClustering: ng_jordan_weiss,
    SpectralRotation: spectral_rotation,
    SparseSpectralClustering: sparse_spectral_clustering,
}
ESTIMATORS = pytest.mark.parametrize(
    "estimator", [method(3, n_init=5, random_state=0) for method in FUNCTION], ids=lambda model: type(model).__name__
)


@pytest.fixture(scope="module")
def blobs():
    return make_blobs(120, centers=3, cluster_std=1.0, random_state=2)


@parametrize_with_checks([method() for method in FUNCTION])
@pytest.mark.filterwarnings("ignore::s3nmf.DisconnectedGraphWarning", "ignore::s3nmf.EmptyClusterWarning")
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_scikit_learns_contract(estimator, check):
    check(estimator)


@ESTIMATORS
def test_clusters_are_found_and_numbered_by_decreasing_size(estimator, blobs):
    X, y = blobs
    model = clone(estimator).fit(X)
    assert accuracy(y, model.labels_) > 0.95
    assert (np.diff(np.bincount(model.labels_)) <= 0).all()


@ESTIMATORS
def test_attributes_are_those_of_the_result(estimator, blobs):
    model = clone(estimator).fit(blobs[0])
    result = getattr(model.result_, "solution", model.result_)
    assert is_clusterer(model)
    np.testing.assert_array_equal(model.labels_, model.result_.labels)
    np.testing.assert_array_equal(model.embedding_, result.embedding)
    assert model.embedding_.shape == (120, 3)
    assert (model.n_iter_, model.converged_) == (result.n_iter, True)
    assert model.n_features_in_ == 2
    assert (model.affinity_matrix_ != nearest_neighbor_affinity(blobs[0])).nnz == 0
    if isinstance(model, SpectralRotation):
        assert model.objective_.shape == (model.n_iter_ + 1,)


@ESTIMATORS
@pytest.mark.parametrize("convert", [np.asarray, sp.csr_array, sp.csc_matrix, pd.DataFrame])
def test_a_precomputed_affinity_gives_the_same_labels(estimator, convert, blobs):
    W = nearest_neighbor_affinity(blobs[0]).toarray()
    precomputed = clone(estimator).set_params(affinity="precomputed").fit(convert(W))
    np.testing.assert_array_equal(precomputed.labels_, clone(estimator).fit(blobs[0]).labels_)
    assert sp.issparse(precomputed.affinity_matrix_) == sp.issparse(convert(W))


@ESTIMATORS
def test_data_frames_are_taken_with_their_names(estimator, blobs):
    expected = clone(estimator).fit(blobs[0]).labels_
    for frame in (pd.DataFrame(blobs[0], columns=["a", "b"]), pl.DataFrame(blobs[0], schema=["a", "b"])):
        model = clone(estimator).fit(frame)
        np.testing.assert_array_equal(model.labels_, expected)
        assert model.feature_names_in_.tolist() == ["a", "b"]


@ESTIMATORS
def test_it_pickles_and_sits_in_a_pipeline(estimator, blobs):
    X = StandardScaler().fit_transform(blobs[0])
    model = clone(estimator).fit(X)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(model)).labels_, model.labels_)
    np.testing.assert_array_equal(make_pipeline(StandardScaler(), estimator).fit_predict(blobs[0]), model.labels_)


@pytest.mark.parametrize(
    ("method", "parameter"),
    [
        (NJWSpectralClustering, {"n_init": 4}),
        (NJWSpectralClustering, {"random_state": 0}),
        (SpectralRotation, {"n_init": 30}),
        (SpectralRotation, {"random_state": 0}),
        (SpectralRotation, {"max_iter": 1}),
        (SparseSpectralClustering, {"n_init": 4}),
        (SparseSpectralClustering, {"random_state": 0}),
        (SparseSpectralClustering, {"beta": 0.02}),
        (SparseSpectralClustering, {"max_iter": 4}),
        (SparseSpectralClustering, {"tol": 0.1}),
    ],
)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning", "ignore::s3nmf.EmptyClusterWarning")
def test_every_parameter_of_the_method_reaches_it(method, parameter):
    X = np.random.default_rng(0).random((60, 2))
    W = nearest_neighbor_affinity(X)
    settings = {"random_state": 1, **parameter}
    model = method(6, **settings).fit(X)
    expected, default = FUNCTION[method](W, 6, **settings), FUNCTION[method](W, 6, random_state=1)
    np.testing.assert_array_equal(model.labels_, expected.labels)
    np.testing.assert_array_equal(course(model.result_), course(expected))
    assert not np.array_equal(course(model.result_), course(default)), "the parameter makes a difference"


def course(result):
    """What tells one run of a method from another."""
    if hasattr(result, "objective"):
        return result.objective
    return [result.inertia, *getattr(getattr(result, "solution", None), "residuals", [])]


@ESTIMATORS
@pytest.mark.parametrize("parameter", [{"n_neighbors": 11}, {"kernel": "jaccard"}, {"metric": "manhattan"}])
def test_every_parameter_of_the_graph_reaches_it(estimator, parameter, blobs):
    model = clone(estimator).set_params(**parameter).fit(blobs[0])
    assert (model.affinity_matrix_ != nearest_neighbor_affinity(blobs[0], **parameter)).nnz == 0


@ESTIMATORS
def test_threads_change_no_bit(estimator):
    X, _ = make_blobs(300, n_features=5, centers=3, cluster_std=4.0, random_state=0)
    found = []
    for threads in (1, 2):
        with threadpool_limits(limits=threads):
            found.append(clone(estimator).fit(X))
    np.testing.assert_array_equal(found[0].embedding_, found[1].embedding_)
    np.testing.assert_array_equal(found[0].labels_, found[1].labels_)


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (SpectralRotation(6, max_iter=1, random_state=0), "SpectralRotation did not converge within max_iter=1. Raise"),
        (SparseSpectralClustering(6, max_iter=4, random_state=0), "within max_iter=4 iterations to tol=1e-06. Raise"),
    ],
)
@pytest.mark.filterwarnings("ignore::s3nmf.EmptyClusterWarning")
def test_an_early_end_is_reported(model, message):
    with pytest.warns(ConvergenceWarning, match=message):
        model.fit(np.random.default_rng(0).random((60, 2)))
    assert not model.converged_


def test_n_x_n_methods_are_refused_where_their_memory_is_not_there(blobs, monkeypatch):
    monkeypatch.setattr(_memory, "available_bytes", lambda: 56 * 120 * 120 - 1)
    with pytest.raises(MemoryError, match="NJWSpectralClustering or SpectralRotation, which hold none"):
        SparseSpectralClustering(3).fit(blobs[0])
