// Candidates for the nearest neighbours of points: a scan of the cells whose centres are nearest to each.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "arrays.hpp"
#include "widest.hpp"

namespace s3nmf {

// Points are stored in blocks of so many, coordinate by coordinate: each has its own sum, whatever the width of a
// vector register, and is added up in the order of the coordinates.
constexpr int64_t POINTS_IN_BLOCK = 32;
// After so many coordinates, a block is left whose points are all too far already.
constexpr int64_t COORDINATES_AT_ONCE = 16;

struct Candidate {
    float distance;
    int32_t point;

    bool operator<(const Candidate& other) const {
        return distance < other.distance || (distance == other.distance && point < other.point);
    }
};

// The nearest of the points that are offered, so many as are wanted; the rest is sorted out now and then.
class Shortlist {
public:
    explicit Shortlist(int64_t wanted) : wanted_(wanted), held_(std::max<int64_t>(2 * wanted, 2 * POINTS_IN_BLOCK)) {}

    void clear() {
        size_ = 0;
        limit = std::numeric_limits<float>::infinity();
    }

    void offer(float distance, int32_t point) {
        held_[size_++] = {distance, point};
        if (size_ == static_cast<int64_t>(held_.size())) shorten();
    }

    // Nearest first; returns how many there are.
    int64_t sort() {
        if (size_ > wanted_) shorten();
        std::sort(held_.begin(), held_.begin() + size_);
        return size_;
    }

    const Candidate& operator[](int64_t i) const { return held_[i]; }

    // Whoever is not nearer need not be offered.
    float limit = std::numeric_limits<float>::infinity();

private:
    void shorten() {
        std::nth_element(held_.begin(), held_.begin() + wanted_ - 1, held_.begin() + size_);
        size_ = wanted_;
        limit = held_[wanted_ - 1].distance;
    }

    int64_t wanted_, size_ = 0;
    std::vector<Candidate> held_;
};

// Cells of points in blocks: `blocks` is (n_blocks, n_coordinates, POINTS_IN_BLOCK), `points` their numbers, -1 where a
// cell has no more; the blocks of cell c are starts[c] to starts[c + 1].
struct Cells {
    const float* blocks;
    const int32_t* points;
    const int64_t* starts;
    int64_t n_cells, n_coordinates;

    int64_t n_places() const { return starts[n_cells] * POINTS_IN_BLOCK; }
};

#if defined(__GNUC__)
typedef float Lanes __attribute__((vector_size(32), aligned(alignof(float)), may_alias));
constexpr int64_t N_LANES = 8;
#else
struct Lanes {
    float one;

    Lanes& operator+=(Lanes other) { one += other.one; return *this; }
};
inline Lanes operator-(float a, Lanes b) { return {a - b.one}; }
inline Lanes operator*(Lanes a, Lanes b) { return {a.one * b.one}; }
inline Lanes operator*(float a, Lanes b) { return {a * b.one}; }
constexpr int64_t N_LANES = 1;
#endif
constexpr int64_t N_SUMS = POINTS_IN_BLOCK / N_LANES;

// Add up the squared differences between a query and the points of a block in some coordinates, in their order.
inline void add_squares(const float* block, int64_t from, int64_t to, const float* query, Lanes* sums) {
    for (int64_t j = from; j < to; ++j) {
        const Lanes* coordinates = reinterpret_cast<const Lanes*>(block + j * POINTS_IN_BLOCK);
        for (int64_t i = 0; i < N_SUMS; ++i) {
            const Lanes difference = query[j] - coordinates[i];
            sums[i] += difference * difference;
        }
    }
}

// Offer the points of a cell, but for one.
inline void scan(const Cells& cells, int64_t cell, const float* query, int32_t itself, Shortlist& nearest) {
    const int64_t d = cells.n_coordinates;
    for (int64_t b = cells.starts[cell]; b < cells.starts[cell + 1]; ++b) {
        const float* block = cells.blocks + b * d * POINTS_IN_BLOCK;
        Lanes sums[N_SUMS] = {};
        const float* sum = reinterpret_cast<const float*>(sums);
        bool is_near = true;
        for (int64_t from = 0; from < d && is_near; from += COORDINATES_AT_ONCE) {
            add_squares(block, from, std::min(from + COORDINATES_AT_ONCE, d), query, sums);
            int near = 0;
            for (int64_t i = 0; i < POINTS_IN_BLOCK; ++i) near |= sum[i] < nearest.limit;
            is_near = near != 0;
        }
        if (!is_near) continue;
        const int32_t* points = cells.points + b * POINTS_IN_BLOCK;
        for (int64_t i = 0; i < POINTS_IN_BLOCK; ++i)
            if (sum[i] < nearest.limit && points[i] >= 0 && points[i] != itself) nearest.offer(sum[i], points[i]);
        if (nearest.limit == 0.0f) return;  // no other is nearer than as many copies
    }
}

// The squared distances of a query to all centres; returns how many there are.
inline int64_t all_distances(const Cells& centres, const float* query, Candidate* out) {
    int64_t size = 0;
    for (int64_t b = 0; b < centres.starts[1]; ++b) {
        Lanes sums[N_SUMS] = {};
        add_squares(centres.blocks + b * centres.n_coordinates * POINTS_IN_BLOCK, 0, centres.n_coordinates, query, sums);
        const float* sum = reinterpret_cast<const float*>(sums);
        const int32_t* points = centres.points + b * POINTS_IN_BLOCK;
        for (int64_t i = 0; i < POINTS_IN_BLOCK && points[i] >= 0; ++i) out[size++] = {sum[i], points[i]};
    }
    return size;
}

// Whether every point within a radius of a centre is farther than those that are found, by the triangle inequality.
inline bool is_beyond(const Candidate& centre, float radius, const Shortlist& nearest) {
    const float gap = std::sqrt(centre.distance) - radius;
    return gap > 0.0f && gap * gap > nearest.limit;
}

// Scan so many cells, by the distances of their centres. A cell that has no point as near as those that are found
// already is passed over: where density varies, most of the nearest centres may be those of one dense spot that is far
// away.
inline void scan_nearest_cells(const Cells& cells, Candidate* centres, int64_t n_centres, const float* radii,
                               float largest_radius, int64_t n_probes, const float* query, int32_t itself,
                               Shortlist& nearest) {
    for (int64_t at = 0, wanted = n_probes; at < n_centres; wanted *= 2) {
        const int64_t end = std::min(at + wanted, n_centres);
        if (end < n_centres) std::nth_element(centres + at, centres + end, centres + n_centres);
        std::sort(centres + at, centres + end);
        for (; at < end; ++at) {
            if (is_beyond(centres[at], largest_radius, nearest)) return;  // and so are all that come after it
            if (is_beyond(centres[at], radii[centres[at].point], nearest)) continue;
            scan(cells, centres[at].point, query, itself, nearest);
            if (--n_probes == 0 || nearest.limit == 0.0f) return;
        }
    }
}

inline void candidates_loop(int64_t first, int64_t last, Cells centres, Cells cells, const float* radii,
                            int64_t n_probes, const float* queries, const int32_t* itself, int64_t n_candidates,
                            int32_t* out) {
    const Buffer<Candidate> by_distance(centres.n_places());
    const float largest_radius = *std::max_element(radii, radii + cells.n_cells);
    Shortlist nearest(n_candidates);
    for (int64_t q = first; q < last; ++q) {
        const float* query = queries + q * cells.n_coordinates;
        const int64_t n_centres = all_distances(centres, query, by_distance.get());
        nearest.clear();
        scan_nearest_cells(cells, by_distance.get(), n_centres, radii, largest_radius, n_probes, query, itself[q],
                           nearest);
        const int64_t size = nearest.sort();
        for (int64_t r = 0; r < n_candidates; ++r) out[q * n_candidates + r] = r < size ? nearest[r].point : -1;
    }
}

// out[q]: the points nearest to query q, nearest first, in so many cells with the nearest centres; -1 where there are no
// more. The centres are in one cell; radii[c] is at least the distance of any point of cell c to its centre. Query q is
// point itself[q], which is not its own neighbour.
inline void candidates(int64_t first, int64_t last, Cells centres, Cells cells, const float* radii, int64_t n_probes,
                       const float* queries, const int32_t* itself, int64_t n_candidates, int32_t* out) {
    widest<candidates_loop>(first, last, centres, cells, radii, n_probes, queries, itself, n_candidates, out);
}

inline void nearest_centres_loop(int64_t first, int64_t last, Cells centres, const float* points, int32_t* nearest,
                                 float* squares) {
    const Buffer<Candidate> all(centres.n_places());
    for (int64_t i = first; i < last; ++i) {
        const int64_t n_centres = all_distances(centres, points + i * centres.n_coordinates, all.get());
        const Candidate least = *std::min_element(all.get(), all.get() + n_centres);
        nearest[i] = least.point;
        squares[i] = least.distance;
    }
}

// The centre that is nearest to each point, and its squared distance.
inline void nearest_centres(int64_t first, int64_t last, Cells centres, const float* points, int32_t* nearest,
                            float* squares) {
    widest<nearest_centres_loop>(first, last, centres, points, nearest, squares);
}

// Projections are made of so many rows at once, of so many coordinates.
constexpr int64_t ROWS_AT_ONCE = 4;
constexpr int64_t WIDTH = 16;
// Squares of sums of these are finite in single precision.
constexpr double MOST_SPREADS = 1e12;

template <class T>
inline void project_loop(int64_t first, int64_t last, const T* X, int64_t n_columns, const double* mean, double scale,
                         const float* components, int64_t n_coordinates, float* out) {
    const Buffer<float> centred(ROWS_AT_ONCE * n_columns);
    for (int64_t from = first; from < last; from += ROWS_AT_ONCE) {
        const int64_t n_rows = std::min(ROWS_AT_ONCE, last - from);
        for (int64_t j = 0; j < n_columns; ++j)
            for (int64_t r = 0; r < ROWS_AT_ONCE; ++r) {
                const T* row = X + (from + std::min(r, n_rows - 1)) * n_columns;
                const double value = (static_cast<double>(row[j]) - mean[j]) * scale;
                centred[j * ROWS_AT_ONCE + r] = static_cast<float>(std::clamp(value, -MOST_SPREADS, MOST_SPREADS));
            }
        for (int64_t t = 0; t < n_coordinates; t += WIDTH) {
            Lanes sums[ROWS_AT_ONCE][WIDTH / N_LANES] = {};
            for (int64_t j = 0; j < n_columns; ++j) {
                const Lanes* weights = reinterpret_cast<const Lanes*>(components + j * n_coordinates + t);
                for (int64_t r = 0; r < ROWS_AT_ONCE; ++r)
                    for (int64_t i = 0; i < WIDTH / N_LANES; ++i)
                        sums[r][i] += centred[j * ROWS_AT_ONCE + r] * weights[i];
            }
            for (int64_t r = 0; r < n_rows; ++r) {
                const float* sum = reinterpret_cast<const float*>(sums[r]);
                std::copy(sum, sum + WIDTH, out + (from + r) * n_coordinates + t);
            }
        }
    }
}

// out[i] = scale (X[i] - mean) components, of a multiple of WIDTH coordinates: row by row the same, whichever rows are beside.
template <class T>
void project(int64_t first, int64_t last, const T* X, int64_t n_columns, const double* mean, double scale,
             const float* components, int64_t n_coordinates, float* out) {
    widest<project_loop<T>>(first, last, X, n_columns, mean, scale, components, n_coordinates, out);
}

// The k nearest of some candidates by distances that are known, nearest first.
class Ranking {
public:
    Ranking(int64_t k, double* distances, int32_t* points) : k_(k), distances_(distances), points_(points) {
        std::fill(distances, distances + k, std::numeric_limits<double>::infinity());
        std::fill(points, points + k, -1);
    }

    double limit() const { return distances_[k_ - 1]; }

    void place(double distance, int32_t point) {
        int64_t at = k_ - 1;
        if (!(distance < distances_[at])) return;
        for (; at > 0 && distances_[at - 1] > distance; --at) {
            distances_[at] = distances_[at - 1];
            points_[at] = points_[at - 1];
        }
        distances_[at] = distance;
        points_[at] = point;
    }

private:
    int64_t k_;
    double* distances_;
    int32_t* points_;
};

// Rows of a dense matrix, one after the other.
template <class T>
struct DenseRows {
    const T* data;
    int64_t n_columns;
};

// Rows of a sparse matrix, their columns in increasing order.
template <class T>
struct SparseRows {
    const T* data;
    Indices starts, columns;
};

constexpr int64_t N_PARTIAL_SUMS = 8;
constexpr int64_t COLUMNS_AT_ONCE = 64;

// ||a_i - b_j||^2 in so many partial sums, or what there is of it when it is at least `limit`.
template <class A, class B>
inline double squared_distance(const DenseRows<A>& a, int64_t i, const DenseRows<B>& b, int64_t j, double limit) {
    const A* x = a.data + i * a.n_columns;
    const B* y = b.data + j * a.n_columns;
    double sums[N_PARTIAL_SUMS] = {};
    double total = 0.0;
    int64_t t = 0;
    while (t < a.n_columns && total < limit) {
        const int64_t stop = std::min(t + COLUMNS_AT_ONCE, a.n_columns);
        for (; t + N_PARTIAL_SUMS <= stop; t += N_PARTIAL_SUMS)
            for (int64_t s = 0; s < N_PARTIAL_SUMS; ++s) {
                const double difference = static_cast<double>(x[t + s]) - static_cast<double>(y[t + s]);
                sums[s] += difference * difference;
            }
        for (int64_t s = 0; t < stop; ++t, ++s) {
            const double difference = static_cast<double>(x[t]) - static_cast<double>(y[t]);
            sums[s] += difference * difference;
        }
        total = ((sums[0] + sums[4]) + (sums[2] + sums[6])) + ((sums[1] + sums[5]) + (sums[3] + sums[7]));
    }
    return total;
}

template <class A, class B>
inline double squared_distance(const SparseRows<A>& a, int64_t i, const SparseRows<B>& b, int64_t j, double limit) {
    int64_t e = a.starts[i], f = b.starts[j];
    const int64_t e_end = a.starts[i + 1], f_end = b.starts[j + 1];
    constexpr int64_t beyond = std::numeric_limits<int64_t>::max();
    double total = 0.0;
    while ((e < e_end || f < f_end) && total < limit) {
        const int64_t column = e < e_end ? a.columns[e] : beyond, other = f < f_end ? b.columns[f] : beyond;
        const double x = column <= other ? static_cast<double>(a.data[e]) : 0.0;
        const double y = other <= column ? static_cast<double>(b.data[f]) : 0.0;
        total += (x - y) * (x - y);
        e += column <= other;
        f += other <= column;
    }
    return total;
}

template <class A, class B>
inline void nearest_rows_loop(int64_t first, int64_t last, A queries, const int32_t* row_of, B X,
                              const int32_t* candidates, int64_t n_candidates, int64_t k, double* distances,
                              int32_t* points) {
    for (int64_t q = first; q < last; ++q) {
        Ranking nearest(k, distances + q * k, points + q * k);
        for (int64_t c = 0; c < n_candidates; ++c) {
            const int32_t point = candidates[q * n_candidates + c];
            if (point >= 0)
                nearest.place(squared_distance(queries, row_of[q], X, point, nearest.limit()), point);
        }
        for (int64_t j = 0; j < k; ++j) distances[q * k + j] = std::sqrt(distances[q * k + j]);
    }
}

// The k rows of X that are nearest to row row_of[q] of the queries, of the candidates for it (-1 is none), and their
// distances, exactly 0 for equal rows. What is missing is row -1, at an infinite distance.
template <class A, class B>
void nearest_rows(int64_t first, int64_t last, A queries, const int32_t* row_of, B X, const int32_t* candidates,
                  int64_t n_candidates, int64_t k, double* distances, int32_t* points) {
    widest<nearest_rows_loop<A, B>>(first, last, queries, row_of, X, candidates, n_candidates, k, distances, points);
}

}  // namespace s3nmf
