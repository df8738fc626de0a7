// Communities of a graph by modularity: local moves with a work queue, aggregation, and moves again.
//
// Louvain's method (Blondel et al. 2008) with the queue of Leiden's (Traag, Waltman, van Eck 2019), and communities
// that hang together.
//
// A graph is CSR arrays without self loops, and the strength of each point: the sum of its row, inner weight included.
// With 2m the sum of all strengths and k those of a point or a community, a partition has the modularity
//
//     sum over communities C of  w(C, C) / 2m - resolution (k(C) / 2m)^2,
//
// and point i in community C gains w(i, C) - pressure k_i k(C without i) by it, pressure = resolution / 2m.
//
// Every function works on one member alone, so that members can be shared out to threads. Orders come from a generator
// of our own (splitmix64), whose stream is the same on every machine and in every version of every library.
#pragma once

#include <limits>
#include <utility>

#include "graphs.hpp"

namespace s3nmf {

// A move must gain more than this share of the point's strength: less is rounding, and might go back and forth for ever.
constexpr double MOVE_ROUNDING = 1e-10;
constexpr int64_t WINDOW = 8192;
// Visits of a point in the first local moves, on average.
constexpr int64_t FIRST_VISITS = 4;
constexpr int64_t NO_LIMIT = std::numeric_limits<int64_t>::max();

struct Graph {
    int64_t n;
    Fixed<int64_t> starts;
    Fixed<int32_t> neighbors;
    const float* weights;
    const double* strength;

    int64_t n_edges() const { return starts[n]; }
};

// The next 64 random bits (splitmix64).
inline uint64_t next_random(uint64_t& state) {
    state += 0x9E3779B97F4A7C15u;
    return scrambled(state);
}

template <class T>
void permute(T* values, int64_t first, int64_t last, uint64_t& state) {
    for (int64_t i = last - 1; i > first; --i) {
        // The high half of a 32 by 32 bit product: below its second factor, as even as 2^-32 allows.
        const uint64_t below = static_cast<uint64_t>(i - first + 1);
        const int64_t j = first + static_cast<int64_t>(((next_random(state) >> 32) * below) >> 32);
        std::swap(values[i], values[j]);
    }
}

// Put 0, 1, ... into random order, in place: windows in random order, and what is in each.
//
// Rows that are close to each other have neighbours in common. A window of them is read from the processor's cache,
// where an order over all rows of a large graph would wait for the memory at every visit.
inline void shuffle(int64_t n, int32_t* order, uint64_t& state) {
    const int64_t n_windows = (n + WINDOW - 1) / WINDOW;
    const Buffer<int64_t> windows(n_windows);
    for (int64_t w = 0; w < n_windows; ++w) windows[w] = w;
    permute(windows.get(), 0, n_windows, state);
    int64_t at = 0;
    for (int64_t w = 0; w < n_windows; ++w) {
        const int64_t first = at, end = smaller(n, (windows[w] + 1) * WINDOW);
        for (int64_t i = windows[w] * WINDOW; i < end; ++i) order[at++] = static_cast<int32_t>(i);
        permute(order, first, at, state);
    }
}

// What a visit needs of a community, side by side: in a large graph each would wait for the memory.
struct OfCommunity {
    double total, pull;
};

// Move points to the community where they gain most until the queue is empty; return how many moves that took.
//
// All points are in the queue at first, in random order. When one has moved, its neighbours outside of its new
// community are queued again: their choice has become worse. Others may now gain by joining the community that has
// become smaller; few do, and they are not looked at. It ends early after so many visits.
inline int64_t local_moves(const Graph& graph, double pressure, int32_t* community, uint64_t& state,
                           int64_t most_visits) {
    const int64_t n = graph.n;
    const Buffer<OfCommunity> of(n, OfCommunity{0.0, 0.0});
    for (int64_t i = 0; i < n; ++i) of[community[i]].total += graph.strength[i];
    const Buffer<int32_t> queue(n), near(n);
    shuffle(n, queue.get(), state);
    const Buffer<bool> queued(n, true);
    const auto pull_of = [&](int32_t c) -> double& { return of[c].pull; };
    int64_t head = 0, length = n, n_moves = 0, n_visits = 0;
    while (length > 0 && n_visits < most_visits) {
        ++n_visits;
        if (n >= WORTH_FETCHING)
            fetch_links(queue, head, n, graph.starts, graph.neighbors, graph.weights, community, of.get());
        const int32_t i = queue[head++];
        if (head == n) head = 0;
        --length;
        queued[i] = false;
        const int32_t own = community[i];
        const int64_t n_near =
            links_by_group(graph.starts, graph.neighbors, graph.weights, community, i, pull_of, near.get());
        const double k = graph.strength[i];
        of[own].total -= k;
        int32_t best = own;
        double most = of[own].pull - pressure * k * of[own].total + MOVE_ROUNDING * k;
        for (int64_t t = 0; t < n_near; ++t) {
            const int32_t c = near[t];
            const double gain = of[c].pull - pressure * k * of[c].total;
            if (gain > most && c != own) {
                best = c;
                most = gain;
            }
            of[c].pull = 0.0;
        }
        of[best].total += k;
        if (best == own) continue;
        community[i] = best;
        ++n_moves;
        const int64_t end = graph.starts[i + 1];
        for (int64_t e = graph.starts[i]; e < end; ++e) {
            const int64_t j = graph.neighbors[e];
            if (!queued[j] && community[j] != best) {
                queued[j] = true;
                const int64_t at = head + length;
                queue[at >= n ? at - n : at] = static_cast<int32_t>(j);
                ++length;
            }
        }
    }
    return n_moves;
}

// Number the communities 0, 1, ... by their first points, in place; return how many there are.
inline int64_t renumber(int64_t n, int32_t* community) {
    const Buffer<int32_t> number(n, -1);
    int32_t count = 0;
    for (int64_t i = 0; i < n; ++i) {
        const int32_t c = community[i];
        if (number[c] < 0) number[c] = count++;
        community[i] = number[c];
    }
    return count;
}

// The graph of the communities, without their inner weight, which their strengths still hold. There is room for as many
// edges as the graph has; of the room, only what is written to takes memory. Returns how many edges there are.
inline int64_t aggregate(const Graph& graph, const int32_t* community, int64_t count, int64_t* starts,
                         int32_t* neighbors, float* weights, double* strength) {
    const int64_t n = graph.n;
    const Buffer<int64_t> first(count + 1, 0), place(count);
    for (int64_t i = 0; i < n; ++i) ++first[community[i] + 1];
    for (int64_t c = 0; c < count; ++c) {
        place[c] = first[c];
        first[c + 1] += first[c];
        strength[c] = 0.0;
    }
    const Buffer<int32_t> members(n);
    for (int64_t i = 0; i < n; ++i) {
        const int32_t c = community[i];
        members[place[c]++] = static_cast<int32_t>(i);
        strength[c] += graph.strength[i];
    }
    const Buffer<double> pull(count, 0.0);
    int64_t at = 0;
    starts[0] = 0;
    for (int64_t c = 0; c < count; ++c) {
        const int64_t begin = at;
        for (int64_t p = first[c]; p < first[c + 1]; ++p) {
            if (n >= WORTH_FETCHING)
                fetch_links(members, p, n, graph.starts, graph.neighbors, graph.weights, community, pull.get());
            const int64_t i = members[p], end = graph.starts[i + 1];
            for (int64_t e = graph.starts[i]; e < end; ++e) {
                const int32_t d = community[graph.neighbors[e]];
                if (d == c) continue;
                if (pull[d] == 0.0) neighbors[at++] = d;
                pull[d] += graph.weights[e];
            }
        }
        for (int64_t e = begin; e < at; ++e) {
            weights[e] = static_cast<float>(pull[neighbors[e]]);
            pull[neighbors[e]] = 0.0;
        }
        starts[c + 1] = at;
    }
    return at;
}

// A graph of communities, and the memory that it is in.
class Coarse {
public:
    Coarse(const Graph& graph, const int32_t* community, int64_t count)
        : starts_(count + 1), neighbors_(graph.n_edges()), weights_(graph.n_edges()), strength_(count), n_(count) {
        aggregate(graph, community, count, starts_.get(), neighbors_.get(), weights_.get(), strength_.get());
    }

    Graph graph() const { return {n_, {starts_.get()}, {neighbors_.get()}, weights_.get(), strength_.get()}; }

private:
    Buffer<int64_t> starts_;
    Buffer<int32_t> neighbors_;
    Buffer<float> weights_;
    Buffer<double> strength_;
    int64_t n_;
};

// Join communities in place, level by level, until none wants to move; return how many are left.
inline int64_t merge(const Graph& graph, double pressure, int32_t* community, int64_t count, uint64_t& state) {
    Coarse level(graph, community, count);
    while (true) {
        const Buffer<int32_t> joined(count);
        for (int64_t c = 0; c < count; ++c) joined[c] = static_cast<int32_t>(c);
        if (local_moves(level.graph(), pressure, joined.get(), state, NO_LIMIT) == 0) return count;
        const int64_t fewer = renumber(count, joined.get());
        for (int64_t i = 0; i < graph.n; ++i) community[i] = joined[community[i]];
        if (fewer == count) return count;
        level = Coarse(level.graph(), joined.get(), fewer);
        count = fewer;
    }
}

// Move points, at most so often, and merge communities.
inline void improve(const Graph& graph, double pressure, int32_t* community, uint64_t& state, int64_t most_visits) {
    const int64_t n_moves = local_moves(graph, pressure, community, state, most_visits);
    const int64_t count = renumber(graph.n, community);
    if (n_moves) merge(graph, pressure, community, count, state);
}

// Make a partition better until no point wants to move and no two communities to merge; return how many are left.
//
// A point that joined two parts of a community may have left it. What hangs together by no edge loses nothing by the
// cut, and gains by the smaller strengths of its parts.
inline int64_t settle(const Graph& graph, double pressure, int32_t* community, uint64_t& state) {
    improve(graph, pressure, community, state, NO_LIMIT);
    const Buffer<int32_t> piece(graph.n);
    const int64_t count = find_pieces(graph.n, graph.starts, graph.neighbors, community, piece.get());
    for (int64_t i = 0; i < graph.n; ++i) community[i] = piece[i];
    return count;
}

// Put the communities of a graph into `community`, numbered by their first points; return how many there are.
//
// Points move and communities merge, and once more from the points of the partition found. The first moves only have to
// find what belongs together for sure; carried on to their end they were measured to take three times as long and to
// lead nowhere better. No community is in pieces.
inline int64_t find_communities(const Graph& graph, double pressure, int32_t* community, uint64_t& state) {
    for (int64_t i = 0; i < graph.n; ++i) community[i] = static_cast<int32_t>(i);
    improve(graph, pressure, community, state, FIRST_VISITS * graph.n);
    return settle(graph, pressure, community, state);
}

// Above this pressure every point is best alone.
inline double largest_pressure(const Graph& graph) {
    double most = 0.0;
    for (int64_t i = 0; i < graph.n; ++i) {
        const int64_t end = graph.starts[i + 1];
        for (int64_t e = graph.starts[i]; e < end; ++e)
            most = larger(most, graph.weights[e] / (graph.strength[i] * graph.strength[graph.neighbors[e]]));
    }
    return most;
}

}  // namespace s3nmf
