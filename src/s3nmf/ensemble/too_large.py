"""What a fit will need, by its points and edges alone: refused before the first copy of anything, not an hour later."""

from __future__ import annotations

from typing import Any, NamedTuple

import scipy.sparse as sp

from s3nmf._memory import refuse_if_too_large
from s3nmf.ensemble.first_round import Communities, Factorizations, FirstRound
from s3nmf.ensemble.members import bytes_of_factors
from s3nmf.ensemble.recipe import Precision

# Measured with ten million points and 26 edges each: 6.5 GB beyond the graph, with 20 members.
_BYTES_A_POINT = 160.0
_BYTES_AN_EDGE = 20.0
# Neighbours and distances as they are found, and a graph of them.
_BYTES_A_NEIGHBOR = 28.0


class Size(NamedTuple):
    """Points, entries of the affinity, and bytes that are needed to make it."""

    n_samples: int
    n_entries: int
    to_make: float = 0.0


def entries_of(affinity: Any) -> Size:
    """The size of an affinity that is there; of what is no matrix, nothing is said."""
    shape = getattr(affinity, "shape", (0,))
    return Size(shape[0], affinity.nnz if sp.issparse(affinity) else shape[0] ** 2) if len(shape) == 2 else Size(0, 0)


def entries_among(X: Any, n_neighbors: int) -> Size:
    """The least size of the affinity of features: each point has its neighbours."""
    return Size(X.shape[0], X.shape[0] * n_neighbors, _BYTES_A_NEIGHBOR * X.shape[0] * n_neighbors)


def refuse_large_fit(members: FirstRound, precision: Precision, size: Size, n_members: int, n_clusters: int) -> None:
    """Raise a MemoryError if a first round of these members needs more than there is."""
    n, n_entries, needed = size
    if isinstance(members, Communities):
        needed += n * (n_members + _BYTES_A_POINT) + _BYTES_AN_EDGE * n_entries
        grows = f"the graph (n_samples={n}, {n_entries} entries) and with n_members={n_members}"
    elif isinstance(members, Factorizations):
        needed += bytes_of_factors(precision, n, n, n_members, n_clusters)
        grows = f"n_samples={n}, n_members={n_members}, n_clusters={n_clusters} and the precision ({precision})"
    else:
        return
    refuse_if_too_large(needed, f"It grows with {grows}: use fewer of them.")
