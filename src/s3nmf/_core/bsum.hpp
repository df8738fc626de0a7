// Block successive upper-bound minimisation: sweeps over V that change it entry by entry, or row by row.
//
// V is (n, c, b), members innermost: each goes its own way, and a processor's vector unit takes several at a time. A
// sweep is sequential, so threads share members out, not rows. V'V follows V; `gram` is brought along from sweep to
// sweep.
#pragma once

#include "products.hpp"

namespace s3nmf {

constexpr double CLOSE = 1.0 - 1e-15;
constexpr int VECTOR_STEPS = 10;

// The root z >= 0 of z^3 + p z = r for p >= 0, by member; 0 where r <= 0. `p` and `r` are overwritten there.
//
// The left side is convex and increasing: from a point to the right of the root Newton's steps descend to it, by sums
// of positive terms, where the closed form cancels. Such points are r / p and the cube root of r; the smaller one is at
// most half as large again as the root, and in a sweep r / p is close to it. A member whose steps have ended stays
// where it is, so that it does not matter how long others take.
inline void positive_roots_loop(int64_t size, double* S3NMF_RESTRICT p, double* S3NMF_RESTRICT r,
                                double* S3NMF_RESTRICT z) {
    for (int64_t m = 0; m < size; ++m) {
        if (r[m] <= 0.0) {
            p[m] = 1.0;
            r[m] = z[m] = 0.0;
        } else {
            const double quotient = r[m] / p[m];
            z[m] = quotient * quotient <= p[m] ? quotient : std::cbrt(r[m]);
        }
    }
    for (bool moving = true; moving;) {
        int64_t n_moving = 0;
        for (int64_t m = 0; m < size; ++m) {
            const double square = z[m] * z[m];
            const double closer = (2.0 * square * z[m] + r[m]) / (3.0 * square + p[m]);
            const bool moves = closer < z[m] * CLOSE;
            z[m] = moves ? closer : z[m];
            n_moving += moves;
        }
        moving = n_moving > 0;
    }
}

inline void positive_roots(int64_t size, double* p, double* r, double* z) {
    widest<positive_roots_loop>(size, p, r, z);
}

// Let the source follow a change of a row of V.
inline void return_change(int64_t first, int64_t last, Indices columns, const double* returns, int64_t width,
                          const double* change, double* S3NMF_RESTRICT source) {
    for (int64_t e = first; e < last; ++e) {
        const double weight = returns[e];
        double* S3NMF_RESTRICT to = source + columns[e] * width;
        for (int64_t t = 0; t < width; ++t) to[t] += weight * change[t];
    }
}

// A sparse matrix by rows, and what the source gets back when V changes; nothing where the source is V.
struct Rows {
    Indices starts, columns;
    Weights weights;
    const double* returns;
    bool source_follows;
    const double* diagonal;
    const double* row_scale;
};

inline void sweep_entries_loop(int64_t n, int64_t n_clusters, int64_t n_members, const Rows& matrix, double* source,
                               double* V, double* gram, double* changes, double* steps) {
    const int64_t c = n_clusters, b = n_members, width = c * b;
    const Buffer<double> product(width), pull(width), old(width);
    const Buffer<double> p(b), r(b), z(b), slope(b), curvature(b), step(b), norm(b), overlap(b);
    for (int64_t m = 0; m < b; ++m) changes[m] = steps[m] = 0;
    for (int64_t i = 0; i < n; ++i) {
        double* row = V + i * width;
        const double own = matrix.diagonal[i], scale = matrix.row_scale[i];
        const int64_t first = matrix.starts[i], last = matrix.starts[i + 1];
        gather(first, last, matrix.columns, matrix.weights, source, width, width, product.get());
        // V'V is that of the old row until the row is done, and the rest added: with y for the old row and x for the
        // new one, (V V'V)_i = V'V x + ||x||^2 x - (x'y) y.
        for (int64_t t = 0; t < width; ++t) old[t] = row[t];
        vector_times_gram(c, b, row, gram, pull.get());
        for (int64_t m = 0; m < b; ++m) norm[m] = 0;
        for (int64_t k = 0; k < c; ++k)
            for (int64_t m = 0; m < b; ++m) norm[m] += row[k * b + m] * row[k * b + m];
        for (int64_t m = 0; m < b; ++m) overlap[m] = norm[m];
        for (int64_t j = 0; j < c; ++j) {
            double* entry = row + j * b;
            const double* own_gram = gram + (j * c + j) * b;
            for (int64_t m = 0; m < b; ++m) {
                const double x = entry[m];
                slope[m] = 4.0 * (pull[j * b + m] + (norm[m] - overlap[m]) * x - product[j * b + m]);
                curvature[m] = 4.0 * (own_gram[m] - own + norm[m] + x * x);
                p[m] = larger(curvature[m] / 4.0 - 3.0 * x * x, 0.0);
                r[m] = x * (p[m] + x * x) - slope[m] / 4.0;
            }
            positive_roots_loop(b, p.get(), r.get(), z.get());
            for (int64_t m = 0; m < b; ++m) {
                const double x = entry[m], s = z[m] - x;
                changes[m] += s * (slope[m] + s * (curvature[m] / 2.0 + s * (4.0 * x + s)));
                steps[m] = larger(steps[m], std::fabs(s) * scale);
                norm[m] += s * (2.0 * x + s);
                overlap[m] += s * x;
                entry[m] = z[m];
                step[m] = s;
            }
            follow(c, b, step.get(), gram, j, pull.get());
        }
        exchange(c, b, old.get(), row, gram);
        if (matrix.source_follows) {
            for (int64_t t = 0; t < width; ++t) old[t] = row[t] - old[t];
            return_change(first, last, matrix.columns, matrix.returns, width, old.get(), source);
        }
    }
}

// Minimise a convex quartic bound of ||S - V V'||^2 in each entry of V in turn.
//
// A step s of entry x = V_ij changes the objective by s^4 + 4 x s^3 + (a / 2) s^2 + d s with
// a = 4 ((V'V)_jj - S_ii + ||V_i||^2 + x^2) and d = 4 (V V'V - S V)_ij. With max(a, 12 x^2) for a the change is convex;
// its minimiser z = x + s solves z^3 + p z = r. `changes` gets what the objective changes by, `steps` the largest step.
inline void sweep_entries(int64_t n, int64_t n_clusters, int64_t n_members, const Rows& matrix, double* source, double* V,
                   double* gram, double* changes, double* steps) {
    widest<sweep_entries_loop>(n, n_clusters, n_members, matrix, source, V, gram, changes, steps);
}

// A bound of the largest eigenvalue of each nonnegative P, and a guide that makes the next one tighter.
//
// For any positive vector z the eigenvalue is at most max_j (P z)_j / z_j (Collatz and Wielandt), and equal for the
// leading eigenvector. P changes little from row to row, so one step of the power method a row keeps z close to it.
inline void upper_bounds_loop(int64_t c, int64_t b, const double* P, double* S3NMF_RESTRICT guide,
                              double* S3NMF_RESTRICT image, double* S3NMF_RESTRICT bound) {
    for (int64_t m = 0; m < b; ++m) bound[m] = 0;
    vector_times_gram(c, b, guide, P, image);
    for (int64_t k = 0; k < c; ++k)
        for (int64_t m = 0; m < b; ++m) bound[m] = larger(bound[m], image[k * b + m] / guide[k * b + m]);
    // Mixed with the old one, and never close to zero: a vector that dies out would make the bound useless.
    for (int64_t k = 0; k < c; ++k)
        for (int64_t m = 0; m < b; ++m)
            if (bound[m] > 0.0)
                guide[k * b + m] = 0.5 * guide[k * b + m] + 0.5 * image[k * b + m] / bound[m] + 1e-6;
    for (int64_t m = 0; m < b; ++m) {
        double largest = 0.0;
        for (int64_t k = 0; k < c; ++k) largest = larger(largest, guide[k * b + m]);
        for (int64_t k = 0; k < c; ++k) guide[k * b + m] /= largest;
    }
}

inline void upper_bounds(int64_t c, int64_t b, const double* P, double* guide, double* image, double* bound) {
    widest<upper_bounds_loop>(c, b, P, guide, image, bound);
}

// Add sign (||x||^4 + 2 x'(P - own I) x - 4 v'x) to the total of each member.
inline void add_values(int64_t c, int64_t b, const double* x, const double* P, const double* v, double own, double sign,
                       double* S3NMF_RESTRICT image, double* S3NMF_RESTRICT norm, double* S3NMF_RESTRICT total) {
    vector_times_gram(c, b, x, P, image);
    for (int64_t m = 0; m < b; ++m) norm[m] = 0;
    for (int64_t k = 0; k < c; ++k)
        for (int64_t m = 0; m < b; ++m) {
            const int64_t t = k * b + m;
            norm[m] += x[t] * x[t];
            total[m] += sign * x[t] * (2.0 * image[t] - 4.0 * v[t]);
        }
    for (int64_t m = 0; m < b; ++m) total[m] += sign * norm[m] * (norm[m] - 2.0 * own);
}

inline void sweep_rows_loop(Indices order, int64_t n_clusters, int64_t n_members, const Rows& matrix, double* source,
                            double* V, double* gram, double* changes, double* steps) {
    const int64_t c = n_clusters, b = n_members, width = c * b;
    const Buffer<double> v(width), g(width), image(width), before(width), guide(width, 1.0);
    const Buffer<double> s(b), slack(b), root(b), size(b), length(b);
    for (int64_t m = 0; m < b; ++m) changes[m] = steps[m] = 0;
    for (int64_t at = 0; at < order.size; ++at) {
        const int64_t i = order[at], first = matrix.starts[i], last = matrix.starts[i + 1];
        double* x = V + i * width;
        const double own = matrix.diagonal[i], scale = matrix.row_scale[i];
        gather(first, last, matrix.columns, matrix.weights, source, width, width, v.get());
        for (int64_t t = 0; t < width; ++t) {
            before[t] = x[t];
            v[t] -= own * x[t];
        }
        add_outer(c, b, -1.0, x, gram);
        upper_bounds_loop(c, b, gram, guide.get(), image.get(), s.get());
        add_values(c, b, x, gram, v.get(), own, -1.0, image.get(), length.get(), changes);
        for (int repeat = 0; repeat < VECTOR_STEPS; ++repeat) {
            vector_times_gram(c, b, x, gram, g.get());
            for (int64_t m = 0; m < b; ++m) size[m] = 0;
            for (int64_t k = 0; k < c; ++k)
                for (int64_t m = 0; m < b; ++m) {
                    const int64_t t = k * b + m;
                    g[t] = larger((s[m] + own) * x[t] - g[t] + v[t], 0.0);
                    size[m] += g[t] * g[t];
                }
            for (int64_t m = 0; m < b; ++m) {
                size[m] = std::sqrt(size[m]);
                length[m] = size[m];
                slack[m] = s[m];
            }
            positive_roots_loop(b, slack.get(), length.get(), root.get());
            for (int64_t m = 0; m < b; ++m) root[m] = size[m] > 0.0 ? root[m] / size[m] : 0.0;
            for (int64_t k = 0; k < c; ++k)
                for (int64_t m = 0; m < b; ++m) x[k * b + m] = root[m] * g[k * b + m];
        }
        add_values(c, b, x, gram, v.get(), own, 1.0, image.get(), length.get(), changes);
        add_outer(c, b, 1.0, x, gram);
        for (int64_t k = 0; k < c; ++k)
            for (int64_t m = 0; m < b; ++m) {
                const int64_t t = k * b + m;
                steps[m] = larger(steps[m], std::fabs(x[t] - before[t]) * scale);
                before[t] = x[t] - before[t];
            }
        if (matrix.source_follows)
            return_change(first, last, matrix.columns, matrix.returns, width, before.get(), source);
    }
}

// Minimise bounds of ||S - V V'||^2 in each row x of V, in the given order.
//
// As a function of x it is ||x||^4 + 2 x'(P - S_ii I) x - 4 v'x and a constant, with P = V'V - x x' and
// v = (S V)_i - S_ii x at the old x. With s x'x + ... above x'P x, and -S_ii ||x||^2 linearised, the minimiser is
// x = t g / ||g|| with g = max(s x - P x + S_ii x + v, 0) and t^3 + s t = ||g||.
inline void sweep_rows(Indices order, int64_t n_clusters, int64_t n_members, const Rows& matrix, double* source, double* V,
                double* gram, double* changes, double* steps) {
    widest<sweep_rows_loop>(order, n_clusters, n_members, matrix, source, V, gram, changes, steps);
}

}  // namespace s3nmf
