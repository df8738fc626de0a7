"""The nearest neighbours of points among points in cells: candidates by a scan, and exact distances of these."""

from cython cimport floating
from libc.stdint cimport int32_t, int64_t

from s3nmf._core.arrays cimport Indices, indices

ctypedef fused number_t:
    float
    double


cdef extern from "cells.hpp" namespace "s3nmf" nogil:
    const int64_t C_POINTS_IN_BLOCK "s3nmf::POINTS_IN_BLOCK"
    const int64_t C_WIDTH "s3nmf::WIDTH"

    cdef cppclass Cells:
        const float* blocks
        const int32_t* points
        const int64_t* starts
        int64_t n_cells
        int64_t n_coordinates

    cdef cppclass DenseRows[T]:
        const T* data
        int64_t n_columns

    cdef cppclass SparseRows[T]:
        const T* data
        Indices starts
        Indices columns

    void c_candidates "s3nmf::candidates"(
        int64_t, int64_t, Cells, Cells, const float*, int64_t, const float*, const int32_t*, int64_t, int32_t*
    ) except +
    void c_nearest_centres "s3nmf::nearest_centres"(int64_t, int64_t, Cells, const float*, int32_t*, float*) except +
    void c_project "s3nmf::project"[T](
        int64_t, int64_t, const T*, int64_t, const double*, double, const float*, int64_t, float*
    ) except +
    void c_nearest_rows "s3nmf::nearest_rows"[A, B](
        int64_t, int64_t, A, const int32_t*, B, const int32_t*, int64_t, int64_t, double*, int32_t*
    )

POINTS_IN_BLOCK = C_POINTS_IN_BLOCK
"""Points of a cell are stored by so many."""
WIDTH = C_WIDTH
"""Projections have a multiple of so many coordinates."""


cdef Cells cells_of(parts):
    cdef const float[:, :, ::1] blocks = parts[0]
    cdef const int32_t[::1] points = parts[1]
    cdef const int64_t[::1] starts = parts[2]
    cdef Cells cells
    cells.blocks, cells.points, cells.starts = &blocks[0, 0, 0], &points[0], &starts[0]
    cells.n_cells, cells.n_coordinates = starts.shape[0] - 1, blocks.shape[1]
    return cells


def candidates(
    int64_t first,
    int64_t last,
    centres,
    cells,
    const float[::1] radii,
    int64_t n_probes,
    const float[:, ::1] queries,
    const int32_t[::1] itself,
    int32_t[:, ::1] out,
):
    """Put the points nearest to queries first to last, in so many cells with the nearest centres, into `out`.

    Nearest first, and -1 where there are no more. `centres`, which are one cell, and `cells` are (blocks, points,
    starts). No point of cell c is farther than radii[c] from its centre. Query q is point itself[q], which is not its
    own neighbour, or none if that is -1.
    """
    cdef Cells centres_of = cells_of(centres), points_of = cells_of(cells)
    cdef int64_t n_candidates = out.shape[1]
    with nogil:
        c_candidates(
            first, last, centres_of, points_of, &radii[0], n_probes, &queries[0, 0], &itself[0], n_candidates, &out[0, 0]
        )


def nearest_centres(
    int64_t first, int64_t last, centres, const float[:, ::1] points, int32_t[::1] nearest, float[::1] squares
):
    """Put the number of the nearest centre of points first to last into `nearest`, and its squared distance."""
    cdef Cells centres_of = cells_of(centres)
    with nogil:
        c_nearest_centres(first, last, centres_of, &points[0, 0], &nearest[0], &squares[0])


def project(
    int64_t first,
    int64_t last,
    const floating[:, ::1] X,
    const double[::1] mean,
    double scale,
    const float[:, ::1] components,
    float[:, ::1] out,
):
    """Put scale (X[i] - mean) @ components into out[i] for rows i from first to last."""
    cdef int64_t n_columns = X.shape[1], n_coordinates = out.shape[1]
    with nogil:
        c_project(first, last, &X[0, 0], n_columns, &mean[0], scale, &components[0, 0], n_coordinates, &out[0, 0])


def nearest_rows(
    int64_t first,
    int64_t last,
    const floating[:, ::1] queries,
    const int32_t[::1] row_of,
    const number_t[:, ::1] X,
    const int32_t[:, ::1] candidates,
    double[:, ::1] distances,
    int32_t[:, ::1] points,
):
    """Put the rows of X nearest to some rows of the queries, among the candidates for each, into `points`, nearest first.

    Distances are exactly 0 for equal rows. What is missing, as a candidate too, is row -1.
    """
    cdef DenseRows[floating] query_rows
    cdef DenseRows[number_t] rows
    cdef int64_t n_candidates = candidates.shape[1], k = points.shape[1]
    query_rows.data, query_rows.n_columns = &queries[0, 0], queries.shape[1]
    rows.data, rows.n_columns = &X[0, 0], X.shape[1]
    with nogil:
        c_nearest_rows(
            first, last, query_rows, &row_of[0], rows, &candidates[0, 0], n_candidates, k, &distances[0, 0], &points[0, 0]
        )


def nearest_sparse_rows(
    int64_t first,
    int64_t last,
    const floating[::1] query_data,
    query_columns,
    query_starts,
    const int32_t[::1] row_of,
    const number_t[::1] data,
    columns,
    starts,
    const int32_t[:, ::1] candidates,
    double[:, ::1] distances,
    int32_t[:, ::1] points,
):
    """The same for rows of sparse matrices, whose columns are in increasing order."""
    cdef SparseRows[floating] query_rows
    cdef SparseRows[number_t] rows
    cdef int64_t n_candidates = candidates.shape[1], k = points.shape[1]
    query_rows.data, query_rows.starts, query_rows.columns = &query_data[0], indices(query_starts), indices(query_columns)
    rows.data, rows.starts, rows.columns = &data[0], indices(starts), indices(columns)
    with nogil:
        c_nearest_rows(
            first, last, query_rows, &row_of[0], rows, &candidates[0, 0], n_candidates, k, &distances[0, 0], &points[0, 0]
        )
