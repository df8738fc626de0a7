"""The data of the measurements: the paper's, and Gaussian mixtures of any size. Graphs are built once and kept."""

import os
import tempfile
from functools import partial
from pathlib import Path

import numpy as np
import scipy.sparse as sp
from sklearn.datasets import make_blobs, make_swiss_roll

from experiments.datasets import data_directory, load
from s3nmf.affinity import nearest_neighbor_affinity

CACHE = Path(os.environ.get("S3NMF_BENCHMARK_CACHE", Path(tempfile.gettempdir()) / "s3nmf-benchmark"))


def mixture(n):
    """Ten Gaussian clusters in 32 dimensions, which overlap a little."""
    rng = np.random.default_rng(0)
    centers = rng.normal(size=(10, 32)) * 1.5
    labels = rng.integers(10, size=n)
    return (centers[labels] + rng.normal(size=(n, 32))).astype(np.float32), labels


def mnist():
    """All 70,000 images, and their digits."""
    with np.load(data_directory() / "mnist.npz") as file:
        return file["X"].astype(np.float32), file["y"]


def blobs(n, n_features):
    """Twenty Gaussian clusters, some of which touch."""
    return make_blobs(n, n_features, centers=20, cluster_std=2.0, random_state=0)[0]


def copies(n):
    """Points of which there are a few thousand different ones: of some a handful of copies, of others hundreds."""
    rng = np.random.default_rng(0)
    different = rng.normal(size=(3000, 20))
    return different[(3000 * rng.random(n) ** 3).astype(int)]


def unequal_densities(n):
    """Gaussian clusters of very different spread: half of the points are in one, of a thousandth."""
    rng = np.random.default_rng(0)
    parts = ((1e-3, n // 2, 0), (0.1, n // 3, 3), (10, n // 7, 5), (100, n // 60, 0))
    return np.vstack([spread * rng.normal(size=(size, 10)) + centre for spread, size, centre in parts])


# What neighbours are searched for in.
TABLES = {
    "MNIST": lambda: mnist()[0],
    **{f"blobs in {d} dimensions": partial(blobs, 60_000, d) for d in (5, 20, 50, 200)},
    "uniform": lambda: np.random.default_rng(0).random((100_000, 16)),
    "Swiss roll": lambda: make_swiss_roll(100_000, noise=0.1, random_state=0)[0],
    "many copies": partial(copies, 60_000),
    "unequal densities": partial(unequal_densities, 60_000),
    "three values a column": lambda: np.random.default_rng(0).integers(0, 3, (60_000, 12)).astype(float),
    "a million points": partial(blobs, 1_000_000, 16),
}


def uspst():
    _, X, y = load("USPST")
    return X, y


def graph(name, features, **search):
    """W of the features, built once."""
    path = CACHE / f"{name}.npz"
    if not path.exists():
        CACHE.mkdir(parents=True, exist_ok=True)
        W = nearest_neighbor_affinity(features()[0], **search)
        sp.save_npz(path, sp.csr_matrix(W), compressed=False)
    return sp.csr_array(sp.load_npz(path))


def mixture_graph(n):
    return graph(f"mixture-{n}", lambda: mixture(n))


def mnist_graph():
    return graph("mnist", mnist, search="exact")


def uspst_graph():
    return graph("uspst", uspst)
