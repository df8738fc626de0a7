"""Passes over the edges of a graph in compressed rows that need no second copy of it."""

import numpy as np

from cython cimport floating
from libc.stdint cimport int8_t, int32_t, int64_t, uint64_t

from s3nmf._core.arrays cimport Indices, indices

ctypedef fused group_t:
    int8_t
    int32_t
    int64_t


cdef extern from "graphs.hpp" namespace "s3nmf" nogil:
    const int64_t C_WORTH_FETCHING "s3nmf::WORTH_FETCHING"

    cdef cppclass Gap:
        double size
        int64_t row
        int64_t column

    cdef cppclass Dense[W]:
        const W* data
        int64_t row_step
        int64_t column_step

    uint64_t c_fingerprint_across "s3nmf::fingerprint_across"(int64_t, int64_t, Indices, Indices, const uint64_t*)
    Gap c_largest_gap "s3nmf::largest_gap"[W](Indices, Indices, const W*)
    int64_t c_pieces "s3nmf::pieces"[G](int64_t, Indices, Indices, const G*, int32_t*) except +
    void c_sizes_of_rows "s3nmf::sizes_of_rows"[W](int64_t, int64_t, Indices, Indices, const W*, Indices, int64_t*)
    void c_reordered "s3nmf::reordered"[W](
        int64_t, int64_t, Indices, Indices, const W*, Indices, const int32_t*, double, const int64_t*, int32_t*, float*
    )
    void starts_of[W](Dense[W], Indices, int64_t*)
    void c_edges_of "s3nmf::edges_of"[W](Dense[W], Indices, double, const int64_t*, int32_t*, float*)

WORTH_FETCHING = C_WORTH_FETCHING
"""Graphs with as many points are read with memory asked for ahead."""


def fingerprint_across(int64_t first, int64_t last, starts, columns, const uint64_t[::1] bits):
    """A number that is zero, over all rows, if every entry w_ij has the same one across the diagonal, w_ji.

    Sums modulo 2^64 are the same in every order. `bits` are the weights as whole numbers.
    """
    cdef Indices row_starts = indices(starts), column_of = indices(columns)
    cdef uint64_t found
    with nogil:
        found = c_fingerprint_across(first, last, row_starts, column_of, &bits[0])
    return found


def largest_gap(starts, columns, const floating[::1] weights):
    """The largest |w_ij - w_ji|, and where it is; the columns of a row are in increasing order."""
    cdef Indices row_starts = indices(starts), column_of = indices(columns)
    cdef Gap found
    with nogil:
        found = c_largest_gap(row_starts, column_of, &weights[0])
    return found.size, found.row, found.column


def pieces(starts, neighbors, const group_t[::1] group):
    """The connected pieces of the groups of points, numbered by their first points; and how many there are."""
    cdef Indices row_starts = indices(starts), neighbor_of = indices(neighbors)
    cdef int64_t count, n = group.shape[0]
    piece = np.empty(n, np.int32)
    cdef int32_t[::1] piece_of = piece
    with nogil:
        count = c_pieces(n, row_starts, neighbor_of, &group[0], &piece_of[0])
    return piece, count


def sizes_of_rows(
    int64_t first, int64_t last, starts, columns, const floating[::1] weights, order, int64_t[::1] sizes
):
    """How many edges some rows of `reordered` have: none to the point itself, and none without a weight."""
    cdef Indices row_starts = indices(starts), column_of = indices(columns), order_of = indices(order)
    with nogil:
        c_sizes_of_rows(first, last, row_starts, column_of, &weights[0], order_of, &sizes[0])


def reordered(
    int64_t first,
    int64_t last,
    starts,
    columns,
    const floating[::1] weights,
    order,
    const int32_t[::1] row_of,
    double scale,
    const int64_t[::1] new_starts,
    int32_t[::1] neighbors,
    float[::1] new_weights,
):
    """Put some rows of the graph in another order, without self loops, its weights times `scale` in single precision.

    No weight is zero: what single precision cannot hold is the least that it can, so that the edge stays one.
    """
    cdef Indices row_starts = indices(starts), column_of = indices(columns), order_of = indices(order)
    with nogil:
        c_reordered(
            first, last, row_starts, column_of, &weights[0], order_of, &row_of[0], scale, &new_starts[0], &neighbors[0],
            &new_weights[0]
        )


def edges_of(const floating[:, :] matrix, order, double scale):
    """The same graph as `reordered` makes, of a dense matrix, neighbours in that order, too; as many bytes as that."""
    cdef Indices order_of = indices(order)
    cdef int64_t size = sizeof(floating)
    cdef Dense[floating] dense
    dense.data = &matrix[0, 0]
    dense.row_step, dense.column_step = matrix.strides[0] // size, matrix.strides[1] // size
    starts = np.empty(order_of.size + 1, np.int64)
    cdef int64_t[::1] row_starts = starts
    with nogil:
        starts_of(dense, order_of, &row_starts[0])
    n_edges = row_starts[order_of.size]
    neighbors, weights = np.empty(n_edges, np.int32), np.empty(n_edges, np.float32)
    cdef int32_t[::1] neighbor_of = neighbors
    cdef float[::1] weight_of = weights
    with nogil:
        c_edges_of(dense, order_of, scale, &row_starts[0], &neighbor_of[0], &weight_of[0])
    return starts, neighbors, weights
