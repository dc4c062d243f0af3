// Over-relaxation that never lowers the dual: log u <- log u + w (log u* - log u), u* the best u for this v.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include "kernels/common/fast_exp.hpp"
#include "kernels/common/fast_log.hpp"

namespace uotbench::uot {

/// Chooses w from how fast the iteration comes closer. Near the solution it is a Gauss-Seidel iteration, for
/// which Young 1954 says: one that without relaxation comes closer by a factor q comes closer by l with w,
/// where (l + w - 1)^2 = l w^2 q, and best, by w - 1, with w = 2 / (1 + sqrt(1 - q)). Of Sinkhorn's:
/// Thibault, Chizat, Dossal, Papadakis 2021; Lehmann, von Renesse, Sambale, Uschmajew 2022. Every window of
/// iterations gives l, therefore q, therefore the next w (as Hageman and Young 1981, chapter 9).
class Relaxation {
 public:
  explicit Relaxation(double fi) : rho_(fi / (1 - fi)) {}

  /// u, from what it was and from u*; of several at once.
  template <class V>
  V step(const V& before, V best) const {
    using Real = typename V::value_type;
    if (w_ == 1) return best;
    const V step = fast_log2(best / before) * Real(std::numbers::ln2);
    where(before > Real(0) && best > Real(0) && abs(step) < static_cast<Real>(reach_), best) =
        best * exp2_or_zero(static_cast<Real>((w_ - 1) * std::numbers::log2e) * step);
    return best;
  }

  /// After an iteration: the most that it changed a log u or a log v.
  void observe(double step) {
    if (since_++ == 0) start_ = step;
    if (since_ <= window_) return;
    const double l = std::pow(step / start_, 1. / window_), w = w_;
    if (!(step < near)) return set(1);
    if (!(l < 1)) {
      failures_ = std::min(most_failures, failures_ + (w > 1));
      set(1);
      since_ -= window_ << failures_;
      return;
    }
    // Beyond the best w all errors shrink by w - 1, and none says what q is.
    if (l <= 1.02 * (w - 1)) return set(1 + .9 * (w - 1));
    const double q = std::min(.9999, (l + w - 1) * (l + w - 1) / (l * w * w));
    set(std::min(2 / (1 + std::sqrt(1 - q)), (w + 2) / 2));  // and half of the way: far out, l is no rate yet
  }

  /// Where something else has moved u or v: the window begins anew, w stays.
  void wait() { since_ = -window_ / 2; }

 private:
  static constexpr double near = .5;       ///< steps above it say nothing of the rate
  static constexpr int most_failures = 8;  ///< each doubles the time until the next trial

  /// The dual as a function of one log u, around its best: -m (rho e^(-x/rho) + e^x). A step from x = -d to
  /// (w - 1) d does not lower it where |d| |1 - 1/rho| (1 + (w-1)^3) <= 3 (1 - (w-1)^2), by its Taylor
  /// polynomial of degree 3; half of that, and at most 1, for the rest of it.
  void set(double w) {
    w_ = w;
    const double x = w - 1;
    reach_ = std::min(1., 1.5 * (1 - x * x) / (1 + x * x * x) / std::max(1e-9, std::abs(1 - 1 / rho_)));
    window_ = std::max(6, static_cast<int>(4 / (2 - w)));  // long enough for w - 1 to show
    wait();                                                // longer steps are no sign of being farther away
  }

  double rho_, w_ = 1, reach_ = 0, start_ = 0;
  int since_ = 0, window_ = 4, failures_ = 0;
};

}  // namespace uotbench::uot
