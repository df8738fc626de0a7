// Ask the memory for what is read soon: a large graph is read in no order that a processor can guess.
//
// A visit of a point reads its row, then the groups of its neighbours, then what is known of these groups. Each waits
// for the one before, some tenth of a microsecond where it is not in the cache. Asked for some visits ahead, all are
// there.
#pragma once

#include "arrays.hpp"

#if defined(_MSC_VER) && (defined(_M_X64) || defined(_M_IX86))
#include <xmmintrin.h>
#endif

namespace s3nmf {

// How many visits ahead each is asked for: in the time of so many, what it needs itself has come.
constexpr int64_t STARTS_AHEAD = 24, ROW_AHEAD = 12, GROUPS_AHEAD = 6, OF_GROUPS_AHEAD = 2;
// Entries of a row that are asked for: of longer ones the processor sees by itself how they go on.
constexpr int64_t MOST_FETCHED = 64;
// In single precision, 16 of a row are what the memory hands over at a time.
constexpr int64_t LINE = 16;
// Graphs with fewer points are in the cache anyway.
constexpr int64_t WORTH_FETCHING = 1 << 15;

// Ask for what is at an address, without waiting for it; any address, for nothing is read.
inline void prefetch(const void* address) {
#if defined(__GNUC__)
    __builtin_prefetch(address, 0, 3);
#elif defined(_MSC_VER) && (defined(_M_X64) || defined(_M_IX86))
    _mm_prefetch(static_cast<const char*>(address), _MM_HINT_T0);
#else
    (void)address;
#endif
}

// When row `order[at]` is visited: ask for the rows of visits to come, up to the end, and the groups they read.
template <class O, class S, class N, class G>
inline void fetch_groups(const O& order, int64_t at, int64_t end, const S& starts, const N& neighbors,
                         const G* group) {
    const int64_t last = end - 1;
    int64_t row = order[smaller(at + STARTS_AHEAD, last)];
    prefetch(starts.address(row));
    prefetch(group + row);
    const int64_t first = starts[order[smaller(at + ROW_AHEAD, last)]];
    prefetch(neighbors.address(first));
    prefetch(neighbors.address(first + LINE));
    row = order[smaller(at + GROUPS_AHEAD, last)];
    const int64_t stop = smaller<int64_t>(starts[row + 1], starts[row] + MOST_FETCHED);
    for (int64_t e = starts[row]; e < stop; ++e) prefetch(group + neighbors[e]);
}

// The same, and for the weights of their edges, and what is known of these groups: as `links_by_group` reads.
template <class O, class S, class N, class W, class G, class K>
inline void fetch_links(const O& order, int64_t at, int64_t end, const S& starts, const N& neighbors, const W* weights,
                        const G* group, const K* of_group) {
    fetch_groups(order, at, end, starts, neighbors, group);
    const int64_t last = end - 1;
    const int64_t first = starts[order[smaller(at + ROW_AHEAD, last)]];
    prefetch(weights + first);
    prefetch(weights + first + LINE);
    const int64_t row = order[smaller(at + OF_GROUPS_AHEAD, last)];
    const int64_t stop = smaller<int64_t>(starts[row + 1], starts[row] + MOST_FETCHED);
    for (int64_t e = starts[row]; e < stop; ++e) prefetch(of_group + group[neighbors[e]]);
}

}  // namespace s3nmf
