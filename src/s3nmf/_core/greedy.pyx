"""Greedy coordinate descent on the rows of H with H' held, in the splitting of graph-regularized SymNMF."""

from libc.stdint cimport int64_t

from s3nmf._core.arrays cimport Indices, Weights, indices, weights_of


cdef extern from "greedy.hpp" namespace "s3nmf" nogil:
    const int64_t GREEDY_BLOCK

    void c_gradients "s3nmf::gradients"(
        int64_t, int64_t, int64_t, int64_t, int64_t, Indices, Indices, Weights, const double*, const double*,
        const double*, const double*, const double*, double, const double*, double*, double*
    ) except +
    void descend_greedily(
        int64_t, int64_t, int64_t, int64_t, int64_t, double*, double*, const double*, const double*, const double*,
        double*
    )

BLOCK = GREEDY_BLOCK


def gradients(
    int64_t first,
    int64_t last,
    starts,
    columns,
    weights,
    const double[:, ::1] source,
    const double[:, :, ::1] H,
    const double[:, :, ::1] other,
    const double[:, :, ::1] dual,
    const double[:, :, ::1] Q,
    double mu,
    const double[::1] row_penalty,
    double[:, :, ::1] out,
    double[:, ::1] gains,
):
    """g = H Q - S H' + p H' - mu H' + Y by row, and the largest gain of one step by block and member."""
    cdef Indices row_starts = indices(starts), column_of = indices(columns)
    cdef Weights weight_of = weights_of(weights)
    with nogil:
        c_gradients(
            first, last, H.shape[0], H.shape[1], H.shape[2], row_starts, column_of, weight_of, &source[0, 0],
            &H[0, 0, 0], &other[0, 0, 0], &dual[0, 0, 0], &Q[0, 0, 0], mu, &row_penalty[0], &out[0, 0, 0], &gains[0, 0]
        )


def descend(
    int64_t first,
    int64_t last,
    double[:, :, ::1] H,
    double[:, :, ::1] gradient,
    const double[:, :, ::1] Q,
    const double[::1] enough,
    const double[::1] row_scale,
    double[:, ::1] steps,
):
    """Take the best entry of a row again and again, until it gains less than `enough`; at most c^2 times."""
    with nogil:
        descend_greedily(
            first, last, H.shape[0], H.shape[1], H.shape[2], &H[0, 0, 0], &gradient[0, 0, 0], &Q[0, 0, 0], &enough[0],
            &row_scale[0], &steps[0, 0]
        )
