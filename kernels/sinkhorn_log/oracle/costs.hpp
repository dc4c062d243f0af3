// The costs of a problem in double, a piece of a row at a time: from C as written, or, where C is never made,
// from the points.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>

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
  }

  const std::size_t M, N;

  /// C_ij of item b for j from `first` on, as many as `to` holds.
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
  double scale_;
  std::span<const Real> C_ = {}, X_ = {}, Y_ = {};
  bool own_ = false;
  std::size_t d_ = 0;
};

}  // namespace uotbench::sinkhorn_log
