// Points that move to the cluster that their links make likeliest.
//
// The model is a degree-corrected planted partition: points i and j have a link of weight k_i k_j w on average, k the
// sums of their links, w = w_c if both are in cluster c, and w = w_0 if they are in different ones. Its log-likelihood
// is
//
//     sum over pairs i < j of  A_ij log w - k_i k_j w,
//
// but for a constant, and each w that fits a partition best is the weight of the links that there are, over the sum of
// k_i k_j. By them, point i in cluster c adds A(i, c) log(w_c / w_0) - k_i k(c without i) (w_c - w_0) to what it would
// be without a cluster. There is no resolution to choose, and no size to prefer.
#pragma once

#include "graphs.hpp"

namespace s3nmf {

// A move must gain more than this share of what is compared: less is rounding, and might go back and forth for ever.
constexpr double LIKELIHOOD_ROUNDING = 1e-9;
// A cluster without links is not infinitely less dense than the rest.
constexpr double LEAST_DENSITY = 1e-12;

// What a point adds to the likelihood in a cluster that it has these links to.
inline double worth_of(double links, double pairs, double density, double between) {
    return links * std::log(density / between) - pairs * (density - between);
}

// The density between clusters; where hardly a link is left, links and pairs are taken to be what rounding is.
inline double density_between(double outside, double apart, double total) {
    return larger(outside, LIKELIHOOD_ROUNDING * total) / larger(apart, LIKELIHOOD_ROUNDING * total * total);
}

// The links of each point; and of each cluster: points, links, their squares, and links inside, both ways.
struct Sums {
    template <class S, class N, class W>
    Sums(int64_t n, const S& starts, const N& neighbors, const W* weights, const int64_t* label, int64_t n_clusters)
        : n_clusters(n_clusters), of_point(n, 0.0), size(n_clusters, 0), strength(n_clusters, 0.0),
          squares(n_clusters, 0.0), inner(n_clusters, 0.0) {
        for (int64_t i = 0; i < n; ++i) {
            const int64_t own = label[i], end = starts[i + 1];
            for (int64_t e = starts[i]; e < end; ++e) {
                of_point[i] += weights[e];
                if (label[neighbors[e]] == own) inner[own] += weights[e];
            }
            ++size[own];
            strength[own] += of_point[i];
            squares[own] += of_point[i] * of_point[i];
        }
    }

    double total() const { return sum(strength); }
    double inside() const { return sum(inner); }
    double total_of_squares() const {
        double found = 0.0;
        for (int64_t c = 0; c < n_clusters; ++c) found += strength[c] * strength[c];
        return found;
    }
    // The density of a cluster; one point alone is as dense as what is between clusters.
    double density(int64_t c, double between) const {
        const double pairs = size[c] > 1 ? strength[c] * strength[c] - squares[c] : 0.0;
        return pairs > 0.0 ? larger(inner[c] / pairs, LEAST_DENSITY * between) : between;
    }

    int64_t n_clusters;
    Buffer<double> of_point;
    Buffer<int64_t> size;
    Buffer<double> strength, squares, inner;

private:
    double sum(const Buffer<double>& values) const {
        double found = 0.0;
        for (int64_t c = 0; c < n_clusters; ++c) found += values[c];
        return found;
    }
};

// Move points, in place and in their order, until a pass moves none or after so many; return how many it took.
//
// Each move raises the likelihood, and so does fitting the densities again, which is done after each. A cluster keeps
// half of its points: this is about points, not about clusters.
template <class W>
int64_t move_to_likeliest(int64_t n, Indices starts, Indices neighbors, const W* weights, int64_t* label,
                          int64_t n_clusters, int64_t most_passes) {
    const Sums of(n, starts, neighbors, weights, label, n_clusters);
    const double* k = of.of_point.get();
    const Buffer<double> fewest(n_clusters), pull(n_clusters, 0.0);
    const Buffer<int64_t> near(n_clusters);
    for (int64_t c = 0; c < n_clusters; ++c) fewest[c] = static_cast<double>(of.size[c]) / 2;
    const double total = of.total();
    double outside = total - of.inside();
    double apart = total * total - of.total_of_squares();
    const auto pull_of = [&](int64_t c) -> double& { return pull[c]; };
    for (int64_t number = 0; number < most_passes; ++number) {
        if (outside <= LIKELIHOOD_ROUNDING * total) return number;
        double between = density_between(outside, apart, total);
        int64_t n_moves = 0;
        for (int64_t i = 0; i < n; ++i) {
            const int64_t own = label[i];
            const int64_t n_near = links_by_group(starts, neighbors, weights, label, i, pull_of, near.get());
            const bool leads_elsewhere = n_near > 1 || (n_near == 1 && near[0] != own);
            if (static_cast<double>(of.size[own] - 1) >= fewest[own] && leads_elsewhere) {
                const double others = of.strength[own] - k[i];
                const double stay = worth_of(pull[own], k[i] * others, of.density(own, between), between);
                int64_t best = own;
                double most = stay + LIKELIHOOD_ROUNDING * std::fabs(stay);
                for (int64_t t = 0; t < n_near; ++t) {
                    const int64_t c = near[t];
                    const double worth = worth_of(pull[c], k[i] * of.strength[c], of.density(c, between), between);
                    if (c != own && worth > most) {
                        best = c;
                        most = worth;
                    }
                }
                if (best != own) {
                    label[i] = best;
                    ++n_moves;
                    outside += 2 * (pull[own] - pull[best]);
                    apart += 2 * k[i] * (of.strength[own] - k[i] - of.strength[best]);
                    between = density_between(outside, apart, total);
                    for (const int sign : {-1, 1}) {
                        const int64_t c = sign < 0 ? own : best;
                        of.size[c] += sign;
                        of.inner[c] += sign * 2 * pull[c];
                        of.strength[c] += sign * k[i];
                        of.squares[c] += sign * k[i] * k[i];
                    }
                }
            }
            for (int64_t t = 0; t < n_near; ++t) pull[near[t]] = 0.0;
        }
        if (n_moves == 0) return number;
    }
    return most_passes;
}

// Of each cluster: points, links, the sum of the squared links of its points, and links inside, both ways.
template <class W>
void links_of_clusters(int64_t n, Indices starts, Indices neighbors, const W* weights, const int64_t* label,
                       int64_t n_clusters, double* size, double* strength, double* squares, double* inside) {
    const Sums of(n, starts, neighbors, weights, label, n_clusters);
    for (int64_t c = 0; c < n_clusters; ++c) {
        size[c] = static_cast<double>(of.size[c]);
        strength[c] = of.strength[c];
        squares[c] = of.squares[c];
        inside[c] = of.inner[c];
    }
}

}  // namespace s3nmf
