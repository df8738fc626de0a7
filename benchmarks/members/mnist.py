"""docs/mnist.png: what S3NMF finds in all of MNIST, and the images that it doubts most.

``python -m benchmarks.members.mnist`` from the project's root.
"""

import warnings
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from scipy.optimize import linear_sum_assignment
from sklearn.metrics import confusion_matrix

from benchmarks.members.data import case_of
from benchmarks.members.rivals import s3nmf

SEED = 0
ROWS, COLUMNS = 5, 8
RIGHT, WRONG = "#0072B2", "#D55E00"


def named_by_digit(y, labels):
    """Clusters by the digits that they fit best, one to one."""
    table = confusion_matrix(y, labels)
    digits, clusters = linear_sum_assignment(table, maximize=True)
    name_of = np.empty(table.shape[1], int)
    name_of[clusters] = digits
    return name_of[labels]


def draw_confusion(ax, table):
    """Counts by digit and cluster; the shade is the share of the digit, by its root, so that few are seen."""
    ax.imshow(np.sqrt(table / table.sum(axis=1, keepdims=True)), cmap="Blues", vmin=0, vmax=1)
    for digit, cluster in np.ndindex(table.shape):
        if table[digit, cluster]:
            color = "white" if digit == cluster else "black"
            ax.text(cluster, digit, f"{table[digit, cluster]:,}", ha="center", va="center", fontsize=7.5, color=color)
    ax.set(xticks=range(10), yticks=range(10), xlabel="cluster, named by its digit", ylabel="digit")


def draw_doubted(figure, X, y, named, confidence):
    """The images with the lowest confidence, each with its digit, and where it was put."""
    axes = figure.subplots(ROWS, COLUMNS)
    doubted = np.argsort(confidence, kind="stable")[: ROWS * COLUMNS]
    for ax, image in zip(axes.flat, doubted, strict=True):
        ax.imshow(X[image].reshape(28, 28), cmap="gray_r")
        right = named[image] == y[image]
        text = f"{y[image]}" if right else f"{y[image]} in {named[image]}"
        ax.set_title(text, fontsize=9, color=RIGHT if right else WRONG, fontweight="normal" if right else "bold", pad=2)
        ax.set(xticks=[], yticks=[])
    return int((named[doubted] != y[doubted]).sum())


def main():
    case = case_of("MNIST", 0)
    labels, confidence, _ = s3nmf(case, SEED)
    named = named_by_digit(case.y, labels)
    figure = plt.figure(figsize=(13, 5.6), layout="constrained")
    left, right = figure.subfigures(1, 2, width_ratios=[1, 1.15])
    draw_confusion(left.subplots(), confusion_matrix(case.y, named))
    left.suptitle(f"70,000 images, no label seen: {np.mean(named == case.y):.1%} right", fontsize=12)
    n_wrong = draw_doubted(right, case.X, case.y, named, confidence)
    title = f"The {ROWS * COLUMNS} images it doubts most: {n_wrong} are wrong (orange: digit in cluster)"
    right.suptitle(title, fontsize=12)
    figure.savefig(Path("docs/mnist.png"), dpi=100)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main()
