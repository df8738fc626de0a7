import pickle

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.base import clone, is_clusterer
from sklearn.cluster import KMeans
from sklearn.datasets import make_blobs
from sklearn.exceptions import ConvergenceWarning
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks
from threadpoolctl import threadpool_limits

from ensembles import planted_ensemble
from s3nmf import EmptyClusterWarning, LocallyWeightedClustering, SpectralEnsembleClustering
from s3nmf.affinity import nearest_neighbor_affinity
from s3nmf.baselines.consensus import base_partitions, locally_weighted, spectral_ensemble
from s3nmf.metrics import accuracy

FORMS = ("spectral", "average-linkage", "bipartite")
ALL = [
    SpectralEnsembleClustering(3, random_state=0),
    *(LocallyWeightedClustering(3, consensus=form, random_state=0) for form in FORMS),
]
ESTIMATORS = pytest.mark.parametrize("estimator", ALL, ids=["SEC", "LWCA", "LWEA", "LWGP"])


@pytest.fixture(scope="module")
def blobs():
    return make_blobs(150, centers=3, cluster_std=1.8, random_state=7)


SMALL = {"n_members": 4, "max_iter": 50}


@parametrize_with_checks(
    [SpectralEnsembleClustering(**SMALL), *(LocallyWeightedClustering(consensus=form, **SMALL) for form in FORMS)]
)
@pytest.mark.filterwarnings("ignore::s3nmf.DisconnectedGraphWarning", "ignore::s3nmf.EmptyClusterWarning")
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_scikit_learns_contract(estimator, check):
    check(estimator)


@ESTIMATORS
def test_labels_are_clusters_of_the_data(estimator, blobs):
    X, y = blobs
    model = clone(estimator).fit(X)
    assert is_clusterer(model)
    assert accuracy(y, model.labels_) > 0.8
    assert (np.diff(np.bincount(model.labels_)) <= 0).all()
    np.testing.assert_array_equal(clone(estimator).fit_predict(X), model.labels_)


@ESTIMATORS
def test_its_members_are_factorizations_of_the_affinity(estimator, blobs):
    model = clone(estimator).set_params(n_members=6, tol=1e-2, max_iter=300).fit(blobs[0])
    expected = base_partitions(model.affinity_matrix_, 3, 6, tol=1e-2, max_iter=300, random_state=0)
    assert (model.affinity_matrix_ != nearest_neighbor_affinity(blobs[0])).nnz == 0
    np.testing.assert_array_equal(model.partitions_, expected.labels)
    assert model.n_iter_ == expected.sweeps.max()
    assert model.converged_
    assert model.n_features_in_ == 2


def test_attributes_are_those_of_the_result(blobs):
    X, _ = blobs
    partitions = base_partitions(nearest_neighbor_affinity(X), 3, random_state=0).labels
    model = SpectralEnsembleClustering(3, n_init=2, random_state=0).fit(X)
    expected = spectral_ensemble(partitions, 3, n_init=2, random_state=0)
    np.testing.assert_array_equal(model.labels_, expected.labels)
    assert model.objective_ == expected.objective == model.result_.objective
    for form in FORMS:
        model = LocallyWeightedClustering(3, consensus=form, theta=0.7, random_state=0).fit(X)
        expected = locally_weighted(partitions, 3, consensus=form, theta=0.7, random_state=0)
        np.testing.assert_array_equal(model.labels_, expected.labels)
        np.testing.assert_array_equal(model.cluster_weights_, expected.cluster_weights)
        assert model.result_.labels is model.labels_


def test_starts_of_k_means_reach_it():
    _, partitions = planted_ensemble(0, 300, 8, noise=0.7)
    one, many = (
        SpectralEnsembleClustering(8, n_init=n_init, random_state=0).fit(None, partitions=partitions)
        for n_init in (1, 10)
    )
    assert many.objective_ < one.objective_


@ESTIMATORS
def test_given_partitions_are_combined_without_features(estimator):
    truth, partitions = planted_ensemble(0, 200, 3)
    model = clone(estimator).fit(None, partitions=partitions)
    assert accuracy(truth, model.labels_) > 0.98
    assert model.partitions_.shape == partitions.shape
    assert (model.n_iter_, model.converged_) == (0, True)
    assert not hasattr(model, "n_features_in_")
    assert not hasattr(model, "affinity_matrix_")
    np.testing.assert_array_equal(clone(estimator).fit_predict(None, partitions=partitions), model.labels_)


@ESTIMATORS
def test_partitions_of_different_methods_are_combined(estimator, blobs):
    X, y = blobs
    own = clone(estimator).fit(X)
    partitions = [*own.partitions_, *(KMeans(k, random_state=k).fit_predict(X) - 1 for k in range(2, 7))]
    frame = pd.DataFrame(X, columns=["a", "b"])
    model = clone(estimator).fit(frame, partitions=partitions)
    assert accuracy(y, model.labels_) > 0.8
    assert model.n_features_in_ == 2
    assert model.feature_names_in_.tolist() == ["a", "b"]


@ESTIMATORS
def test_its_own_partitions_given_back_lead_to_the_same_labels(estimator, blobs):
    first = clone(estimator).fit(blobs[0])
    second = clone(estimator).fit(None, partitions=first.partitions_)
    np.testing.assert_array_equal(first.labels_, second.labels_)


@ESTIMATORS
def test_nothing_of_the_last_fit_is_left(estimator, blobs):
    _, partitions = planted_ensemble(0, 30, 3)
    model = clone(estimator).fit(pd.DataFrame(blobs[0], columns=["a", "b"])).fit(None, partitions=partitions)
    assert not {"n_features_in_", "feature_names_in_", "affinity_matrix_"} & set(vars(model))


@ESTIMATORS
@pytest.mark.parametrize("convert", [np.asarray, sp.csr_array])
def test_a_precomputed_affinity_gives_the_same_labels(estimator, convert, blobs):
    W = nearest_neighbor_affinity(blobs[0]).toarray()
    precomputed = clone(estimator).set_params(affinity="precomputed").fit(convert(W))
    np.testing.assert_array_equal(precomputed.labels_, clone(estimator).fit(blobs[0]).labels_)


@ESTIMATORS
@pytest.mark.parametrize("parameter", [{"n_neighbors": 11}, {"kernel": "jaccard"}, {"metric": "manhattan"}])
def test_every_parameter_of_the_graph_reaches_it(estimator, parameter, blobs):
    model = clone(estimator).set_params(n_members=2, **parameter).fit(blobs[0])
    assert (model.affinity_matrix_ != nearest_neighbor_affinity(blobs[0], **parameter)).nnz == 0
    assert (model.affinity_matrix_ != nearest_neighbor_affinity(blobs[0])).nnz > 0


@ESTIMATORS
def test_it_pickles_and_sits_in_a_pipeline(estimator, blobs):
    X, _ = blobs
    model = clone(estimator).fit(X)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(model)).labels_, model.labels_)
    pipeline = make_pipeline(StandardScaler(), clone(estimator))
    expected = clone(estimator).fit_predict(StandardScaler().fit_transform(X))
    np.testing.assert_array_equal(pipeline.fit_predict(X), expected)


@ESTIMATORS
def test_labels_do_not_depend_on_the_thread_count(estimator):
    X, _ = make_blobs(2500, n_features=4, centers=5, cluster_std=4.0, random_state=0)
    found = []
    for threads in (1, 2):
        with threadpool_limits(limits=threads):
            found.append(clone(estimator).set_params(n_clusters=5, n_members=8, tol=1e-2).fit(X))
    np.testing.assert_array_equal(found[0].partitions_, found[1].partitions_)
    np.testing.assert_array_equal(found[0].labels_, found[1].labels_)


@ESTIMATORS
def test_members_that_do_not_converge_are_reported(estimator, blobs):
    with pytest.warns(ConvergenceWarning, match="20 of the n_members=20 base factorizations .* max_iter=2 sweeps"):
        model = clone(estimator).set_params(max_iter=2).fit(blobs[0])
    assert (model.n_iter_, model.converged_) == (2, False)
    model = clone(estimator).set_params(max_iter=20, tol=0.0).fit(blobs[0])  # as many sweeps as asked for: no warning
    assert not model.converged_


@ESTIMATORS
def test_one_cluster_and_as_many_clusters_as_points(estimator):
    X, _ = make_blobs(12, random_state=0)
    assert not clone(estimator).set_params(n_clusters=1).fit_predict(X).any()
    partitions = np.vstack([np.arange(12), np.arange(12) // 2])
    labels = clone(estimator).set_params(n_clusters=12).fit_predict(None, partitions=partitions)
    assert sorted(labels) == list(range(12))


@pytest.mark.filterwarnings("ignore::s3nmf.SuspiciousDataWarning")
@ESTIMATORS
@pytest.mark.filterwarnings("ignore::s3nmf.DisconnectedGraphWarning")
def test_duplicates_isolated_points_and_components_are_clustered_too(estimator, blobs):
    X, _ = blobs
    copies = clone(estimator).fit_predict(X[:50].repeat(4, axis=0)).reshape(50, 4)
    assert (copies == copies[:, :1]).mean() > 0.95
    W = nearest_neighbor_affinity(np.vstack([X, X + 100.0])).toarray()
    W[:5] = W[:, :5] = 0.0
    labels = clone(estimator).set_params(affinity="precomputed", n_clusters=6).fit_predict(W)
    assert labels.shape == (300,)
    assert labels.max() == 5


@ESTIMATORS
def test_members_that_agree_on_fewer_clusters_are_reported(estimator):
    with pytest.warns(EmptyClusterWarning, match="Only 2 of the n_clusters=3"):
        labels = clone(estimator).fit_predict(None, partitions=np.tile([0, 0, 0, 1, 1], (4, 1)))
    assert labels.tolist() == [0, 0, 0, 1, 1]


@ESTIMATORS
def test_what_cannot_be_combined_is_refused(estimator, blobs):
    X, _ = blobs
    with pytest.raises(ValueError, match="X is None"):
        clone(estimator).fit(None)
    with pytest.raises(ValueError, match=r"partitions has shape \(150, 4\), and X has n_samples=150 rows"):
        clone(estimator).fit(X, partitions=np.zeros((150, 4), dtype=int))
    with pytest.raises(ValueError, match=r"partitions has shape \(150,\); it must be \(n_members, n_samples\)"):
        clone(estimator).fit(X, partitions=np.zeros(150, dtype=int))
    with pytest.raises(ValueError, match="dtype float64"):
        clone(estimator).fit(None, partitions=X.T)
    with pytest.raises(ValueError, match="different numbers of points"):
        clone(estimator).fit(None, partitions=[[0, 1], [0, 1, 1]])
    with pytest.raises(ValueError, match="The 'n_members' parameter of"):
        clone(estimator).set_params(n_members=0).fit(X)
