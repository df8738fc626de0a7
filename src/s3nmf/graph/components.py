"""Does the graph hang together? Labels of points in different components are only loosely related."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components

from s3nmf._indices import compact
from s3nmf._messages import Message, Parameter, joined
from s3nmf._types import Affinity, IntArray
from s3nmf._validation import MANY_ENTRIES, check_affinity
from s3nmf._warnings import DisconnectedGraphWarning, warn
from s3nmf._words import begun
from s3nmf.partitions import by_decreasing_size

_SHOWN = 8
# By so much of themselves, weights that are meant to be the same may differ.
_ALIKE = 1e-6


@dataclass(frozen=True, eq=False)
class ConnectivityReport:
    """The connected components of an affinity graph.

    Attributes
    ----------
    component_of : array of shape (n_samples,)
        Component of each point, 0 the largest.
    sizes : array of shape (n_components,)
        Points in each component, in decreasing order.
    isolated : array
        Points without any edge to another one.
    """

    component_of: IntArray
    sizes: IntArray
    isolated: IntArray

    @property
    def n_components(self) -> int:
        return int(self.sizes.size)

    @property
    def is_connected(self) -> bool:
        return self.n_components == 1

    def __str__(self) -> str:
        if self.is_connected:
            return f"The graph is connected ({self.component_of.size} points)."
        text = f"The graph has {self.n_components} components, of {begun(self.sizes, _SHOWN)} points."
        if self.isolated.size:
            text += f" Isolated points, without any edge: {self.isolated.size}, rows {begun(self.isolated, _SHOWN)}."
        return text

    def advice(self, n_clusters: int, *, given: bool = False) -> str:
        """What to do about it when looking for this many clusters, in a graph that was built or given."""
        if self.is_connected:
            return "Nothing to do."
        advice: list[str] = []
        if self.isolated.size:
            means = (
                "An isolated point has nothing to be clustered by: S3NMF puts it into no cluster (-1), and the label "
                "that other methods give it means nothing; drop it, or give it"
            )
            keep = "an edge ({binary} and {jaccard} keep edges whose weight vanishes with distance)."
            kernels = {name: Parameter("kernel", name) for name in ("binary", "jaccard")}
            advice.append(f"{means} an edge." if given else joined([means, Message(keep, **kernels)]))
        more = "more edges" if given else Message("more edges (a larger {k})", k=Parameter("n_neighbors"))
        n_others = self.n_components - self.isolated.size
        if n_others > n_clusters:
            advice.append(
                Message(
                    "{pieces} is more than {c}, so unrelated components must share a cluster: join them by {more}, or "
                    "cluster the components one by one.",
                    pieces=f"That, without them {n_others}," if self.isolated.size else "That",
                    c=Parameter("n_clusters", n_clusters),
                    more=more,
                )
            )
        elif not advice:
            advice.append(Message("That is fine if they are your clusters; otherwise join them by {}.", more))
        return joined(advice)


def connectivity(affinity: Any) -> ConnectivityReport:
    """Report the components of a graph: O(edges).

    Examples
    --------
    >>> import numpy as np
    >>> W = np.zeros((5, 5))
    >>> W[0, 1] = W[1, 0] = W[2, 3] = W[3, 2] = 1.0
    >>> report = connectivity(W)
    >>> print(report)
    The graph has 3 components, of 2, 2, 1 points. Isolated points, without any edge: 1, rows 4.
    """
    return components_of(check_affinity(affinity))


def components_of(affinity: Affinity) -> ConnectivityReport:
    """The same for an affinity that has been checked."""
    component_of = by_decreasing_size(_pieces_of_sparse(affinity) if sp.issparse(affinity) else _pieces_of(affinity))
    sizes = np.bincount(component_of)
    return ConnectivityReport(component_of, sizes, isolated=np.flatnonzero(sizes[component_of] == 1))


def joins_all_alike(affinity: Affinity) -> bool:
    """Whether every two points are joined, all by the same weight but for rounding: such a graph has no clusters."""
    n = affinity.shape[0]
    if sp.issparse(affinity):
        others = sp.csr_array(affinity - sp.diags_array(affinity.diagonal())).data
        return np.count_nonzero(others) == n * (n - 1) and bool(others.max() <= others.min() * (1 + _ALIKE))
    rows = affinity if affinity.flags.c_contiguous else affinity.T
    others = rows.ravel()[1:].reshape(n - 1, n + 1)[:, :-1]  # all but the diagonal, and no copy
    return bool(others.max() <= others.min() * (1 + _ALIKE))


def _pieces_of_sparse(affinity: Any) -> IntArray:
    graph = compact(affinity)
    if graph.nnz > MANY_ENTRIES:
        from s3nmf._core.graphs import pieces  # noqa: PLC0415

        found: IntArray = pieces(graph.indptr, graph.indices, np.zeros(graph.shape[0], np.int8))[0]
        return found
    return np.asarray(connected_components(graph, directed=False)[1])


def _pieces_of(affinity: Any) -> IntArray:
    """The same of a dense matrix, which as a sparse one would take three times its memory."""
    piece_of = np.full(affinity.shape[0], -1, dtype=np.intp)
    for piece, first in enumerate(iter(lambda: int(np.argmin(piece_of)), None)):
        if piece_of[first] >= 0:
            break
        piece_of[first], to_visit = piece, [first]
        while to_visit:
            at = to_visit.pop()
            reached = np.flatnonzero(((affinity[at] > 0) | (affinity[:, at] > 0)) & (piece_of < 0))
            piece_of[reached] = piece
            to_visit.extend(reached.tolist())
    return piece_of


def warn_if_disconnected(report: ConnectivityReport, n_clusters: int) -> None:
    if not report.is_connected:
        warn(joined([str(report), report.advice(n_clusters)]), DisconnectedGraphWarning)
