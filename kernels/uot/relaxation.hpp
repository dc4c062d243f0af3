// Over-relaxation that never lowers the dual: log u <- log u + w (log u* - log u), u* the best u for this v.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

namespace uotbench::uot {

/// Chooses w from how fast the iteration comes closer: by a factor of q each, say. Near the solution it is a
/// Gauss-Seidel iteration, whose over-relaxation is best with w = 2 / (1 + sqrt(1 - q)) and then has w - 1 in
/// place of q (Young 1954; for Sinkhorn: Thibault, Chizat, Dossal, Papadakis 2021, Lehmann, von Renesse,
/// Sambale, Uschmajew 2022).
class Relaxation {
 public:
  explicit Relaxation(double fi) : rho_(fi / (1 - fi)) {}

  /// log u, from where it was and from log u*.
  template <class Real>
  Real step(Real before, Real best) const {
    if (w_ == 1 || !(before > 0) || !(best > 0)) return best;
    const Real step = std::log(best / before);
    return std::abs(step) < reach_ ? best * std::exp(static_cast<Real>(w_ - 1) * step) : best;
  }

  /// After an iteration: the most that it changed a log u or a log v. While w = 1 it watches the rate until
  /// that stands; afterwards it makes sure that ten iterations gain more than they did without.
  void observe(double step) {
    constexpr int window = 10;
    ++since_;
    std::shift_right(steps_.begin(), steps_.end(), 1);
    steps_[0] = step;
    if (w_ == 1 && since_ > 5 && failures_ < 3) {
      const double q = steps_[0] / steps_[1], before = steps_[1] / steps_[2];
      if (step < .1 && q < 1 && std::abs(q - before) < .02 * q) set(q, 2 / (1 + std::sqrt(1 - q)));
    } else if (w_ > 1 && since_ % window == 0 &&
               !(std::pow(steps_[0] / steps_[window], 1. / window) < rate_)) {
      ++failures_;
      set(rate_, 1);
    }
  }
  double w() const { return w_; }

 private:
  /// The dual as a function of one log u, around its best: -m (rho e^(-x/rho) + e^x). A step from x = -d to
  /// (w - 1) d does not lower it where |d| |1 - 1/rho| (1 + (w-1)^3) <= 3 (1 - (w-1)^2), by its Taylor
  /// polynomial of degree 3; half of that, and at most 1, for the rest of it.
  void set(double rate, double w) {
    rate_ = rate;
    w_ = w;
    since_ = 0;
    const double x = w - 1;
    reach_ = std::min(1., 1.5 * (1 - x * x) / (1 + x * x * x) / std::max(1e-9, std::abs(1 - 1 / rho_)));
  }

  double rho_, w_ = 1, rate_ = 1, reach_ = 0;
  int since_ = 0, failures_ = 0;
  std::array<double, 11> steps_{};
};

}  // namespace uotbench::uot
