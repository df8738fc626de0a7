"""Base partitions for a consensus: symmetric NMFs of one affinity, each from a start of its own."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np

from s3nmf._memory import refuse_if_too_large
from s3nmf._sklearn import Interval
from s3nmf._threads import team
from s3nmf._types import IntArray
from s3nmf._validation import check_parameters
from s3nmf.graph.given import prepare_affinity
from s3nmf.graph.operators import local_affinity
from s3nmf.partitions import by_decreasing_size
from s3nmf.solvers.base import BoolArray, StepBelow, clusters_of, tolerance
from s3nmf.solvers.multiplicative import multiplicative
from s3nmf.solvers.starts import start_source
from s3nmf.solvers.symmetric_nmf import FACTORIZATION

PARAMETERS: dict[str, list[Any]] = {
    **{name: FACTORIZATION[name] for name in ("n_clusters", "max_iter", "tol", "random_state")},
    "n_members": [Interval(Integral, 1, None, closed="left")],
}


@dataclass(frozen=True, eq=False)
class BasePartitions:
    """Partitions of the same points, and how the factorizations that they are read off ended.

    Attributes
    ----------
    labels : array of shape (n_members, n_samples)
        Clusters of each partition by decreasing size. A member may have fewer clusters than were asked for.
    sweeps : array of shape (n_members,)
    converged : array of shape (n_members,)
        Which members met `tol` before `max_iter`.
    """

    labels: IntArray
    sweeps: IntArray
    converged: BoolArray


def base_partitions(
    affinity: Any,
    n_clusters: int,
    n_members: int = 20,
    *,
    max_iter: int = 500,
    tol: float = 1e-3,
    random_state: Any = None,
) -> BasePartitions:
    """Partition the points by symmetric NMFs from different starts: O(nnz c + n c^2) a sweep and member.

    Each member is the factorization of `s3nmf.symmetric_nmf` from its start, but one pass over the affinity serves them
    all. A member takes 24 n c bytes for its factor, the next one and the result.

    Parameters
    ----------
    affinity : array or sparse matrix of shape (n_samples, n_samples)
        W, symmetric and nonnegative; better normalised, see `s3nmf.affinity.normalize_affinity`.
    n_clusters : int
        Clusters of each partition.
    n_members : int
    max_iter : int
        The most sweeps.
    tol : float
        The sweeps of a member end when no entry of its V moves by more, relative to the scale of W. The more points,
        the smaller the entries: beyond 2048 points it is tol sqrt(2048 / n).
    random_state : int, RandomState or None
        The stream of a member depends on the seed and its number, not on how many members there are.

    Returns
    -------
    BasePartitions

    Examples
    --------
    >>> import numpy as np
    >>> W = np.kron([[1.0, 0.1], [0.1, 1.0]], np.ones((3, 3)))
    >>> base_partitions(W, 2, n_members=3, random_state=0).labels
    array([[0, 0, 0, 1, 1, 1],
           [0, 0, 0, 1, 1, 1],
           [0, 0, 0, 1, 1, 1]])
    """
    check_parameters(PARAMETERS, locals(), "base_partitions")
    with team() as threads:
        W, _, _ = prepare_affinity(affinity, n_clusters)
        # V of all members, the next V and the result; and the labels, as they are made and compared.
        refuse_if_too_large(
            W.shape[0] * n_members * (24.0 * n_clusters + 32.0),
            f"It grows with n_samples={W.shape[0]}, n_members={n_members} and n_clusters={n_clusters}: use fewer of "
            "them.",
        )
        operator, row_of = local_affinity(W)
        starts = start_source("uniform", n_members, n_clusters, random_state)(1, operator)
        stop = StepBelow(tolerance(tol, W.shape[0]))
        run = multiplicative(operator, starts, max_iter=max_iter, stop=stop, team=threads)
    labels = np.array([by_decreasing_size(clusters_of(operator, V)[row_of]) for V in run.factors])
    return BasePartitions(labels, run.sweeps, run.converged)
