"""What speaks for each number of clusters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from s3nmf.plots.axes import axes_or_new, open_frame
from s3nmf.plots.style import COLORS, INK, QUIET

if TYPE_CHECKING:
    from s3nmf.choose_k import ClusterCount

_WORTH_NUMBERS = 20


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
        numbers, gaps = self.choice.column("n_clusters"), self.choice.column("gap")
        largest = gaps.max()
        chosen = numbers == self.choice.n_clusters
        bars = ax.bar(
            numbers, gaps / largest, width=0.7, color="#CCCCCC", label="gap in the spectrum (share of the largest)"
        )
        for bar, is_chosen in zip(bars, chosen, strict=True):
            if is_chosen:
                bar.set(color="#9DC3DE", edgecolor=INK, linewidth=1.2)
        if numbers.size <= _WORTH_NUMBERS:
            ax.bar_label(bars, [f"{gap:.3g}" for gap in gaps], fontsize=8, color=QUIET, padding=2)
        ax.axhline(0.5, color=QUIET, linewidth=1, linestyle=":")
        for name, marker, color in (("agreement", "o", COLORS[0]), ("stability", "s", COLORS[5])):
            label = "agreement in round 1" if name == "agreement" else "stability of the least stable cluster"
            ax.plot(numbers, self.choice.column(name), marker=marker, markersize=5, color=color, label=label)
        ax.set(xlabel="Number of clusters", ylim=(0, 1.12))
        clear = "stands out" if self.choice.clear else "does not stand out"
        ax.set_title(f"{self.choice.n_clusters} clusters recommended: the gap {clear}", loc="left")
        ax.xaxis.get_major_locator().set_params(integer=True)
        ax.legend(frameon=False, fontsize=9, loc="upper center", bbox_to_anchor=(0.5, -0.14), ncols=1)
        open_frame(ax)
        return self
