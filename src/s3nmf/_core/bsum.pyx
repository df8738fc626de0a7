"""Block successive upper-bound minimisation: sweeps over V that change it entry by entry, or row by row."""

import numpy as np

from libc.stdint cimport int64_t
from libcpp cimport bool as cbool

from s3nmf._core.arrays cimport Indices, Weights, indices, weights_of


cdef extern from "bsum.hpp" namespace "s3nmf" nogil:
    cdef cppclass Rows:
        Indices starts
        Indices columns
        Weights weights
        const double* returns
        cbool source_follows
        const double* diagonal
        const double* row_scale

    void c_positive_roots "s3nmf::positive_roots"(int64_t, double*, double*, double*)
    void c_upper_bounds "s3nmf::upper_bounds"(int64_t, int64_t, const double*, double*, double*, double*)
    void c_sweep_entries "s3nmf::sweep_entries"(
        int64_t, int64_t, int64_t, const Rows&, double*, double*, double*, double*, double*
    ) except +
    void c_sweep_rows "s3nmf::sweep_rows"(
        Indices, int64_t, int64_t, const Rows&, double*, double*, double*, double*, double*
    ) except +


def positive_roots(double[::1] p, double[::1] r, double[::1] z):
    """Put the root z >= 0 of z^3 + p z = r for p >= 0 into z; 0 where r <= 0. `p` and `r` are overwritten there."""
    with nogil:
        c_positive_roots(r.shape[0], &p[0], &r[0], &z[0])


def upper_bounds(const double[:, :, ::1] P, double[:, ::1] guide, double[:, ::1] image, double[::1] bound):
    """A bound of the largest eigenvalue of each nonnegative P, and a guide that makes the next one tighter."""
    with nogil:
        c_upper_bounds(guide.shape[0], guide.shape[1], &P[0, 0, 0], &guide[0, 0], &image[0, 0], &bound[0])


def sweep_entries(
    starts,
    columns,
    weights,
    returns,
    diagonal,
    const double[::1] row_scale,
    double[:, ::1] source,
    double[:, :, ::1] V,
    double[:, :, ::1] gram,
    double[::1] changes,
    double[::1] steps,
):
    """Minimise a convex quartic bound of ||S - V V'||^2 in each entry of V in turn.

    `changes` gets what the objective changes by, `steps` the largest step.
    """
    cdef const double[::1] own = np.asarray(diagonal, np.float64)
    cdef const double[::1] back = np.asarray(returns, np.float64)
    cdef Rows rows
    rows.starts, rows.columns = indices(starts), indices(columns)
    rows.weights, rows.returns = weights_of(weights), &back[0]
    rows.source_follows, rows.diagonal, rows.row_scale = back.shape[0] > 0, &own[0], &row_scale[0]
    with nogil:
        c_sweep_entries(
            V.shape[0], V.shape[1], V.shape[2], rows, &source[0, 0], &V[0, 0, 0], &gram[0, 0, 0], &changes[0], &steps[0]
        )


def sweep_rows(
    order,
    starts,
    columns,
    weights,
    returns,
    diagonal,
    const double[::1] row_scale,
    double[:, ::1] source,
    double[:, :, ::1] V,
    double[:, :, ::1] gram,
    double[::1] changes,
    double[::1] steps,
):
    """Minimise bounds of ||S - V V'||^2 in each row of V, in the given order."""
    cdef const double[::1] own = np.asarray(diagonal, np.float64)
    cdef Indices visits = indices(order)
    cdef const double[::1] back = np.asarray(returns, np.float64)
    cdef Rows rows
    rows.starts, rows.columns = indices(starts), indices(columns)
    rows.weights, rows.returns = weights_of(weights), &back[0]
    rows.source_follows, rows.diagonal, rows.row_scale = back.shape[0] > 0, &own[0], &row_scale[0]
    with nogil:
        c_sweep_rows(
            visits, V.shape[1], V.shape[2], rows, &source[0, 0], &V[0, 0, 0], &gram[0, 0, 0], &changes[0], &steps[0]
        )
