"""The profile of cuts between two clusters: how many edges cross on the way from one to the other."""

import numpy as np

from libc.stdint cimport int32_t, int64_t
from libcpp.vector cimport vector


cdef extern from "profiles.hpp" namespace "s3nmf" nogil:
    cdef cppclass Fixed[T]:
        const T* data

    cdef cppclass Border:
        double crossing
        double first_level
        double second_level
        double edges
        double steps

    Border c_border_between "s3nmf::border_between"(
        Fixed[int64_t], Fixed[int32_t], const vector[int64_t]&, int64_t, double, int64_t, double, int32_t*
    ) except +


def border_between(
    const int64_t[::1] starts,
    const int32_t[::1] neighbors,
    const int64_t[::1] first,
    const int64_t[::1] second,
    double separation,
    int64_t most_steps,
    double margin,
    int32_t[::1] place,
):
    """Of two clusters, given by their points: the edges that cross at the border, those that cross inside each, and all.

    The graph has no self loops. `place` has -1 for every point, and has it again when the function returns.
    """
    cdef Fixed[int64_t] row_starts
    cdef Fixed[int32_t] neighbor_of
    cdef vector[int64_t] points
    cdef Border found
    cdef int64_t i
    row_starts.data, neighbor_of.data = &starts[0], &neighbors[0]
    with nogil:
        points.reserve(first.shape[0] + second.shape[0])
        for i in range(first.shape[0]):
            points.push_back(first[i])
        for i in range(second.shape[0]):
            points.push_back(second[i])
        found = c_border_between(
            row_starts, neighbor_of, points, first.shape[0], separation, most_steps, margin, &place[0]
        )
    return found.crossing, found.first_level, found.second_level, found.edges, found.steps
