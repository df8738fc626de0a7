"""The dot plot of marker genes: how many cells of each cluster express them, and how strongly."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from s3nmf._words import percent, plain_text
from s3nmf.desk.markers import Markers
from s3nmf.desk.plots.style import RAMP
from s3nmf.desk.report.charts import Mark

# Of each cluster, and of all; fewer of each where there are many clusters.
_OF_CLUSTER, _MOST_GENES = 4, 60
_LEFT, _TOP, _STEP, _RADIUS, _LETTER = 36, 12, 20, 8.5, 7.2


@dataclass(frozen=True)
class Dot:
    """A gene in a cluster; `shade` is its place on the ramp."""

    x: float
    y: float
    r: float
    shade: int
    title: str


@dataclass(frozen=True)
class DotPlot:
    """Clusters below each other, and genes beside each other, in the order of the clusters that they mark."""

    width: int
    height: int
    dots: tuple[Dot, ...]
    genes: tuple[Mark, ...]
    clusters: tuple[Mark, ...]
    bottom: float


def dot_plot(markers: Markers) -> DotPlot | None:
    """The genes with the best scores of each cluster; None where there are none."""
    n_clusters = len(markers.clusters)
    each = max(1, min(_OF_CLUSTER, _MOST_GENES // n_clusters))
    number = {gene: at for at, gene in enumerate(markers.genes)}
    chosen = list(dict.fromkeys(number[one.gene] for k in range(n_clusters) for one in markers.of(k, each)))
    if not chosen:
        return None
    means, shares = markers.means[:, chosen], markers.inside[:, chosen]
    low, span = means.min(axis=0), np.maximum(np.ptp(means, axis=0), np.finfo(np.float64).tiny)
    shades = np.minimum((means - low) / span * len(RAMP), len(RAMP) - 1).astype(int)
    xs = [_LEFT + _STEP * (at + 0.5) for at in range(len(chosen))]
    ys = [_TOP + _STEP * (k + 0.5) for k in range(n_clusters)]
    names = [plain_text(markers.genes[j]) for j in chosen]
    dots = tuple(
        Dot(
            x,
            y,
            round(float(_RADIUS * shares[k, at] ** 0.5), 1),
            int(shades[k, at]),
            _title(names[at], k, shares[k, at]),
        )
        for k, y in enumerate(ys)
        for at, x in enumerate(xs)
        if shares[k, at] > 0
    )
    bottom = _TOP + _STEP * n_clusters
    return DotPlot(
        width=round(xs[-1] + _STEP),
        height=round(bottom + _LETTER * max(map(len, names)) + 10),
        dots=dots,
        genes=tuple(Mark(x, name) for x, name in zip(xs, names, strict=True)),
        clusters=tuple(Mark(y, str(k)) for k, y in enumerate(ys)),
        bottom=bottom,
    )


def _title(gene: str, cluster: int, share: float) -> str:
    return f"{gene}: in {percent(share, 1)} of cluster {cluster}"


def _radius(share: float) -> float:
    """The area of a dot is the share."""
    return round(float(_RADIUS * share**0.5), 1)
