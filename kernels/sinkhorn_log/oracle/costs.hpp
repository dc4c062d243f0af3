// The costs of a problem in double, a piece of a row at a time: from C as written, or, where C is never made,
// from the points. A forbidden pair costs infinity.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "harness/protocol/point.hpp"
#include "harness/worker/arrays.hpp"

namespace uotbench::sinkhorn_log {

template <class Real>
class Costs {
 public:
  Costs(const Point& problem, Arrays& inputs)
      : M(problem.size("M")), N(problem.size("N")), scale_(problem.number("cost_scale")) {
    if (inputs.has("C")) {
      C_ = inputs["C"].template as<Real>();
      own_ = problem.text("cost") == "own";
    } else {
      X_ = inputs["X"].template as<Real>();
      Y_ = inputs["Y"].template as<Real>();
      d_ = X_.size() / M;
    }
    if (inputs.has("X")) measure(inputs["X"].template as<Real>(), inputs["Y"].template as<Real>());
  }

  const std::size_t M, N;

  /// C_ij of item b for j from `first` on, for all elements of `to`.
  void row(std::size_t b, std::size_t i, std::size_t first, std::span<double> to) const {
    if (!C_.empty()) {
      const Real* const from = C_.data() + ((own_ ? b * M : 0) + i) * N + first;
      for (std::size_t j = 0; j < to.size(); ++j) to[j] = static_cast<double>(from[j]);
      return;
    }
    for (std::size_t j = 0; j < to.size(); ++j) {
      double sum = 0;
      for (std::size_t k = 0; k < d_; ++k) {
        const double apart =
            static_cast<double>(X_[i * d_ + k]) - static_cast<double>(Y_[(first + j) * d_ + k]);
        sum += apart * apart;
      }
      to[j] = scale_ * sum;
    }
  }

  /// Makes |C_ij| in row i as large as what kernels may form on the way to it: for costs of points
  /// 2 (|x_i|^2 + |y_j|^2), with the points' median as the origin.
  void enlarge(std::size_t i, std::span<double> sizes) const {
    if (from_.empty()) return;
    for (std::size_t j = 0; j < sizes.size(); ++j)
      sizes[j] = std::max(sizes[j], 2 * scale_ * (from_[i] + to_[j]));
  }

  /// max |C|, of all items.
  double largest() const {
    double most = 0;
    if (!C_.empty()) {
#pragma omp parallel for schedule(static) reduction(max : most)
      for (std::size_t k = 0; k < C_.size(); ++k) most = std::max(most, std::abs(static_cast<double>(C_[k])));
      return most;
    }
    // |x - y|^2 is at most the squared diagonal of the box that holds all points.
    for (std::size_t k = 0; k < d_; ++k) {
      double low = static_cast<double>(X_[k]), high = low;
      for (const auto& cloud : {X_, Y_})
        for (std::size_t i = k; i < cloud.size(); i += d_) {
          low = std::min(low, static_cast<double>(cloud[i]));
          high = std::max(high, static_cast<double>(cloud[i]));
        }
      most += (high - low) * (high - low);
    }
    return scale_ * most;
  }

 private:
  /// Squared distances of the points from their median, which a few points far away do not move.
  void measure(std::span<const Real> X, std::span<const Real> Y) {
    const std::size_t d = X.size() / M;
    from_.assign(M, 0);
    to_.assign(N, 0);
    std::vector<double> along(M + N);
    for (std::size_t k = 0; k < d; ++k) {
      for (std::size_t i = 0; i < M; ++i) along[i] = static_cast<double>(X[i * d + k]);
      for (std::size_t j = 0; j < N; ++j) along[M + j] = static_cast<double>(Y[j * d + k]);
      std::vector<double> sorted = along;
      const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
      std::nth_element(sorted.begin(), middle, sorted.end());
      for (std::size_t i = 0; i < M; ++i) from_[i] += (along[i] - *middle) * (along[i] - *middle);
      for (std::size_t j = 0; j < N; ++j) to_[j] += (along[M + j] - *middle) * (along[M + j] - *middle);
    }
  }

  double scale_;
  std::vector<double> from_, to_;  ///< M, N: squared distances; empty: costs of no points
  std::span<const Real> C_ = {}, X_ = {}, Y_ = {};
  bool own_ = false;
  std::size_t d_ = 0;
};

}  // namespace uotbench::sinkhorn_log
