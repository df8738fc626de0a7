import pickle
from functools import partial

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp
from sklearn.base import clone, is_clusterer
from sklearn.cluster import KMeans
from sklearn.datasets import load_digits, make_blobs, make_circles, make_moons
from sklearn.exceptions import ConvergenceWarning
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

import s3nmf
from s3nmf import S3NMF, Communities, Recipe, SymNMF, self_supervised_nmf
from s3nmf.affinity import nearest_neighbor_affinity
from s3nmf.graph.neighbors import narrower, wider
from s3nmf.metrics import accuracy

ESTIMATORS = pytest.mark.parametrize(
    "estimator",
    [S3NMF(3, random_state=0), S3NMF(3, members="factorizations", random_state=0), SymNMF(3, random_state=0)],
    ids=["communities", "factorizations", "SymNMF"],
)
MEMBERS = pytest.mark.parametrize("members", ["communities", "factorizations"])


@pytest.fixture(scope="module")
def blobs():
    return make_blobs(120, centers=3, cluster_std=1.5, random_state=4)


@parametrize_with_checks([S3NMF(), S3NMF(2, members="factorizations", n_members=4, max_rounds=2), SymNMF()])
@pytest.mark.filterwarnings("ignore::s3nmf.DisconnectedGraphWarning", "ignore::s3nmf.EmptyClusterWarning")
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_scikit_learns_contract(estimator, check):
    check(estimator)


@ESTIMATORS
def test_labels_are_clusters_of_the_data(estimator, blobs):
    X, y = blobs
    labels = clone(estimator).fit_predict(X)
    assert labels.shape == (120,)
    assert (np.diff(np.bincount(labels)) <= 0).all()
    assert accuracy(y, labels) > 0.5


@pytest.mark.filterwarnings("ignore::s3nmf.DisconnectedGraphWarning")
@pytest.mark.parametrize("n", [300, 2000, 5000])
@pytest.mark.parametrize("make", [make_moons, partial(make_circles, factor=0.5)], ids=["moons", "circles"])
def test_the_first_picture_that_anyone_draws_comes_out_right_whatever_its_number_of_points(make, n):
    X, y = make(n, noise=0.05, random_state=0)
    assert accuracy(y, S3NMF(2, random_state=0).fit_predict(X)) == 1.0


def test_noise_among_clusters_does_not_keep_them_from_being_found():
    """Three points in ten lie anywhere: more communities of a few points than clusters, but not most of the points."""
    X, y = make_blobs(2100, centers=3, cluster_std=0.6, random_state=0)
    noise = np.random.default_rng(0).uniform(X.min(axis=0) - 2, X.max(axis=0) + 2, (900, 2))
    labels = S3NMF(3, random_state=0).fit_predict(np.vstack([X, noise]))
    assert accuracy(y, labels[: y.size]) > 0.97


def test_a_handful_of_outliers_is_no_cluster_though_clusters_may_be_of_very_unequal_sizes():
    """Two points lie so far from the blob of largest spread that no member puts them with any other."""
    X, y = make_blobs(500, cluster_std=[1.0, 2.5, 0.5], random_state=170)
    labels = S3NMF(3, recipe="unequal", random_state=0).fit_predict(StandardScaler().fit_transform(X))
    assert accuracy(y, labels) > 0.9


@MEMBERS
def test_attributes_are_those_of_the_result(blobs, members):
    X, _ = blobs
    model = S3NMF(3, members=members, random_state=0).fit(X)
    result = model.result_
    assert is_clusterer(model)
    for name in ("labels", "confidence", "member_labels", "weights", "agreement", "chosen_round", "membership"):
        np.testing.assert_array_equal(getattr(model, f"{name}_"), getattr(result, name))
    assert model.member_labels_.shape == (20, 120)
    assert ((model.confidence_ >= 0) & (model.confidence_ <= 1)).all()
    assert model.n_features_in_ == 2
    assert model.n_iter_ == sum(found.n_iter for found in result.history)
    assert (model.affinity_matrix_ != nearest_neighbor_affinity(X)).nnz == 0


def test_a_single_factorization_reports_its_course(blobs):
    model = SymNMF(3, random_state=0).fit(blobs[0])
    assert model.factor_.shape == (120, 3)
    assert len(model.objective_) == model.n_iter_ + 1
    assert (np.diff(model.objective_) <= 1e-9).all()
    assert model.converged_
    with pytest.warns(ConvergenceWarning, match="max_iter=2 sweeps to tol=0.001"):
        SymNMF(3, random_state=0, max_iter=2).fit(blobs[0])


@ESTIMATORS
@pytest.mark.parametrize("convert", [np.asarray, sp.csr_array, sp.csc_matrix, pd.DataFrame])
def test_a_precomputed_affinity_gives_the_same_labels(estimator, convert, blobs):
    X, _ = blobs
    W = nearest_neighbor_affinity(X).toarray()
    precomputed = clone(estimator).set_params(affinity="precomputed").fit(convert(W))
    if getattr(estimator, "members", None) == "communities":  # of features, those of sparser graphs too
        other = W if sp.issparse(convert(W)) else sp.csr_array(W)
        same = clone(estimator).set_params(affinity="precomputed").fit(other)
    else:
        same = clone(estimator).fit(X)
    np.testing.assert_array_equal(precomputed.labels_, same.labels_)
    assert sp.issparse(precomputed.affinity_matrix_) == sp.issparse(convert(W))


@ESTIMATORS
def test_data_frames_are_taken_with_their_names(estimator, blobs):
    X, _ = blobs
    expected = clone(estimator).fit(X).labels_
    for frame in (pd.DataFrame(X, columns=["a", "b"]), pl.DataFrame(X, schema=["a", "b"])):
        model = clone(estimator).fit(frame)
        np.testing.assert_array_equal(model.labels_, expected)
        assert model.feature_names_in_.tolist() == ["a", "b"]


@ESTIMATORS
def test_it_clones_pickles_and_sits_in_a_pipeline(estimator, blobs):
    X, _ = blobs
    model = clone(estimator).fit(X)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(model)).labels_, model.labels_)
    pipeline = make_pipeline(StandardScaler(), clone(estimator))
    np.testing.assert_array_equal(
        pipeline.fit_predict(X), clone(estimator).fit_predict(StandardScaler().fit_transform(X))
    )


def test_starts_given_to_the_estimator_are_used(blobs):
    X, _ = blobs
    starts = np.random.default_rng(0).random((10, 20, 120, 3))
    recipe = Recipe(starts=starts)
    one, two = (S3NMF(3, members="factorizations", recipe=recipe, random_state=seed).fit(X) for seed in (0, 1))
    np.testing.assert_array_equal(one.member_labels_, two.member_labels_)
    single = SymNMF(3, solver="square_root", starts=starts[0, 0], tol=0, max_iter=one.result_.history[0].n_iter)
    np.testing.assert_array_equal(single.fit(X).labels_, one.result_.history[0].member_labels[0])


REACHING = {
    "n_members": {"n_members": 7},
    "max_rounds": {"max_rounds": 1},
    "recipe": {"recipe": "text"},
    "max_iter": {"recipe": Recipe(max_iter=9)},
    "tau": {"recipe": Recipe(tau=1.05)},
    "tol": {"recipe": Recipe(tol=0.05)},
    "starts": {"recipe": Recipe(starts="kuang")},
    "weighting": {"recipe": Recipe(weighting="uniform")},
    "similarity": {"recipe": Recipe(similarity="literal")},
    "solver": {"recipe": Recipe(solver="multiplicative")},
}


@MEMBERS
@pytest.mark.parametrize("name", REACHING)
@pytest.mark.filterwarnings("ignore::s3nmf.EmptyClusterWarning")
def test_every_parameter_of_the_method_reaches_it(name, members):
    X, _ = make_blobs(120, centers=5, cluster_std=3.0, random_state=4)
    W = nearest_neighbor_affinity(X)
    defaults = {"members": members, "random_state": 0, "max_rounds": 3}
    settings = {**defaults, **REACHING[name]}
    model = S3NMF(5, affinity="precomputed", **settings).fit(W)
    expected = self_supervised_nmf(W, 5, **settings)
    default = self_supervised_nmf(W, 5, **defaults)
    assert is_same(model.result_, expected)
    assert not is_same(model.result_, default), "the parameter makes a difference"


def test_a_seed_is_for_factorizations():
    """Communities are searched for in an order that the links decide."""
    X, _ = make_blobs(120, centers=5, cluster_std=3.0, random_state=4)
    W = nearest_neighbor_affinity(X)
    for members, makes_a_difference in (("communities", False), ("factorizations", True)):
        settings = {"members": members, "max_rounds": 2}
        one, other = (self_supervised_nmf(W, 5, random_state=seed, **settings) for seed in (0, 5))
        assert is_same(one, other) != makes_a_difference
        assert is_same(S3NMF(5, affinity="precomputed", random_state=5, **settings).fit(W).result_, other)


def is_same(one, other):
    return len(one.history) == len(other.history) and all(
        np.array_equal(getattr(found, name), getattr(wanted, name))
        for found, wanted in zip(one.history, other.history, strict=True)
        for name in ("member_labels", "weights", "objective")
    )


def test_members_of_features_are_communities_of_sparser_graphs_too(blobs):
    X, _ = blobs
    model = S3NMF(3, random_state=0, max_rounds=1).fit(X)
    k = int(np.log2(120)) + 1
    fewer = [partial(nearest_neighbor_affinity, X, n) for n in narrower(k)]
    more = partial(nearest_neighbor_affinity, X, wider(k, 120))
    expected = self_supervised_nmf(
        nearest_neighbor_affinity(X), 3, members=Communities(fewer, more), max_rounds=1, random_state=0
    )
    np.testing.assert_array_equal(model.member_labels_, expected.member_labels)
    np.testing.assert_array_equal(model.result_.history[0].resolutions, expected.history[0].resolutions)


def test_partitions_given_to_the_estimator_are_voted_on(blobs):
    X, y = blobs
    partitions = [KMeans(k, n_init=1, random_state=seed).fit_predict(X) for seed in range(4) for k in (2, 3, 4)]
    model = S3NMF(3, members=partitions, random_state=0).fit(X)
    assert model.result_.history[0].member_labels.shape == (12, 120)
    assert accuracy(y, model.labels_) > 0.85
    assert clone(model).fit(X).labels_.tolist() == model.labels_.tolist()
    assert "members=" in repr(model)


@ESTIMATORS
@pytest.mark.parametrize("parameter", [{"n_neighbors": 11}, {"kernel": "jaccard"}, {"metric": "manhattan"}])
def test_every_parameter_of_the_graph_reaches_it(estimator, parameter, blobs):
    model = clone(estimator).set_params(**parameter).fit(blobs[0])
    assert (model.affinity_matrix_ != nearest_neighbor_affinity(blobs[0], **parameter)).nnz == 0
    assert (model.affinity_matrix_ != nearest_neighbor_affinity(blobs[0])).nnz > 0


@ESTIMATORS
def test_float32_and_float64_features_agree(estimator, blobs):
    X = blobs[0].astype(np.float32)
    np.testing.assert_array_equal(clone(estimator).fit_predict(X), clone(estimator).fit_predict(X.astype(float)))


@pytest.mark.filterwarnings("ignore::s3nmf.DisconnectedGraphWarning")
@pytest.mark.parametrize(
    "model",
    [S3NMF(2), S3NMF(2, members="factorizations", recipe=Recipe(max_iter=5000, tol=1e-6))],
    ids=["communities", "factorizations"],
)
def test_rings_are_told_apart_where_k_means_cannot(model):
    """Long, thin clusters need more sweeps of factorizations than the paper allows."""
    X, y = make_circles(300, noise=0.05, factor=0.5, random_state=0)
    found = [accuracy(y, clone(model).set_params(random_state=seed).fit_predict(X)) for seed in range(3)]
    assert accuracy(y, KMeans(2, random_state=0).fit_predict(X)) < 0.6
    assert np.mean(found) > 0.95


@pytest.mark.parametrize(("members", "gain"), [("communities", 0.0), ("factorizations", 0.05)])
def test_the_partition_is_better_than_the_members_of_round_1(members, gain):
    X, y = load_digits(return_X_y=True)
    X, y = X[:500], y[:500]
    model = S3NMF(10, members=members, random_state=0).fit(X)
    first = np.mean([accuracy(y, labels) for labels in model.result_.history[0].member_labels])
    assert accuracy(y, model.labels_) > first + gain


def test_everything_public_is_documented():
    for name in s3nmf.__all__:
        assert getattr(s3nmf, name).__doc__, name


@pytest.mark.filterwarnings("ignore::s3nmf.DisconnectedGraphWarning")
@pytest.mark.parametrize("dtype", [np.float32, np.int8])
def test_embeddings_of_few_bits_are_clustered_by_their_direction(dtype):
    """As models of sentences give them: of 32 bits, or quantised to 8, of any length."""
    random = np.random.default_rng(0)
    y = np.repeat(np.arange(5), 60)
    directions = random.normal(size=(5, 64))[y] + 0.7 * random.normal(size=(300, 64))
    X = directions * random.uniform(0.2, 1.0, (300, 1))
    X = (X * 127 / np.abs(X).max()).astype(dtype)
    model = S3NMF(5, metric="cosine").fit(X)
    assert accuracy(y, model.labels_) > 0.98
    np.testing.assert_array_equal(model.labels_, S3NMF(5, metric="cosine").fit(X.astype(float)).labels_)
    np.testing.assert_array_equal(model.predict(X), model.labels_)
