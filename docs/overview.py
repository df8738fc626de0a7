"""Draw docs/overview.png: two single factorizations of the digits, and S3NMF with its confidence."""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from scipy.optimize import linear_sum_assignment
from sklearn.datasets import load_digits
from sklearn.manifold import TSNE
from sklearn.metrics.cluster import contingency_matrix

from s3nmf import S3NMF, SymNMF
from s3nmf.metrics import accuracy

# Ten colours that stay apart for colour-blind readers (Paul Tol's "muted", and grey).
COLOURS = np.array(
    ["#332288", "#88CCEE", "#44AA99", "#117733", "#999933", "#DDCC77", "#CC6677", "#882255", "#AA4499", "#888888"]
)


def named_alike(labels, reference):
    """The same clusters, with the names of the reference's clusters that they match best."""
    rows, columns = linear_sum_assignment(contingency_matrix(reference, labels), maximize=True)
    return rows[np.argsort(columns)][labels]


def main():
    X, y = load_digits(return_X_y=True)
    place = TSNE(random_state=0, init="pca").fit_transform(X)
    singles = [SymNMF(10, random_state=seed).fit_predict(X) for seed in (0, 1)]
    model = S3NMF(10, random_state=0).fit(X)

    figure, axes = plt.subplots(1, 3, figsize=(12, 4.3), layout="constrained")
    for seed, (axis, labels) in enumerate(zip(axes, singles, strict=False)):
        axis.scatter(*place.T, s=5, c=COLOURS[named_alike(labels, model.labels_)], linewidths=0)
        axis.set_title(f"One symmetric NMF, seed {seed}\naccuracy {accuracy(y, labels):.2f}", fontsize=11)
    doubted = model.confidence_ < np.quantile(model.confidence_, 0.15)
    axes[2].scatter(*place[~doubted].T, s=5, c=COLOURS[model.labels_[~doubted]], linewidths=0)
    axes[2].scatter(*place[doubted].T, s=9, c="white", edgecolors=COLOURS[model.labels_[doubted]], linewidths=0.7)
    axes[2].set_title(
        f"S3NMF: 20 members agree\naccuracy {accuracy(y, model.labels_):.2f}; open circles: the least certain 15 %",
        fontsize=11,
    )
    for axis in axes:
        axis.set_axis_off()
    figure.savefig(Path(__file__).with_name("overview.png"), dpi=110)


if __name__ == "__main__":
    main()
