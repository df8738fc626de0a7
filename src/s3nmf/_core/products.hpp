// Products with a sparse matrix and with Gram matrices, row by row, and distances between rows.
#pragma once

#include <cmath>

#include "arrays.hpp"
#include "widest.hpp"

namespace s3nmf {

// out = sum of weights[e] * source[columns[e]] over the entries e of a row, four at a time. A row of the source has
// `stride` entries; `source` points to the first one that is wanted, of `width`.
template <class W, class T>
inline void gather(int64_t first, int64_t last, Indices columns, const W* weights, const T* source, int64_t stride,
                   int64_t width, T* S3NMF_RESTRICT out) {
    for (int64_t t = 0; t < width; ++t) out[t] = 0;
    int64_t e = first;
    for (; e + 4 <= last; e += 4) {
        const T* s0 = source + columns[e] * stride;
        const T* s1 = source + columns[e + 1] * stride;
        const T* s2 = source + columns[e + 2] * stride;
        const T* s3 = source + columns[e + 3] * stride;
        const W w0 = weights[e], w1 = weights[e + 1], w2 = weights[e + 2], w3 = weights[e + 3];
        for (int64_t t = 0; t < width; ++t) out[t] += w0 * s0[t] + w1 * s1[t] + w2 * s2[t] + w3 * s3[t];
    }
    for (; e < last; ++e) {
        const T* s0 = source + columns[e] * stride;
        const W w0 = weights[e];
        for (int64_t t = 0; t < width; ++t) out[t] += w0 * s0[t];
    }
}

template <class T>
inline void gather(int64_t first, int64_t last, Indices columns, Weights weights, const T* source, int64_t stride,
                   int64_t width, T* out) {
    if (weights.single)
        gather(first, last, columns, weights.single, source, stride, width, out);
    else
        gather(first, last, columns, weights.full, source, stride, width, out);
}

template <class T>
inline void product_rows_loop(int64_t first, int64_t last, Indices starts, Indices columns, Weights weights,
                              const T* source, int64_t width, T* out) {
    for (int64_t i = first; i < last; ++i)
        gather(starts[i], starts[i + 1], columns, weights, source, width, width, out + i * width);
}

// Rows first to last of a sparse matrix times `source`.
template <class T>
void product_rows(int64_t first, int64_t last, Indices starts, Indices columns, Weights weights, const T* source,
                  int64_t width, T* out) {
    widest<product_rows_loop<T>>(first, last, starts, columns, weights, source, width, out);
}

// out[i, j] = ||X[i] - X[neighbors[i, j]]||, for rows first to last; the steps of X are in entries.
template <class T, class I>
void distances_of_rows(int64_t first, int64_t last, const T* X, int64_t n_columns, int64_t row_step,
                       int64_t column_step, const I* neighbors, int64_t n_neighbors, int64_t neighbor_row_step,
                       int64_t neighbor_step, double* out) {
    for (int64_t i = first; i < last; ++i) {
        for (int64_t j = 0; j < n_neighbors; ++j) {
            const T* here = X + i * row_step;
            const T* there = X + neighbors[i * neighbor_row_step + j * neighbor_step] * row_step;
            double total = 0.0;
            for (int64_t t = 0; t < n_columns; ++t) {
                const double difference =
                    static_cast<double>(here[t * column_step]) - static_cast<double>(there[t * column_step]);
                total += difference * difference;
            }
            out[i * n_neighbors + j] = std::sqrt(total);
        }
    }
}

// f(m, lanes) for the members from m on, several at a time: lanes is a vector of numbers, or a single one at the end.
template <class T, class F>
inline void in_lanes(int64_t n_members, const F& f) {
    int64_t m = 0;
#if defined(__GNUC__)
    typedef T Full __attribute__((vector_size(32), aligned(alignof(T)), may_alias));
    typedef T Half __attribute__((vector_size(16), aligned(alignof(T)), may_alias));
    constexpr int64_t n_full = 32 / sizeof(T), n_half = 16 / sizeof(T);
    for (; m + n_full <= n_members; m += n_full) f(m, static_cast<Full*>(nullptr));
    if (m + n_half <= n_members) {
        f(m, static_cast<Half*>(nullptr));
        m += n_half;
    }
#endif
    for (; m < n_members; ++m) f(m, static_cast<T*>(nullptr));
}

template <class Lanes, class T>
inline Lanes& at(T* place, Lanes*) {
    return *reinterpret_cast<Lanes*>(place);
}

template <class Lanes, class T>
inline const Lanes& at(const T* place, Lanes*) {
    return *reinterpret_cast<const Lanes*>(place);
}

// In what follows v is (c, b), members innermost, and Gram matrices are (c, c, b). The clusters of a single member are
// taken as one vector, and its zeros, which are most of V near the end of the sweeps, are passed over.

// gram[k, j, m] += v[k, m] v[j, m] for j <= k.
template <class T>
inline void add_gram(int64_t n_clusters, int64_t n_members, const T* v, T* S3NMF_RESTRICT gram) {
    if (n_members == 1) {
        for (int64_t k = 0; k < n_clusters; ++k) {
            const T weight = v[k];
            if (weight != 0) {
                T* to = gram + k * n_clusters;
                for (int64_t j = 0; j <= k; ++j) to[j] += weight * v[j];
            }
        }
        return;
    }
    for (int64_t k = 0; k < n_clusters; ++k) {
        T* S3NMF_RESTRICT to = gram + k * n_clusters * n_members;
        in_lanes<T>(n_members, [=](int64_t m, auto lanes) {
            const auto vk = at(v + k * n_members + m, lanes);
            for (int64_t j = 0; j <= k; ++j) at(to + j * n_members + m, lanes) += vk * at(v + j * n_members + m, lanes);
        });
    }
}

// out[k, m] = sum_j v[j, m] gram[j, k, m], four j at a time.
template <class T>
inline void times_gram(int64_t n_clusters, int64_t n_members, const T* v, const T* gram, T* S3NMF_RESTRICT out) {
    const int64_t width = n_clusters * n_members;
    for (int64_t t = 0; t < width; ++t) out[t] = 0;
    int64_t j = 0;
    for (; j + 4 <= n_clusters; j += 4) {
        const T* vj = v + j * n_members;
        const T* gj = gram + j * width;
        in_lanes<T>(n_members, [=](int64_t m, auto lanes) {
            const auto v0 = at(vj + m, lanes), v1 = at(vj + n_members + m, lanes);
            const auto v2 = at(vj + 2 * n_members + m, lanes), v3 = at(vj + 3 * n_members + m, lanes);
            for (int64_t t = m; t < width; t += n_members)
                at(out + t, lanes) += v0 * at(gj + t, lanes) + v1 * at(gj + width + t, lanes) +
                                      v2 * at(gj + 2 * width + t, lanes) + v3 * at(gj + 3 * width + t, lanes);
        });
    }
    for (; j < n_clusters; ++j) {
        const T* vj = v + j * n_members;
        const T* gj = gram + j * width;
        in_lanes<T>(n_members, [=](int64_t m, auto lanes) {
            const auto v0 = at(vj + m, lanes);
            for (int64_t t = m; t < width; t += n_members) at(out + t, lanes) += v0 * at(gj + t, lanes);
        });
    }
}

// `times_gram` for one member too, with the same sums in the same order.
template <class T>
inline void vector_times_gram(int64_t n_clusters, int64_t n_members, const T* v, const T* gram,
                              T* S3NMF_RESTRICT out) {
    if (n_members > 1) {
        times_gram(n_clusters, n_members, v, gram, out);
        return;
    }
    for (int64_t k = 0; k < n_clusters; ++k) out[k] = 0;
    int64_t j = 0;
    for (; j + 4 <= n_clusters; j += 4) {
        const T v0 = v[j], v1 = v[j + 1], v2 = v[j + 2], v3 = v[j + 3];
        const T* g0 = gram + j * n_clusters;
        const T *g1 = g0 + n_clusters, *g2 = g1 + n_clusters, *g3 = g2 + n_clusters;
        for (int64_t k = 0; k < n_clusters; ++k) out[k] += v0 * g0[k] + v1 * g1[k] + v2 * g2[k] + v3 * g3[k];
    }
    for (; j < n_clusters; ++j) {
        const T v0 = v[j];
        const T* g0 = gram + j * n_clusters;
        for (int64_t k = 0; k < n_clusters; ++k) out[k] += v0 * g0[k];
    }
}

// pull[k, m] += step[m] gram[j, k, m] for k > j: how v'gram changes with entry j of v, where it is still needed.
template <class T>
inline void follow(int64_t n_clusters, int64_t n_members, const T* step, const T* gram, int64_t j,
                   T* S3NMF_RESTRICT pull) {
    const T* row = gram + j * n_clusters * n_members;
    if (n_members == 1) {
        const T weight = step[0];
        if (weight != 0)
            for (int64_t k = j + 1; k < n_clusters; ++k) pull[k] += weight * row[k];
        return;
    }
    for (int64_t k = j + 1; k < n_clusters; ++k)
        for (int64_t m = 0; m < n_members; ++m) pull[k * n_members + m] += step[m] * row[k * n_members + m];
}

// gram[j, k, m] += sign v[j, m] v[k, m].
template <class T>
inline void add_outer(int64_t n_clusters, int64_t n_members, T sign, const T* v, T* S3NMF_RESTRICT gram) {
    if (n_members == 1) {
        for (int64_t j = 0; j < n_clusters; ++j) {
            const T weight = sign * v[j];
            if (weight != 0)
                for (int64_t k = 0; k < n_clusters; ++k) gram[j * n_clusters + k] += weight * v[k];
        }
        return;
    }
    for (int64_t j = 0; j < n_clusters; ++j)
        for (int64_t k = 0; k < n_clusters; ++k) {
            T* to = gram + (j * n_clusters + k) * n_members;
            for (int64_t m = 0; m < n_members; ++m) to[m] += sign * v[j * n_members + m] * v[k * n_members + m];
        }
}

// gram[j, k, m] += after[j, m] after[k, m] - before[j, m] before[k, m].
template <class T>
inline void exchange(int64_t n_clusters, int64_t n_members, const T* before, const T* after, T* S3NMF_RESTRICT gram) {
    if (n_members == 1) {
        for (int64_t j = 0; j < n_clusters; ++j) {
            const T minus = before[j], plus = after[j];
            if (minus != 0 || plus != 0)
                for (int64_t k = 0; k < n_clusters; ++k)
                    gram[j * n_clusters + k] += plus * after[k] - minus * before[k];
        }
        return;
    }
    for (int64_t j = 0; j < n_clusters; ++j)
        for (int64_t k = 0; k <= j; ++k) {
            T* lower = gram + (j * n_clusters + k) * n_members;
            T* upper = gram + (k * n_clusters + j) * n_members;
            const T *aj = after + j * n_members, *ak = after + k * n_members;
            const T *bj = before + j * n_members, *bk = before + k * n_members;
            // In two passes, since on the diagonal both are the same.
            for (int64_t m = 0; m < n_members; ++m) lower[m] += aj[m] * ak[m] - bj[m] * bk[m];
            if (k < j)
                for (int64_t m = 0; m < n_members; ++m) upper[m] = lower[m];
        }
}

}  // namespace s3nmf
