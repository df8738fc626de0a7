"""The tree of levels: which clusters are parts of which."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from sklearn.utils.validation import check_is_fitted

from s3nmf._words import counted
from s3nmf.desk.plots.axes import axes_or_new, halo, open_frame
from s3nmf.desk.plots.style import COLORS, QUIET, color_of, legible
from s3nmf.desk.plots.tree import Row, tree_of

if TYPE_CHECKING:
    from s3nmf.trust.levels import Levels

# The area of a circle with all points, and the smallest, in square points.
_ALL, _LEAST = 900.0, 12.0
_JOINED = "#B8B8B8"
_NOT_REAL = COLORS[1]


class LevelsDisplay:
    """The clusters, and what they become at coarser levels: a row a level, circles by size, lines where points go.

    In each row a dotted line joins the two clusters with the weakest border, which are one cluster in the row above;
    beside it stands how many edges cross that border, of those that cross inside the clusters.

    Parameters
    ----------
    levels : Levels
        `levels_` of a fitted `S3NMF`.

    Attributes
    ----------
    ax_ : matplotlib Axes
    figure_ : matplotlib Figure

    Examples
    --------
    >>> from sklearn.datasets import make_blobs
    >>> from s3nmf import S3NMF
    >>> from s3nmf.plots import LevelsDisplay
    >>> X, y = make_blobs(400, centers=[[0, 0], [4.5, 0], [0, 6], [4.5, 6]], random_state=0)
    >>> LevelsDisplay.from_estimator(S3NMF(4).fit(X)).ax_.get_title(loc="left")
    '4 clusters and their coarser levels'
    """

    ax_: Any
    figure_: Any

    def __init__(self, levels: Levels) -> None:
        self.levels = levels

    @classmethod
    def from_estimator(cls, model: Any, *, ax: Any = None) -> Self:
        """Draw the levels of a fitted `S3NMF`."""
        check_is_fitted(model, "result_")
        return cls(model.levels_).plot(ax)

    def plot(self, ax: Any = None) -> Self:
        """Draw on these axes, or on new ones."""
        rows = tree_of(self.levels)
        ax = self.ax_ = axes_or_new(ax, (6.4, max(2.4, 1.0 + 0.55 * len(rows))))
        self.figure_ = ax.figure
        for y, row in enumerate(rows):
            _draw_row(ax, y, row, rows[y - 1] if y else None)
        last = rows[-1]
        shown = legible(last.n_clusters, 20)
        ax.set_xticks([last.nodes[k].x for k in shown], [str(k) for k in shown])
        ax.set_yticks(range(len(rows)), [str(row.n_clusters) for row in rows])
        ax.set(xlim=(0, 1), ylim=(len(rows) - 0.4, -1.0), xlabel="Cluster", ylabel="Number of clusters")
        several = last.n_clusters > 1
        title = f"{counted(last.n_clusters, 'cluster')}{' and their coarser levels' if several else ''}"
        ax.set_title(title, loc="left")
        if several:
            _legend(ax)
        open_frame(ax)
        return self


def _draw_row(ax: Any, y: int, row: Row, above: Row | None) -> None:
    for node in row.nodes:
        if above is not None and node.parent is not None:
            ax.plot([above.nodes[node.parent].x, node.x], [y - 1, y], color=_JOINED, linewidth=1, zorder=1)
    if row.joins is not None:
        x = sorted(row.nodes[cluster].x for cluster in row.joins)
        color = QUIET if row.is_real else _NOT_REAL
        ax.plot(x, [y, y], color=color, linewidth=1.5, linestyle=":", zorder=1)
        ax.annotate(
            row.words,
            ((x[0] + x[1]) / 2, y),
            xytext=(0, 3),
            textcoords="offset points",
            ha="center",
            fontsize=7,
            color=color,
            path_effects=halo(),
            zorder=3,
        )
    ax.scatter(
        [node.x for node in row.nodes],
        [y] * len(row.nodes),
        s=[max(_LEAST, _ALL * node.share) for node in row.nodes],
        c=[_JOINED if node.found is None else color_of(node.found) for node in row.nodes],
        edgecolors="white",
        linewidths=0.8,
        zorder=2,
        clip_on=False,
    )


def _legend(ax: Any) -> None:
    for color, words in ((QUIET, "weakest border: edges across, of those inside"), (_NOT_REAL, "not real")):
        ax.plot([], [], color=color, linewidth=1.5, linestyle=":", label=words)
    ax.legend(frameon=False, fontsize=8, loc="upper center", ncols=2, borderaxespad=0.2)
