"""The number of clusters of a table with many rows: a sample is searched, and the borders between all points decide."""

from dataclasses import replace

import pytest
from sklearn.datasets import make_blobs

from s3nmf import S3NMF, choose_n_clusters
from s3nmf.estimators import judging, self_supervised
from s3nmf.trust.settings import NUMBER_SEARCH

N_SAMPLED = 200
pytestmark = pytest.mark.filterwarnings("ignore::s3nmf.DisconnectedGraphWarning")


@pytest.fixture(autouse=True)
def small_sample(monkeypatch):
    small = replace(NUMBER_SEARCH, most_points=N_SAMPLED)
    monkeypatch.setattr(judging, "NUMBER_SEARCH", small)
    monkeypatch.setattr(self_supervised, "NUMBER_SEARCH", small)


def blobs(distance, seed):
    """Three clusters apart, and a fourth so far from the first."""
    return make_blobs(3000, centers=[[0, 0], [distance, 0], [0, 12], [12, 0]], random_state=seed)[0]


@pytest.mark.parametrize(("distance", "seed", "sampled"), [(3.6, 0, 3), (3.4, 1, 6)])
def test_all_points_show_clusters_that_a_sample_hides_and_not_those_of_chance(distance, seed, sampled):
    X = blobs(distance, seed)
    assert choose_n_clusters(X, max_samples=N_SAMPLED).n_clusters == sampled
    model = S3NMF().fit(X)
    assert model.n_clusters_ == model.choice_.n_clusters == 4
    assert model.judge().has_so_many
    assert "4 clusters" in model.choice_.reason
    assert {4, 5, 6} <= {one.n_clusters for one in model.choice_.candidates}


def test_numbers_that_were_not_asked_for_are_not_tried():
    model = S3NMF(n_clusters=[2, 3, 6]).fit(blobs(3.6, 0))
    assert {one.n_clusters for one in model.choice_.candidates} <= {2, 3, 6}


def test_where_a_sample_has_no_clusters_there_is_one(monkeypatch):
    monkeypatch.setattr(S3NMF, "_recounted", None)  # would be called
    X = make_blobs(1000, centers=1, random_state=0)[0]
    assert S3NMF().fit(X).n_clusters_ == 1
