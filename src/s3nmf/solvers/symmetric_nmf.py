"""One symmetric NMF of an affinity: W = V V', V >= 0."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any

import numpy as np
from sklearn.utils._param_validation import Interval, StrOptions

from s3nmf._threads import team
from s3nmf._types import FloatArray, IntArray
from s3nmf._validation import check_parameters
from s3nmf._warnings import warn_if_empty
from s3nmf.affinity.given import prepare_affinity
from s3nmf.operators import AffinityOperator
from s3nmf.partitions import by_decreasing_size, partition
from s3nmf.solvers.base import StepBelow
from s3nmf.solvers.multiplicative import multiplicative
from s3nmf.solvers.starts import StartScale, check_starts, start_source

PARAMETERS: dict[str, list[Any]] = {
    "n_clusters": [Interval(Integral, 1, None, closed="left")],
    "max_iter": [Interval(Integral, 1, None, closed="left")],
    "tol": [Interval(Real, 0, None, closed="left")],
    "starts": [StrOptions({"uniform", "kuang"}), "array-like", None],
    "random_state": ["random_state"],
}


@dataclass(frozen=True, eq=False)
class SymNMFResult:
    """A factorization and the partition read off it.

    Attributes
    ----------
    labels : array of shape (n_samples,)
        The largest entry of each row of V; clusters by decreasing size.
    factor : array of shape (n_samples, n_clusters)
        V, its columns in the order of the labels; a row of zeros for a point without any edge.
    objective : array of shape (n_iter + 1,)
        ||W - V V'||^2 at the start and after each sweep; it never increases.
    n_iter : int
    converged : bool
        Whether `tol` was met before `max_iter`.
    """

    labels: IntArray
    factor: FloatArray
    objective: FloatArray
    n_iter: int
    converged: bool


def symmetric_nmf(
    affinity: Any,
    n_clusters: int,
    *,
    max_iter: int = 500,
    tol: float = 1e-3,
    starts: StartScale | Any | None = None,
    random_state: Any = None,
) -> SymNMFResult:
    """Factorize an affinity by the multiplicative update: O(nnz c + n c^2) a sweep.

    Parameters
    ----------
    affinity : array or sparse matrix of shape (n_samples, n_samples)
        W, symmetric and nonnegative; better normalised, see `s3nmf.affinity.normalize_affinity`.
    n_clusters : int
    max_iter : int
        The most sweeps.
    tol : float
        Sweeps end when no entry of V moves by more, relative to the scale of W.
    starts : {"uniform", "kuang"} or array of shape (n_samples, n_clusters)
        Draw the start from U(0, 1), the default, or at the scale of the solution; or use this one.
    random_state : int, RandomState or None

    Returns
    -------
    SymNMFResult

    Examples
    --------
    >>> import numpy as np
    >>> W = np.kron([[1.0, 0.1], [0.1, 1.0]], np.ones((3, 3)))
    >>> symmetric_nmf(W, 2, random_state=0).labels
    array([0, 0, 0, 1, 1, 1])
    """
    check_parameters(PARAMETERS, locals(), "symmetric_nmf")
    with team() as threads:
        W, scale, _ = prepare_affinity(affinity, n_clusters)
        n = W.shape[0]
        starts = check_starts(starts, n_samples=n, n_clusters=n_clusters)
        if isinstance(starts, np.ndarray):
            starts = starts[None, None] / np.sqrt(scale)
        operator = AffinityOperator(W)
        starts_of = start_source(starts, 1, n_clusters, random_state)
        run = multiplicative(operator, starts_of(1, operator), max_iter=max_iter, stop=StepBelow(tol), team=threads)
    factor = run.factors[0]
    labels, columns = _in_order_of_size(partition(factor), n_clusters)
    warn_if_empty(int(labels.max()) + 1, n_clusters)
    return SymNMFResult(
        labels=labels,
        factor=factor[:, columns] * np.sqrt(scale),
        objective=run.objective[:, 0] * (scale * scale),
        n_iter=run.n_iter,
        converged=bool(run.converged[0]),
    )


def _in_order_of_size(columns: IntArray, n_clusters: int) -> tuple[IntArray, IntArray]:
    """Labels by decreasing size, and the column of V that each of them stands for; empty ones last."""
    labels = by_decreasing_size(columns)
    used = columns[np.unique(labels, return_index=True)[1]]
    return labels, np.concatenate([used, np.setdiff1d(np.arange(n_clusters), used)])
