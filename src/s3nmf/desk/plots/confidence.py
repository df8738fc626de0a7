"""How sure the partition is of each point, cluster by cluster."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from s3nmf._types import FloatArray, IntArray
from s3nmf.desk.plots.axes import axes_or_new, open_frame
from s3nmf.desk.plots.style import INK, QUIET, apart, color_of, legible
from s3nmf.trust.thresholds import DOUBTFUL

# The height of a name, as a share of that of the picture.
_NAME = 0.036


class ConfidenceDisplay:
    """Confidence of the points of each cluster in decreasing order, clusters below each other, as in a silhouette plot.

    Parameters
    ----------
    labels : array of shape (n_samples,)
    confidence : array of shape (n_samples,)

    Attributes
    ----------
    ax_ : matplotlib Axes
    figure_ : matplotlib Figure

    Examples
    --------
    >>> from sklearn.datasets import make_blobs
    >>> from s3nmf import S3NMF
    >>> from s3nmf.plots import ConfidenceDisplay
    >>> X, y = make_blobs(120, centers=3, cluster_std=1.5, random_state=4)
    >>> model = S3NMF(3, random_state=0).fit(X)
    >>> display = ConfidenceDisplay.from_estimator(model)
    >>> display.ax_.get_title(loc="left")
    'How sure the partition is of each point'
    """

    ax_: Any
    figure_: Any

    def __init__(self, labels: IntArray, confidence: FloatArray) -> None:
        self.labels = labels
        self.confidence = confidence

    @classmethod
    def from_estimator(cls, model: Any, *, ax: Any = None) -> Self:
        """Draw the confidence of a fitted `S3NMF`."""
        check_is_fitted(model, "confidence_")
        return cls(model.result_.labels, model.confidence_).plot(ax)

    def plot(self, ax: Any = None) -> Self:
        """Draw on these axes, or on new ones."""
        ax = self.ax_ = axes_or_new(ax, (6.4, 5.2))
        self.figure_ = ax.figure
        n, n_clusters = self.labels.size, int(self.labels.max()) + 1
        gap = 0.15 * n / n_clusters  # clusters stay apart by more than their colours
        start, middles = 0.0, []
        for cluster in range(n_clusters):
            own = np.sort(self.confidence[self.labels == cluster])[::-1]
            steps = start + np.arange(own.size + 1)
            ax.stairs(own, steps, orientation="horizontal", fill=True, color=color_of(cluster), linewidth=0)
            middles.append(start + own.size / 2)
            start += own.size + gap
        ax.axvline(DOUBTFUL, color=INK, linewidth=1, linestyle=":")
        mean = float(self.confidence.mean())
        ax.axvline(mean, color=INK, linewidth=1)
        for text, at, side in (
            (f"mean {mean:.2f}", mean, "right" if mean < DOUBTFUL or mean > 0.85 else "left"),
            (f"doubtful below {DOUBTFUL:g}", DOUBTFUL, "left" if mean < DOUBTFUL else "right"),
        ):
            ax.annotate(
                text, (at, 1), (0, 3), xycoords=ax.get_xaxis_transform(), textcoords="offset points", va="bottom",
                ha="left" if at < 0.15 else side, fontsize=9, color=QUIET,
            )  # fmt: skip
        named = apart(legible(n_clusters, 25), middles, _NAME * start)
        ax.set_yticks([middles[cluster] for cluster in named], named)
        ax.tick_params(axis="y", length=0)
        ax.set(xlim=(0, 1), ylim=(start - gap, 0), xlabel="Confidence", ylabel="Cluster")
        ax.set_title("How sure the partition is of each point", loc="left", pad=20)
        open_frame(ax)
        return self
