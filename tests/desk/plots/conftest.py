"""A model to draw, and matplotlib without a window."""

import pytest
from sklearn.datasets import make_blobs

from s3nmf import S3NMF


@pytest.fixture(scope="session")
def model():
    X, _ = make_blobs(150, centers=5, cluster_std=2.5, random_state=3)
    return S3NMF(5, random_state=0, n_members=8).fit(X)


@pytest.fixture(autouse=True)
def pyplot():
    matplotlib = pytest.importorskip("matplotlib", reason="needs matplotlib: pip install 's3nmf[plots]'")
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt  # noqa: PLC0415

    return plt
