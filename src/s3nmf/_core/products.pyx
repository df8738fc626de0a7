"""Products with a sparse matrix and with Gram matrices, row by row, and distances between rows."""

from cython cimport floating
from libc.stdint cimport int32_t, int64_t

from s3nmf._core.arrays cimport Indices, Weights, indices, weights_of

ctypedef fused index_t:
    int32_t
    int64_t


cdef extern from "products.hpp" namespace "s3nmf" nogil:
    void c_product_rows "s3nmf::product_rows"[T](
        int64_t, int64_t, Indices, Indices, Weights, const T*, int64_t, T*
    )
    void c_distances_of_rows "s3nmf::distances_of_rows"[T, I](
        int64_t, int64_t, const T*, int64_t, int64_t, int64_t, const I*, int64_t, int64_t, int64_t, double*
    )


def product_rows(
    int64_t first,
    int64_t last,
    starts,
    columns,
    weights,
    const floating[:, ::1] source,
    floating[:, ::1] out,
):
    """Put rows first to last of a sparse matrix times `source` into `out`."""
    cdef Indices row_starts = indices(starts), column_of = indices(columns)
    cdef Weights weight_of = weights_of(weights)
    cdef int64_t width = source.shape[1]
    with nogil:
        c_product_rows(first, last, row_starts, column_of, weight_of, &source[0, 0], width, &out[0, 0])


def distances_of_rows(
    int64_t first, int64_t last, const floating[:, :] X, const index_t[:, :] neighbors, double[:, ::1] out
):
    """Put ||X[i] - X[neighbors[i, j]]|| into out[i, j], for rows i from first to last."""
    cdef int64_t size = sizeof(floating), index_size = sizeof(index_t)
    with nogil:
        c_distances_of_rows(
            first,
            last,
            &X[0, 0],
            X.shape[1],
            X.strides[0] // size,
            X.strides[1] // size,
            &neighbors[0, 0],
            neighbors.shape[1],
            neighbors.strides[0] // index_size,
            neighbors.strides[1] // index_size,
            &out[0, 0],
        )
