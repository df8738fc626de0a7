// Passes over the edges of a graph in compressed rows that need no second copy of it.
#pragma once

#include <cmath>
#include <limits>

#include "fetching.hpp"

namespace s3nmf {

// The smallest number that single precision holds in full.
constexpr double LEAST_WEIGHT = std::numeric_limits<float>::min();

// 64 bits that look random, and are other ones for every number (the last steps of splitmix64).
inline uint64_t scrambled(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

// A number that is zero, over all rows, if every entry w_ij has the same one across the diagonal, w_ji.
//
// Scrambled entries above the diagonal less those below; sums modulo 2^64 are the same in every order. That other
// matrices have a zero, too, would be a chance of 1 in 2^64. `bits` are the weights as whole numbers.
template <class S, class C>
inline uint64_t fingerprint_of_rows(int64_t first, int64_t last, const S& starts, const C& columns,
                                    const uint64_t* bits) {
    uint64_t found = 0;
    for (int64_t i = first; i < last; ++i) {
        const int64_t end = starts[i + 1];
        for (int64_t e = starts[i]; e < end; ++e) {
            const int64_t j = columns[e];
            const auto low = static_cast<uint64_t>(smaller(i, j)), high = static_cast<uint64_t>(larger(i, j));
            const uint64_t entry = scrambled(scrambled((low << 32) | high) ^ bits[e]);
            // Without a branch, which no processor could predict.
            const uint64_t added = j > i ? entry : 0 - entry;
            found += j != i ? added : 0;
        }
    }
    return found;
}

inline uint64_t fingerprint_across(int64_t first, int64_t last, Indices starts, Indices columns, const uint64_t* bits) {
    return with_types_of(starts, columns, [&](auto row_starts, auto column_of) {
        return fingerprint_of_rows(first, last, row_starts, column_of, bits);
    });
}

struct Gap {
    double size = 0.0;
    int64_t row = 0, column = 0;
};

// The largest |w_ij - w_ji|, and where it is; the columns of a row are in increasing order.
template <class W>
Gap largest_gap(Indices starts, Indices columns, const W* weights) {
    Gap most;
    for (int64_t i = 0; i + 1 < starts.size; ++i) {
        const int64_t end = starts[i + 1];
        for (int64_t e = starts[i]; e < end; ++e) {
            const int64_t j = columns[e];
            int64_t low = starts[j], high = starts[j + 1];
            while (low < high) {
                const int64_t middle = (low + high) / 2;
                if (columns[middle] < i)
                    low = middle + 1;
                else
                    high = middle;
            }
            const double back = low < starts[j + 1] && columns[low] == i ? weights[low] : 0.0;
            const double gap = std::fabs(weights[e] - back);
            if (gap > most.size) most = {gap, i, j};
        }
    }
    return most;
}

// The connected pieces of the groups of points, numbered by their first points; returns how many there are.
template <class S, class N, class G>
int64_t find_pieces(int64_t n, const S& starts, const N& neighbors, const G* group, int32_t* piece) {
    const Buffer<int32_t> found(n);
    for (int64_t i = 0; i < n; ++i) piece[i] = -1;
    int32_t count = 0;
    for (int64_t first = 0; first < n; ++first) {
        if (piece[first] >= 0) continue;
        piece[first] = count;
        found[0] = static_cast<int32_t>(first);
        int64_t at = 0, end = 1;
        while (at < end) {
            if (n >= WORTH_FETCHING) fetch_groups(found, at, end, starts, neighbors, piece);
            const int64_t i = found[at++], last = starts[i + 1];
            for (int64_t e = starts[i]; e < last; ++e) {
                const int64_t j = neighbors[e];
                if (piece[j] < 0 && group[j] == group[i]) {
                    piece[j] = count;
                    found[end++] = static_cast<int32_t>(j);
                }
            }
        }
        ++count;
    }
    return count;
}

template <class G>
int64_t pieces(int64_t n, Indices starts, Indices neighbors, const G* group, int32_t* piece) {
    return with_types_of(starts, neighbors, [&](auto row_starts, auto neighbor_of) {
        return find_pieces(n, row_starts, neighbor_of, group, piece);
    });
}

// Add up the links of a point by the groups that they lead to, put these into `near`, and return how many they are.
//
// `links(c)` must be zero for every group; whoever calls sets it to zero again, at those of `near`.
template <class S, class N, class W, class G, class Links>
inline int64_t links_by_group(const S& starts, const N& neighbors, const W* weights, const G* group, int64_t i,
                              const Links& links, G* near) {
    int64_t n_near = 0;
    const int64_t end = starts[i + 1];
    for (int64_t e = starts[i]; e < end; ++e) {
        const G c = group[neighbors[e]];
        double& link = links(c);
        if (link == 0.0) near[n_near++] = c;
        link += weights[e];
    }
    return n_near;
}

// How many edges some rows of `reordered` have: none to the point itself, and none without a weight.
template <class W>
void sizes_of_rows(int64_t first, int64_t last, Indices starts, Indices columns, const W* weights, Indices order,
                   int64_t* sizes) {
    for (int64_t row = first; row < last; ++row) {
        const int64_t i = order[row], end = starts[i + 1];
        int64_t size = 0;
        for (int64_t e = starts[i]; e < end; ++e) size += columns[e] != i && weights[e] > 0;
        sizes[row] = size;
    }
}

// Put some rows of the graph in another order, without self loops, its weights times `scale` in single precision.
//
// No weight is zero: what single precision cannot hold is the least that it can, so that the edge stays one.
template <class W>
void reordered(int64_t first, int64_t last, Indices starts, Indices columns, const W* weights, Indices order,
               const int32_t* row_of, double scale, const int64_t* new_starts, int32_t* neighbors,
               float* new_weights) {
    for (int64_t row = first; row < last; ++row) {
        const int64_t i = order[row], end = starts[i + 1];
        int64_t at = new_starts[row];
        if (last - first >= WORTH_FETCHING) fetch_groups(order, row, last, starts, columns, row_of);
        for (int64_t e = starts[i]; e < end; ++e)
            if (columns[e] != i && weights[e] > 0) {
                neighbors[at] = row_of[columns[e]];
                new_weights[at++] = static_cast<float>(larger<double>(weights[e] * scale, LEAST_WEIGHT));
            }
    }
}

// A dense matrix; its steps are in entries.
template <class W>
struct Dense {
    const W* data;
    int64_t row_step, column_step;

    W operator()(int64_t i, int64_t j) const { return data[i * row_step + j * column_step]; }
};

// Where the rows of the graph of a dense matrix begin.
template <class W>
void starts_of(Dense<W> matrix, Indices order, int64_t* starts) {
    starts[0] = 0;
    for (int64_t i = 0; i < order.size; ++i) {
        int64_t size = 0;
        for (int64_t j = 0; j < order.size; ++j) size += j != i && matrix(order[i], order[j]) > 0;
        starts[i + 1] = starts[i] + size;
    }
}

// The same graph as `reordered` makes, of a dense matrix, neighbours in that order, too.
template <class W>
void edges_of(Dense<W> matrix, Indices order, double scale, const int64_t* starts, int32_t* neighbors,
              float* weights) {
    for (int64_t i = 0; i < order.size; ++i) {
        int64_t at = starts[i];
        for (int64_t j = 0; j < order.size; ++j) {
            const W weight = matrix(order[i], order[j]);
            if (j != i && weight > 0) {
                neighbors[at] = static_cast<int32_t>(j);
                weights[at++] = static_cast<float>(larger<double>(weight * scale, LEAST_WEIGHT));
            }
        }
    }
}

}  // namespace s3nmf
