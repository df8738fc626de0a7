// Greedy coordinate descent on the rows of H with H' held, in the splitting of graph-regularized SymNMF.
//
// Arrays are (n, c, b), members innermost. A row h minimises a quadratic with gradient g and Hessian Q = H''H' + mu I.
#pragma once

#include "products.hpp"

namespace s3nmf {

constexpr int64_t GREEDY_BLOCK = 256;

// How much the best step of one entry lowers the quadratic.
inline double gain_of_step(double x, double slope, double curvature) {
    const double step = larger(x - slope / curvature, 0.0) - x;
    return -step * (slope + 0.5 * curvature * step);
}

inline void gradients_loop(int64_t first, int64_t last, int64_t n, int64_t c, int64_t b, Indices starts,
                           Indices columns, Weights weights, const double* source, const double* H,
                           const double* other, const double* dual, const double* Q, double mu,
                           const double* row_penalty, double* out, double* gains) {
    const int64_t width = c * b;
    const Buffer<double> product(width);
    for (int64_t block = first; block < last; ++block) {
        double* S3NMF_RESTRICT largest = gains + block * b;
        for (int64_t m = 0; m < b; ++m) largest[m] = 0;
        const int64_t end = smaller(n, (block + 1) * GREEDY_BLOCK);
        for (int64_t i = block * GREEDY_BLOCK; i < end; ++i) {
            gather(starts[i], starts[i + 1], columns, weights, source, width, width, product.get());
            const double* h = H + i * width;
            for (int64_t k = 0; k < c; ++k) {
                double* S3NMF_RESTRICT slope = out + i * width + k * b;
                for (int64_t m = 0; m < b; ++m) {
                    const int64_t t = k * b + m;
                    slope[m] = (row_penalty[i] - mu) * other[i * width + t] + dual[i * width + t] - product[t];
                }
                in_lanes<double>(b, [=](int64_t m, auto lanes) {
                    auto total = at(slope + m, lanes);
                    for (int64_t j = 0; j < c; ++j)
                        total += at(h + j * b + m, lanes) * at(Q + (j * c + k) * b + m, lanes);
                    at(slope + m, lanes) = total;
                });
                for (int64_t m = 0; m < b; ++m)
                    largest[m] = larger(largest[m], gain_of_step(h[k * b + m], slope[m], Q[(k * c + k) * b + m]));
            }
        }
    }
}

// g = H Q - S H' + p H' - mu H' + Y by row, and the largest gain of one step by block and member.
inline void gradients(int64_t first, int64_t last, int64_t n, int64_t c, int64_t b, Indices starts, Indices columns,
               Weights weights, const double* source, const double* H, const double* other, const double* dual,
               const double* Q, double mu, const double* row_penalty, double* out, double* gains) {
    widest<gradients_loop>(first, last, n, c, b, starts, columns, weights, source, H, other, dual, Q, mu,
                              row_penalty, out, gains);
}

// Take the best entry of a row again and again, until it gains less than `enough`; at most c^2 times.
inline void descend_greedily(int64_t first, int64_t last, int64_t n, int64_t c, int64_t b, double* H, double* gradient,
                             const double* Q, const double* enough, const double* row_scale, double* steps) {
    for (int64_t block = first; block < last; ++block) {
        for (int64_t m = 0; m < b; ++m) steps[block * b + m] = 0;
        const int64_t end = smaller(n, (block + 1) * GREEDY_BLOCK);
        for (int64_t i = block * GREEDY_BLOCK; i < end; ++i) {
            double *h = H + i * c * b, *g = gradient + i * c * b;
            for (int64_t m = 0; m < b; ++m)
                for (int64_t visit = 0; visit < c * c; ++visit) {
                    int64_t best = -1;
                    double most = 0.0;
                    for (int64_t k = 0; k < c; ++k) {
                        const double gain = gain_of_step(h[k * b + m], g[k * b + m], Q[(k * c + k) * b + m]);
                        if (gain > most) {
                            best = k;
                            most = gain;
                        }
                    }
                    if (best < 0 || most < enough[m]) break;
                    const double x = h[best * b + m];
                    const double step = larger(x - g[best * b + m] / Q[(best * c + best) * b + m], 0.0) - x;
                    h[best * b + m] = x + step;
                    steps[block * b + m] = larger(steps[block * b + m], std::fabs(step) * row_scale[i]);
                    for (int64_t k = 0; k < c; ++k) g[k * b + m] += step * Q[(best * c + k) * b + m];
                }
        }
    }
}

}  // namespace s3nmf
