"""docs/methods.png: k-means, the default and every method of the paper on three small data sets, beside each other."""

from __future__ import annotations

import time
import warnings
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from sklearn.base import clone
from sklearn.cluster import KMeans
from sklearn.datasets import make_blobs, make_moons

from s3nmf import S3NMF, methods
from s3nmf.metrics import accuracy

COLORS = ("#0072B2", "#E69F00", "#009E73")
MARKERS = "os^"
SEED = 0
COLUMNS = 8


def data_sets():
    """Two moons, three blobs of unequal width, three stretched ones."""
    yield make_moons(300, noise=0.08, random_state=1)
    yield make_blobs(300, centers=3, cluster_std=[1.0, 2.5, 0.5], random_state=170)
    X, y = make_blobs(300, centers=3, random_state=170)
    yield X @ np.array([[0.6, -0.6], [-0.4, 0.8]]), y


def draw(ax, X, y, method):
    """The clusters that one method finds, how right they are, and how long it took."""
    n_clusters = int(y.max()) + 1
    began = time.perf_counter()
    labels = method.set_params(n_clusters=n_clusters, random_state=SEED).fit_predict(X)
    seconds = time.perf_counter() - began
    for cluster in range(n_clusters):
        ax.scatter(*X[labels == cluster].T, s=6, color=COLORS[cluster], marker=MARKERS[cluster], linewidths=0)
    ax.set(xticks=[], yticks=[])
    ax.margins(0.05, 0.17)
    ax.text(0.03, 0.03, f"{accuracy(y, labels):.2f}", transform=ax.transAxes, fontsize=9)
    ax.text(0.97, 0.03, f"{seconds:.2f} s", transform=ax.transAxes, fontsize=8, ha="right", color="0.35")


def main() -> None:
    """Bands of eight methods."""
    shown = {"k-means": KMeans(n_init=1), "S3NMF, default": S3NMF(), **methods()}
    shown["S3NMF, paper's"] = shown.pop("S3NMF")
    n_bands = -(-len(shown) // COLUMNS)
    figure, axes = plt.subplots(3 * n_bands, COLUMNS, figsize=(12.5, 4.8 * n_bands), layout="constrained")
    columns = axes.reshape(n_bands, 3, COLUMNS).transpose(0, 2, 1).reshape(COLUMNS * n_bands, 3)
    for ax in columns[len(shown) :].flat:
        ax.set_axis_off()
    for (name, method), column in zip(shown.items(), columns, strict=False):
        column[0].set_title(name, fontsize=10, fontweight="bold" if "S3NMF" in name else "normal")
        for ax, (X, y) in zip(column, data_sets(), strict=True):
            draw(ax, X, y, clone(method))
    figure.savefig(Path(__file__).with_name("methods.png"), dpi=90)


if __name__ == "__main__":
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for method in (S3NMF(), *methods().values()):  # compile first, so that the seconds are those of the methods
            method.set_params(n_clusters=2, random_state=SEED).fit(make_moons(60, noise=0.1, random_state=0)[0])
        main()
