import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import make_blobs, make_circles

from s3nmf import choose_n_clusters, diagnose, self_supervised_nmf
from s3nmf.affinity import nearest_neighbor_affinity
from s3nmf.choose_k import spectral_gaps, spectrum

QUICK = {"n_members": 4, "random_state": 0}
CORNERS = np.array([[0.0, 0.0], [7.0, 0.0], [0.0, 7.0], [7.0, 7.0], [14.0, 0.0], [14.0, 7.0]])


def corners(k, n=240, seed=0):
    return make_blobs(n, centers=CORNERS[:k], random_state=seed)[0]


@pytest.mark.parametrize("k", [2, 3, 4, 6])
def test_clusters_that_lie_apart_are_counted(k):
    choice = choose_n_clusters(corners(k), range(2, 9), **QUICK)
    assert choice.n_clusters == k
    assert choice.clear
    assert choice.reason.startswith(f"{k} clusters: ")


def test_rings_are_counted_and_members_agree_on_them():
    X, _ = make_circles(300, noise=0.05, factor=0.4, random_state=0)
    choice = choose_n_clusters(X, range(2, 8), **QUICK)
    assert choice.n_clusters == 2
    assert choice.column("agreement")[0] > 0.9


@pytest.mark.parametrize("seed", range(3))
def test_one_cloud_has_one_cluster_or_none_that_is_clear(seed):
    X = np.random.default_rng(seed).normal(size=(200, 3))
    assert choose_n_clusters(X, range(1, 7), **QUICK).n_clusters == 1
    choice = choose_n_clusters(X, range(2, 7), **QUICK)
    assert not choice.clear
    assert "looks like one cluster" in choice.reason


def test_a_few_points_far_out_are_no_cluster():
    X = np.vstack([corners(3), [[90.0, 90.0], [91.0, 90.0], [90.0, 91.0], [-50.0, 0.0], [-50.5, 0.0]]])
    choice = choose_n_clusters(X, range(2, 9), **QUICK)
    assert choice.n_clusters == 3
    assert choice.n_outliers >= 5
    plain = np.linalg.eigvalsh(nearest_neighbor_affinity(X).toarray())[::-1][:9]
    assert np.argmax(spectral_gaps(plain)) + 1 != 3, "without leaving them aside, the answer is another"


def test_the_table_holds_what_fits_of_the_graph_say():
    X = corners(3, n=120)
    told = []
    choice = choose_n_clusters(X, [4, 2, 3, 3], n_members=5, random_state=3, callback=told.append)
    assert choice.column("n_clusters").tolist() == [2, 3, 4]
    assert tuple(told) == choice.candidates
    random = np.random.RandomState(3)
    W = nearest_neighbor_affinity(X)
    for candidate in choice.candidates:
        with pytest.warns():  # the graph falls into its three clusters
            result = self_supervised_nmf(W, candidate.n_clusters, n_members=5, random_state=random)
        assert candidate.agreement == result.agreement[0]
        assert candidate.stability == np.nanmin(diagnose(result).within)
    np.testing.assert_allclose(choice.column("gap"), spectral_gaps(choice.eigenvalues)[1:4])
    assert choice.n_clusters == choice.column("n_clusters")[np.argmax(choice.column("gap"))]


def test_gaps_compare_distances_from_1():
    distance = np.array([0.0, 0.001, 0.1, 0.2])
    raised = distance + 0.002
    np.testing.assert_allclose(spectral_gaps(1 - distance), raised[1:] / raised[:-1])
    np.testing.assert_array_equal(spectral_gaps(np.ones(4)), 1.0)


@given(st.integers(0, 1000), st.floats(1e-3, 1e3))
def test_the_scale_of_an_affinity_does_not_matter(seed, factor):
    random = np.random.default_rng(seed)
    A = sp.random_array((30, 30), density=0.2, rng=random).toarray()
    A = A + A.T + np.diag(np.ones(29), 1) + np.diag(np.ones(29), -1)
    np.testing.assert_allclose(spectrum(A, 5)[0], spectrum(factor * A, 5)[0], atol=1e-9)
    np.testing.assert_allclose(spectrum(A, 5)[0], spectrum(sp.csr_array(A), 5)[0], atol=1e-9)


def test_a_given_affinity_is_judged_as_the_features_it_came_from():
    X = corners(4)
    W = nearest_neighbor_affinity(X)
    ours = choose_n_clusters(X, range(2, 6), **QUICK)
    theirs = choose_n_clusters(W, range(2, 6), affinity="precomputed", **QUICK)
    np.testing.assert_array_equal(ours.eigenvalues, theirs.eigenvalues)
    assert ours.candidates == theirs.candidates


def test_a_graph_of_ones_own_is_normalised_so_that_heavy_clusters_do_not_hide_the_others():
    A = sp.block_diag([weight * np.ones((20, 20)) for weight in (1.0, 5.0, 0.2)]).toarray() + 1e-3
    choice = choose_n_clusters(A, range(2, 7), affinity="precomputed", **QUICK)
    assert choice.n_clusters == 3
    assert choice.clear


def test_the_same_seed_gives_the_same_choice():
    X = corners(3, n=700)
    one, two = (choose_n_clusters(X, [2, 3], max_samples=100, **QUICK) for _ in range(2))
    assert one.candidates == two.candidates
    assert one.reason == two.reason
    other = choose_n_clusters(X, [2, 3], max_samples=100, n_members=4, random_state=1)
    assert other.candidates != one.candidates, "another sample"


def test_of_many_points_some_are_enough():
    choice = choose_n_clusters(corners(4, n=3000), range(2, 7), max_samples=200, **QUICK)
    assert choice.n_clusters == 4
    every = choose_n_clusters(corners(3, n=300), [2, 3], max_samples=None, **QUICK)
    np.testing.assert_array_equal(every.eigenvalues, choose_n_clusters(corners(3, n=300), [2, 3], **QUICK).eigenvalues)


def test_more_pieces_than_were_tried_are_reported():
    choice = choose_n_clusters(corners(6), [2, 3], **QUICK)
    assert not choice.clear
    assert "at least 4 pieces, more than were tried" in choice.reason


def test_two_numbers_that_are_equally_good_are_both_named():
    """Three pairs of clusters: the pairs are far from each other, the two of a pair touch."""
    centers = [[0, 0], [4.5, 0], [30, 0], [34.5, 0], [60, 0], [64.5, 0]]
    X, _ = make_blobs(300, centers=np.array(centers, dtype=float), random_state=0)
    choice = choose_n_clusters(X, range(2, 9), **QUICK)
    gaps = dict(zip(choice.column("n_clusters"), choice.column("gap"), strict=True))
    assert sorted(gaps, key=gaps.__getitem__)[-1] == choice.n_clusters
    assert {3, 6} == set(sorted(gaps, key=gaps.__getitem__)[-2:])


@pytest.mark.parametrize(
    ("numbers", "message"),
    [
        (5, "must be several numbers"),
        ([], "is empty"),
        ([2, 2.5], "holds 2.5"),
        ([0, 2], "holds 0"),
        ([2, 60], "goes up to 60, but there are only 60 points"),
    ],
)
def test_numbers_that_cannot_be_tried_are_refused(numbers, message):
    with pytest.raises(ValueError, match=message):
        choose_n_clusters(corners(2, n=60), numbers)


def test_parameters_are_checked():
    with pytest.raises(ValueError, match="max_samples"):
        choose_n_clusters(corners(2, n=60), max_samples=1)
    with pytest.raises(ValueError, match="kernel"):
        choose_n_clusters(corners(2, n=60), kernel="gauss")


def test_clusters_of_single_points_have_no_stability():
    X = np.arange(6.0)[:, None]
    choice = choose_n_clusters(X, [2, 5], **QUICK)
    assert len(choice.candidates) == 2
