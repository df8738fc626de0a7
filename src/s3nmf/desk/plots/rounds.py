"""How the members came to agree."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from s3nmf._types import FloatArray
from s3nmf.desk.plots.axes import axes_or_new, legend_above, open_frame
from s3nmf.desk.plots.style import COLORS, INK, QUIET


class RoundsDisplay:
    """Agreement of the members and the spread of their weights, round by round.

    Parameters
    ----------
    agreement : array of shape (n_rounds,)
        ANMI of the members of each round.
    weights : sequence of arrays of shape (n_members,)
        Weights of the members of each round.
    chosen_round : int
        Counted from 1.

    Attributes
    ----------
    ax_ : matplotlib Axes
    figure_ : matplotlib Figure

    Examples
    --------
    >>> from sklearn.datasets import make_blobs
    >>> from s3nmf import S3NMF
    >>> from s3nmf.plots import RoundsDisplay
    >>> X, y = make_blobs(120, centers=3, cluster_std=1.5, random_state=4)
    >>> model = S3NMF(3, random_state=0).fit(X)
    >>> display = RoundsDisplay.from_estimator(model)
    >>> display.ax_.get_title(loc="left")
    'How the members came to agree'
    """

    ax_: Any
    figure_: Any

    def __init__(self, agreement: FloatArray, weights: Sequence[FloatArray], chosen_round: int) -> None:
        self.agreement = agreement
        self.weights = weights
        self.chosen_round = chosen_round

    @classmethod
    def from_estimator(cls, model: Any, *, ax: Any = None) -> Self:
        """Draw the rounds of a fitted `S3NMF`."""
        check_is_fitted(model, "result_")
        result = model.result_
        return cls(result.agreement, [found.weights for found in result.history], result.chosen_round).plot(ax)

    def plot(self, ax: Any = None) -> Self:
        """Draw on these axes, or on new ones."""
        ax = self.ax_ = axes_or_new(ax)
        self.figure_ = ax.figure
        rounds = np.arange(1, len(self.agreement) + 1)
        for number, weights in zip(rounds, self.weights, strict=True):
            # Side by side in the order of their weights, so that equal ones do not hide each other.
            beside = number + np.linspace(-0.12, 0.12, weights.size) if weights.size > 1 else np.array([number])
            relative = np.sort(weights) / weights.max()
            label = "weight of each member (1: the largest)" if number == 1 else None
            ax.plot(beside, relative, linestyle="", marker=".", markersize=4, color=QUIET, alpha=0.7, label=label)
        ax.plot(rounds, self.agreement, marker="o", color=COLORS[0], linewidth=2, label="agreement (ANMI)")
        ax.plot(
            [self.chosen_round],
            [self.agreement[self.chosen_round - 1]],
            linestyle="",
            marker="o",
            markersize=13,
            markerfacecolor="none",
            markeredgecolor=INK,
            markeredgewidth=1.5,
            label="chosen round",
        )
        ax.set(xlabel="Round", ylim=(-0.04, 1.08), xlim=(0.5, rounds[-1] + 0.5))
        ax.set_title("How the members came to agree", loc="left")
        ax.xaxis.get_major_locator().set_params(integer=True)
        legend_above(ax)
        open_frame(ax)
        return self
