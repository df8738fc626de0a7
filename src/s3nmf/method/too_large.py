"""What a fit will need, by its points and edges alone: refused before the first copy of anything, not an hour later."""

from __future__ import annotations

from typing import Any, NamedTuple

import scipy.sparse as sp

from s3nmf._memory import refuse_if_too_large
from s3nmf.method.factorize import bytes_of_factors
from s3nmf.method.members import Communities, FirstRound
from s3nmf.method.paper import Factorizations
from s3nmf.method.recipe import Precision

# Measured at the peak of fits of ten thousand to ten million points (docs/reliability.md), beside the data.
_BYTES_A_POINT = 160.0
_BYTES_AN_EDGE = 20.0
# As an edge, in single precision, and a little on the way.
_BYTES_OF_A_DENSE_ENTRY = 11.0
# Shares of the clusters in a point and in its neighbours, and a little on the way.
_BYTES_OF_A_SHARE = 18.0
# Neighbours and distances as they are found, and the graph of them as it is made symmetric.
_BYTES_A_NEIGHBOR = 75.0
# Of that, what is kept to the end.
_BYTES_OF_A_KEPT_NEIGHBOR = 35.0


class Size(NamedTuple):
    """Points, entries of the affinity, bytes to make it and to have it as a graph, and those that a fit keeps of it."""

    n_samples: int
    n_entries: int
    bytes_of_graph: float
    bytes_kept: float = 0.0


def entries_of(affinity: Any) -> Size:
    """The size of an affinity that is there; of anything else, nothing is said."""
    shape = getattr(affinity, "shape", (0,))
    if len(shape) != 2:
        return Size(0, 0, 0.0)
    if sp.issparse(affinity):
        return Size(shape[0], affinity.nnz, _BYTES_AN_EDGE * affinity.nnz)
    return Size(shape[0], shape[0] ** 2, _BYTES_OF_A_DENSE_ENTRY * shape[0] ** 2)


def entries_among(X: Any, n_neighbors: int) -> Size:
    """The least size of the affinity of features: each point has its neighbours."""
    n_entries = X.shape[0] * n_neighbors
    made = (_BYTES_A_NEIGHBOR + _BYTES_AN_EDGE) * n_entries
    return Size(X.shape[0], n_entries, made, _BYTES_OF_A_KEPT_NEIGHBOR * n_entries)


def needed_bytes(members: FirstRound, precision: Precision, size: Size, n_members: int, n_clusters: int) -> float:
    """What a fit takes at its peak, in its first round or for the shares at its end; 0 where it is not known."""
    n = size.n_samples
    at_the_end = size.bytes_kept + n * (n_members + _BYTES_OF_A_SHARE * n_clusters)
    if isinstance(members, Communities):
        return max(size.bytes_of_graph + n * (n_members + _BYTES_A_POINT), at_the_end)
    if isinstance(members, Factorizations):
        return max(size.bytes_of_graph + bytes_of_factors(precision, n, n, n_members, n_clusters), at_the_end)
    return 0.0


def refuse_large_fit(members: FirstRound, precision: Precision, size: Size, n_members: int, n_clusters: int) -> None:
    """Raise a MemoryError if a fit with these members needs more than there is."""
    grows = f"n_samples={size.n_samples}, n_members={n_members}, n_clusters={n_clusters} and "
    if isinstance(members, Communities):
        grows += f"the edges of the graph ({size.n_entries} entries)"
    else:
        grows += f"the precision ({precision})"
    needed = needed_bytes(members, precision, size, n_members, n_clusters)
    refuse_if_too_large(needed, f"It grows with {grows}: use fewer of them.")
