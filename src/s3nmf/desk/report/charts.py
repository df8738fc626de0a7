"""The small charts of the page as coordinates; the template draws them, so that style and script know their parts.

A chart is as wide as a phone, so that its text is as large there as on a desk, where two stand side by side.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from s3nmf._types import FloatArray, IntArray
from s3nmf.desk.plots.choice import EVIDENCE_TICKS
from s3nmf.desk.plots.style import legible
from s3nmf.desk.plots.tree import tree_of
from s3nmf.trust.thresholds import DOUBTFUL

if TYPE_CHECKING:
    from s3nmf.trust.choose_k import ClusterCount
    from s3nmf.trust.levels import Levels

WIDTH = 340
LEFT, RIGHT, TOP, BOTTOM = 36, 8, 16, 34
# Corners of the outline of a cluster, and dots of a round: more would not be seen.
_CORNERS = 60
_DOTS = 40
_BAR = 0.7
# Of the tree: the height of a row, the radius of a circle with all points and the smallest, and names below it.
_ROW, _RADIUS, _LEAST_RADIUS, _NAMES = 34, 13.0, 2.0, 15
_SHARES = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)


@dataclass(frozen=True)
class Mark:
    """A place on a chart, and the text that belongs there."""

    at: float
    text: str


@dataclass(frozen=True)
class ConfidenceChart:
    """Confidence of the points of each cluster in decreasing order, clusters below each other."""

    height: int
    outlines: tuple[str, ...]
    names: tuple[Mark, ...]
    ticks: tuple[Mark, ...]
    doubtful: float


@dataclass(frozen=True)
class RoundsChart:
    """Agreement of the members, and their weights relative to the largest, by round."""

    height: int
    line: str
    places: tuple[tuple[float, float], ...]
    chosen: tuple[float, float]
    dots: tuple[tuple[float, float], ...]
    names: tuple[Mark, ...]
    ticks: tuple[Mark, ...]


@dataclass(frozen=True)
class Bar:
    """What speaks for one number of clusters."""

    x: float
    y: float
    width: float
    height: float
    chosen: bool
    title: str


@dataclass(frozen=True)
class ChoiceChart:
    """Support, agreement and stability of the numbers of clusters that were tried."""

    height: int
    bars: tuple[Bar, ...]
    limit: float
    names: tuple[Mark, ...]
    ticks: tuple[Mark, ...]


@dataclass(frozen=True)
class Circle:
    """A cluster of a level; `found` is its number among those that were found, if it is one of them."""

    x: float
    y: float
    r: float
    found: int | None
    title: str


@dataclass(frozen=True)
class BorderLine:
    """The weakest border of a level."""

    first: float
    last: float
    y: float
    is_real: bool
    words: str


@dataclass(frozen=True)
class LevelsChart:
    """The tree of levels."""

    height: int
    branches: tuple[tuple[float, float, float, float], ...]
    circles: tuple[Circle, ...]
    borders: tuple[BorderLine, ...]
    names: tuple[Mark, ...]
    ticks: tuple[Mark, ...]


def levels_chart(levels: Levels) -> LevelsChart:
    """A row a level, of one cluster at the top."""
    rows = tree_of(levels)
    ys = [TOP + _ROW / 2 + _ROW * at for at in range(len(rows))]
    circles, branches, borders = [], [], []
    for at, row in enumerate(rows):
        xs = [round(float(_across(node.x)), 1) for node in row.nodes]
        for node, x in zip(row.nodes, xs, strict=True):
            radius = max(_LEAST_RADIUS, _RADIUS * node.share**0.5)
            title = f"{node.size:,} in cluster {node.cluster} of {row.n_clusters}"
            circles.append(Circle(x, ys[at], round(radius, 1), node.found, title))
            if node.parent is not None:
                above = round(float(_across(rows[at - 1].nodes[node.parent].x)), 1)
                branches.append((above, ys[at - 1], x, ys[at]))
        if row.joins is not None:
            first, last = sorted(xs[cluster] for cluster in row.joins)
            borders.append(BorderLine(first, last, ys[at], row.is_real, row.words))
    found = rows[-1]
    return LevelsChart(
        height=round(ys[-1] + _ROW / 2 + BOTTOM),
        branches=tuple(branches),
        circles=tuple(circles),
        borders=tuple(borders),
        names=tuple(
            Mark(round(float(_across(found.nodes[k].x)), 1), str(k)) for k in legible(found.n_clusters, _NAMES)
        ),
        ticks=tuple(Mark(y, str(row.n_clusters)) for y, row in zip(ys, rows, strict=True)),
    )


def confidence_chart(labels: IntArray, confidence: FloatArray) -> ConfidenceChart:
    n, n_clusters = labels.size, int(labels.max()) + 1
    height = 300
    room = height - TOP - BOTTOM
    gap = 0.15 * n / n_clusters
    unit = room / (n + gap * (n_clusters - 1))
    outlines, middles, start = [], [], 0.0
    for cluster in range(n_clusters):
        own = np.sort(confidence[labels == cluster])[::-1]
        top, bottom = TOP + unit * start, TOP + unit * (start + own.size)
        levels = own[np.linspace(0, own.size - 1, min(_CORNERS, own.size)).round().astype(np.intp)]
        edges = np.linspace(top, bottom, levels.size + 1)
        corners = [(LEFT, top)]
        for x, upper, lower in zip(_across(levels), edges[:-1], edges[1:], strict=True):
            corners += [(x, upper), (x, lower)]
        outlines.append(_path([*corners, (LEFT, bottom)]))
        middles.append((top + bottom) / 2)
        start += own.size + gap
    return ConfidenceChart(
        height=height,
        outlines=tuple(outlines),
        names=tuple(Mark(round(middles[cluster], 1), str(cluster)) for cluster in legible(n_clusters, 20)),
        ticks=tuple(Mark(round(float(_across(share)), 1), f"{share:g}") for share in _SHARES),
        doubtful=round(float(_across(DOUBTFUL)), 1),
    )


def rounds_chart(agreement: FloatArray, weights: Sequence[FloatArray], chosen_round: int) -> RoundsChart:
    height = 260
    n_rounds = agreement.size
    x = LEFT + (np.arange(n_rounds) + 0.5) / n_rounds * (WIDTH - LEFT - RIGHT)
    y = _up(agreement, height)
    places = _rounded(x, y)
    dots = []
    for middle, alpha in zip(x, weights, strict=True):
        shown = np.sort(alpha)[np.linspace(0, alpha.size - 1, min(_DOTS, alpha.size)).round().astype(np.intp)]
        beside = middle + np.linspace(-0.2, 0.2, shown.size) * (WIDTH - LEFT - RIGHT) / n_rounds
        dots += _rounded(beside, _up(shown / alpha.max(), height))
    return RoundsChart(
        height=height,
        line=_points(places),
        places=tuple(places),
        chosen=places[chosen_round - 1],
        dots=tuple(dots),
        names=tuple(Mark(places[at][0], str(at + 1)) for at in legible(n_rounds, 16)),
        ticks=_share_ticks(height),
    )


def choice_chart(choice: ClusterCount) -> ChoiceChart:
    height = 260
    numbers = np.array([one.n_clusters for one in choice.shown])
    step = (WIDTH - LEFT - RIGHT) / numbers.size
    x: FloatArray = np.asarray(LEFT + (np.arange(numbers.size) + 0.5) * step, dtype=np.float64)
    tops = _up(np.array([one.height for one in choice.shown]), height)
    bars = tuple(
        Bar(
            x=round(float(middle - _BAR * step / 2), 1),
            y=round(float(top), 1),
            width=round(_BAR * step, 1),
            height=round(float(height - BOTTOM - top), 1),
            chosen=bool(number == choice.n_clusters),
            title=f"{one.n_clusters} clusters: {'all' if one.is_supported else 'not all'} borders are real",
        )
        for one, number, middle, top in zip(choice.shown, numbers, x, tops, strict=True)
    )
    return ChoiceChart(
        height=height,
        bars=bars,
        limit=round(float(_up(0.5, height)), 1),
        names=tuple(
            Mark(round(float(middle), 1), f"{number:.0f}")
            for number, middle in zip(numbers, x, strict=True)
            if number % legible(numbers.size, 12).step == 0
        ),
        ticks=tuple(Mark(round(float(_up(at, height)), 1), text) for at, text in EVIDENCE_TICKS.items()),
    )


def _across(share: FloatArray | float) -> FloatArray:
    """From left to right, for 0 to 1."""
    return np.asarray(LEFT + np.asarray(share) * (WIDTH - LEFT - RIGHT))


def _up(share: FloatArray | float, height: int) -> FloatArray:
    """From the bottom to the top, for 0 to 1."""
    return np.asarray(height - BOTTOM - np.asarray(share) * (height - TOP - BOTTOM))


def _share_ticks(height: int) -> tuple[Mark, ...]:
    return tuple(Mark(round(float(_up(share, height)), 1), f"{share:g}") for share in _SHARES)


def _rounded(x: FloatArray, y: FloatArray) -> list[tuple[float, float]]:
    return [(round(float(across), 1), round(float(up), 1)) for across, up in zip(x, y, strict=True)]


def _points(places: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:g},{y:g}" for x, y in places)


def _path(corners: Sequence[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in corners) + "Z"
