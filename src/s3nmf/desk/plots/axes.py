"""Where a display draws: the axes it is given, or new ones. Matplotlib is imported here and nowhere else."""

from __future__ import annotations

from typing import Any

# Two lines of a legend, as a share of the height of the axes below them.
_ROOM_FOR_LEGEND = 0.2


def axes_or_new(ax: Any, size: tuple[float, float] = (6.4, 4.4)) -> Any:
    """The given axes; without any, new ones in a figure of this size in inches."""
    if ax is not None:
        return ax
    try:
        import matplotlib.pyplot as plt  # noqa: PLC0415
    except ImportError as error:
        raise ImportError("Plots need matplotlib. Install it with pip install 's3nmf[plots]'.") from error
    return plt.subplots(figsize=size, layout="constrained")[1]


def open_frame(ax: Any) -> None:
    """Leave out the frame's top and right side, which carry no numbers."""
    ax.spines[["top", "right"]].set_visible(False)


def legend_above(ax: Any) -> None:
    """A legend of shares above the line of 1, within the axes: outside of them, savefig may cut it off."""
    low, high = ax.get_ylim()
    ax.set_ylim(low, high + _ROOM_FOR_LEGEND * (high - low))
    ax.set_yticks([tenths / 10 for tenths in range(0, 11, 2)])
    ax.legend(frameon=False, fontsize=8, loc="upper center", ncols=2, borderaxespad=0.2)


def halo(width: float = 2.5) -> list[Any]:
    """A white rim that keeps text legible on top of points."""
    from matplotlib import patheffects  # noqa: PLC0415

    return [patheffects.withStroke(linewidth=width, foreground="white")]
