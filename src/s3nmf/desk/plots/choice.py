"""What speaks for each number of clusters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from s3nmf._words import counted, listed
from s3nmf.desk.plots.axes import axes_or_new, legend_above, open_frame
from s3nmf.desk.plots.style import COLORS, INK, QUIET
from s3nmf.trust.thresholds import NEAR_TIE

if TYPE_CHECKING:
    from s3nmf.trust.choose_k import ClusterCount

_WORTH_NUMBERS = 20
_OTHER, _CHOSEN = "#D0D0D0", "#9DC3DE"


class ChoiceDisplay:
    """Support, agreement and stability of every number of clusters beyond 1 that was tried, the recommended one marked.

    The support decides: numbers whose bars reach the dotted line fit about as well. Whether there are clusters at all
    is decided by data without any, and said in the title.

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
        several = choice.column("n_clusters") > 1
        numbers, support, agreement, stability = (
            choice.column(name)[several] for name in ("n_clusters", "support", "agreement", "stability")
        )
        heights = support / support.max(initial=1.0)
        chosen = numbers == choice.n_clusters
        ax.bar(numbers, heights, width=0.7, color=_OTHER, label="support, as a share of the largest")
        ax.bar(numbers[chosen], heights[chosen], width=0.7, color=_CHOSEN, edgecolor=INK)
        if numbers.size <= _WORTH_NUMBERS:
            for number, value in zip(numbers, support, strict=True):
                ax.text(number, 0.015, f"{value:.3g}", ha="center", va="bottom", fontsize=8, color=INK)
        ax.axhline(NEAR_TIE, color=QUIET, linewidth=1, linestyle=":", label="above: fit about as well")
        ax.plot(numbers, agreement, marker="o", markersize=5, color=COLORS[0], label="agreement of the runs")
        ax.plot(numbers, stability, marker="s", markersize=5, color=COLORS[1], label="stability, least stable cluster")
        ax.set(xlabel="Number of clusters", ylim=(0, 1.05))
        if numbers.size:
            ax.set_xlim(numbers[0] - 0.6, numbers[-1] + 0.6)
        ax.set_title(_title(choice), loc="left")
        ax.xaxis.get_major_locator().set_params(integer=True)
        legend_above(ax)
        open_frame(ax)
        return self


def _title(choice: ClusterCount) -> str:
    if choice.n_clusters == 1:
        return "1: no clusters"
    if choice.near_ties:
        return f"{listed(sorted([choice.n_clusters, *choice.near_ties]), 'or')} clusters fit about as well"
    many = counted(choice.n_clusters, "cluster")
    return f"{many} recommended" if choice.clear else f"{many}: a guess"
