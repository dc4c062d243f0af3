// Pricing as a matrix product: a tile of sources times targets in registers, of which only each source's
// least value is kept. For any k, made for k = 200 and 300.
#pragma once

#include <algorithm>
#include <array>
#include <experimental/simd>
#include <limits>

#include "kernels/simplex/timed/aligned.hpp"
#include "kernels/simplex/timed/price_loops.hpp"

namespace uotbench::simplex {

class GemmPricing final : public Pricing {
  using Lanes = std::experimental::native_simd<double>;
  static constexpr std::size_t width = Lanes::size(), panel = 2 * width;
  static constexpr std::size_t rows = width >= 8 ? 12 : 6;  ///< rows x 2 registers of sums, of 32 or 16
  static constexpr std::size_t strip = 16;  ///< panels that all of a thread's sources meet in turn

 public:
  explicit GemmPricing(const Clouds& clouds)
      : c_(clouds),
        x2_(squares_of(c_.X, c_.k)),
        y2_(squares_of(c_.Y, c_.k)),
        panels_((c_.N + panel - 1) / panel),
        tiles_((c_.M + rows - 1) / rows),
        x_(tiles_ * rows * c_.k),
        y_(panels_ * panel * c_.k),
        size_(panels_ * panel),
        best_(tiles_ * rows),
        found_(tiles_ * rows) {
    pack(c_.X, c_.M, rows, -2, x_);
    pack(c_.Y, c_.N, panel, 1, y_);
  }

  void price(std::span<const double> u, std::span<const double> v, double threshold, Priced& out) override {
    for (std::size_t j = 0; j < size_.size(); ++j)
      size_[j] = j < c_.N ? y2_[j] + v[j] : std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < best_.size(); ++i) {
      best_[i] = i < c_.M ? threshold - (x2_[i] - u[i]) : -std::numeric_limits<double>::infinity();
      found_[i] = -1;
    }
#pragma omp parallel
    for (std::size_t begin = 0; begin < panels_; begin += strip) {
#pragma omp for schedule(static)
      for (std::size_t t = 0; t < tiles_; ++t)
        for (std::size_t p = begin; p < std::min(panels_, begin + strip); ++p) meet(t, p);
    }
    for (std::size_t i = 0; i < c_.M; ++i) {
      out.target[i] = found_[i];
      out.delta[i] = found_[i] < 0 ? 0 : best_[i] + (x2_[i] - u[i]);
    }
    out.evaluated += static_cast<double>(c_.M) * static_cast<double>(c_.N);
  }

  double bytes() const override {
    return 8 * static_cast<double>(x2_.size() + y2_.size() + x_.size() + y_.size() + size_.size()) +
           12 * static_cast<double>(best_.size());
  }

 private:
  /// Groups of `by` points, each k x by; 0 beyond the end.
  void pack(std::span<const double> points, std::size_t count, std::size_t by, double times,
            Lines<double>& to) {
    for (std::size_t p = 0; p < to.size() / c_.k; ++p)
      for (std::size_t d = 0; d < c_.k; ++d)
        to[(p / by * c_.k + d) * by + p % by] = p < count ? times * points[p * c_.k + d] : 0;
  }

  void meet(std::size_t t, std::size_t p) {
    constexpr auto element = std::experimental::element_aligned;
    const double *x = x_.data() + t * rows * c_.k, *y = y_.data() + p * panel * c_.k;
    std::array<std::array<Lanes, 2>, rows> sums;
    const Lanes first(size_.data() + p * panel, element), second(size_.data() + p * panel + width, element);
#pragma GCC unroll 16
    for (std::size_t r = 0; r < rows; ++r) sums[r] = {first, second};
    for (std::size_t d = 0; d < c_.k; ++d) {
      const Lanes left(y + d * panel, element), right(y + d * panel + width, element);
#pragma GCC unroll 16
      for (std::size_t r = 0; r < rows; ++r) {
        const Lanes own = x[d * rows + r];
        sums[r][0] += own * left;
        sums[r][1] += own * right;
      }
    }
    for (std::size_t r = 0; r < rows; ++r) {
      double& best = best_[t * rows + r];
      if (std::experimental::none_of(min(sums[r][0], sums[r][1]) < best)) continue;
      for (std::size_t l = 0; l < panel; ++l)
        if (const double value = sums[r][l / width][l % width]; value < best) {
          best = value;
          found_[t * rows + r] = static_cast<std::int32_t>(p * panel + l);
        }
    }
  }

  Clouds c_;
  std::vector<double> x2_, y2_;
  std::size_t panels_, tiles_;
  Lines<double> x_, y_;
  Lines<double> size_;
  std::vector<double> best_;
  std::vector<std::int32_t> found_;
};

}  // namespace uotbench::simplex
