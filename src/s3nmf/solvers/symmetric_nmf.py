"""One symmetric NMF of an affinity: W = V V', V >= 0, by any of the solvers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from numbers import Integral, Real
from typing import Any, TypeAlias, cast

import numpy as np

from s3nmf._sklearn import Interval, StrOptions
from s3nmf._threads import team
from s3nmf._types import FloatArray, IntArray
from s3nmf._validation import check_parameters
from s3nmf._warnings import MORE_SWEEPS, warn_if_empty
from s3nmf.graph.given import prepare_affinity
from s3nmf.graph.range import at_scale
from s3nmf.partitions import by_decreasing_size
from s3nmf.solvers.alternating import PENALTY
from s3nmf.solvers.base import Solver, StepBelow, clusters_of, tolerance
from s3nmf.solvers.declared import declared, solvers_that
from s3nmf.solvers.graph_regularized import graph_regularized
from s3nmf.solvers.named import SOLVERS
from s3nmf.solvers.starts import StartScale, check_starts, start_source

SolverName: TypeAlias = str
"""One of `s3nmf.solvers.named.SOLVERS`."""

FACTORIZATION: dict[str, list[Any]] = {
    "n_clusters": [Interval(Integral, 1, None, closed="left")],
    "solver": [StrOptions(SOLVERS.keys()), callable],  # a view: what is declared later is taken too
    "max_iter": [Interval(Integral, 1, None, closed="left")],
    "tol": [Interval(Real, 0, None, closed="left")],
    "starts": [StrOptions({"uniform", "kuang"}), "array-like", None],
    "random_state": ["random_state"],
}
PARAMETERS: dict[str, list[Any]] = {
    **FACTORIZATION,
    "penalty": [Interval(Real, 0, None, closed="left")],
    "graph_regularization": [Interval(Real, 0, None, closed="left")],
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
        What the solver minimises, at the start and after each sweep: ||W - V V'||^2, with the regularizer if there is
        one; ||W - U V'||^2 / 2 + penalty ||U - V||^2 / 2 for "anls" and "hals". It never increases, but by "greedy".
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
    solver: SolverName | Solver = "multiplicative",
    penalty: float = PENALTY,
    graph_regularization: float = 0.0,
    max_iter: int = 500,
    tol: float = 1e-3,
    starts: StartScale | Any | None = None,
    random_state: Any = None,
) -> SymNMFResult:
    """Factorize an affinity: O(nnz c + n c^2) a sweep, but by Newton's method.

    Parameters
    ----------
    affinity : array or sparse matrix of shape (n_samples, n_samples)
        W, symmetric and nonnegative; better normalised, see `s3nmf.affinity.normalize_affinity`.
    n_clusters : int
    solver : {"multiplicative", "square_root", "newton", "anls", "hals", "sbsum", "vbsum", "greedy"} or callable
        How: by the paper's multiplicative update; by the same in steps of twice the length; by projected Newton steps,
        which take 24 n^2 bytes and more and O(n^3 c) a step; by alternating least squares of two factors, exact or by
        coordinates, that a penalty draws together; by minimising bounds in entries or rows in turn; or by greedy
        coordinate descent, the original algorithm for `graph_regularization`. Or a function of your own, see
        `s3nmf.solvers.base.Solver`.
    penalty : float
        Of the difference between the two factors of "anls" and "hals", relative to the scale of W.
    graph_regularization : float
        Strength of a term tr(V'L V), L the Laplacian of W, which asks neighbours to have similar rows of V; for
        "multiplicative" and "greedy".
    max_iter : int
        The most sweeps.
    tol : float
        Sweeps end when no entry of V moves by more, relative to the scale of W and, beyond 2048 points, to
        1 / sqrt(n_samples), as the entries are.
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
        _check_solver(solver, penalty, graph_regularization)
        operator = graph_regularized(W, graph_regularization)
        starts_of = start_source(starts, 1, n_clusters, random_state)
        solve = solver_of(solver, penalty)
        run = solve(
            operator, starts_of(1, operator), max_iter=max_iter, stop=StepBelow(tolerance(tol, n)), team=threads
        )
    factor = run.factors[0]
    labels, columns = _in_order_of_size(clusters_of(operator, factor), n_clusters)
    warn_if_empty(int(labels.max()) + 1, n_clusters, MORE_SWEEPS)
    return SymNMFResult(
        labels=labels,
        factor=factor[:, columns] * np.sqrt(scale),
        objective=at_scale(run.objective[:, 0], scale),
        n_iter=run.n_iter,
        converged=bool(run.converged[0]),
    )


def solver_of(solver: SolverName | Solver, penalty: float = PENALTY) -> Solver:
    """The function of that name, or the function itself, with the penalty if it takes one."""
    function: Any = SOLVERS[solver] if isinstance(solver, str) else solver
    return cast(Solver, partial(function, penalty=penalty) if declared(solver).takes_penalty else function)


def _check_solver(solver: SolverName | Solver, penalty: float, graph_regularization: float) -> None:
    """Refuse a setting that the solver would not heed; the default penalty asks for nothing."""
    given = {"penalty": 0.0 if penalty == PENALTY else penalty, "graph_regularization": graph_regularization}
    for name, value in given.items():
        if value and not getattr(declared(solver), f"takes_{name}"):
            raise ValueError(
                f"{name}={value} needs solver={solvers_that(f'takes_{name}')}; it is {solver!r}. A solver of your own "
                "declares that it takes it, see `s3nmf.solvers.declared.solver`."
            )


def _in_order_of_size(columns: IntArray, n_clusters: int) -> tuple[IntArray, IntArray]:
    """Labels by decreasing size, and the column of V that each of them stands for; empty ones last."""
    labels = by_decreasing_size(columns)
    used = columns[np.unique(labels, return_index=True)[1]]
    return labels, np.concatenate([used, np.setdiff1d(np.arange(n_clusters), used)])
