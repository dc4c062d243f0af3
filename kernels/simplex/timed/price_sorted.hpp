// Pricing with targets in the order of their norms, in groups: lemma 2 with a group's range of norms and its
// smallest v rules the whole group out. A source begins where norms are like its own and goes outwards.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "kernels/simplex/timed/price_loops.hpp"

namespace uotbench::simplex {

class SortedPricing final : public Pricing {
  static constexpr std::size_t group = 32;

 public:
  explicit SortedPricing(const Clouds& clouds)
      : c_(clouds),
        x2_(squares_of(c_.X, c_.k)),
        y2_(squares_of(c_.Y, c_.k)),
        order_(c_.N),
        groups_((c_.N + group - 1) / group),
        y_(c_.Y.size()),
        size_(c_.N),
        low_(groups_),
        high_(groups_),
        least_(groups_) {
    std::iota(order_.begin(), order_.end(), 0);
    std::ranges::sort(order_, {}, [&](std::int32_t j) { return y2_[static_cast<std::size_t>(j)]; });
    for (std::size_t p = 0; p < c_.N; ++p)  // coordinates of a group are one after the other: k x count
      for (std::size_t d = 0; d < c_.k; ++d) {
        const std::size_t g = p / group, count = std::min(group, c_.N - g * group);
        y_[g * group * c_.k + d * count + p % group] = c_.Y[static_cast<std::size_t>(order_[p]) * c_.k + d];
      }
    for (std::size_t g = 0; g < groups_; ++g) {
      low_[g] = std::sqrt(y2_[static_cast<std::size_t>(order_[g * group])]);
      high_[g] = std::sqrt(y2_[static_cast<std::size_t>(order_[std::min(c_.N, (g + 1) * group) - 1])]);
    }
  }

  void price(std::span<const double> u, std::span<const double> v, double threshold, Priced& out) override {
    std::ranges::fill(least_, std::numeric_limits<double>::infinity());
    for (std::size_t p = 0; p < c_.N; ++p) {
      const auto j = static_cast<std::size_t>(order_[p]);
      size_[p] = y2_[j] + v[j];
      least_[p / group] = std::min(least_[p / group], v[j]);
    }
    double evaluated = 0;
#pragma omp parallel for schedule(dynamic, 64) reduction(+ : evaluated)
    for (std::size_t i = 0; i < c_.M; ++i) evaluated += row(i, u[i], threshold, out);
    out.evaluated += evaluated;
    out.skipped += static_cast<double>(c_.M) * static_cast<double>(c_.N) - evaluated;
  }

  double bytes() const override {
    return 8 * static_cast<double>(x2_.size() + y2_.size() + y_.size() + size_.size() + 3 * groups_) +
           4 * static_cast<double>(c_.N);
  }

 private:
  double row(std::size_t i, double u, double threshold, Priced& out) const {
    const double own = x2_[i] - u, norm = std::sqrt(x2_[i]);
    double best = threshold - own, evaluated = 0;
    std::int32_t found = -1;
    const auto look = [&](std::size_t g) {
      const double apart = std::max({0., low_[g] - norm, norm - high_[g]});
      if (apart * apart - u + least_[g] >= best + own) return;
      const std::size_t count = std::min(group, c_.N - g * group);
      double value[group];
      const double* size = &size_[g * group];
      for (std::size_t p = 0; p < count; ++p) value[p] = size[p];
      for (std::size_t d = 0; d < c_.k; ++d) {
        const double minus_2x = -2 * c_.X[i * c_.k + d], *y = &y_[g * group * c_.k + d * count];
        for (std::size_t p = 0; p < count; ++p) value[p] += minus_2x * y[p];
      }
      evaluated += static_cast<double>(count);
      for (std::size_t p = 0; p < count; ++p)
        if (value[p] < best) best = value[p], found = order_[g * group + p];
    };
    const auto middle = static_cast<std::size_t>(std::ranges::lower_bound(high_, norm) - high_.begin());
    for (std::size_t step = 0; step < groups_; ++step) {
      if (middle + step < groups_) look(middle + step);
      if (middle > step) look(middle - step - 1);
    }
    out.target[i] = found;
    out.delta[i] = found < 0 ? 0 : best + own;
    return evaluated;
  }

  Clouds c_;
  std::vector<double> x2_, y2_;
  std::vector<std::int32_t> order_;
  std::size_t groups_;
  std::vector<double> y_, size_;
  std::vector<double> low_, high_, least_;  ///< of a group: its norms, its smallest v
};

}  // namespace uotbench::simplex
