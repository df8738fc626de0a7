// The multiplicative update of all members in one pass over the rows.
#pragma once

#include "products.hpp"

namespace s3nmf {

// Rows a block: sums over rows are kept for each block and added up afterwards, in one order for any number of threads.
// Short blocks keep float32 sums exact; long ones keep the c x c sums of many clusters from filling the memory.
constexpr int64_t MULTIPLICATIVE_BLOCK = 256;
constexpr int64_t BLAS_BLOCK = 1024;

// What the update takes beside V, S V and V V'V.
template <class T>
struct Limits {
    const T* row_scale;
    const T* row_penalty;
    T epsilon;
    T floor;
    bool fourth_root;
};

// out = v (product / (denominator + row_penalty v))^(1/2 or 1/4) for a row; its shares in fit and largest step.
// The fit is <V, SV> less the penalty.
template <bool fourth_root, class T>
inline void update_row(int64_t width, const T* v, const T* product, const T* denominator, T row_scale, T row_penalty,
                       T epsilon, T floor, T* S3NMF_RESTRICT out, T* S3NMF_RESTRICT fit, T* S3NMF_RESTRICT step) {
    for (int64_t t = 0; t < width; ++t) {
        const T penalty = row_penalty * v[t];
        T factor = std::sqrt(product[t] / (denominator[t] + penalty + epsilon));
        if (fourth_root) factor = std::sqrt(factor);
        const T x = larger(v[t] * factor, floor);
        out[t] = x;
        fit[t] += v[t] * (product[t] - penalty);
        step[t] = larger(step[t], std::fabs(x - v[t]) * row_scale);
    }
}

template <class T>
inline void update(int64_t width, const T* v, const T* product, const T* denominator, const Limits<T>& limits,
                   int64_t i, T* out, T* fit, T* step) {
    if (limits.fourth_root)
        update_row<true>(width, v, product, denominator, limits.row_scale[i], limits.row_penalty[i], limits.epsilon,
                         limits.floor, out, fit, step);
    else
        update_row<false>(width, v, product, denominator, limits.row_scale[i], limits.row_penalty[i], limits.epsilon,
                          limits.floor, out, fit, step);
}

// The parts of a sweep by themselves, over all rows: benchmarks ask what each takes.
template <class T>
inline void times_gram_loop(int64_t n, int64_t n_clusters, int64_t n_members, const T* V, const T* gram, T* out) {
    const int64_t width = n_clusters * n_members;
    for (int64_t i = 0; i < n; ++i) times_gram(n_clusters, n_members, V + i * width, gram, out + i * width);
}

template <class T>
inline void add_grams_loop(int64_t n, int64_t n_clusters, int64_t n_members, const T* V, T* gram) {
    for (int64_t i = 0; i < n; ++i) add_gram(n_clusters, n_members, V + i * n_clusters * n_members, gram);
}

template <class T>
inline void update_loop(int64_t n, int64_t width, const T* V, const T* product, const T* denominator, T epsilon,
                        T floor, bool fourth_root, T* out) {
    const Buffer<T> fit(width, 0), step(width, 0), zeros(n, 0);
    const Limits<T> limits{zeros.get(), zeros.get(), epsilon, floor, fourth_root};
    for (int64_t i = 0; i < n; ++i) {
        const int64_t at = i * width;
        update(width, V + at, product + at, denominator + at, limits, i, out + at, fit.get(), step.get());
    }
}

template <class T>
inline void members_innermost_loop(int64_t first, int64_t last, int64_t n, int64_t n_clusters, int64_t n_members,
                                   Indices starts, Indices columns, const T* weights, const T* source, const T* V,
                                   const T* gram, Limits<T> limits, T* out, T* grams, T* fits, T* steps) {
    const int64_t width = n_clusters * n_members;
    const Buffer<T> product(width), denominator(width), fit(width), step(width);
    for (int64_t block = first; block < last; ++block) {
        T* own_gram = grams + block * n_clusters * width;
        for (int64_t t = 0; t < width; ++t) fit[t] = step[t] = 0;
        for (int64_t t = 0; t < n_clusters * width; ++t) own_gram[t] = 0;
        const int64_t end = smaller(n, (block + 1) * MULTIPLICATIVE_BLOCK);
        for (int64_t i = block * MULTIPLICATIVE_BLOCK; i < end; ++i) {
            const T* row = source + i * width;
            if (starts.size) {
                gather(starts[i], starts[i + 1], columns, weights, source, width, width, product.get());
                row = product.get();
            }
            times_gram(n_clusters, n_members, V + i * width, gram, denominator.get());
            update(width, V + i * width, row, denominator.get(), limits, i, out + i * width, fit.get(), step.get());
            add_gram(n_clusters, n_members, out + i * width, own_gram);
        }
        T *own_fits = fits + block * n_members, *own_steps = steps + block * n_members;
        for (int64_t m = 0; m < n_members; ++m) own_fits[m] = own_steps[m] = 0;
        for (int64_t k = 0; k < n_clusters; ++k)
            for (int64_t m = 0; m < n_members; ++m) {
                own_fits[m] += fit[k * n_members + m];
                own_steps[m] = larger(own_steps[m], step[k * n_members + m]);
            }
    }
}

// The multiplicative update of blocks first to last of V (n, c, b), for few clusters.
//
// In the same pass: the Gram matrix of the new V (its lower triangle), <V, SV> of the old one and the largest step, by
// block. The product S V is `source` itself where there are no sparse rows to combine it by.
template <class T>
void sweep_members_innermost(int64_t first, int64_t last, int64_t n, int64_t n_clusters, int64_t n_members,
                             Indices starts, Indices columns, const T* weights, const T* source, const T* V,
                             const T* gram, Limits<T> limits, T* out, T* grams, T* fits, T* steps) {
    widest<members_innermost_loop<T>>(first, last, n, n_clusters, n_members, starts, columns, weights, source, V, gram,
                                      limits, out, grams, fits, steps);
}

// BLAS, as Fortran calls it: products of two matrices, of a matrix and a vector, of two vectors.
template <class T>
struct Blas {
    void (*gemm)(char*, char*, int*, int*, int*, T*, T*, int*, T*, int*, T*, T*, int*);
    void (*gemv)(char*, int*, int*, T*, T*, int*, T*, int*, T*, T*, int*);
    T (*dot)(int*, T*, int*, T*, int*);
};

// out = rows (n x c) times a square matrix (c x c), all by rows; Fortran reads each as its transpose.
template <class T>
inline void times_square(const Blas<T>& blas, int64_t n_rows, int64_t n_clusters, T* rows, T* square, T* out) {
    char no = 'n', yes = 't';
    int n = static_cast<int>(n_rows), c = static_cast<int>(n_clusters), one_step = 1;
    T one = 1, zero = 0;
    if (n == 1 && c == 1)
        *out = blas.dot(&c, rows, &one_step, square, &one_step);
    else if (c == 1)
        blas.gemv(&yes, &c, &n, &one, rows, &c, square, &one_step, &zero, out, &one_step);
    else if (n == 1)
        blas.gemv(&no, &c, &c, &one, square, &c, rows, &one_step, &zero, out, &one_step);
    else
        blas.gemm(&no, &no, &c, &n, &c, &one, square, &c, rows, &c, &zero, out, &c);
}

// out = rows' rows.
template <class T>
inline void gram_of(const Blas<T>& blas, int64_t n_rows, int64_t n_clusters, T* rows, T* out) {
    char no = 'n', yes = 't';
    int n = static_cast<int>(n_rows), c = static_cast<int>(n_clusters), one_step = 1;
    T one = 1, zero = 0;
    if (c == 1)
        *out = blas.dot(&n, rows, &one_step, rows, &one_step);
    else
        blas.gemm(&no, &yes, &c, &c, &n, &one, rows, &c, rows, &c, &zero, out, &c);
}

template <class T>
inline void clusters_innermost_loop(int64_t first, int64_t last, int64_t n, int64_t n_members, int64_t n_clusters,
                                    Indices starts, Indices columns, const T* weights, const T* source, const T* V,
                                    const T* gram, Limits<T> limits, Blas<T> blas, T* out, T* grams, T* fits,
                                    T* steps) {
    const int64_t width = n_members * n_clusters, square = n_clusters * n_clusters;
    const Buffer<T> product(n_clusters), fit(n_clusters), step(n_clusters);
    const Buffer<T> factor(BLAS_BLOCK * n_clusters), denominator(BLAS_BLOCK * n_clusters);
    for (int64_t piece = first; piece < last; ++piece) {
        const int64_t block = piece / n_members, m = piece % n_members;
        const int64_t begin = block * BLAS_BLOCK, own = m * n_clusters;
        const int64_t size = smaller(n - begin, BLAS_BLOCK);
        for (int64_t r = 0; r < size; ++r)
            for (int64_t k = 0; k < n_clusters; ++k)
                factor[r * n_clusters + k] = V[(begin + r) * width + own + k];
        times_square(blas, size, n_clusters, factor.get(), const_cast<T*>(gram) + m * square, denominator.get());
        for (int64_t k = 0; k < n_clusters; ++k) fit[k] = step[k] = 0;
        for (int64_t r = 0; r < size; ++r) {
            const int64_t i = begin + r;
            const T* row = source + i * width + own;
            if (starts.size) {
                gather(starts[i], starts[i + 1], columns, weights, source + own, width, n_clusters, product.get());
                row = product.get();
            }
            T* to = out + i * width + own;
            update(n_clusters, V + i * width + own, row, denominator.get() + r * n_clusters, limits, i, to, fit.get(),
                   step.get());
            for (int64_t k = 0; k < n_clusters; ++k) factor[r * n_clusters + k] = to[k];
        }
        gram_of(blas, size, n_clusters, factor.get(), grams + piece * square);
        T total = 0, largest = step[0];
        for (int64_t k = 0; k < n_clusters; ++k) {
            total += fit[k];
            largest = larger(largest, step[k]);
        }
        fits[piece] = total;
        steps[piece] = largest;
    }
}

// The same for V (n, b, c) with many clusters, where BLAS multiplies faster than a loop.
//
// What is done from first to last is one member's block each, so that threads can share a single block.
template <class T>
void sweep_clusters_innermost(int64_t first, int64_t last, int64_t n, int64_t n_members, int64_t n_clusters,
                              Indices starts, Indices columns, const T* weights, const T* source, const T* V,
                              const T* gram, Limits<T> limits, Blas<T> blas, T* out, T* grams, T* fits, T* steps) {
    widest<clusters_innermost_loop<T>>(first, last, n, n_members, n_clusters, starts, columns, weights, source, V, gram,
                                       limits, blas, out, grams, fits, steps);
}

}  // namespace s3nmf
