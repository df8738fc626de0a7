"""The points on a plane."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from s3nmf._types import FloatArray, IntArray
from s3nmf._words import counted
from s3nmf.desk.layout import graph_layout
from s3nmf.desk.plots.axes import axes_or_new, halo
from s3nmf.desk.plots.style import INK, QUIET, color_of, marker_of
from s3nmf.trust.thresholds import DOUBTFUL, is_doubtful

# A point of 10,000 is drawn with a few of matplotlib's square points, one of 30 with many.
_AREA = 20_000.0
_SMALLEST, _LARGEST = 4.0, 40.0
_FEW = 200
_MANY = 20


class EmbeddingDisplay:
    """The points of the graph on a plane, by cluster; open marks are points to doubt.

    Clusters differ in colour and in shape, and their numbers are written on them.

    Parameters
    ----------
    positions : array of shape (n_samples, 2)
    labels : array of shape (n_samples,)
    confidence : array of shape (n_samples,)
        Points below 0.5 are drawn open and on top of the others.

    Attributes
    ----------
    ax_ : matplotlib Axes
    figure_ : matplotlib Figure

    Examples
    --------
    >>> from sklearn.datasets import make_blobs
    >>> from s3nmf import S3NMF
    >>> from s3nmf.plots import EmbeddingDisplay
    >>> X, y = make_blobs(120, centers=3, cluster_std=1.5, random_state=4)
    >>> model = S3NMF(3, random_state=0).fit(X)
    >>> display = EmbeddingDisplay.from_estimator(model)
    >>> display.ax_.get_title(loc="left")
    '120 points in 3 clusters'
    """

    ax_: Any
    figure_: Any

    def __init__(self, positions: FloatArray, labels: IntArray, confidence: FloatArray) -> None:
        self.positions = positions
        self.labels = labels
        self.confidence = confidence

    @classmethod
    def from_estimator(cls, model: Any, *, ax: Any = None) -> Self:
        """Lay out the graph of a fitted `S3NMF`, see `s3nmf.layout.graph_layout`, and draw it."""
        check_is_fitted(model, "confidence_")
        return cls(graph_layout(model.affinity_matrix_), model.result_.labels, model.confidence_).plot(ax)

    def plot(self, ax: Any = None) -> Self:
        """Draw on these axes, or on new ones."""
        ax = self.ax_ = axes_or_new(ax, (6.4, 5.6))
        self.figure_ = ax.figure
        n, n_clusters = self.labels.size, int(self.labels.max()) + 1
        area = float(np.clip(_AREA / n, _SMALLEST, _LARGEST))
        doubtful = is_doubtful(self.confidence)
        for cluster in range(n_clusters):
            own, marker, color = self.labels == cluster, marker_of(cluster), color_of(cluster)
            sure, open_ = self.positions[own & ~doubtful], self.positions[own & doubtful]
            ax.scatter(*sure.T, s=area, marker=marker, color=color, linewidths=0, zorder=2)
            ax.scatter(
                *open_.T, s=1.6 * area, marker=marker, facecolors="white", edgecolors=color, linewidths=0.8, zorder=3
            )
        size = 11 if n_clusters <= _MANY else 7
        above = 10 if n <= _FEW or n_clusters > _MANY else 0  # on top of few points a number would hide them
        for cluster in range(n_clusters):
            own = self.positions[self.labels == cluster]
            x, y = own[central(own)]
            ax.annotate(
                str(cluster), (x, y), (0, above), textcoords="offset points", ha="center", va="center", fontsize=size,
                weight="bold", color=INK, path_effects=halo(2.0), zorder=4,
            )  # fmt: skip
        ax.set_aspect("equal", adjustable="datalim")
        ax.set(xticks=[], yticks=[])
        ax.spines[:].set_visible(False)
        ax.set_title(f"{counted(n, 'point')} in {counted(n_clusters, 'cluster')}", loc="left")
        if doubtful.any():
            marked = counted(int(doubtful.sum()), "point")
            ax.set_xlabel(f"Open marks: {marked} with a confidence below {DOUBTFUL:g}", color=QUIET)
        return self


def central(positions: FloatArray) -> int:
    """The point that is nearest to the median of all: unlike the median, it lies where points are."""
    return int(np.argmin(np.linalg.norm(positions - np.median(positions, axis=0), axis=1)))
