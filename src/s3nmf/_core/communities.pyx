"""Communities of a graph by modularity: local moves with a work queue, aggregation, and moves again.

A graph is four arrays: where the rows begin, neighbours, weights in single precision, and the strength of each point.
Every function works on one member alone. `state` holds the one number of a random generator, and is changed.
"""

import numpy as np

from libc.stdint cimport int32_t, int64_t, uint64_t


cdef extern from "communities.hpp" namespace "s3nmf" nogil:
    cdef cppclass Fixed[T]:
        const T* data

    cdef cppclass Graph:
        int64_t n
        Fixed[int64_t] starts
        Fixed[int32_t] neighbors
        const float* weights
        const double* strength

    void c_shuffle "s3nmf::shuffle"(int64_t, int32_t*, uint64_t&) except +
    int64_t c_local_moves "s3nmf::local_moves"(const Graph&, double, int32_t*, uint64_t&, int64_t) except +
    int64_t c_renumber "s3nmf::renumber"(int64_t, int32_t*) except +
    int64_t c_aggregate "s3nmf::aggregate"(
        const Graph&, const int32_t*, int64_t, int64_t*, int32_t*, float*, double*
    ) except +
    int64_t c_merge "s3nmf::merge"(const Graph&, double, int32_t*, int64_t, uint64_t&) except +
    int64_t c_settle "s3nmf::settle"(const Graph&, double, int32_t*, uint64_t&) except +
    int64_t c_find_communities "s3nmf::find_communities"(const Graph&, double, int32_t*, uint64_t&) except +
    double c_largest_pressure "s3nmf::largest_pressure"(const Graph&)


cdef Graph graph_of(
    const int64_t[::1] starts, const int32_t[::1] neighbors, const float[::1] weights, const double[::1] strength
) noexcept:
    cdef Graph graph
    graph.n, graph.strength = strength.shape[0], &strength[0]
    graph.starts.data, graph.neighbors.data, graph.weights = &starts[0], &neighbors[0], &weights[0]
    return graph


def shuffle(int32_t[::1] order, uint64_t[::1] state):
    """Put 0, 1, ... into random order, in place: windows in random order, and what is in each."""
    with nogil:
        c_shuffle(order.shape[0], &order[0], state[0])


def local_moves(
    starts, neighbors, weights, strength, double pressure, int32_t[::1] community, uint64_t[::1] state,
    int64_t most_visits,
):
    """Move points to the community where they gain most until the queue is empty; return how many moves that took.

    It ends early after so many visits.
    """
    cdef Graph graph = graph_of(starts, neighbors, weights, strength)
    cdef int64_t n_moves
    with nogil:
        n_moves = c_local_moves(graph, pressure, &community[0], state[0], most_visits)
    return n_moves


def renumber(int32_t[::1] community):
    """Number the communities 0, 1, ... by their first points, in place; return how many there are."""
    cdef int64_t count
    with nogil:
        count = c_renumber(community.shape[0], &community[0])
    return count


def aggregate(starts, neighbors, weights, strength, const int32_t[::1] community, int64_t count):
    """The graph of the communities, without their inner weight, which their strengths still hold."""
    cdef Graph graph = graph_of(starts, neighbors, weights, strength)
    coarse_starts, coarse_strength = np.empty(count + 1, np.int64), np.empty(count)
    coarse_neighbors, coarse_weights = np.empty(neighbors.size, np.int32), np.empty(neighbors.size, np.float32)
    cdef int64_t[::1] starts_view = coarse_starts
    cdef int32_t[::1] neighbors_view = coarse_neighbors
    cdef float[::1] weights_view = coarse_weights
    cdef double[::1] strength_view = coarse_strength
    cdef int64_t size
    with nogil:
        size = c_aggregate(
            graph, &community[0], count, &starts_view[0], &neighbors_view[0], &weights_view[0], &strength_view[0]
        )
    # Views: of the room that was set aside, only what was written to takes memory.
    return coarse_starts, coarse_neighbors[:size], coarse_weights[:size], coarse_strength


def merge(
    starts, neighbors, weights, strength, double pressure, int32_t[::1] community, int64_t count, uint64_t[::1] state
):
    """Join communities in place, level by level, until none wants to move; return how many are left."""
    cdef Graph graph = graph_of(starts, neighbors, weights, strength)
    with nogil:
        count = c_merge(graph, pressure, &community[0], count, state[0])
    return count


def settle(starts, neighbors, weights, strength, double pressure, int32_t[::1] community, uint64_t[::1] state):
    """Make a partition better until no point wants to move and no two communities to merge; return how many are left.

    No community is in pieces.
    """
    cdef Graph graph = graph_of(starts, neighbors, weights, strength)
    cdef int64_t count
    with nogil:
        count = c_settle(graph, pressure, &community[0], state[0])
    return count


def find_communities(
    starts, neighbors, weights, strength, double pressure, int32_t[::1] community, uint64_t[::1] state
):
    """Put the communities of a graph into `community`, numbered by their first points; return how many there are."""
    cdef Graph graph = graph_of(starts, neighbors, weights, strength)
    cdef int64_t count
    with nogil:
        count = c_find_communities(graph, pressure, &community[0], state[0])
    return count


def largest_pressure(starts, neighbors, weights, strength):
    """Above this pressure every point is best alone."""
    cdef Graph graph = graph_of(starts, neighbors, weights, strength)
    cdef double found
    with nogil:
        found = c_largest_pressure(graph)
    return found
