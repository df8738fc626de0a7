"""What speaks for each number of clusters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from s3nmf._words import counted
from s3nmf.judgement.thresholds import CLEAR_LEAD
from s3nmf.plots.axes import axes_or_new, open_frame
from s3nmf.plots.style import COLORS, INK, QUIET

if TYPE_CHECKING:
    from s3nmf.choose_k import ClusterCount

_WORTH_NUMBERS = 20
_GAP, _CHOSEN = "#D0D0D0", "#9DC3DE"


class ChoiceDisplay:
    """Gap, agreement and stability of every number of clusters that was tried, the recommended one marked.

    The gaps decide: a recommendation is clear if every other bar ends below one half.

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
    '3 clusters recommended: the gap stands out'
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
        numbers, gaps = choice.column("n_clusters"), choice.column("gap")
        heights = gaps / gaps.max()
        chosen = numbers == choice.n_clusters
        ax.bar(numbers, heights, width=0.7, color=_GAP, label="gap, as a share of the largest")
        ax.bar(numbers[chosen], heights[chosen], width=0.7, color=_CHOSEN, edgecolor=INK)
        if numbers.size <= _WORTH_NUMBERS:
            for number, gap in zip(numbers, gaps, strict=True):
                ax.text(number, 0.015, f"{gap:.3g}", ha="center", va="bottom", fontsize=8, color=INK)
        ax.axhline(1 / CLEAR_LEAD, color=QUIET, linewidth=1, linestyle=":", label="clear if all others end below")
        agreement, stability = choice.column("agreement"), choice.column("stability")
        ax.plot(numbers, agreement, marker="o", markersize=5, color=COLORS[0], label="agreement in round 1")
        ax.plot(numbers, stability, marker="s", markersize=5, color=COLORS[5], label="stability, least stable cluster")
        ax.set(xlabel="Number of clusters", xlim=(numbers[0] - 0.6, numbers[-1] + 0.6), ylim=(0, 1.05))
        many = counted(choice.n_clusters, "cluster")
        ax.set_title(f"{many} recommended: the gap {'stands' if choice.clear else 'does not stand'} out", loc="left")
        ax.xaxis.get_major_locator().set_params(integer=True)
        ax.legend(frameon=False, fontsize=9, loc="upper center", bbox_to_anchor=(0.5, -0.14), ncols=2)
        open_frame(ax)
        return self
