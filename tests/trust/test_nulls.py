import numpy as np
import pytest
import scipy.sparse as sp

from s3nmf.trust.nulls import one_cloud, rewired, same_radii


@pytest.fixture
def points():
    """On their principal axes, with two clusters and an axis along which nothing varies."""
    random = np.random.default_rng(0)
    X = random.normal(size=(4000, 3)) * [5.0, 2.0, 0.0]
    X[:2000, 0] += 40
    return X


@pytest.mark.parametrize("kind", [one_cloud, same_radii])
def test_the_spread_is_kept_and_the_clusters_are_not(kind, points):
    null = kind(points, np.random.default_rng(1))
    assert null.shape == points.shape
    np.testing.assert_allclose(null.std(axis=0), points.std(axis=0), rtol=0.06)
    np.testing.assert_allclose(null.mean(axis=0), points.mean(axis=0), atol=2.0)
    middle = np.abs(points[:, 0] - points[:, 0].mean()) < 5
    assert middle.mean() < 0.01
    assert (np.abs(null[:, 0] - null[:, 0].mean()) < 5).mean() > 0.1


def test_the_radii_of_points_stay(points):
    mean, spread = points.mean(axis=0), np.where(points.std(axis=0, ddof=1) > 0, points.std(axis=0, ddof=1), 1.0)
    null = same_radii(points, np.random.default_rng(2))
    radii = [np.linalg.norm((X - mean) / spread, axis=1) for X in (points, null)]
    np.testing.assert_allclose(*radii)


def test_a_rewired_graph_keeps_the_number_of_edges_and_no_communities():
    blocks = np.kron(np.eye(4), 1.0 - np.eye(25))
    null = rewired(sp.csr_array(blocks), 1000, np.random.default_rng(0))
    assert null.shape == (100, 100)
    assert (null != null.T).nnz == 0
    assert null.sum() == pytest.approx(blocks.sum(), rel=0.01)
    inside = null.toarray()[blocks > 0].sum() / null.sum()
    assert 0.15 < inside < 0.35


def test_a_large_graph_is_rewired_in_small():
    W = sp.csr_array(np.kron(np.eye(40), 1.0 - np.eye(5)))
    assert rewired(W, 50, np.random.default_rng(0)).shape == (50, 50)
