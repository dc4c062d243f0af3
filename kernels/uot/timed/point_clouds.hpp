// K from points, never stored: K_ij = exp(-|x_i - y_j|^2 / reg) = 2^-|x_i' - y_j'|^2 of points scaled by
// sqrt(log2(e) / reg), a vector of j at a time. (x - y)^2 and not x^2 + y^2 - 2xy, which is no faster
// (measured) and loses what is left where large squares cancel: digits in proportion to 1/reg instead of
// 1/sqrt(reg).
#pragma once

#include <omp.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "kernels/common/fast_exp.hpp"
#include "kernels/uot/problem.hpp"

namespace uotbench::uot {

/// Rows in work at a time: they share each load of a point. 8 are as fast, 2 take 1.2 times as long.
constexpr std::size_t rows_of_points = 4;

template <class Real>
using Pack = std::experimental::native_simd<Real>;
constexpr std::experimental::element_aligned_tag anywhere;

/// Points by coordinate, with others behind them that fill the last vector and group of rows. Those count
/// nothing where their weights are 0.
template <class Real>
class Cloud {
 public:
  Cloud(std::span<const Real> points, std::size_t d, double scale)
      : count_(points.size() / d), padded_(padded(count_)) {
    for (std::size_t c = 0; c < d; ++c) {
      coordinates_[c].resize(padded_);
      for (std::size_t k = 0; k < count_; ++k)
        coordinates_[c][k] = static_cast<Real>(scale * static_cast<double>(points[k * d + c]));
    }
  }

  static constexpr std::size_t padded(std::size_t count) {
    constexpr std::size_t whole = std::max(Pack<Real>::size(), rows_of_points);
    return (count + whole - 1) / whole * whole;
  }
  std::size_t count() const { return count_; }
  std::size_t size() const { return padded_; }
  std::size_t groups() const { return padded_ / rows_of_points; }

  template <int D>
  using Place = std::array<Pack<Real>, D>;
  /// Points k, k + 1, ... in the lanes.
  template <int D>
  Place<D> several(std::size_t k) const {
    Place<D> place;
    for (int c = 0; c < D; ++c) place[c].copy_from(coordinates_[c].data() + k, anywhere);
    return place;
  }
  /// Point k in all lanes.
  template <int D>
  Place<D> one(std::size_t k) const {
    Place<D> place;
    for (int c = 0; c < D; ++c) place[c] = coordinates_[c][k];
    return place;
  }

 private:
  std::size_t count_, padded_;
  std::array<std::vector<Real>, 3> coordinates_;
};

/// log2 of the K of scaled points.
template <class P, std::size_t D>
P log2_gibbs(const std::array<P, D>& x, const std::array<P, D>& y) {
  P square = 0;
  for (std::size_t c = 0; c < D; ++c) {
    const P apart = x[c] - y[c];
    square -= apart * apart;
  }
  return square;
}

template <class P, std::size_t D>
P gibbs(const std::array<P, D>& x, const std::array<P, D>& y) {
  return exp2_or_zero(log2_gibbs(x, y));
}

/// The same, subnormal ones too.
template <class P, std::size_t D>
P gibbs_or_subnormal(const std::array<P, D>& x, const std::array<P, D>& y) {
  using Real = typename P::value_type;
  constexpr int half = std::numeric_limits<Real>::max_exponent / 2;
  const P t = log2_gibbs(x, y);
  P result = exp2_or_zero(t);
  if (const auto small = t < Real(-half); any_of(small))
    where(small, result) = exp2_or_zero(t + Real(half)) * std::ldexp(Real(1), -half);
  return result;
}

/// Flops of gibbs().
template <class Real>
double gibbs_flops(std::size_t d) {
  return 3 * static_cast<double>(d) - 1 + fast_exp_flops<Real>;
}

/// The factor of coordinates for a problem's reg.
inline double gibbs_scale(const Point& at) { return std::sqrt(std::numbers::log2e / at.number("reg")); }

/// Calls act(D) with the dimensions as a constant expression.
template <class Act>
void in_dimensions(std::size_t d, Act act) {
  d == 2 ? act(std::integral_constant<int, 2>{}) : act(std::integral_constant<int, 3>{});
}

/// sums_i = sum_j K_ij weights_j for those `to` i of a thread's groups of rows, columns `from` in tiles that
/// stay in the first cache: nothing is read from memory but points. A tile's sums are added to the others' as
/// one number, so that sums of a million terms keep their digits.
template <int D, class Real>
void multiply(const Cloud<Real>& to, const Cloud<Real>& from, const std::vector<Real>& weights,
              std::vector<Real>& sums) {
  constexpr std::size_t tile = 4096 / sizeof(Real), R = rows_of_points;
#pragma omp parallel
  {
    const auto [first, last] = share(to.groups(), omp_get_thread_num(), omp_get_num_threads());
    std::fill(sums.begin() + static_cast<std::ptrdiff_t>(first * R),
              sums.begin() + static_cast<std::ptrdiff_t>(last * R), Real(0));
    for (std::size_t begin = 0; begin < from.size(); begin += tile)
      for (std::size_t i = first * R; i < last * R; i += R) {
        typename Cloud<Real>::template Place<D> x[R];
        for (std::size_t r = 0; r < R; ++r) x[r] = to.template one<D>(i + r);
        Pack<Real> sum[R] = {};
        for (std::size_t j = begin; j < std::min(from.size(), begin + tile); j += Pack<Real>::size()) {
          const auto y = from.template several<D>(j);
          const Pack<Real> weight(weights.data() + j, anywhere);
          for (std::size_t r = 0; r < R; ++r) sum[r] += gibbs(x[r], y) * weight;
        }
        for (std::size_t r = 0; r < R; ++r) sums[i + r] += reduce(sum[r]);
      }
  }
}

}  // namespace uotbench::uot
