// Pricing with boxes: sources and targets are in groups that are close together. The distance of two
// groups' boxes, less the largest u and plus the smallest v, is a lower bound of all their reduced costs;
// most groups are ruled out by it and never looked at. For k = 2 and 3.
#pragma once

#include <array>
#include <experimental/simd>
#include <limits>

#include "kernels/simplex/timed/aligned.hpp"
#include "kernels/simplex/timed/leaves.hpp"
#include "kernels/simplex/timed/pricing.hpp"

namespace uotbench::simplex {

template <std::size_t k>
class BoxPricing final : public Pricing {
  using Lanes = std::experimental::native_simd<double>;

 public:
  static constexpr std::size_t leaf = 16;  ///< points of a group: two registers of AVX-512

  explicit BoxPricing(const Clouds& clouds)
      : clouds_(clouds),
        rows_(clouds.X),
        columns_(clouds.Y),
        sizes_(columns_.groups * leaf),
        least_(columns_.groups) {}

  void price(std::span<const double> u, std::span<const double> v, double threshold, Priced& out) override {
    // |y|^2 + v next to the points; places that hold no point never win.
    for (std::size_t g = 0; g < columns_.groups; ++g) {
      double least = std::numeric_limits<double>::infinity();
      for (std::size_t p = g * leaf; p < (g + 1) * leaf; ++p) {
        const std::int32_t j = columns_.point[p];
        sizes_[p] = std::numeric_limits<double>::infinity();
        if (j < 0) continue;
        const double own = v[static_cast<std::size_t>(j)];
        sizes_[p] = columns_.square(p) + own;
        least = std::min(least, own);
      }
      least_[g] = least;
    }
    double evaluated = 0;
#pragma omp parallel for schedule(dynamic, 16) reduction(+ : evaluated)
    for (std::size_t g = 0; g < rows_.groups; ++g) evaluated += price_group(g, u, threshold, out);
    out.evaluated += evaluated;
    out.skipped += static_cast<double>(clouds_.M) * static_cast<double>(clouds_.N) - evaluated;
  }

  double bytes() const override {
    return rows_.bytes() + columns_.bytes() + 8 * static_cast<double>(sizes_.size() + least_.size());
  }

 private:
  /// Points in groups of `leaf`, the last one filled up; -1 says that there is none.
  struct Groups {
    explicit Groups(std::span<const double> points)
        : groups((points.size() / k + leaf - 1) / leaf), point(groups * leaf, -1) {
      const auto order = leaf_order(points, k, leaf);
      std::ranges::copy(order, point.begin());
      for (std::size_t d = 0; d < k; ++d) {
        x[d].resize(groups * leaf);
        low[d].assign(groups, std::numeric_limits<double>::infinity());
        high[d].assign(groups, -std::numeric_limits<double>::infinity());
        for (std::size_t p = 0; p < order.size(); ++p) {
          x[d][p] = points[static_cast<std::size_t>(order[p]) * k + d];
          low[d][p / leaf] = std::min(low[d][p / leaf], x[d][p]);
          high[d][p / leaf] = std::max(high[d][p / leaf], x[d][p]);
        }
      }
    }
    double square(std::size_t p) const {
      double sum = 0;
      for (std::size_t d = 0; d < k; ++d) sum += x[d][p] * x[d][p];
      return sum;
    }
    double bytes() const {
      return 4 * static_cast<double>(point.size()) + 8. * k * static_cast<double>(point.size() + 2 * groups);
    }

    std::size_t groups;
    std::vector<std::int32_t> point;
    std::array<Lines<double>, k> x, low, high;
  };

  double price_group(std::size_t g, std::span<const double> u, double threshold, Priced& out) {
    std::array<double, leaf> best;      // of n_j - 2 <x, y>, as the threshold asks for at the start
    std::array<double, leaf> constant;  // |x|^2 - u
    std::array<std::int32_t, leaf> found;
    found.fill(-1);
    double most_u = -std::numeric_limits<double>::infinity();
    std::size_t rows = 0;
    for (; rows < leaf && rows_.point[g * leaf + rows] >= 0; ++rows) {
      const double own = u[static_cast<std::size_t>(rows_.point[g * leaf + rows])];
      most_u = std::max(most_u, own);
      constant[rows] = rows_.square(g * leaf + rows) - own;
      best[rows] = threshold - constant[rows];
    }
    double worst = threshold;  // the largest incumbent of the group
    double evaluated = 0;
    constexpr std::size_t strip = 64;
    std::array<double, strip> bound;
    for (std::size_t begin = 0; begin < columns_.groups; begin += strip) {
      const std::size_t count = std::min(strip, columns_.groups - begin);
      for (std::size_t c = 0; c < count; ++c) bound[c] = least_[begin + c] - most_u;
      for (std::size_t d = 0; d < k; ++d) {
        const double low = rows_.low[d][g], high = rows_.high[d][g];
        const double *lows = columns_.low[d].data() + begin, *highs = columns_.high[d].data() + begin;
        for (std::size_t c = 0; c < count; ++c) {
          const double apart = std::max(0., std::max(lows[c] - high, low - highs[c]));
          bound[c] += apart * apart;
        }
      }
      for (std::size_t c = 0; c < count; ++c) {
        if (!(bound[c] < worst)) continue;
        evaluated += static_cast<double>(rows * std::min(leaf, clouds_.N - (begin + c) * leaf));
        price_pair(g, begin + c, rows, best, found);
        double largest = -std::numeric_limits<double>::infinity();
        for (std::size_t r = 0; r < rows; ++r) largest = std::max(largest, best[r] + constant[r]);
        worst = largest;
      }
    }
    for (std::size_t r = 0; r < rows; ++r) {
      const auto i = static_cast<std::size_t>(rows_.point[g * leaf + r]);
      out.target[i] = found[r];
      out.delta[i] = found[r] < 0 ? 0 : best[r] + constant[r];
    }
    return evaluated;
  }

  void price_pair(std::size_t g, std::size_t c, std::size_t rows, std::array<double, leaf>& best,
                  std::array<std::int32_t, leaf>& found) const {
    constexpr std::size_t width = Lanes::size(), parts = leaf / width;
    std::array<std::array<Lanes, parts>, k> y;
    std::array<Lanes, parts> size;
    for (std::size_t q = 0; q < parts; ++q) {
      size[q] = Lanes(&sizes_[c * leaf + q * width], std::experimental::element_aligned);
      for (std::size_t d = 0; d < k; ++d)
        y[d][q] = Lanes(&columns_.x[d][c * leaf + q * width], std::experimental::element_aligned);
    }
    for (std::size_t r = 0; r < rows; ++r) {
      std::array<Lanes, parts> value = size;
      for (std::size_t d = 0; d < k; ++d) {
        const Lanes minus_2x = -2 * rows_.x[d][g * leaf + r];
        for (std::size_t q = 0; q < parts; ++q) value[q] += minus_2x * y[d][q];
      }
      Lanes least = value[0];
      for (std::size_t q = 1; q < parts; ++q) least = min(least, value[q]);
      if (std::experimental::none_of(least < best[r])) continue;
      for (std::size_t q = 0; q < parts; ++q)
        for (std::size_t l = 0; l < width; ++l)
          if (value[q][l] < best[r]) {
            best[r] = value[q][l];
            found[r] = columns_.point[c * leaf + q * width + l];
          }
    }
  }

  Clouds clouds_;
  Groups rows_, columns_;
  Lines<double> sizes_;        ///< |y|^2 + v
  std::vector<double> least_;  ///< smallest v of a group
};

}  // namespace uotbench::simplex
