"""The convex program of sparse spectral clustering (Lu, Yan and Lin, 2016): a sparse similarity of low rank."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any

import numpy as np
import scipy.sparse as sp

from s3nmf._memory import refuse_if_too_large
from s3nmf._sklearn import Interval
from s3nmf._threads import one_thread
from s3nmf._types import Affinity, FloatArray
from s3nmf._validation import check_parameters
from s3nmf.baselines.spectral.embedding import unit_rows
from s3nmf.baselines.spectral.fantope import nearest_in_fantope
from s3nmf.graph.given import prepare_affinity
from s3nmf.graph.spectrum.dense import largest_eigenpairs

PARAMETERS: dict[str, list[Any]] = {
    "n_clusters": [Interval(Integral, 1, None, closed="left")],
    "beta": [Interval(Real, 0, None, closed="left")],
    "max_iter": [Interval(Integral, 1, None, closed="left")],
    "tol": [Interval(Real, 0, None, closed="left")],
    "growth": [Interval(Real, 1, None, closed="left")],
}

# P, Q, Y and a fourth to compute the next Q in; three more to decompose and to compose it, if it has full rank.
_BYTES_PER_ENTRY = 7 * 8
_FIRST_PENALTY, _LAST_PENALTY = 1e-4, 1e10
# Entries of a block of rows, so that it stays in the processor's cache.
_BLOCK = 1 << 16

logger = logging.getLogger("s3nmf")


@dataclass(frozen=True, eq=False)
class SparseProjection:
    """The solution of min <P, L> + beta ||P||_1 over the Fantope, and how it was reached.

    Attributes
    ----------
    projection : array of shape (n_samples, n_samples)
        Q, of the Fantope: eigenvalues in [0, 1], trace `n_clusters`.
    sparse : array of shape (n_samples, n_samples)
        P, its sparse copy, with entries of exactly 0; the last residual away from Q.
    embedding : array of shape (n_samples, n_clusters)
        Rows of the leading eigenvectors of Q, of length one.
    objective : float
        Of Q.
    lower_bound : float
        The optimum is not lower, by the dual problem; so the objective is within their difference of it.
    residuals : array of shape (n_iter,)
        The largest entry of P - Q and of the changes of P and Q, in each iteration.
    n_iter : int
    converged : bool
        Whether a residual below `tol` was met before `max_iter`.
    """

    projection: FloatArray
    sparse: FloatArray
    embedding: FloatArray
    objective: float
    lower_bound: float
    residuals: FloatArray
    n_iter: int
    converged: bool


def sparse_projection(
    affinity: Any, n_clusters: int, *, beta: float = 1e-6, max_iter: int = 500, tol: float = 1e-6, growth: float = 1.1
) -> SparseProjection:
    """Minimise <P, L> + beta ||P||_1 over {P : 0 <= eigenvalues <= 1, trace c}, L = I - W, W at unit scale.

    By the alternating direction method of multipliers, whose penalty grows from 1e-4 by a constant factor. O(n^3) an
    iteration and four n x n arrays, or seven where Q has full rank: 56 n^2 bytes, which are 224 MB for 2,000 points
    and 5.6 GB for 10,000. They are logged before it starts, and refused if they are more than there are.

    Parameters
    ----------
    affinity : array or sparse matrix of shape (n_samples, n_samples)
        W, symmetric and nonnegative; better normalised, see `s3nmf.affinity.normalize_affinity`.
    n_clusters : int
    beta : float
        Weight of sparsity. 0 is spectral clustering without it; where it is large, P becomes diagonal.
    max_iter : int
    tol : float
        Iterations end when P and Q, and each of them and the one before, differ by less in every entry.
    growth : float
        Factor of the penalty. The closer to 1, the closer to the optimum, in more iterations: see `lower_bound`.

    Returns
    -------
    SparseProjection

    Examples
    --------
    >>> import numpy as np
    >>> W = np.kron([[1.0, 0.1], [0.1, 1.0]], np.ones((3, 3)))
    >>> solution = sparse_projection(W, 2, beta=0.01)
    >>> solution.converged, solution.objective - solution.lower_bound < 1e-3
    (True, True)
    """
    check_parameters(PARAMETERS, locals(), "sparse_projection")
    with one_thread():
        W = prepare_affinity(affinity, n_clusters).matrix
        n = W.shape[0]
        _announce(n)
        P, Q, next_Q, Y = (np.zeros((n, n)) for _ in range(4))
        vectors, rank = np.empty((n, n_clusters)), n_clusters
        penalty, residuals = _FIRST_PENALTY, [np.inf]
        while residuals[-1] >= tol and len(residuals) <= max_iter:
            change = _sparse_step(W, P, Q, Y, beta=beta, penalty=penalty)
            vectors, rank = _fantope_step(P, Y, penalty, n_clusters=n_clusters, rank=rank, out=next_Q)
            residuals.append(max(change, _multiplier_step(P, Q, next_Q, Y, penalty)))
            Q, next_Q = next_Q, Q
            penalty = min(growth * penalty, _LAST_PENALTY)
        return SparseProjection(
            projection=Q,
            sparse=P,
            embedding=unit_rows(vectors),
            objective=_objective(W, Q, beta),
            lower_bound=_lower_bound(W, Y, beta, n_clusters, out=next_Q),
            residuals=np.array(residuals[1:]),
            n_iter=len(residuals) - 1,
            converged=residuals[-1] < tol,
        )


def _announce(n: int) -> None:
    needed = _BYTES_PER_ENTRY * n * n
    logger.info("Sparse spectral clustering of %d points needs up to %d bytes for n x n arrays.", n, needed)
    refuse_if_too_large(
        needed,
        f"Sparse spectral clustering holds up to seven n x n arrays, n={n}: cluster a sample of the points, or use "
        "NJWSpectralClustering or SpectralRotation, which hold none.",
    )


def _sparse_step(W: Affinity, P: FloatArray, Q: FloatArray, Y: FloatArray, *, beta: float, penalty: float) -> float:
    """P = soft(Q - (Y + L) / penalty, beta / penalty), in place; the largest change."""
    change = 0.0
    for rows, L in _laplacian(W):
        new = Q[rows] - (Y[rows] + L) / penalty
        new -= np.clip(new, -beta / penalty, beta / penalty)
        change = max(change, float(np.abs(new - P[rows]).max()))
        P[rows] = new
    return change


def _fantope_step(
    P: FloatArray, Y: FloatArray, penalty: float, *, n_clusters: int, rank: int, out: FloatArray
) -> tuple[FloatArray, int]:
    """The point of the Fantope nearest to P + Y / penalty, into `out`; its leading eigenvectors (n, c), and its rank.

    The rank hardly changes from one iteration to the next, so twice as many eigenvalues are nearly always enough.
    """
    n_eigenvalues, nearest = 2 * rank + 8, None
    while nearest is None:
        np.divide(Y, penalty, out=out)
        out += P
        nearest = nearest_in_fantope(out, n_clusters, min(n_eigenvalues, len(P)))
        n_eigenvalues *= 2
    factor = nearest.vectors * np.sqrt(nearest.values)
    np.matmul(factor, factor.T, out=out)
    return nearest.vectors[:, :n_clusters].copy(), nearest.values.size


def _multiplier_step(P: FloatArray, Q: FloatArray, next_Q: FloatArray, Y: FloatArray, penalty: float) -> float:
    """Y += penalty (P - Q), in place; the largest difference of P and Q, or change of Q."""
    largest = 0.0
    for rows in _blocks(len(P)):
        gap = P[rows] - next_Q[rows]
        Y[rows] += penalty * gap
        largest = max(largest, float(np.abs(gap).max()), float(np.abs(next_Q[rows] - Q[rows]).max()))
    return largest


def _objective(W: Affinity, Q: FloatArray, beta: float) -> float:
    return sum(float(np.vdot(Q[rows], L) + beta * np.abs(Q[rows]).sum()) for rows, L in _laplacian(W))


def _lower_bound(W: Affinity, Y: FloatArray, beta: float, n_clusters: int, out: FloatArray) -> float:
    """The dual objective, minus the sum of the c largest eigenvalues of Y, of the nearest Y with |Y + L| <= beta."""

    def nearest() -> FloatArray:
        for rows, L in _laplacian(W):
            out[rows] = np.clip(Y[rows] + L, -beta, beta) - L
        return out.T  # which LAPACK can work on in place

    return -float(largest_eigenpairs(nearest, n_clusters)[0].sum())


def _laplacian(W: Affinity) -> Iterator[tuple[slice, FloatArray]]:
    """L = I - W, a few rows at a time."""
    for rows in _blocks(W.shape[0]):
        block: Any = W[rows]
        L = -np.asarray(block.toarray() if sp.issparse(block) else block)
        L[np.arange(len(L)), np.arange(rows.start, rows.stop)] += 1.0
        yield rows, L


def _blocks(n: int) -> Iterator[slice]:
    step = max(1, _BLOCK // n)
    return (slice(first, min(first + step, n)) for first in range(0, n, step))
