"""The data of the measurements: the paper's, and Gaussian mixtures of any size. Graphs are built once and kept."""

import os
import tempfile
from pathlib import Path

import numpy as np
import scipy.sparse as sp

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
