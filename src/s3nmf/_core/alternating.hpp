// Nonnegative least squares for all rows of U with V held: one sweep of coordinate descent, or exactly.
//
// U and V are (n, c, b), members innermost, `gram` is V'V (c, c, b). Each row u of U minimises
// ||S_i - V u||^2 / 2 + penalty ||u - v||^2 / 2, that is u'Q u / 2 - u'q with Q = V'V + penalty I and
// q = (S V)_i + penalty v, over u >= 0. In the same pass, by block of rows: the Gram matrix of the new U (its lower
// triangle), <U, S V>, <U, V> and the largest step.
#pragma once

#include <limits>

#include "products.hpp"

namespace s3nmf {

constexpr int64_t ALTERNATING_BLOCK = 256;
// What rounding leaves of a zero, relative to the largest number it came from.
constexpr double ZERO = 1e-12;
constexpr int EXCHANGES = 3;

// What both ways read, and what they leave by block.
struct LeastSquares {
    int64_t n, n_clusters, n_members;
    Indices starts, columns;
    Weights weights;
    const double* source;
    const double* V;
    const double* gram;
    double penalty;
    const double* row_scale;
    double* U;
    double* grams;
    double* products;
    double* overlaps;
    double* steps;

    int64_t width() const { return n_clusters * n_members; }
};

// Row i of S V, which is the source itself where there are no sparse rows to combine it by.
inline const double* product_of_row(const LeastSquares& of, int64_t i, double* out) {
    if (!of.starts.size) return of.source + i * of.width();
    gather(of.starts[i], of.starts[i + 1], of.columns, of.weights, of.source, of.width(), of.width(), out);
    return out;
}

inline void clear(const LeastSquares& of, int64_t block) {
    const int64_t b = of.n_members, size = of.n_clusters * of.width();
    for (int64_t t = 0; t < size; ++t) of.grams[block * size + t] = 0;
    for (int64_t m = 0; m < b; ++m) of.products[block * b + m] = of.overlaps[block * b + m] = of.steps[block * b + m] = 0;
}

// The row's shares in <U, S V>, <U, V> and U'U.
inline void tally(const LeastSquares& of, int64_t block, int64_t i, const double* target) {
    const int64_t c = of.n_clusters, b = of.n_members;
    const double *u = of.U + i * of.width(), *v = of.V + i * of.width();
    double* S3NMF_RESTRICT product = of.products + block * b;
    double* S3NMF_RESTRICT overlap = of.overlaps + block * b;
    for (int64_t k = 0; k < c; ++k)
        for (int64_t m = 0; m < b; ++m) {
            product[m] += u[k * b + m] * target[k * b + m];
            overlap[m] += u[k * b + m] * v[k * b + m];
        }
    add_gram(c, b, u, of.grams + block * c * of.width());
}

inline void descend_loop(int64_t first, int64_t last, LeastSquares of) {
    const int64_t c = of.n_clusters, b = of.n_members, width = of.width();
    const Buffer<double> target(width), change(b), pull(width);
    for (int64_t block = first; block < last; ++block) {
        clear(of, block);
        double* S3NMF_RESTRICT steps = of.steps + block * b;
        const int64_t end = smaller(of.n, (block + 1) * ALTERNATING_BLOCK);
        for (int64_t i = block * ALTERNATING_BLOCK; i < end; ++i) {
            const double* product = product_of_row(of, i, target.get());
            double* S3NMF_RESTRICT u = of.U + i * width;
            const double* v = of.V + i * width;
            vector_times_gram(c, b, u, of.gram, pull.get());
            for (int64_t j = 0; j < c; ++j) {
                const double* own = of.gram + (j * c + j) * b;
                for (int64_t m = 0; m < b; ++m) {
                    const int64_t t = j * b + m;
                    const double curvature = own[m] + of.penalty;
                    const double slope = pull[t] - product[t] + of.penalty * (u[t] - v[t]);
                    const double x = curvature > 0.0 ? larger(u[t] - slope / curvature, 0.0) : u[t];
                    change[m] = x - u[t];
                    steps[m] = larger(steps[m], std::fabs(change[m]) * of.row_scale[i]);
                    u[t] = x;
                }
                follow(c, b, change.get(), of.gram, j, pull.get());
            }
            tally(of, block, i, product);
        }
    }
}

// One sweep over the coordinates of each row (HALS).
inline void descend(int64_t first, int64_t last, LeastSquares of) {
    widest<descend_loop>(first, last, of);
}

// Room for the systems of one row.
struct Pivoting {
    explicit Pivoting(int64_t size) : size(size), passive(size), index(size), y(size), factor(size * size) {}

    int64_t size;
    Buffer<bool> passive;
    Buffer<int64_t> index;
    Buffer<double> y, factor;
};

// Q x = q on the passive entries by Cholesky, x = 0 elsewhere.
inline void solve_passive(const double* Q, const double* q, double* x, const Pivoting& room) {
    const int64_t size = room.size;
    const double* factor = room.factor.get();
    const int64_t* index = room.index.get();
    int64_t n_passive = 0;
    for (int64_t k = 0; k < size; ++k) {
        x[k] = 0.0;
        if (room.passive[k]) room.index[n_passive++] = k;
    }
    for (int64_t a = 0; a < n_passive; ++a)
        for (int64_t b = 0; b <= a; ++b) {
            double total = Q[index[a] * size + index[b]];
            for (int64_t t = 0; t < b; ++t) total -= factor[a * size + t] * factor[b * size + t];
            if (a > b) {
                room.factor[a * size + b] = total / factor[b * size + b];
            } else {
                // An entry that the others determine, as that of an empty cluster without penalty, is left at zero.
                const bool determined = total <= ZERO * Q[index[a] * size + index[a]];
                room.factor[a * size + a] = determined ? std::numeric_limits<double>::infinity() : std::sqrt(total);
            }
        }
    for (int64_t a = 0; a < n_passive; ++a) {
        double total = q[index[a]];
        for (int64_t t = 0; t < a; ++t) total -= factor[a * size + t] * x[index[t]];
        x[index[a]] = total / factor[a * size + a];
    }
    for (int64_t a = n_passive - 1; a >= 0; --a) {
        double total = x[index[a]];
        for (int64_t t = a + 1; t < n_passive; ++t) total -= factor[t * size + a] * x[index[t]];
        x[index[a]] = total / factor[a * size + a];
    }
}

// Put the minimiser of x'Q x / 2 - x'q over x >= 0 into x, for a positive definite Q (Kim and Park 2011).
//
// The positive entries of x are the first guess of those that are positive at the end, the passive ones. Entries on the
// wrong side are exchanged all at once while that helps, and one at a time when it does not, which must end.
inline void nonnegative_least_squares(const double* Q, const double* q, double* x, const Pivoting& room) {
    const int64_t size = room.size;
    int64_t fewest = size + 1;
    int budget = EXCHANGES;
    double scale = 0.0;
    for (int64_t k = 0; k < size; ++k) {
        room.passive[k] = x[k] > 0.0;
        scale = larger(scale, std::fabs(q[k]));
    }
    while (true) {
        solve_passive(Q, q, x, room);
        double largest = 0.0;
        for (int64_t k = 0; k < size; ++k) largest = larger(largest, std::fabs(x[k]));
        const auto is_wrong = [&](int64_t k) {
            return room.passive[k] ? x[k] < -ZERO * largest : room.y[k] < -ZERO * scale;
        };
        int64_t n_wrong = 0, last_wrong = -1;
        for (int64_t k = 0; k < size; ++k) {
            room.y[k] = 0.0;
            if (!room.passive[k]) {
                double total = -q[k];
                for (int64_t j = 0; j < size; ++j) total += Q[k * size + j] * x[j];
                room.y[k] = total;
            }
            if (is_wrong(k)) {
                ++n_wrong;
                last_wrong = k;
            }
        }
        if (n_wrong == 0) break;
        if (n_wrong < fewest) {
            fewest = n_wrong;
            budget = EXCHANGES;
        } else if (budget > 0) {
            --budget;
        } else {
            room.passive[last_wrong] = !room.passive[last_wrong];
            continue;
        }
        for (int64_t k = 0; k < size; ++k)
            if (is_wrong(k)) room.passive[k] = !room.passive[k];
    }
    for (int64_t k = 0; k < size; ++k) x[k] = larger(x[k], 0.0);
}

inline void solve_loop(int64_t first, int64_t last, LeastSquares of) {
    const int64_t c = of.n_clusters, b = of.n_members, width = of.width();
    const Buffer<double> target(width), Q(b * c * c), q(c), x(c);
    const Pivoting room(c);
    for (int64_t m = 0; m < b; ++m)
        for (int64_t k = 0; k < c; ++k) {
            for (int64_t j = 0; j < c; ++j) Q[(m * c + k) * c + j] = of.gram[(k * c + j) * b + m];
            Q[(m * c + k) * c + k] += of.penalty;
        }
    for (int64_t block = first; block < last; ++block) {
        clear(of, block);
        const int64_t end = smaller(of.n, (block + 1) * ALTERNATING_BLOCK);
        for (int64_t i = block * ALTERNATING_BLOCK; i < end; ++i) {
            const double* product = product_of_row(of, i, target.get());
            double* u = of.U + i * width;
            const double* v = of.V + i * width;
            for (int64_t m = 0; m < b; ++m) {
                double& step = of.steps[block * b + m];
                for (int64_t k = 0; k < c; ++k) {
                    q[k] = product[k * b + m] + of.penalty * v[k * b + m];
                    x[k] = u[k * b + m];
                }
                nonnegative_least_squares(Q.get() + m * c * c, q.get(), x.get(), room);
                for (int64_t k = 0; k < c; ++k) {
                    step = larger(step, std::fabs(x[k] - u[k * b + m]) * of.row_scale[i]);
                    u[k * b + m] = x[k];
                }
            }
            tally(of, block, i, product);
        }
    }
}

// The minimiser of each row, by block principal pivoting from the entries that are positive now (ANLS).
inline void solve(int64_t first, int64_t last, LeastSquares of) {
    widest<solve_loop>(first, last, of);
}

}  // namespace s3nmf
