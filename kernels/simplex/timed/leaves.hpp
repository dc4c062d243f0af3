// Points in compact groups: split at the median of the widest side again and again, until a group is small
// (J. L. Bentley, "Multidimensional binary search trees", CACM 18, 1975).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

namespace uotbench::simplex {

/// An order of n points of k coordinates (n x k) in which every `leaf` points from a multiple of `leaf` on
/// are close together. O(n log n).
inline std::vector<std::int32_t> leaf_order(std::span<const double> points, std::size_t k, std::size_t leaf) {
  std::vector<std::int32_t> order(points.size() / k);
  std::iota(order.begin(), order.end(), 0);
  struct Range {
    std::size_t begin, end;
  };
  std::vector<Range> open{{0, order.size()}};
  while (!open.empty()) {
    const auto [begin, end] = open.back();
    open.pop_back();
    if (end - begin <= leaf) continue;
    std::size_t widest = 0;
    double width = -1;
    for (std::size_t d = 0; d < k; ++d) {
      double low = std::numeric_limits<double>::infinity(), high = -low;
      for (std::size_t p = begin; p < end; ++p) {
        const double x = points[static_cast<std::size_t>(order[p]) * k + d];
        low = std::min(low, x);
        high = std::max(high, x);
      }
      if (high - low > width) width = high - low, widest = d;
    }
    const std::size_t leaves = (end - begin + leaf - 1) / leaf, middle = begin + leaves / 2 * leaf;
    const auto place = [&](std::size_t p) { return order.begin() + static_cast<std::ptrdiff_t>(p); };
    std::nth_element(place(begin), place(middle), place(end), [&](std::int32_t p, std::int32_t q) {
      const double x = points[static_cast<std::size_t>(p) * k + widest];
      const double y = points[static_cast<std::size_t>(q) * k + widest];
      return x != y ? x < y : p < q;
    });
    open.push_back({begin, middle});
    open.push_back({middle, end});
  }
  return order;
}

}  // namespace uotbench::simplex
