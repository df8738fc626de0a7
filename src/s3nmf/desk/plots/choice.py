"""What speaks for each number of clusters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np

from s3nmf._words import counted, listed
from s3nmf.desk.plots.axes import axes_or_new, legend_above, open_frame
from s3nmf.desk.plots.style import INK, QUIET

if TYPE_CHECKING:
    from s3nmf.trust.choose_k import ClusterCount

# A real border has an evidence of 1, which is half of the height of a bar; more than twice of it is not told apart.
EVIDENCE_TICKS = {0.0: "0", 0.5: "1", 1.0: "2+"}
_OTHER, _CHOSEN = "#D0D0D0", "#9DC3DE"


class ChoiceDisplay:
    """The evidence for the weakest border at every number of clusters that was looked at, the recommended one marked.

    At numbers whose bars reach the dotted line every border is real. The largest of them is recommended; the others are
    coarser levels of the same data.

    Parameters
    ----------
    choice : ClusterCount
        What `s3nmf.choose_n_clusters` returned.

    Attributes
    ----------
    ax_ : matplotlib Axes
    figure_ : matplotlib Figure

    Examples
    --------
    >>> from sklearn.datasets import make_blobs
    >>> from s3nmf import choose_n_clusters
    >>> from s3nmf.plots import ChoiceDisplay
    >>> X, y = make_blobs(200, centers=[[0, 0], [6, 0], [0, 6]], random_state=0)
    >>> choice = choose_n_clusters(X, range(2, 6), random_state=0)
    >>> ChoiceDisplay.from_choice(choice).ax_.get_title(loc="left")
    '3 clusters recommended'
    """

    ax_: Any
    figure_: Any

    def __init__(self, choice: ClusterCount) -> None:
        self.choice = choice

    @classmethod
    def from_choice(cls, choice: ClusterCount, *, ax: Any = None) -> Self:
        """Draw what `s3nmf.choose_n_clusters` returned."""
        return cls(choice).plot(ax)

    def plot(self, ax: Any = None) -> Self:
        """Draw on these axes, or on new ones."""
        ax = self.ax_ = axes_or_new(ax)
        self.figure_ = ax.figure
        choice = self.choice
        numbers = np.array([one.n_clusters for one in choice.shown])
        heights = np.array([one.height for one in choice.shown])
        chosen = numbers == choice.n_clusters
        ax.bar(numbers, heights, width=0.7, color=_OTHER, label="evidence for the weakest border")
        ax.bar(numbers[chosen], heights[chosen], width=0.7, color=_CHOSEN, edgecolor=INK)
        ax.axhline(0.5, color=QUIET, linewidth=1, linestyle=":", label="from here on, every border is real")
        ax.set(xlabel="Number of clusters", ylabel="Evidence", ylim=(0, 1.05))
        if numbers.size:
            ax.set_xlim(numbers[0] - 0.6, numbers[-1] + 0.6)
        ax.set_title(_title(choice), loc="left")
        ax.xaxis.get_major_locator().set_params(integer=True)
        legend_above(ax)
        ax.set_yticks(list(EVIDENCE_TICKS), list(EVIDENCE_TICKS.values()))
        open_frame(ax)
        return self


def _title(choice: ClusterCount) -> str:
    if choice.n_clusters == 1:
        return "1: no clusters"
    if choice.near_ties:
        return f"{choice.n_clusters} clusters recommended, {listed(choice.near_ties)} nearly as good"
    many = counted(choice.n_clusters, "cluster")
    return f"{many} recommended" if choice.has_clusters else f"{many}: a guess"
