"""What the page says of clusters and of points."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from s3nmf._messages import spelled
from s3nmf._types import FloatArray, IntArray
from s3nmf._words import counted, number, percent, plain_text, two_digits
from s3nmf.desk.app.edits import Edited
from s3nmf.desk.app.opening import in_words
from s3nmf.desk.report import charts
from s3nmf.desk.report.features import Trait, profiles_of
from s3nmf.desk.sources import Graph, Table
from s3nmf.partitions import NO_CLUSTER
from s3nmf.trust import Verdict
from s3nmf.trust.choose_k import ClusterCount
from s3nmf.trust.thresholds import is_doubtful

# Points in the list of those to look at first.
_LISTED = 200
# Columns of a point that are shown.
_COLUMNS = 12


@dataclass(frozen=True, eq=False)
class Shown:
    """Clusters that are ready to be looked at.

    Attributes
    ----------
    edited : Edited
    data : Table or Graph
    values : array of shape (n_rows, n_columns), or None
        In the units of the file; None for a graph.
    typical : array of shape (n_clusters, n_columns), or None
        The median of each column in each cluster.
    spread : array of shape (n_columns,), or None
        The standard deviation of each column.
    traits : for each cluster the features that set it apart
    order : array
        The points to look at, the least certain first.
    """

    edited: Edited
    data: Table | Graph
    values: FloatArray | None
    typical: FloatArray | None
    spread: FloatArray | None
    traits: tuple[tuple[Trait, ...], ...]
    order: IntArray

    @property
    def n_found(self) -> int:
        return len(self.edited.names)

    def name(self, cluster: int) -> str:
        """What the visitor calls a cluster."""
        return "No cluster" if cluster == NO_CLUSTER else self.edited.names[cluster] or f"Cluster {cluster}"


def shown(edited: Edited, data: Table | Graph, values: FloatArray | None) -> Shown:
    """Look at all points once, with values in the units of the file: O(n_rows n_columns)."""
    model = edited.model
    labels, order = model.labels_, np.argsort(model.confidence_, kind="stable")[:_LISTED]
    model.judge()
    len(model.levels_)  # found here, not while a visitor waits for the page
    if values is None or not isinstance(data, Table):
        return Shown(edited, data, None, None, None, ((),) * len(edited.names), order)
    typical = np.array([np.median(values[labels == k], axis=0) for k in range(len(edited.names))])
    profiles = profiles_of(values, labels, [plain_text(name) for name in data.columns])
    traits = tuple(profiles.traits(k) for k in range(len(edited.names)))
    spread = np.maximum(values.std(axis=0), np.finfo(np.float64).tiny)
    return Shown(edited, data, values, typical, spread, traits, order)


def of_clusters(found: Shown) -> dict[str, Any]:
    """The verdict, the clusters and the points to look at first, as JSON has it."""
    model, verdict = found.edited.model, found.edited.model.judge()
    return {
        "verdict": _verdict(verdict),
        "clusters": [_cluster(found, verdict, k) for k in range(found.n_found)],
        "points": [_point(found, row) for row in found.order.tolist()],
        "n": int(model.labels_.size),
        "n_doubtful": verdict.n_doubtful,
        "levels": _levels(model),
        "edits": list(found.edited.notes),
    }


def _levels(model: Any) -> dict[str, Any] | None:
    """The tree of levels with its places, as on the page of a report; None of one cluster."""
    if model.n_clusters_ < 2:
        return None
    room = {"width": charts.WIDTH, "left": charts.LEFT, "bottom": charts.BOTTOM}
    return {**asdict(charts.levels_chart(model.levels_)), **room}


def of_count(count: ClusterCount) -> dict[str, Any]:
    """What speaks for each number of clusters."""
    return {
        "n_clusters": count.n_clusters,
        "reason": str(count.reason),
        "candidates": [
            {"n_clusters": one.n_clusters, "height": one.height, "is_supported": one.is_supported}
            for one in count.shown
        ],
        "near_ties": list(count.near_ties),
    }


def of_point(found: Shown, row: int) -> dict[str, Any]:
    """A point beside what is typical of its cluster and of its second choice, the most telling columns first."""
    point = _point(found, row)
    if found.values is None or found.typical is None or not isinstance(found.data, Table):
        return point
    own, second = point["cluster"], point["second"]
    other = found.typical.mean(axis=0) if second is None else found.typical[second]
    apart = np.abs(found.typical[own] - other) / found.spread
    telling = np.argsort(-apart, kind="stable")[:_COLUMNS]
    point["columns"] = [
        {
            "name": plain_text(found.data.columns[j]),
            "value": number(float(found.values[row, j])),
            "own": number(float(found.typical[own, j])),
            "second": None if second is None else number(float(found.typical[second, j])),
            "place": _between(found.values[row, j], found.typical[own, j], other[j]),
        }
        for j in telling
    ]
    point["left_out"] = len(found.data.columns) - len(telling)
    return point


def _between(value: float, own: float, other: float) -> float:
    """Where a value lies on the way from what is typical of its own cluster, 0, to what is of the other, 1."""
    way = other - own
    return 0.0 if way == 0 else float(np.clip((value - own) / way, -0.4, 1.4))


def _verdict(verdict: Verdict) -> dict[str, Any]:
    return {
        "count": verdict.count,
        "judgement": verdict.judgement,
        "sentences": list(verdict.sentences),
        "doubts": [{"what": doubt.what, "why": spelled(doubt.why, in_words)} for doubt in verdict.doubts],
        "trusted": verdict.has_so_many,
    }


def _cluster(found: Shown, verdict: Verdict, k: int) -> dict[str, Any]:
    model = found.edited.model
    own = model.labels_ == k
    size, n_doubtful = int(own.sum()), int(verdict.doubtful_in[k])
    return {
        "name": found.edited.names[k],
        "size": size,
        "share": percent(size, own.size),
        "doubtful": f"{counted(n_doubtful, 'point')} in doubt" if n_doubtful else "none in doubt",
        "traits": [
            f"{trait.feature} {number(trait.inside)}, elsewhere {number(trait.outside)}" for trait in found.traits[k]
        ],
    }


def _point(found: Shown, row: int) -> dict[str, Any]:
    model = found.edited.model
    second = int(model.second_choice_[row])
    return {
        "row": row,
        "id": plain_text(found.data.ids[row]),
        "cluster": int(model.labels_[row]),
        "confidence": two_digits(float(model.confidence_[row])),
        "doubtful": bool(is_doubtful(model.confidence_[row])),
        "second": None if second == NO_CLUSTER else second,
        "share": two_digits(float(model.diagnose().second_share[row])),
    }
