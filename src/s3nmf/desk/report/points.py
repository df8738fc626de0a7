"""The points as the page's script reads them: columns of small numbers, and their ids."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp

from s3nmf._types import Affinity, FloatArray, IntArray
from s3nmf._words import plain_text
from s3nmf.desk.plots.embedding import central
from s3nmf.partitions import NO_CLUSTER
from s3nmf.trust.diagnostics import Diagnostics

# 20,000 points are some 0.4 MB, their ids at most 1.2 million characters, and 12 of their values 1.3 MB.
MOST_POINTS = 20_000
# Beyond so many, edges are a blot and names do not fit.
MOST_NODES = 500
MOST_EDGES = 4000
_FULL = 65535


@dataclass(frozen=True, eq=False)
class Points:
    """The points of a page, and what a reader is told about them.

    Attributes
    ----------
    shown : array of shape (n_shown,)
        Which points they are, in increasing order.
    ids : list of str, or None
        Their names; None where they are only numbered.
    thing : str
        What a point is called.
    """

    shown: IntArray
    ids: list[str] | None
    thing: str

    def name(self, at: int) -> str:
        """The name of the point at this place among those shown."""
        return f"{self.thing} {self.shown[at]}" if self.ids is None else self.ids[at]


def points_to_show(
    confidence: FloatArray, ids: Sequence[Any] | None, thing: str = "point", most: int = MOST_POINTS
) -> Points:
    """All points; of too many the least certain half of `most`, and of the others every second, third, ..."""
    shown = np.arange(confidence.size)
    if confidence.size > most:
        order = np.argsort(confidence, kind="stable")
        others = order[most // 2 :]
        every = others[np.linspace(0, others.size - 1, most - most // 2).round().astype(np.intp)]
        shown = np.sort(np.concatenate([order[: most // 2], every]))
    return Points(shown, None if ids is None else [plain_text(ids[at]) for at in shown.tolist()], thing)


def columns_of(points: Points, places: FloatArray, labels: IntArray, found: Diagnostics) -> dict[str, Any]:
    """What the script needs to know, with the places of the points shown, as JSON.

    Arrays are in base64: places and clusters are 16-bit integers, shares 32-bit floats, and second choices, which may
    be `NO_CLUSTER`, 32-bit integers.
    """
    shown = points.shown
    low, high = places.min(axis=0), places.max(axis=0)
    span = max(float((high - low).max()), 1e-300)
    x, y = ((places - (low + high) / 2) / span + 0.5).T
    own = labels[shown]
    middles = []
    for cluster in range(found.sizes.size):
        members = np.flatnonzero(own == cluster)
        middles.append(int(members[central(places[members])]) if members.size else -1)
    return {
        "n": int(shown.size),
        "thing": points.thing,
        "ids": points.ids,
        "rows": None if points.ids is not None or shown.size == labels.size else shown.tolist(),
        "x": packed(x * _FULL),
        "y": packed((1 - y) * _FULL),  # the screen counts downwards
        "cluster": packed(np.where(own == NO_CLUSTER, found.sizes.size, own)),  # a group behind all clusters
        "alone": int((own == NO_CLUSTER).sum()),
        "confidence": packed(found.confidence[shown], "<f4"),
        "second": packed(found.second_choice[shown], "<i4"),
        "share": packed(found.second_share[shown], "<f4"),
        "middle": middles,
    }


def edges_to_show(affinity: Affinity, *, given: bool) -> str | None:
    """The ends of the edges, pair by pair, if the user gave a graph, and one whose edges can be told apart."""
    if not given or affinity.shape[0] > MOST_NODES:
        return None
    upper = sp.triu(sp.coo_array(affinity), k=1, format="coo")
    return packed(np.stack(upper.coords, axis=1)) if upper.nnz <= MOST_EDGES else None


def packed_shares(values: FloatArray) -> str:
    """Numbers from 0 to 1, a byte each."""
    return b64encode(np.rint(values * 255).astype(np.uint8).tobytes()).decode("ascii")


def packed(values: Any, dtype: str = "<u2") -> str:
    """Numbers as bytes in base64."""
    if dtype == "<u2":
        values = np.clip(np.rint(values), 0, _FULL)
    return b64encode(np.asarray(values).astype(dtype).tobytes()).decode("ascii")
