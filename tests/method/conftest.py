"""A graph whose clusters touch, so that members have something to disagree about."""

import pytest
from sklearn.datasets import make_blobs

from s3nmf.affinity import nearest_neighbor_affinity


@pytest.fixture(scope="session")
def blobs_affinity():
    X, _ = make_blobs(300, centers=6, cluster_std=2.5, random_state=0)
    return nearest_neighbor_affinity(X)
