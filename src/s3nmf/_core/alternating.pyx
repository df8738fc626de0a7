"""Nonnegative least squares for all rows of U with V held: one sweep of coordinate descent, or exactly."""

from libc.stdint cimport int64_t

from s3nmf._core.arrays cimport Indices, Weights, indices, weights_of


cdef extern from "alternating.hpp" namespace "s3nmf" nogil:
    const int64_t ALTERNATING_BLOCK

    cdef cppclass LeastSquares:
        int64_t n
        int64_t n_clusters
        int64_t n_members
        Indices starts
        Indices columns
        Weights weights
        const double* source
        const double* V
        const double* gram
        double penalty
        const double* row_scale
        double* U
        double* grams
        double* products
        double* overlaps
        double* steps

    cdef cppclass Pivoting:
        Pivoting(int64_t) except +

    void c_descend "s3nmf::descend"(int64_t, int64_t, LeastSquares) except +
    void c_solve "s3nmf::solve"(int64_t, int64_t, LeastSquares) except +
    void c_nonnegative_least_squares "s3nmf::nonnegative_least_squares"(
        const double*, const double*, double*, const Pivoting&
    )

BLOCK = ALTERNATING_BLOCK


cdef LeastSquares least_squares(
    starts,
    columns,
    weights,
    const double[:, ::1] source,
    const double[:, :, ::1] V,
    const double[:, :, ::1] gram,
    double penalty,
    const double[::1] row_scale,
    double[:, :, ::1] U,
    double[:, :, :, ::1] grams,
    double[:, ::1] products,
    double[:, ::1] overlaps,
    double[:, ::1] steps,
) except *:
    cdef LeastSquares of
    of.n, of.n_clusters, of.n_members = V.shape[0], V.shape[1], V.shape[2]
    of.starts, of.columns, of.weights, of.source = indices(starts), indices(columns), weights_of(weights), &source[0, 0]
    of.V, of.gram, of.penalty, of.row_scale = &V[0, 0, 0], &gram[0, 0, 0], penalty, &row_scale[0]
    of.U, of.grams, of.products = &U[0, 0, 0], &grams[0, 0, 0, 0], &products[0, 0]
    of.overlaps, of.steps = &overlaps[0, 0], &steps[0, 0]
    return of


def descend(
    int64_t first,
    int64_t last,
    starts,
    columns,
    weights,
    source,
    V,
    gram,
    double penalty,
    row_scale,
    U,
    grams,
    products,
    overlaps,
    steps,
):
    """One sweep over the coordinates of each row (HALS), for blocks first to last."""
    cdef LeastSquares of = least_squares(
        starts, columns, weights, source, V, gram, penalty, row_scale, U, grams, products, overlaps, steps
    )
    with nogil:
        c_descend(first, last, of)


def solve(
    int64_t first,
    int64_t last,
    starts,
    columns,
    weights,
    source,
    V,
    gram,
    double penalty,
    row_scale,
    U,
    grams,
    products,
    overlaps,
    steps,
):
    """The minimiser of each row, by block principal pivoting from the entries that are positive now (ANLS)."""
    cdef LeastSquares of = least_squares(
        starts, columns, weights, source, V, gram, penalty, row_scale, U, grams, products, overlaps, steps
    )
    with nogil:
        c_solve(first, last, of)


def nonnegative_least_squares(const double[:, ::1] Q, const double[::1] q, double[::1] x):
    """Put the minimiser of x'Q x / 2 - x'q over x >= 0 into x, for a positive definite Q (Kim and Park 2011)."""
    cdef Pivoting* room = new Pivoting(x.shape[0])
    try:
        with nogil:
            c_nonnegative_least_squares(&Q[0, 0], &q[0], &x[0], room[0])
    finally:
        del room
