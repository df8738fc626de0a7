// The profile of cuts between two clusters: how many edges cross on the way from one to the other.
#pragma once

#include <algorithm>
#include <vector>

#include "arrays.hpp"

namespace s3nmf {

struct Border {
    double crossing = 0.0;      // edges that cross at the border: the least near it
    double first_level = 0.0;   // the median of those that cross the middle half of the first cluster
    double second_level = 0.0;  // and inside the second
    double edges = 0.0;         // all edges of the two clusters
    double steps = 0.0;         // of the walk
};

// A graph of some points alone, numbered from 0, without weights.
struct Subgraph {
    std::vector<int64_t> starts;
    std::vector<int32_t> neighbors;
};

inline Subgraph subgraph_of(Fixed<int64_t> starts, Fixed<int32_t> neighbors, const std::vector<int64_t>& points,
                            int32_t* place) {
    Subgraph found;
    for (size_t i = 0; i < points.size(); ++i) place[points[i]] = static_cast<int32_t>(i);
    found.starts.reserve(points.size() + 1);
    found.starts.push_back(0);
    for (const int64_t point : points) {
        for (int64_t e = starts[point]; e < starts[point + 1]; ++e) {
            const int32_t other = place[neighbors[e]];
            if (other >= 0) found.neighbors.push_back(other);
        }
        found.starts.push_back(static_cast<int64_t>(found.neighbors.size()));
    }
    for (const int64_t point : points) place[point] = -1;
    return found;
}

// Smooth +1 on the first cluster and -1 on the second by a lazy random walk, until their means are so much closer.
inline double smooth(const Subgraph& graph, int64_t n_first, double separation, int64_t most_steps,
                     std::vector<double>& x) {
    const auto n = static_cast<int64_t>(x.size());
    std::vector<double> next(x.size());
    double steps = 0.0;
    for (int64_t i = 0; i < n; ++i) x[i] = i < n_first ? 1.0 : -1.0;
    for (int64_t step = 0; step < most_steps; ++step) {
        double sum[2] = {0.0, 0.0}, degree[2] = {0.0, 0.0};
        for (int64_t i = 0; i < n; ++i) {
            const auto d = static_cast<double>(graph.starts[i + 1] - graph.starts[i]);
            sum[i >= n_first] += d * x[i];
            degree[i >= n_first] += d;
        }
        if (degree[0] == 0.0 || degree[1] == 0.0) break;
        if (sum[0] / degree[0] - sum[1] / degree[1] <= 2.0 * separation) break;
        for (int64_t i = 0; i < n; ++i) {
            const int64_t first = graph.starts[i], last = graph.starts[i + 1];
            double total = 0.0;
            for (int64_t e = first; e < last; ++e) total += x[graph.neighbors[e]];
            next[i] = last > first ? 0.5 * (x[i] + total / static_cast<double>(last - first)) : x[i];
        }
        x.swap(next);
        steps += 1.0;
    }
    return steps;
}

// p(s), s = 0 to n: the edges between the first s points, by decreasing x, and all others.
inline std::vector<double> profile_of(const Subgraph& graph, const std::vector<double>& x) {
    const auto n = static_cast<int64_t>(x.size());
    std::vector<int32_t> order(x.size()), rank(x.size());
    for (int64_t i = 0; i < n; ++i) order[i] = static_cast<int32_t>(i);
    std::stable_sort(order.begin(), order.end(), [&](int32_t i, int32_t j) { return x[i] > x[j]; });
    for (int64_t r = 0; r < n; ++r) rank[order[r]] = static_cast<int32_t>(r);
    std::vector<double> profile(x.size() + 2, 0.0);
    for (int64_t i = 0; i < n; ++i) {
        for (int64_t e = graph.starts[i]; e < graph.starts[i + 1]; ++e) {
            const int32_t low = rank[i], high = rank[graph.neighbors[e]];
            if (low < high) {
                profile[low + 1] += 1.0;
                profile[high + 1] -= 1.0;
            }
        }
    }
    for (int64_t s = 1; s <= n; ++s) profile[s] += profile[s - 1];
    profile.pop_back();
    return profile;
}

// The median of the profile over the middle half of a cluster of so many points, whose first place is after `before`: at
// either end, hardly anything is left to cross to.
inline double level_of(const std::vector<double>& profile, int64_t before, int64_t size) {
    const int64_t margin = size / 4, end = static_cast<int64_t>(profile.size());
    const int64_t first = std::min(before + margin, end - 1);
    const int64_t last = std::max(first + 1, std::min(before + size - margin + 1, end));
    std::vector<double> inside(profile.begin() + first, profile.begin() + last);
    const auto median = inside.begin() + (inside.size() - 1) / 2;
    std::nth_element(inside.begin(), median, inside.end());
    return *median;
}

// `margin` is the share of the smaller cluster, on either side of the border, in which the least crossing counts.
inline Border border_between(Fixed<int64_t> starts, Fixed<int32_t> neighbors, const std::vector<int64_t>& points,
                             int64_t n_first, double separation, int64_t most_steps, double margin, int32_t* place) {
    Border found;
    const auto n = static_cast<int64_t>(points.size()), n_second = n - n_first;
    const Subgraph graph = subgraph_of(starts, neighbors, points, place);
    std::vector<double> x(points.size());
    found.steps = smooth(graph, n_first, separation, most_steps, x);
    const std::vector<double> profile = profile_of(graph, x);
    const auto reach = std::max<int64_t>(1, static_cast<int64_t>(margin * std::min(n_first, n_second)));
    const int64_t first = std::max<int64_t>(1, n_first - reach), last = std::min(n - 1, n_first + reach);
    found.crossing = *std::min_element(profile.begin() + first, profile.begin() + last + 1);
    found.first_level = level_of(profile, 0, n_first);
    found.second_level = level_of(profile, n_first, n_second);
    found.edges = static_cast<double>(graph.neighbors.size()) / 2.0;
    return found;
}

}  // namespace s3nmf
