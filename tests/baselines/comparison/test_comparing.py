"""Methods beside each other, in Python."""

import sys

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.datasets import make_blobs

from s3nmf import S3NMF, compare_methods
from s3nmf.affinity import nearest_neighbor_affinity
from s3nmf.baselines.comparison import contestants, running
from s3nmf.baselines.comparison.contestants import Contestant, Problem
from s3nmf.baselines.comparison.leiden import about_so_many, leiden
from s3nmf.baselines.comparison.running import run_each
from s3nmf.metrics import accuracy, aligned

X, y = make_blobs(150, centers=[[0, 0], [8, 0], [4, 7]], cluster_std=1.3, random_state=0)
KNOWN = ["default", "k-means", "Gaussian mixture", "HDBSCAN", "Leiden"]


@pytest.fixture(scope="module")
def found():
    return compare_methods(X, 3, methods=[*KNOWN, "SC"], truth=y, random_state=0)


def test_what_people_know_is_compared_and_finds_blobs(found):
    assert [fit.title for fit in found.fits] == ["S3NMF by default", *KNOWN[1:], "spectral clustering"]
    for fit in found.fits:
        assert fit.scores.accuracy > 0.9
        assert fit.n_clusters == 3
        assert fit.seconds > 0


@pytest.mark.filterwarnings("ignore::s3nmf.DisconnectedGraphWarning")
def test_clusters_have_the_numbers_of_those_of_the_first(found):
    first = found.fits[0].labels
    assert first.tolist() == S3NMF(3, random_state=0).fit(X).labels_.tolist()
    for fit in found.fits:
        assert (fit.labels[fit.labels >= 0] == first[fit.labels >= 0]).mean() > 0.9


def test_points_in_no_cluster_stay_there_are_counted_and_are_never_right(found):
    fit = next(fit for fit in found.fits if fit.name == "HDBSCAN")
    assert fit.n_noise == (fit.labels == -1).sum() > 0
    assert fit.scores.accuracy <= 1 - fit.n_noise / 150
    assert f"HDBSCAN left {fit.n_noise} points in no cluster." in found.notes


def test_a_notebook_shows_a_table(found):
    shown = found._repr_html_()
    assert shown.count("<tr>") == 1 + len(found.fits)
    assert "Gaussian mixture" in shown
    assert "Closest to the known groups" in str(found)


def test_alignment_is_one_to_one():
    labels = np.array([0, 0, 0, 1, 1, 2, 3, -1])
    renamed = aligned(labels, np.array([5, 5, 5, 5, 5, 1, -1, 0]))
    assert renamed[[0, 5, 7]].tolist() == [5, 1, -1]
    assert accuracy(labels, renamed) == 1
    assert aligned(np.array([-1, -1]), np.array([0, 1])).tolist() == [-1, -1]


@pytest.mark.parametrize("n_clusters", [2, 3, 5])
def test_leiden_gives_about_so_many(n_clusters):
    labels = leiden(nearest_neighbor_affinity(X), n_clusters, 0)
    assert abs(int(labels.max()) + 1 - n_clusters) <= 1
    np.testing.assert_array_equal(labels, leiden(nearest_neighbor_affinity(X).toarray(), n_clusters, 0))


def test_the_nearest_number_is_taken_where_no_resolution_gives_that_many():
    assert about_so_many(lambda resolution: [0, 1, 2, 3] if resolution > 1 else [0, 0, 0, 1], 3).max() + 1 in (2, 4)


def test_leiden_is_left_out_where_igraph_is_not_installed(monkeypatch):
    monkeypatch.setattr(contestants, "find_spec", lambda name: None)
    found = compare_methods(X, 3, methods=["KMeans", "Leiden"], random_state=0)
    assert [fit.name for fit in found.fits] == ["KMeans"]
    assert "Left out Leiden, which needs igraph: pip install 's3nmf[leiden]'." in found.notes


def test_igraph_is_not_imported_to_compare_others():
    contestants.chosen(["KMeans"], 10, has_points=True)
    assert "igraph" not in contestants.__dict__
    assert "igraph" not in sys.modules["s3nmf.baselines.comparison.leiden"].__dict__


@pytest.mark.parametrize("convert", [sp.csr_array, np.asarray])
def test_seconds_are_those_of_a_second_run(convert, monkeypatch):
    """The first is on a tiny problem of the same kind, for which the same loops are compiled."""
    now, seen = [0.0], []
    monkeypatch.setattr(running.time, "perf_counter", lambda: now[0])

    def compiles_first(problem):
        now[0] += 30.0 if not seen else 2.0
        seen.append(problem)
        return np.zeros(problem.affinity.shape[0], dtype=int)

    W = convert(nearest_neighbor_affinity(X).toarray())
    (fit,) = run_each([Contestant("SC", compiles_first)], Problem(X, W, 3, 0))
    assert fit.seconds == 2.0
    tiny, real = seen
    assert tiny.affinity.shape[0] < 50
    assert type(tiny.affinity) is type(real.affinity)
    assert tiny.affinity.dtype == real.affinity.dtype
    assert type(tiny.points) is type(real.points)


@pytest.mark.filterwarnings("ignore::s3nmf.DisconnectedGraphWarning")
def test_the_tiny_problem_is_one_that_every_method_can_solve():
    W = nearest_neighbor_affinity(X)
    tiny = running._tiny(Problem(X, W, 3, 0))
    for method in contestants.contestants().values():
        assert method.labels_for(tiny).shape == (24,)


def test_what_cannot_be_compared_is_explained():
    with pytest.raises(ValueError, match=r"methods holds 'DBSCAN', which is none. Choose from default, KMeans,"):
        compare_methods(X, 3, methods=["DBSCAN"])
    with pytest.raises(ValueError, match=r"No method could be run. Left out k-means, which needs columns"):
        compare_methods(nearest_neighbor_affinity(X), 3, methods=["k-means"], affinity="precomputed")
