"""docs/toys.png: scikit-learn's comparison of clustering methods on toy data sets, with S3NMF in it.

``python -m benchmarks.members.toys`` from the project's root.
"""

import time
import warnings
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from scipy.optimize import linear_sum_assignment
from sklearn.metrics.cluster import contingency_matrix
from threadpoolctl import threadpool_limits

from benchmarks.members.data import Case, toy_sets
from benchmarks.members.rivals import HDBSCAN_, K_MEANS, LEIDEN, METHODS, MIXTURE, OURS, SPECTRAL, UMAP_, WARD
from s3nmf.metrics import accuracy

SHOWN = (K_MEANS, SPECTRAL, WARD, HDBSCAN_, MIXTURE, LEIDEN, UMAP_, OURS)
# Okabe and Ito's colours, which colour-blind people tell apart, and a marker for each.
COLORS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#000000")
MARKERS = {"o": 6, "s": 5, "^": 7, "D": 5, "v": 7, "*": 9, "P": 6}
SEED, REPEATS = 0, 3


def found_by(method, name, X, y, n_clusters):
    """Labels, and the least CPU seconds of three whole fits from the points, on one thread."""
    seconds = np.inf
    for _ in range(REPEATS):
        case = Case(name, y, X, asked=n_clusters)  # a new one, which has no graph yet
        began = time.process_time()
        with threadpool_limits(1):
            labels = METHODS[method].run(case, SEED)
        seconds = min(seconds, time.process_time() - began)
    return labels[0] if isinstance(labels, tuple) else labels, seconds


def named_alike(X, y, labels):
    """Labels by the class that they fit best, and further clusters after them; without classes, from left to right."""
    _, clusters = np.unique(labels, return_inverse=True)
    n_found = clusters.max() + 1
    if np.unique(y).size == 1:
        return np.argsort(np.argsort([X[clusters == cluster, 0].mean() for cluster in range(n_found)]))[clusters]
    rows, columns = linear_sum_assignment(contingency_matrix(y, clusters), maximize=True)
    name_of = np.full(n_found, -1)
    name_of[columns] = rows
    rest = np.flatnonzero(name_of < 0)
    name_of[rest] = np.setdiff1d(np.arange(n_found + rows.size), rows)[: rest.size]
    return name_of[clusters]


def draw(ax, X, y, labels, seconds):
    """One panel: the clusters, how right they are, and how long they took."""
    for cluster in np.unique(labels):
        marker, size = list(MARKERS.items())[cluster % len(MARKERS)]
        ax.scatter(*X[labels == cluster].T, s=size, color=COLORS[cluster % len(COLORS)], marker=marker, linewidths=0)
    ax.set(xticks=[], yticks=[], xlim=(-2.6, 2.6), ylim=(-3.3, 2.9))
    if np.unique(y).size > 1:
        ax.text(0.03, 0.025, f"{accuracy(y, labels):.3f}", transform=ax.transAxes, fontsize=8)
    ax.text(0.97, 0.025, f"{seconds:.2f} s", transform=ax.transAxes, fontsize=8, ha="right", color="0.35")


def main():
    sets = toy_sets()
    figure, axes = plt.subplots(len(sets), len(SHOWN), figsize=(13, 9.8), layout="constrained")
    for column, method in zip(axes.T, SHOWN, strict=True):
        column[0].set_title(method, fontsize=11, fontweight="bold" if method == OURS else "normal")
        found_by(method, "moons", *sets["moons"])  # compiled loops are read
        for ax, (name, (X, y, n_clusters)) in zip(column, sets.items(), strict=True):
            labels, seconds = found_by(method, name, X, y, n_clusters)
            draw(ax, X, y, named_alike(X, y, labels), seconds)
    for ax, name in zip(axes[:, 0], sets, strict=True):
        ax.set_ylabel(name, fontsize=11)
    figure.supxlabel(
        "bottom left: accuracy; bottom right: CPU seconds of a fit from the points, on one thread",
        fontsize=9,
        color="0.35",
    )
    figure.savefig(Path("docs/toys.png"), dpi=150)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main()
