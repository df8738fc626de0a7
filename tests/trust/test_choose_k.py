import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from scipy.linalg import block_diag
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine, make_blobs, make_circles
from sklearn.preprocessing import scale

from s3nmf import Candidate, ClusterCount, choose_n_clusters, diagnose, self_supervised_nmf
from s3nmf.affinity import nearest_neighbor_affinity
from s3nmf.graph.spectrum.gaps import LATER, normalized, spectral_gaps, spectrum

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
def test_one_cloud_has_no_clusters(seed):
    X = np.random.default_rng(seed).normal(size=(200, 3))
    choice = choose_n_clusters(X, **QUICK)
    assert (choice.n_clusters, choice.clear, choice.has_clusters) == (1, True, False)
    assert choice.reason.startswith("1: no clusters.")
    choice = choose_n_clusters(X, range(2, 7), **QUICK)
    assert choice.n_clusters > 1
    assert not choice.clear
    assert choice.reason.startswith("No clusters stand out")
    assert "a guess" in [row[-1] for row in choice.table()]


def test_without_a_look_at_chance_the_support_decides():
    X = np.random.default_rng(0).normal(size=(200, 3))
    choice = choose_n_clusters(X, range(1, 7), against_chance=False, **QUICK)
    assert (choice.evidence, choice.has_clusters) == ((), None)
    assert choice.n_clusters == 1 + np.argmax(choice.column("support"))


@pytest.mark.parametrize("X", [load_iris().data, np.random.default_rng(0).normal(size=(300, 2))], ids=["iris", "noise"])
def test_what_is_said_of_a_number_does_not_depend_on_the_numbers_that_are_tried(X):
    few, many = (choose_n_clusters(X, numbers, **QUICK).candidates for numbers in (range(2, 4), range(1, 21)))
    for one, other in zip(few, many[1:3], strict=True):
        assert (one.n_clusters, one.persistence) == (other.n_clusters, other.persistence)
        assert (one.agreement, one.stability) == (other.agreement, other.stability)
        assert one.gap == pytest.approx(other.gap, rel=1e-6)


@pytest.mark.parametrize(
    ("load", "k", "clear"), [(load_wine, 3, True), (load_breast_cancer, 2, True), (load_digits, 10, False)]
)
def test_classes_that_are_clusters_are_named(load, k, clear):
    X = load().data if load is load_digits else scale(load().data)
    choice = choose_n_clusters(X, **QUICK)
    assert k in (choice.n_clusters, *choice.near_ties)
    assert choice.clear == clear
    assert choice.has_clusters


def test_two_species_of_iris_may_be_one_cluster():
    choice = choose_n_clusters(load_iris().data, **QUICK)
    assert choice.n_clusters == 2
    assert 3 in choice.near_ties
    assert "need not be clusters" in choice.reason


def test_few_points_are_tried_as_far_as_they_go():
    X = np.random.default_rng(0).normal(size=(8, 2))
    assert choose_n_clusters(X, **QUICK).column("n_clusters").tolist() == list(range(1, 8))


def test_a_notebook_shows_words_and_a_table():
    page = choose_n_clusters(corners(3), range(2, 5), **QUICK)._repr_html_()
    assert "3 clusters: no other number fits as well" in page
    assert page.count("<tr>") == 4
    assert "&lt;- recommended" in page


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
    seed = np.random.RandomState(3).randint(2**31)
    W = nearest_neighbor_affinity(X)
    for candidate in choice.candidates:
        random = np.random.RandomState([seed, candidate.n_clusters])
        with pytest.warns():  # the graph falls into its three clusters
            result = self_supervised_nmf(W, candidate.n_clusters, n_members=5, random_state=random)
        assert candidate.agreement == result.agreement[0]
        assert candidate.stability == np.nanmin(diagnose(result).within)
        assert candidate.support == pytest.approx(np.sqrt(candidate.gap * candidate.persistence))
    eigenvalues, _ = spectrum(W, 5 + LATER)
    np.testing.assert_allclose(choice.column("gap"), spectral_gaps(eigenvalues)[1:4])
    np.testing.assert_allclose(choice.eigenvalues, eigenvalues[:5])


def test_gaps_compare_distances_from_1():
    distance = np.array([0.0, 0.001, 0.1, 0.2])
    raised = distance + 0.002
    np.testing.assert_allclose(spectral_gaps(1 - distance), raised[1:] / raised[:-1])
    np.testing.assert_array_equal(spectral_gaps(np.ones(4)), 1.0)


def test_gaps_are_the_same_however_many_eigenvalues_follow():
    eigenvalues = np.sort(np.random.default_rng(0).uniform(size=40))[::-1]
    few = spectral_gaps(eigenvalues[: 6 + LATER])
    np.testing.assert_array_equal(few[:5], spectral_gaps(eigenvalues)[:5])
    raised = 0.01 * (1 - eigenvalues[3 + LATER])
    assert few[2] == pytest.approx((1 - eigenvalues[3] + raised) / (1 - eigenvalues[2] + raised))


@given(st.integers(0, 1000), st.floats(1e-3, 1e3))
def test_the_scale_of_an_affinity_does_not_matter(seed, factor):
    random = np.random.default_rng(seed)
    A = sp.random_array((30, 30), density=0.2, rng=random).toarray()
    A = A + A.T + np.diag(np.ones(29), 1) + np.diag(np.ones(29), -1)
    found, _ = spectrum(normalized(A), 5)
    np.testing.assert_allclose(found, spectrum(normalized(factor * A), 5)[0], atol=1e-9)
    np.testing.assert_allclose(found, spectrum(normalized(sp.csr_array(A)), 5)[0], atol=1e-9)


def test_a_given_affinity_is_judged_as_the_features_it_came_from():
    X = corners(4)
    W = nearest_neighbor_affinity(X)
    ours = choose_n_clusters(X, range(2, 6), **QUICK)
    theirs = choose_n_clusters(W, range(2, 6), affinity="precomputed", **QUICK)
    np.testing.assert_array_equal(ours.eigenvalues, theirs.eigenvalues)
    assert ours.candidates == theirs.candidates


def test_a_graph_of_ones_own_is_normalised_so_that_heavy_clusters_do_not_hide_the_others():
    A = block_diag(*(weight * np.ones((20, 20)) for weight in (1.0, 5.0, 0.2))) + 1e-3
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
    assert "at least 4 pieces, or nearly, more than were tried" in choice.reason


def test_two_numbers_that_are_equally_good_are_both_named():
    """Three pairs of clusters, the two of a pair as close as the next pair is far."""
    centers = [[0, 0], [3.3, 0], [9, 8], [12.3, 8], [18, 0], [21.3, 0]]
    X, _ = make_blobs(600, centers=np.array(centers, dtype=float), random_state=0)
    choice = choose_n_clusters(X, range(2, 9), **QUICK)
    assert {choice.n_clusters, *choice.near_ties} >= {3, 6}
    assert not choice.clear
    assert choice.reason.startswith("3, 5 or 6") or choice.reason.startswith("3 or 6")


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


def test_a_number_between_two_that_fit_is_said_to_lie_there():
    tried = tuple(
        Candidate(k, support, 1.0, support, 1.0, 1.0) for k, support in ((2, 3.0), (3, 1.0), (4, 2.9), (5, 1.1))
    )
    choice = ClusterCount(2, (4, 3), False, "", (), tried, (), np.ones(6), 0)
    assert [row[-1] for row in choice.table()] == ["", "fits best", "lies between those", "fits about as well", ""]
