"""The multiplicative update of all members in one pass over the rows."""

from cython cimport floating
from libc.stdint cimport int64_t
from libcpp cimport bool as cbool
from scipy.linalg.cython_blas cimport ddot, dgemm, dgemv, sdot, sgemm, sgemv

from s3nmf._core.arrays cimport Indices, indices


cdef extern from "multiplicative.hpp" namespace "s3nmf" nogil:
    const int64_t MULTIPLICATIVE_BLOCK
    const int64_t C_BLAS_BLOCK "s3nmf::BLAS_BLOCK"

    cdef cppclass Limits[T]:
        const T* row_scale
        const T* row_penalty
        T epsilon
        T floor
        cbool fourth_root

    cdef cppclass Blas[T]:
        void (*gemm)(char*, char*, int*, int*, int*, T*, T*, int*, T*, int*, T*, T*, int*) noexcept
        void (*gemv)(char*, int*, int*, T*, T*, int*, T*, int*, T*, T*, int*) noexcept
        T (*dot)(int*, T*, int*, T*, int*) noexcept

    void c_times_gram "s3nmf::widest<s3nmf::times_gram_loop<float>>"(
        int64_t, int64_t, int64_t, const float*, const float*, float*
    )
    void c_add_grams "s3nmf::widest<s3nmf::add_grams_loop<float>>"(int64_t, int64_t, int64_t, const float*, float*)
    void c_update "s3nmf::widest<s3nmf::update_loop<float>>"(
        int64_t, int64_t, const float*, const float*, const float*, float, float, cbool, float*
    ) except +
    void c_members_innermost "s3nmf::sweep_members_innermost"[T](
        int64_t, int64_t, int64_t, int64_t, int64_t, Indices, Indices, const T*, const T*, const T*, const T*,
        Limits[T], T*, T*, T*, T*
    ) except +
    void c_clusters_innermost "s3nmf::sweep_clusters_innermost"[T](
        int64_t, int64_t, int64_t, int64_t, int64_t, Indices, Indices, const T*, const T*, const T*, const T*,
        Limits[T], Blas[T], T*, T*, T*, T*
    ) except +

BLOCK = MULTIPLICATIVE_BLOCK
BLAS_BLOCK = C_BLAS_BLOCK


def sweep_members_innermost(
    int64_t first,
    int64_t last,
    starts,
    columns,
    const floating[::1] weights,
    const floating[:, ::1] source,
    const floating[:, :, ::1] V,
    const floating[:, :, ::1] gram,
    const floating[::1] row_scale,
    const floating[::1] row_penalty,
    floating epsilon,
    floating floor,
    cbool fourth_root,
    floating[:, :, ::1] out,
    floating[:, :, :, ::1] grams,
    floating[:, ::1] fits,
    floating[:, ::1] steps,
):
    """The multiplicative update of blocks first to last of V (n, c, b), for few clusters.

    In the same pass: the Gram matrix of the new V (its lower triangle), <V, SV> of the old one and the largest step, by
    block. The product S V is `source` itself where there are no sparse rows to combine it by.
    """
    cdef Indices row_starts = indices(starts), column_of = indices(columns)
    cdef Limits[floating] limits
    limits.row_scale, limits.row_penalty = &row_scale[0], &row_penalty[0]
    limits.epsilon, limits.floor, limits.fourth_root = epsilon, floor, fourth_root
    with nogil:
        c_members_innermost(
            first, last, V.shape[0], V.shape[1], V.shape[2], row_starts, column_of, &weights[0], &source[0, 0],
            &V[0, 0, 0], &gram[0, 0, 0], limits, &out[0, 0, 0], &grams[0, 0, 0, 0], &fits[0, 0], &steps[0, 0]
        )


def sweep_clusters_innermost(
    int64_t first,
    int64_t last,
    starts,
    columns,
    const floating[::1] weights,
    const floating[:, ::1] source,
    const floating[:, :, ::1] V,
    const floating[:, :, ::1] gram,
    const floating[::1] row_scale,
    const floating[::1] row_penalty,
    floating epsilon,
    floating floor,
    cbool fourth_root,
    floating[:, :, ::1] out,
    floating[:, :, :, ::1] grams,
    floating[:, ::1] fits,
    floating[:, ::1] steps,
):
    """The same for V (n, b, c) with many clusters, where BLAS multiplies faster than a loop.

    What is done from first to last is one member's block each, so that threads can share a single block.
    """
    cdef Indices row_starts = indices(starts), column_of = indices(columns)
    cdef Limits[floating] limits
    limits.row_scale, limits.row_penalty = &row_scale[0], &row_penalty[0]
    limits.epsilon, limits.floor, limits.fourth_root = epsilon, floor, fourth_root
    cdef Blas[floating] blas
    if floating is float:
        blas.gemm, blas.gemv, blas.dot = sgemm, sgemv, sdot
    else:
        blas.gemm, blas.gemv, blas.dot = dgemm, dgemv, ddot
    with nogil:
        c_clusters_innermost(
            first, last, V.shape[0], V.shape[1], V.shape[2], row_starts, column_of, &weights[0], &source[0, 0],
            &V[0, 0, 0], &gram[0, 0, 0], limits, blas, &out[0, 0, 0], &grams[0, 0, 0, 0], &fits[0, 0], &steps[0, 0]
        )


# The parts of a sweep by themselves, for benchmarks.
def times_gram(const float[:, :, ::1] V, const float[:, :, ::1] gram, float[:, ::1] out):
    """Put the product of V (n, c, b) with V'V into `out`."""
    with nogil:
        c_times_gram(V.shape[0], V.shape[1], V.shape[2], &V[0, 0, 0], &gram[0, 0, 0], &out[0, 0])


def add_grams(const float[:, :, ::1] V, float[:, :, ::1] gram):
    """Add V'V of V (n, c, b) to `gram`, its lower triangle."""
    with nogil:
        c_add_grams(V.shape[0], V.shape[1], V.shape[2], &V[0, 0, 0], &gram[0, 0, 0])


def update(
    const float[:, ::1] V, const float[:, ::1] product, const float[:, ::1] denominator, float epsilon, float floor,
    cbool fourth_root, float[:, ::1] out,
):
    """Put the multiplicative update of V, given S V and V V'V, into `out`."""
    with nogil:
        c_update(
            V.shape[0], V.shape[1], &V[0, 0], &product[0, 0], &denominator[0, 0], epsilon, floor, fourth_root,
            &out[0, 0]
        )
