"""Bad input gets a clear error: what, the value, the limit, the remedy."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy
import scipy.sparse as sp
from sklearn.utils.fixes import parse_version

from graphs import connected_affinity, random_affinity
from s3nmf import (
    S3NMF,
    DisconnectedGraphWarning,
    EmptyClusterWarning,
    Recipe,
    SymNMF,
    choose_n_clusters,
    self_supervised_nmf,
)
from s3nmf._validation import _is_its_transpose, _largest_gap, check_affinity
from s3nmf.affinity import nearest_neighbor_affinity
from s3nmf.metrics import accuracy
from s3nmf.solvers.symmetric_nmf import symmetric_nmf

RNG = np.random.default_rng(0)
TABLE = RNG.random((30, 3))
FITS = {
    "S3NMF": lambda X: S3NMF(2, n_members=3).fit(X),
    "SymNMF": lambda X: SymNMF(2).fit(X),
    "nearest_neighbor_affinity": nearest_neighbor_affinity,
}
GRAPH_FITS = {
    "S3NMF": lambda W: S3NMF(2, affinity="precomputed", n_members=3).fit(W),
    "S3NMF of factorizations": lambda W: S3NMF(2, members="factorizations", affinity="precomputed", n_members=3).fit(W),
    "SymNMF": lambda W: SymNMF(2, affinity="precomputed").fit(W),
    "self_supervised_nmf": lambda W: self_supervised_nmf(W, 2, n_members=3),
    "symmetric_nmf": lambda W: symmetric_nmf(W, 2),
}
each_fit = pytest.mark.parametrize("fit", FITS.values(), ids=FITS)
each_graph_fit = pytest.mark.parametrize("fit", GRAPH_FITS.values(), ids=GRAPH_FITS)


def with_value(value, column=1):
    X = TABLE.copy()
    X[4, column] = value
    return X


@each_fit
@pytest.mark.parametrize(
    ("X", "words"),
    [
        (with_value(np.nan), r"NaN in column 1\. Drop.*SimpleImputer"),
        (with_value(np.inf, 2), r"infinity in column 2\."),
        (with_value(-np.inf, 0), r"infinity in column 0\."),
        (np.full((9, 2), np.nan), r"NaN in column 0 and 1 more columns"),
        (sp.csr_array(with_value(np.nan)), r"NaN in column 1\."),
        (pd.DataFrame(with_value(np.nan), columns=["a", "b", "c"]), r"NaN in column 1 \('b'\)"),
        (pl.DataFrame(with_value(np.nan), schema=["a", "b", "c"]), r"NaN in column 1 \('b'\)"),
        (pd.DataFrame({"size": [1.0, 2.0], "species": ["oak", "elm"]}), r"text 'oak' in column 1 \('species'\).*Drop"),
        (pl.DataFrame({"size": [1.0, 2.0], "species": ["oak", "elm"]}), r"text 'oak' in column 1 \('species'\).*Drop"),
        (np.array([["a", "b"], ["c", "d"]]), r"text 'a' in column 0"),
        (TABLE + 1j, "Complex data not supported"),
        (np.ones((7, 2)), r"All 7 rows of X are the same: every feature is constant"),
        (sp.csr_array(np.ones((7, 2))), r"All 7 rows of X are the same"),
        (TABLE[:1], r"1 sample\(s\).*minimum of 2"),
        (np.empty((0, 3)), r"0 sample\(s\)"),
        (np.empty((5, 0)), r"0 feature\(s\)"),
        (TABLE[:, 0], "Expected 2D array, got 1D array"),
        (TABLE[None], "dim 3"),
        (["abc", "def"], "could not convert string to float: 'abc'"),
        (
            (np.array([[["oak"], [1.0]]], object),),
            "holds a value that is not a number: could not convert string to float: 'oak'",
        ),
        (TABLE * 1e160, r"largest value of X is 9\.\d+e\+159 in size; .* between 1e-150 and 1e\+150.*Change the unit"),
        (TABLE * 1e-160, "largest value of X is"),
        ([[1.0, 2.0], [3.0]], r"X has rows of different lengths.*one number for each column"),
        ([[1.0, [2.0, {}]], [3.0, 4.0]], r"X has rows of different lengths, or cells that hold more than a number"),
        (np.ma.MaskedArray(TABLE, TABLE > 0.9), r"X has \d+ masked values.*Fill them"),
        (pd.DataFrame(TABLE, columns=["a", "a", "b"]), r"X has several columns with the name 'a'\..*a name of its own"),
        (pd.DataFrame(index=range(5)), r"X has no columns"),
    ],
)
def test_bad_features_are_refused(fit, X, words):
    with pytest.raises(ValueError, match=f"(?s){words}"):
        fit(X)


@each_fit
@pytest.mark.skipif(
    parse_version(scipy.__version__) < parse_version("1.15"), reason="sparse arrays have two dimensions"
)
def test_sparse_arrays_of_one_or_three_dimensions_are_refused(fit):
    with pytest.raises(
        ValueError, match=r"sparse array has shape \(1, 30, 3\); a table or a graph has rows and columns"
    ):
        fit(sp.coo_array(TABLE[None]))
    with pytest.raises(ValueError, match=r"sparse array has shape \(3,\)"):
        fit(sp.csr_array(TABLE[0]))


@each_fit
def test_what_is_no_number_is_named(fit):
    with pytest.raises(TypeError, match=r"X holds a value that is not a number: .*complex.* Drop it"):
        fit([[1 + 1j, 2.0], [3.0, 4.0]])


def test_a_mask_without_masked_values_changes_nothing():
    np.testing.assert_array_equal(*(S3NMF(2, random_state=0).fit(X).labels_ for X in (TABLE, np.ma.MaskedArray(TABLE))))


def entry(i, j, value, other=None):
    W = connected_affinity(0, 12)
    W[i, j], W[j, i] = value, value if other is None else other
    return W


@each_graph_fit
@pytest.mark.parametrize("convert", [np.asarray, sp.csr_array], ids=["dense", "sparse"])
@pytest.mark.parametrize(
    ("W", "words"),
    [
        (entry(2, 5, np.nan), r"affinity contains NaN at \[2, 5\]"),
        (entry(2, 5, np.inf), r"affinity contains infinity at \[2, 5\]"),
        (entry(3, 7, -0.25), r"negative in 2 entries, lowest -0\.25 at \[3, 7\]; it must be >= 0"),
        (
            entry(3, 7, 0.5, 2.0),
            r"not symmetric: \[3, 7\] is 0\.5 and \[7, 3\] is 2, which differ by 1\.5 \(limit .*Use \(W \+ W\.T\) / 2",
        ),
        (np.ones((4, 3)), r"must be square.*4 x 3.*nearest_neighbors"),
        (np.zeros((4, 4)), r"no positive entry"),
        (np.full((12, 12), 1.7e308), r"largest affinity is 1\.7e\+308: the sum of a row of 12 .*1\.8e\+308\. Divide"),
        (np.ones((1, 1)), r"minimum of 2"),
    ],
)
def test_bad_affinities_are_refused(fit, convert, W, words):
    with pytest.raises(ValueError, match=words):
        fit(convert(W))


def test_an_error_has_no_cause_but_scikit_learns():
    with pytest.raises(ValueError, match="minimum of 2") as caught:
        SymNMF(2).fit(TABLE[:1])
    assert caught.value.__cause__ is None


@each_graph_fit
def test_float32_rounding_is_not_asymmetry(fit):
    W = connected_affinity(0, 30).astype(np.float32)
    d = 1 / np.sqrt(W.sum(axis=1))
    fit(d[:, None] * W * d)


def test_warnings_point_to_the_callers_line():
    with pytest.warns(DisconnectedGraphWarning) as caught:
        SymNMF(2, affinity="precomputed", random_state=0).fit(np.kron(np.eye(2), connected_affinity(0, 5)))
    assert caught[0].filename == __file__


@each_graph_fit
def test_an_affinity_is_left_as_it_was(fit):
    W = sp.csr_array(connected_affinity(0, 12))
    W.data[:3] *= 1 + 1e-14  # rounding is not asymmetry
    before = W.copy()
    fit(W)
    assert (before != W).nnz == 0


@pytest.mark.filterwarnings("ignore::s3nmf.SuspiciousDataWarning")
@pytest.mark.parametrize("make", [np.asarray, sp.csr_array])
def test_more_clusters_than_different_rows_are_refused_before_the_work(make):
    X = make(np.repeat([[0.0, 1.0], [2.0, 0.0], [0.0, 4.0]], 20, axis=0))
    with pytest.raises(ValueError, match=r"n_clusters=4 is more than there are different rows, 3\. Ask for at most"):
        S3NMF(4, n_neighbors=3).fit(X)
    with pytest.raises(ValueError, match="n_clusters=9 is more than there are different rows, 3"):
        S3NMF(range(2, 10), n_neighbors=3).fit(X)


@pytest.mark.parametrize("fit", [lambda numbers: S3NMF(numbers).fit(TABLE), lambda k: choose_n_clusters(TABLE, k)])
def test_a_range_that_holds_no_number_is_refused(fit):
    with pytest.raises(ValueError, match=r"n_clusters=range\(5, 2\) is empty"):
        fit(range(5, 2))
    with pytest.raises(ValueError, match="n_clusters holds 0; every number of clusters must be an integer >= 1"):
        fit(range(4))


def test_one_alone_leaves_nothing_to_choose():
    with pytest.raises(ValueError, match=r"n_clusters=\[1\] leaves nothing to choose"):
        choose_n_clusters(TABLE, [1])
    assert S3NMF(1).fit(TABLE).n_clusters_ == 1


def with_starts(starts):
    return {"members": "factorizations", "recipe": Recipe(starts=starts)}


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"n_clusters": 0}, "'n_clusters' parameter.*must be an int in the range \\[1, inf\\).* Got 0"),
        ({"n_clusters": 2.5}, "Got 2.5"),
        ({"n_clusters": 31}, "n_clusters=31 is more than n_samples=30"),
        ({"n_members": 0}, "Got 0"),
        ({"max_rounds": 0}, "Got 0"),
        ({"members": "leiden"}, "Got 'leiden'"),
        ({"members": np.zeros((3, 29))}, r"members has shape \(3, 29\); .* must be \(n_partitions, 30\)"),
        ({"recipe": "paper"}, "Got 'paper'"),
        (
            with_starts(np.ones((10, 3, 30, 2))),
            r"starts has shape \(10, 3, 30, 2\); it must be \(max_rounds, n_members, .* = \(10, 20, 30, 2\)",
        ),
        (with_starts(np.full((10, 20, 30, 2), -1.0)), "finite and >= 0"),
        (with_starts(np.full((10, 20, 30, 2), np.nan)), "finite and >= 0"),
        ({"random_state": "seed"}, "'random_state' parameter"),
    ],
)
def test_bad_parameters_are_refused_by_the_estimator_and_by_the_function(parameters, words):
    parameters = {"n_clusters": 2, **parameters}
    with pytest.raises(ValueError, match=words):
        S3NMF(**parameters).fit(TABLE)
    with pytest.raises(ValueError, match=words):
        self_supervised_nmf(connected_affinity(0, 30), **parameters)


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"n_neighbors": 30}, "n_neighbors=30 must be between 1 and 29"),
        ({"n_neighbors": 0}, "Got 0"),
        ({"kernel": "rbf"}, "Got 'rbf'"),
        ({"affinity": "rbf"}, "Got 'rbf'"),
        ({"metric": "nonsense"}, "nonsense"),
    ],
)
@pytest.mark.parametrize("estimator", [S3NMF, SymNMF])
def test_bad_graph_parameters_are_refused(estimator, parameters, words):
    with pytest.raises(ValueError, match=words):
        estimator(2, **parameters).fit(TABLE)


def test_a_start_of_the_wrong_shape_is_refused():
    with pytest.raises(ValueError, match=r"shape \(2, 30\); it must be \(n_samples, n_clusters\) = \(30, 2\)"):
        SymNMF(2, starts=np.ones((2, 30))).fit(TABLE)


each_members = pytest.mark.parametrize("members", ["communities", "factorizations"])


@each_members
def test_a_constant_feature_changes_nothing(members):
    constant = np.column_stack([TABLE, np.full(30, 7.0)])
    one, other = (S3NMF(2, members=members, random_state=0).fit_predict(X) for X in (TABLE, constant))
    np.testing.assert_array_equal(one, other)


@pytest.mark.filterwarnings("ignore::s3nmf.SuspiciousDataWarning")
@each_members
def test_groups_of_duplicates_are_found(members):
    X = np.repeat([[0.0, 0.0], [1.0, 0.0], [5.0, 5.0]], 10, axis=0)
    with pytest.warns(DisconnectedGraphWarning, match="3 components"):
        labels = S3NMF(3, members=members, random_state=0).fit_predict(X)
    assert accuracy(np.repeat([0, 1, 2], 10), labels) == 1.0


@each_members
def test_isolated_nodes_get_a_warning_and_no_cluster(members):
    W = connected_affinity(0, 12)
    W[:, 5] = W[5, :] = 0.0
    with pytest.warns(DisconnectedGraphWarning, match="Isolated points, without any edge: 1, rows 5"):
        result = self_supervised_nmf(W, 2, members=members, random_state=0)
    assert np.flatnonzero(result.confidence == 0).tolist() == [5]
    assert result.labels[5] == -1
    assert set(np.delete(result.labels, 5)) == {0, 1}
    assert not result.membership[5].any()
    assert np.isfinite(result.confidence).all()


@each_members
def test_one_cluster_works(members):
    model = S3NMF(1, members=members, random_state=0).fit(TABLE)
    assert set(model.labels_) == {0}
    assert model.agreement_[-1] == 1.0
    np.testing.assert_allclose(model.confidence_, 1.0)


@each_members
@pytest.mark.filterwarnings("ignore::s3nmf.EmptyClusterWarning")
def test_as_many_clusters_as_points_work(members):
    model = S3NMF(30, members=members, random_state=0).fit(TABLE)
    assert model.labels_.max() + 1 > 10
    assert np.isfinite(model.confidence_).all()


@each_members
def test_two_points_work(members):
    assert sorted(S3NMF(1, members=members).fit_predict([[0.0], [1.0]])) == [0, 0]


def test_an_empty_cluster_is_reported():
    same = np.ones((10, 20, 12, 3))
    with pytest.warns(
        EmptyClusterWarning, match=r"Only 1 of the n_clusters=3 clusters have points\. Ask for fewer.*recipe"
    ):
        self_supervised_nmf(connected_affinity(0, 12), 3, **with_starts(same))


@each_fit
@pytest.mark.parametrize("frame", [np.asarray, pd.DataFrame])
def test_the_byte_order_of_another_machine_is_read(fit, frame):
    fit(frame(TABLE.astype(">f8")))


@each_graph_fit
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_a_graph_of_self_loops_alone_is_no_failure(fit):
    fit(sp.csr_array(np.diag([1.0, 1.0, 0.0])))


@pytest.fixture
def compiled(monkeypatch):
    """Checks of large sparse graphs, on those of tests."""
    monkeypatch.setattr("s3nmf._validation.MANY_ENTRIES", 0)


@pytest.mark.parametrize("change", ["weight", "last bit", "place", "above only", "below only", "none"])
def test_a_large_graph_is_symmetric_to_the_last_bit_or_looked_at_closely(compiled, change):
    W = sp.csr_array(random_affinity(0, 40, 0.2))
    i, j = (int(place[0]) for place in sp.triu(W, 1).nonzero())
    k = int(np.flatnonzero(W[[i]].toarray().ravel() == 0)[-1])
    dense = W.toarray()
    if change == "weight":
        dense[i, j] *= 2
    elif change == "last bit":
        dense[i, j] = np.nextafter(dense[i, j], 2)
    elif change == "place":
        dense[i, k], dense[i, j] = dense[i, j], 0.0
    elif change == "above only":
        dense[j, i] = 0.0
    elif change == "below only":
        dense[i, j] = 0.0
    changed = sp.csr_array(dense)
    assert _is_its_transpose(changed) == (change == "none")
    assert _largest_gap(changed)[0] == np.abs(dense - dense.T).max()
    if change in {"none", "last bit"}:
        check_affinity(changed)
    else:
        with pytest.raises(ValueError, match="not symmetric"):
            check_affinity(changed)


def test_a_matrix_and_its_transpose_are_told_from_two_that_only_add_up_alike(compiled):
    """Entries that are exchanged keep all sums over rows and columns of a pair."""
    dense = random_affinity(1, 12, 0.9)
    a, b = dense[0, 1], dense[2, 3]
    assert a != b
    dense[0, 1], dense[2, 3] = b, a
    assert not _is_its_transpose(sp.csr_array(dense))


@pytest.mark.parametrize("name", ["n_clusters", "n_members", "max_rounds", "n_neighbors"])
def test_true_is_no_number(name):
    with pytest.raises(ValueError, match=f"'{name}' parameter .* Got True instead"):
        S3NMF(**{name: True}).fit(TABLE)


@pytest.mark.parametrize("metric", ["seuclidean", "mahalanobis", "precomputed", "nonsense"])
def test_a_metric_that_needs_more_than_two_points_is_refused_by_its_name(metric):
    for fit in (S3NMF(2, metric=metric).fit, lambda X: nearest_neighbor_affinity(X, metric=metric)):
        with pytest.raises(ValueError, match=f"'metric' parameter .* must be a str among .* Got '{metric}' instead"):
            fit(TABLE)


@pytest.mark.parametrize("layout", [np.array, np.asfortranarray, sp.csr_array])
def test_in_a_complete_graph_more_sweeps_are_no_advice(layout):
    W = layout(0.25 * (np.ones((30, 30)) - np.eye(30)))
    with pytest.warns(EmptyClusterWarning, match="give weights that differ: here every two points are joined alike"):
        S3NMF(4, affinity="precomputed").fit(W)
