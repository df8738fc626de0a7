"""docs/method.png: a table of two large and two small groups on its way to labels."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.collections import LineCollection
from sklearn.datasets import make_blobs

from s3nmf import S3NMF, Recipe
from s3nmf.affinity import nearest_neighbor_affinity
from s3nmf.graph.operators import CoAssociation

COLORS = np.array(["#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00"])
CENTERS = [[0, 0], [5, 0], [0, 5], [5, 5]]
WORDS = {"collapsed": "vote by S", "normalized": "by degree-normalised S"}


def scatter(ax, X, labels, size=3.0):
    """Points in the colours of their clusters, the sixth and later ones in grey."""
    color = np.where(labels < len(COLORS), COLORS[np.minimum(labels, len(COLORS) - 1)], "0.6")
    ax.scatter(*X.T, s=size, c=color, linewidths=0)
    ax.set(xticks=[], yticks=[], aspect="equal")


def panel(figure, title):
    """One step, of four parts."""
    figure.suptitle(title, fontsize=10)
    return figure.subplots(2, 2).ravel()


def main() -> None:
    """Five steps, from left to right."""
    X, y = make_blobs([260, 260, 30, 30], centers=CENTERS, random_state=1)
    order = np.argsort(y, kind="stable")
    model = S3NMF(4).fit(X)
    first = model.result_.history[0]
    whole = plt.figure(figsize=(13, 2.9), layout="constrained")
    figures = whole.subfigures(1, 5)

    figures[0].suptitle("1 graph of neighbours", fontsize=10)
    ax = figures[0].subplots()
    W = nearest_neighbor_affinity(X).tocoo()
    ax.add_collection(LineCollection(X[np.column_stack([W.row, W.col])], colors="0.75", linewidths=0.3, zorder=0))
    scatter(ax, X, np.full(len(X), 9))

    views = panel(figures[1], "2 members: communities")
    for ax, member in zip(views, (0, 1, 2, 3), strict=True):
        scatter(ax, X, first.member_labels[member].astype(int), 1.5)

    figures[2].suptitle("3 votes: co-association S", fontsize=10)
    S = CoAssociation(first.member_labels, first.weights).among(order)
    figures[2].subplots().imshow(S, cmap="Blues", interpolation="nearest")
    for ax in figures[2].axes:
        ax.set(xticks=[], yticks=[])

    figures[3].suptitle("4 candidates, scored", fontsize=10)
    shown = model.result_.trace.candidates
    for ax, one in zip(figures[3].subplots(len(shown), 1), shown, strict=True):
        alone = S3NMF(4, recipe=replace(Recipe(), similarity=one.vote)).fit(X)
        scatter(ax, X, alone.labels_, 1.5)
        ax.set_xlabel(f"{WORDS[one.vote]}: conductance {one.max_conductance:.3f}", fontsize=8)

    figures[4].suptitle("5 labels; open: in doubt", fontsize=10)
    ax = figures[4].subplots()
    scatter(ax, X, model.labels_)
    doubt = model.confidence_ < 0.5
    ax.scatter(*X[doubt].T, s=22, facecolors="none", edgecolors="0.2", linewidths=0.6)
    whole.savefig(Path(__file__).with_name("method.png"), dpi=90)


if __name__ == "__main__":
    main()
