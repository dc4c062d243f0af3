#include "results/statistics/paired_tests.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "results/base/error.hpp"

namespace uotbench {

std::vector<double> holm(std::span<const double> p) {
  for (const double one : p)
    if (!(one >= 0 && one <= 1)) throw Error(fmt::format("Holm: {} is no probability", one));
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return p[a] < p[b]; });
  std::vector<double> adjusted(p.size());
  double largest = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    largest = std::max(largest, std::min(1., static_cast<double>(order.size() - i) * p[order[i]]));
    adjusted[order[i]] = largest;
  }
  return adjusted;
}

double scaled_mad(std::span<const double> values) {
  const double middle = median(values);
  std::vector<double> distances;
  distances.reserve(values.size());
  for (const double value : values) distances.push_back(std::abs(value - middle));
  // 1 / the normal distribution's upper quartile: of normal values it is their standard deviation.
  return 1.4826 * median(distances);
}

}  // namespace uotbench
