"""How clusters look: the same in every picture and in the report."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

# Okabe and Ito's colours, which stay apart for colour-blind readers, without those that vanish on white or on black.
COLORS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#888888")
# Five shapes and seven colours have no common divisor: 35 clusters look different, and neighbours differ in both.
MARKERS = ("o", "s", "^", "D", "v")
INK = "#222222"
QUIET = "#777777"


def color_of(cluster: int) -> str:
    return COLORS[cluster % len(COLORS)]


def marker_of(cluster: int) -> str:
    return MARKERS[cluster % len(MARKERS)]


def legible(n_clusters: int, room: int) -> range:
    """The clusters to name where there is room for so many names: all, or every second, fifth, tenth, ..."""
    step = 1
    for step in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000):
        if n_clusters <= room * step:
            break
    return range(0, n_clusters, step)


def apart(names: Iterable[int], places: Sequence[float], least: float) -> list[int]:
    """Those of the clusters whose names do not run into that of the one before, if they are this far from it.

    Examples
    --------
    >>> apart(range(4), [0.0, 5.0, 6.0, 9.0], 3.0)
    [0, 1, 3]
    """
    kept: list[int] = []
    for name in names:
        if not kept or places[name] - places[kept[-1]] >= least:
            kept.append(name)
    return kept
