#include "results/paired_tests.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <numbers>
#include <numeric>

#include "results/error.hpp"

namespace uotbench {

double sign_test(std::size_t above, std::size_t n) {
  if (above > n) throw Error(fmt::format("sign test: {} of {} values above", above, n));
  if (above == 0) return 1;
  const boost::math::binomial signs(static_cast<double>(n), 0.5);
  return cdf(complement(signs, static_cast<double>(above - 1)));
}

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

double detectable_shift(double sigma, std::size_t n, double alpha, double power) {
  if (!(sigma >= 0) || n == 0 || !(alpha > 0 && alpha < 1) || !(power > 0 && power < 1))
    throw Error(fmt::format(
        "detectable shift: sigma {} (at least 0), n {} (at least 1), alpha {} and power {} (within 0 and 1)",
        sigma, n, alpha, power));
  const boost::math::normal standard;
  const double quantiles = quantile(complement(standard, alpha)) + quantile(standard, power);
  return quantiles * sigma / std::sqrt(static_cast<double>(n) * 3 / std::numbers::pi);
}

double robust_deviation(std::span<const double> values) {
  const double middle = median(values);
  std::vector<double> distances;
  distances.reserve(values.size());
  for (const double value : values) distances.push_back(std::abs(value - middle));
  // 1 / the normal distribution's upper quartile: of normal values it is their standard deviation.
  return 1.4826 * median(distances);
}

}  // namespace uotbench
