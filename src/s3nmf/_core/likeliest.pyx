"""Points that move to the cluster that their links make likeliest, by a degree-corrected planted partition."""

from cython cimport floating
from libc.stdint cimport int64_t

from s3nmf._core.arrays cimport Indices, indices


cdef extern from "likeliest.hpp" namespace "s3nmf" nogil:
    int64_t c_move_to_likeliest "s3nmf::move_to_likeliest"[W](
        int64_t, Indices, Indices, const W*, int64_t*, int64_t, int64_t
    ) except +
    void c_links_of_clusters "s3nmf::links_of_clusters"[W](
        int64_t, Indices, Indices, const W*, const int64_t*, int64_t, double*, double*, double*, double*
    ) except +


def move_to_likeliest(
    starts, neighbors, const floating[::1] weights, int64_t[::1] label, int64_t n_clusters, int64_t most_passes
):
    """Move points, in place and in their order, until a pass moves none or after so many; return how many it took.

    Each move raises the likelihood, and so does fitting the densities again, which is done after each. A cluster keeps
    half of its points: this is about points, not about clusters.
    """
    cdef Indices row_starts = indices(starts), neighbor_of = indices(neighbors)
    cdef int64_t n_passes
    with nogil:
        n_passes = c_move_to_likeliest(
            label.shape[0], row_starts, neighbor_of, &weights[0], &label[0], n_clusters, most_passes
        )
    return n_passes


def links_of_clusters(
    starts, neighbors, const floating[::1] weights, const int64_t[::1] label, double[:, ::1] found
):
    """Into four rows, for each cluster: points, links, the sum of their squares over its points, and links inside."""
    cdef Indices row_starts = indices(starts), neighbor_of = indices(neighbors)
    with nogil:
        c_links_of_clusters(
            label.shape[0], row_starts, neighbor_of, &weights[0], &label[0], found.shape[1],
            &found[0, 0], &found[1, 0], &found[2, 0], &found[3, 0]
        )
