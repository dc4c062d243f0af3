// Potentials of a few entropic iterations: those of the transport that may not be sharp, at a regularisation
// that falls from one iteration to the next (M. Cuturi, "Sinkhorn distances", NIPS 2013; the falling one: J.
// J. Kosowsky, A. L. Yuille, "The invisible hand algorithm", Neural Networks 7, 1994).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <experimental/simd>
#include <limits>
#include <numbers>
#include <vector>

#include "kernels/common/fast_exp.hpp"
#include "kernels/simplex/timed/aligned.hpp"
#include "kernels/simplex/timed/coarse.hpp"

namespace uotbench::simplex {

/// A soft minimum over all points of a side: -eps log sum_j m_j exp((g_j - |x - y_j|^2) / eps), sum_j m_j
/// = 1.
class SoftMinimum {
  using Lanes = std::experimental::native_simd<double>;

 public:
  SoftMinimum(std::span<const double> points, std::span<const double> masses, std::size_t k)
      : k_(k),
        count_(masses.size()),
        padded_((count_ + block - 1) / block * block),
        y_(k * padded_),
        log_(count_) {
    double all = 0;
    for (const double mass : masses) all += mass;
    for (std::size_t j = 0; j < count_; ++j) {
      log_[j] = std::log2(masses[j] / all);
      for (std::size_t d = 0; d < k; ++d) y_[d * padded_ + j] = points[j * k + d];
    }
  }

  /// For each point x of the other side. 2 k flops and an exponential a pair.
  void operator()(std::span<const double> points, std::span<const double> g, double eps,
                  std::span<double> to) const {
    const double unit = std::numbers::log2e / eps;
    Lines<double> own(padded_, -std::numeric_limits<double>::infinity());  // of the term, in base 2
    for (std::size_t j = 0; j < count_; ++j) {
      double square = 0;
      for (std::size_t d = 0; d < k_; ++d) square += y_[d * padded_ + j] * y_[d * padded_ + j];
      own[j] = log_[j] + unit * (g[j] - square);
    }
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < to.size(); ++i) to[i] = of(&points[i * k_], own, unit) / -unit;
  }

 private:
  static constexpr std::size_t block = 512, width = Lanes::size();

  double of(const double* x, const Lines<double>& own, double unit) const {
    std::array<double, block> term;
    double most = -std::numeric_limits<double>::infinity(), square = 0;
    Lanes sums = 0;
    for (std::size_t d = 0; d < k_; ++d) square += x[d] * x[d];
    for (std::size_t begin = 0; begin < padded_; begin += block) {
      Lanes largest = -std::numeric_limits<double>::infinity();
      for (std::size_t p = 0; p < block; p += width) {
        Lanes value(&own[begin + p], std::experimental::element_aligned);
        for (std::size_t d = 0; d < k_; ++d)
          value += Lanes(2 * unit * x[d]) *
                   Lanes(&y_[d * padded_ + begin + p], std::experimental::element_aligned);
        value.copy_to(&term[p], std::experimental::element_aligned);
        largest = max(largest, value);
      }
      const double now = std::max(most, hmax(largest));
      sums *= std::exp2(most - now);
      most = now;
      for (std::size_t p = 0; p < block; p += width)
        sums += exp2_or_zero(Lanes(&term[p], std::experimental::element_aligned) - most);
    }
    return most + std::log2(reduce(sums)) - unit * square;
  }

  std::size_t k_, count_, padded_;
  Lines<double> y_;  ///< a coordinate after the other
  std::vector<double> log_;
};

/// Of a problem whose masses are positive; no pair is violated. The regularisation is half of the one before,
/// from `most` / 2 on.
template <class Mark>
Potentials entropic_potentials(const Clouds& clouds, std::span<const double> a, std::span<const double> b,
                               double most, std::int64_t levels) {
  if (!(most > 0)) return from_nothing(clouds, most, false);
  std::vector<double> f(clouds.M), g(clouds.N);
  double eps = most;
  {
    const Mark mark("price");
    const SoftMinimum over_targets(clouds.Y, b, clouds.k), over_sources(clouds.X, a, clouds.k);
    for (std::int64_t level = 0; level < levels; ++level) {
      eps /= 2;
      over_targets(clouds.X, g, eps, f);
      over_sources(clouds.Y, f, eps, g);
    }
    for (double& v : g) v = -v;
  }
  return feasible<Mark>(clouds, clouds.Y, g, eps);
}

}  // namespace uotbench::simplex
