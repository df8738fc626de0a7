"""A table most of whose columns are noise is seen in a graph with many more neighbours, and others are not."""

import numpy as np
import pytest
from sklearn.datasets import load_digits, make_blobs
from sklearn.metrics import adjusted_rand_score
from sklearn.preprocessing import scale

from s3nmf import S3NMF


def few_columns(draw, n_clusters=5, size=120):
    """Blobs six standard deviations apart in a few of 50 columns, the others noise, all of one scale."""
    X, y = make_blobs([size] * n_clusters, centers=6 / np.sqrt(2) * np.eye(n_clusters), random_state=draw)
    return scale(np.hstack([X, np.random.default_rng(draw).normal(size=(y.size, 50 - n_clusters))])), y


@pytest.mark.parametrize("draw", [10, 11])
def test_informative_columns_are_found_among_many_of_noise(draw):
    X, y = few_columns(draw)
    model, narrow = S3NMF(5).fit(X), S3NMF(5, n_neighbors=10).fit(X)
    assert adjusted_rand_score(y, narrow.labels_) < 0.7
    assert adjusted_rand_score(y, model.labels_) > 0.8
    assert model.affinity_matrix_.nnz > 4 * narrow.affinity_matrix_.nnz
    np.testing.assert_array_equal(model.predict(X), model.labels_)


def test_no_point_has_more_neighbours_than_half_a_cluster_has_points():
    X, y = few_columns(0, 10, 25)
    assert S3NMF(10).fit(X).affinity_matrix_.nnz <= 2 * 12 * y.size


def test_the_graph_of_data_without_noise_stays():
    X, _ = load_digits(return_X_y=True)
    model, usual = S3NMF(10).fit(X), S3NMF(10, n_neighbors=11).fit(X)
    np.testing.assert_array_equal(model.labels_, usual.labels_)


def test_a_fit_that_is_saved_keeps_how_it_went(tmp_path):
    X, _ = few_columns(0)
    model = S3NMF(5).fit(X)
    model.save(tmp_path / "model")
    before, after = model._trace, S3NMF.load(tmp_path / "model")._trace
    assert before == after
    assert [one["vote"] for one in after["candidates"]][:2] == ["collapsed", "normalized"]
    assert after["chosen"] in {one["vote"] for one in after["candidates"]}
