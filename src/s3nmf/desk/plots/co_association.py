"""Which points the members put together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from s3nmf._types import FloatArray, IntArray
from s3nmf.desk.plots.axes import axes_or_new
from s3nmf.desk.plots.style import INK, apart, legible
from s3nmf.trust.diagnostics import Diagnostics

_MOST_LINES = 40
# The width of a name, as a share of that of the picture.
_NAME = 0.055


@dataclass(frozen=True, eq=False)
class OrderedCoAssociation:
    """Co-association of points in the order of their clusters, in each cluster the surest first.

    Attributes
    ----------
    values : array of shape (n_shown, n_shown)
        Weight of the members of round 1 that put two points into one cluster.
    labels : array of shape (n_shown,)
        Their clusters, in increasing order.
    points : array of shape (n_shown,)
        Which points they are.
    """

    values: FloatArray
    labels: IntArray
    points: IntArray


def ordered_co_association(found: Diagnostics, max_points: int = 500) -> OrderedCoAssociation:
    """The co-association by the members of round 1; of many points every second, third, ... in order is taken.

    Takes 8 max_points^2 bytes, whatever the number of points.
    """
    order = np.lexsort((-found.confidence, found.labels))
    if order.size > max_points:
        order = order[np.linspace(0, order.size - 1, max_points).round().astype(np.intp)]
    values = np.clip(found.co_association.among(order), 0.0, 1.0)
    return OrderedCoAssociation(values, found.labels[order], order)


class CoAssociationDisplay:
    """How often the members of round 1 put two points together, the points in the order of their clusters.

    Dark squares on the diagonal are clusters that no member cut; dark areas beside it are clusters that members mix.

    Parameters
    ----------
    values : array of shape (n_shown, n_shown)
    labels : array of shape (n_shown,)
        Clusters of the points shown, in increasing order.
    n_samples : int
        How many points there are in all; if they are more than shown, the title says so.

    Attributes
    ----------
    ax_ : matplotlib Axes
    figure_ : matplotlib Figure

    Examples
    --------
    >>> from sklearn.datasets import make_blobs
    >>> from s3nmf import S3NMF
    >>> from s3nmf.plots import CoAssociationDisplay
    >>> X, y = make_blobs(120, centers=3, cluster_std=1.5, random_state=4)
    >>> model = S3NMF(3, random_state=0).fit(X)
    >>> display = CoAssociationDisplay.from_estimator(model)
    >>> display.ax_.get_title(loc="left")
    'What the members of round 1 put together'
    """

    ax_: Any
    figure_: Any

    def __init__(self, values: FloatArray, labels: IntArray, n_samples: int) -> None:
        self.values = values
        self.labels = labels
        self.n_samples = n_samples

    @classmethod
    def from_estimator(cls, model: Any, *, max_points: int = 500, ax: Any = None) -> Self:
        """Draw the co-association of a fitted `S3NMF`, of at most so many points."""
        check_is_fitted(model, "result_")
        shown = ordered_co_association(model.diagnose(), max_points)
        return cls(shown.values, shown.labels, model.labels_.size).plot(ax)

    def plot(self, ax: Any = None) -> Self:
        """Draw on these axes, or on new ones."""
        ax = self.ax_ = axes_or_new(ax, (6.0, 5.0))
        self.figure_ = ax.figure
        n = self.labels.size
        image = ax.imshow(
            self.values, cmap="Blues", vmin=0, vmax=1, interpolation="nearest", extent=(0, n, n, 0), origin="upper"
        )
        clusters, starts = np.unique(self.labels, return_index=True)
        ends = np.append(starts[1:], n)
        # Lines between a hundred clusters would hide what is between them.
        for end in ends[:-1] if clusters.size <= _MOST_LINES else ():
            ax.axhline(end, color=INK, linewidth=0.3)
            ax.axvline(end, color=INK, linewidth=0.3)
        middles = (starts + ends) / 2
        named = apart(legible(clusters.size, 25), middles, _NAME * n)
        middles, names = middles[named], clusters[named]
        ax.set_xticks(middles, names)
        ax.set_yticks(middles, names)
        ax.tick_params(length=0)
        sampled = "" if n == self.n_samples else f"\n{n:,} of {self.n_samples:,} points"
        ax.set_title(f"What the members of round 1 put together{sampled}", loc="left")
        ax.set(xlabel="Cluster", ylabel="Cluster")
        self.figure_.colorbar(image, ax=ax, label="Weight of the members that agree", shrink=0.8)
        return self
