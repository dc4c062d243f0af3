// Costs of shifted_steps.hpp that are computed from points: for one item in registers as they are needed, for
// a batch once, into the thread's room.
#pragma once

#include "kernels/sinkhorn_log/timed/shifted_steps.hpp"

namespace uotbench::sinkhorn_log {

inline constexpr std::size_t few_dimensions = 3;
/// Squares of the distances to the centre, in base 2, up to which 2<x, y> - |x|^2 - |y|^2 is as exact as
/// fields are: those are as large.
inline constexpr double near = 32;

/// Points by coordinate, scaled. What pads is the last point again.
template <class Real>
struct Cloud {
  Cloud(std::span<const Real> points, std::size_t d, double scale, const std::vector<double>& centre)
      : count(points.size() / d),
        size(padded_lines(count)),
        coordinates(d * size),
        twice(d * size),
        squares(size + 8) {
    for (std::size_t k = 0; k < size; ++k) {
      double square = 0;
      for (std::size_t c = 0; c < d; ++c) {
        const double x = static_cast<double>(points[std::min(k, count - 1) * d + c]);
        const auto rounded = static_cast<Real>(scale * (x - centre[c]));
        coordinates[c * size + k] = rounded;
        twice[c * size + k] = 2 * rounded;
        square += static_cast<double>(rounded) * static_cast<double>(rounded);
      }
      squares[k] = static_cast<Real>(square);
    }
  }
  const Real* along(std::size_t c) const { return coordinates.data() + c * size; }

  std::size_t count, size;
  std::vector<Real> coordinates, twice;
  std::vector<Real> squares;  ///< and 8 zeros: vectors of them begin at any 8th
};

/// How the exponents of a pair are made.
enum class Distance {
  apart,     ///< (x - y)^2, in registers
  products,  ///< 2<x, y>, in registers
  stored,    ///< (x - y)^2 or 2<x, y> - |y|^2, once for the batch
};

template <class Real>
class PointSide {
  using P = PackOf<Real>;
  static constexpr std::size_t W = P::size(), R = sums_at_once;
  static constexpr auto anywhere = simd::element_aligned;

 public:
  PointSide(const Cloud<Real>& from, const Cloud<Real>& to, std::size_t d, Distance distance)
      : from_(from), to_(to), d_(d), distance_(distance) {}

  P squares(std::size_t i) const {
    return distance_ == Distance::products || d_ > few_dimensions ? P(&from_.squares[i], anywhere) : P(0);
  }
  P offset(std::size_t j) const {
    return distance_ == Distance::products ? P(&to_.squares[j], anywhere) : P(0);
  }

  void prepare(std::size_t j, std::size_t first, std::size_t last, Real* room) const {
    if (distance_ != Distance::stored) return;
    with_dimensions([&](auto D) {
      if constexpr (D() == 0)
        multiply(j, first, last, room);
      else
        measure<D()>(j, first, last, room);
    });
  }

  template <class Act>
  void terms(std::size_t, std::size_t j, std::size_t first, std::size_t, const Real* room, Act act) const {
    if (distance_ == Distance::stored) {
      const auto stored =
          [ room, first ](P field, std::size_t i, std::size_t r) __attribute__((always_inline)) {
        return field + P(room + (i - first) * R + r * W, anywhere);
      };
      return act(stored);
    }
    with_dimensions([&](auto D) {
      if constexpr (D() > 0) in_registers<D()>(j, act);
    });
  }

 private:
  /// Calls act with the number of dimensions, or with 0 where they are many.
  template <class Act>
  void with_dimensions(Act act) const {
    switch (d_) {
      case 1:
        return act(std::integral_constant<std::size_t, 1>());
      case 2:
        return act(std::integral_constant<std::size_t, 2>());
      case 3:
        return act(std::integral_constant<std::size_t, 3>());
      default:
        return act(std::integral_constant<std::size_t, 0>());
    }
  }

  template <std::size_t D, class Act>
  void in_registers(std::size_t j, Act act) const {
    const bool products = distance_ == Distance::products;
    P y[D][R];
    for (std::size_t c = 0; c < D; ++c)
      for (std::size_t r = 0; r < R; ++r)
        y[c][r] = (products ? to_.twice : to_.coordinates)[c * to_.size + j + r];
    const Real* x[D];
    for (std::size_t c = 0; c < D; ++c) x[c] = from_.along(c);
    if (products)
      act([&](P field, std::size_t i, std::size_t r) __attribute__((always_inline)) {
        for (std::size_t c = 0; c < D; ++c) field += P(x[c] + i, anywhere) * y[c][r];
        return field;
      });
    else
      act([&](P field, std::size_t i, std::size_t r) __attribute__((always_inline)) {
        for (std::size_t c = 0; c < D; ++c) {
          const P apart = P(x[c] + i, anywhere) - y[c][r];
          field -= apart * apart;
        }
        return field;
      });
  }

  /// Minus the squared distances of the points j .. j+R-1 from first .. last-1, R vectors after R vectors.
  template <std::size_t D>
  void measure(std::size_t j, std::size_t first, std::size_t last, Real* room) const {
    for (std::size_t i = first; i < last; i += W)
      for (std::size_t r = 0; r < R; ++r) {
        P square = 0;
        for (std::size_t c = 0; c < D; ++c) {
          const P apart = P(from_.along(c) + i, anywhere) - to_.along(c)[j + r];
          square -= apart * apart;
        }
        square.copy_to(room + (i - first) * R + r * W, anywhere);
      }
  }

  /// 2<x, y> - |y|^2 likewise.
  void multiply(std::size_t j, std::size_t first, std::size_t last, Real* room) const {
    constexpr std::size_t V = sizeof(P) == 64 ? 2 : 1;  // vectors: 16 of 32 registers, 8 of 16
    for (std::size_t i = first; i < last; i += V * W) {
      P sums[R][V] = {};
      const std::size_t here = std::min(V, (last - i) / W);
      if (here == V)
        add_products<V>(j, i, sums);
      else
        add_products<1>(j, i, sums);
      for (std::size_t v = 0; v < here; ++v)
        for (std::size_t r = 0; r < R; ++r)
          (sums[r][v] - to_.squares[j + r]).copy_to(room + (i + v * W - first) * R + r * W, anywhere);
    }
  }
  template <std::size_t vectors, std::size_t V>
  void add_products(std::size_t j, std::size_t i, P (&sums)[R][V]) const {
    for (std::size_t c = 0; c < d_; ++c) {
      P x[vectors];
#pragma GCC unroll 2
      for (std::size_t v = 0; v < vectors; ++v) x[v].copy_from(from_.along(c) + i + v * W, anywhere);
#pragma GCC unroll 8
      for (std::size_t r = 0; r < R; ++r)
#pragma GCC unroll 2
        for (std::size_t v = 0; v < vectors; ++v) sums[r][v] += P(to_.twice[c * to_.size + j + r]) * x[v];
    }
  }

  const Cloud<Real>&from_, &to_;
  std::size_t d_;
  Distance distance_;
};

template <class Real>
class PointCosts {
 public:
  explicit PointCosts(const Problem<Real>& p)
      : x_(p.X, p.d, scale(p), centre(p)),
        y_(p.Y, p.d, scale(p), centre(p)),
        for_v(x_, y_, p.d, distance(p)),
        for_u(y_, x_, p.d, distance(p)) {}
  PointCosts(const PointCosts&) = delete;
  PointCosts& operator=(const PointCosts&) = delete;

 private:
  static double scale(const Problem<Real>& p) {
    return std::sqrt(std::numbers::log2e * static_cast<double>(p.cost_scale) / static_cast<double>(p.reg));
  }
  static std::vector<double> centre(const Problem<Real>& p) {
    std::vector<double> sum(p.d);
    for (const auto points : {p.X, p.Y})
      for (std::size_t k = 0; k < points.size(); ++k)
        sum[k % p.d] += static_cast<double>(points[k]) / static_cast<double>(p.M + p.N);
    return sum;
  }
  Distance distance(const Problem<Real>& p) const {
    if (p.B > 1 || p.d > few_dimensions) return Distance::stored;
    const Real furthest =
        std::max(*std::ranges::max_element(x_.squares), *std::ranges::max_element(y_.squares));
    return static_cast<double>(furthest) <= near ? Distance::products : Distance::apart;
  }

  Cloud<Real> x_, y_;

 public:
  PointSide<Real> for_v, for_u;
};

}  // namespace uotbench::sinkhorn_log
