// one_read's iteration, made invariant to translation and, where wanted, over-relaxed. What both need are the
// M + N numbers that the steps know anyway: the matrix is still read once.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "kernels/uot/parts/best_shift.hpp"
#include "kernels/uot/parts/one_read.hpp"
#include "kernels/uot/parts/relaxation.hpp"

namespace uotbench::uot {

/// The scalings are u e^sigma and v e^-sigma: where reg_m/reg is 1000 and one side has three times the mass,
/// sigma is 550, and float ends at e^88. In the plan it is not seen.
template <class Real>
class ShiftedIteration {
 public:
  explicit ShiftedIteration(const Problem<Real>& problem)
      : scalings(problem),
        fi_(problem.at.number("fi")),
        A_(problem.M),
        B_(problem.N),
        mass_(problem.N),
        pass_(problem),
        relaxation_(fi_) {}

  Scalings<Real> scalings;
  double sigma = 0;

  void restart() {
    scalings.restart();
    sigma = 0;
    relaxation_ = Relaxation(fi_);
  }

  /// For these masses; `relaxed`: with steps as long as the last ones suggest.
  void iterate(const Real* K, const Real* a, const Real* b, bool relaxed) {
    scalings.remember();
    sigma_before_ = sigma;
    auto &u = scalings.u, &v = scalings.v;
    const auto fi = static_cast<Real>(fi_), rows = static_cast<Real>(std::exp(-sigma * (1 - fi_)));
    pass_.rows(K, v.data(), [&](std::size_t i, Real dot) {
      u[i] = relaxation_.step(u[i], rows * factor(a[i], dot, fi));
      A_[i] = target(a[i], u[i], fi_);
      return u[i];
    });
    pass_.columns([&, columns = 1 / rows](std::size_t j, Real sum) {
      v[j] = relaxation_.step(v[j], columns * factor(b[j], sum, fi));
      B_[j] = target(b[j], v[j], fi_);
      mass_[j] = static_cast<double>(v[j]) * static_cast<double>(sum);
    });
    const double share = sigma * (1 - fi_) / fi_;  // of sigma in the targets
    const BestShift best(log_total(A_) - share, log_total(B_) + share, log_total(mass_), fi_);
    sigma += (best.s - best.t) / 2;
    const auto both = static_cast<Real>(std::exp((best.s + best.t) / 2));
    for (Real& x : u) x *= both;
    for (Real& x : v) x *= both;
    if (relaxed) relaxation_.observe(scalings.largest_step());
  }

  /// As if the last iteration had not been.
  void undo() {
    scalings.undo();
    sigma = sigma_before_;
  }

  /// POT's on the scalings themselves, which may be e^log_u and e^log_v times those held here. All is divided
  /// by the largest of these that is above 1: the scalings may be more than any type holds.
  Change<double> change(const std::vector<double>& log_u, const std::vector<double>& log_v) const {
    const auto largest = [](const std::vector<double>& logs, const std::vector<Real>& held) {
      double most = 0;
      for (std::size_t k = 0; k < logs.size(); ++k)
        if (held[k] > 0) most = std::max(most, logs[k]);  // the others have been left out
      return most;
    };
    const double u_unit = largest(log_u, scalings.u), v_unit = largest(log_v, scalings.v);
    return change([&](std::size_t i) { return std::exp(log_u[i] - u_unit); }, u_unit,
                  [&](std::size_t j) { return std::exp(log_v[j] - v_unit); }, v_unit);
  }
  Change<double> change() const {
    const auto one = [](std::size_t) { return 1.; };
    return change(one, 0, one, 0);
  }

 private:
  template <class WeightU, class WeightV>
  Change<double> change(WeightU weight_u, double u_unit, WeightV weight_v, double v_unit) const {
    Change<double> change;
    const double drift = std::exp(sigma_before_ - sigma);
    change.u.largest = std::exp(-u_unit - sigma);
    change.v.largest = std::exp(-v_unit + sigma);
    scalings.each_change(
        [&](std::size_t i, double before, double now) {
          const double weight = now > 0 ? weight_u(i) : 0;
          change.u.add(weight * drift * before, weight * now);
        },
        [&](std::size_t j, double before, double now) {
          const double weight = now > 0 ? weight_v(j) : 0;
          change.v.add(weight / drift * before, weight * now);
        });
    return change;
  }
  static double log_total(const std::vector<double>& values) {
    double sum = 0;
    for (const double value : values) sum += value;
    return std::log(sum);
  }

  double fi_, sigma_before_ = 0;
  std::vector<double> A_, B_, mass_;
  OneReadPass<Real> pass_;
  Relaxation relaxation_;
};

/// A kernel that goes to a solution in such iterations on K as given.
template <class Real, bool relaxed>
class ShiftedSolve {
 public:
  static constexpr Declares declares{.restarts = true};
  static constexpr bool canonical = false;

  explicit ShiftedSolve(const Problem<Real>& problem)
      : p_(problem), K_(private_copy(problem)), iteration_(problem) {}

  void restart() { iteration_.restart(); }
  void iterate() { iteration_.iterate(K_.data(), p_.a.data(), p_.b.data(), relaxed); }
  Change<double> change() const { return iteration_.change(); }
  void finish(Result<Real>& out) {
    auto &u = iteration_.scalings.u, &v = iteration_.scalings.v;
    write_result<Real>(out, p_, u, v);
    const auto by = static_cast<Real>(std::exp(iteration_.sigma));
    for (Real& x : out.u) x *= by;
    for (Real& x : out.v) x /= by;
    const auto held = [](std::span<Real> xs) {
      return std::ranges::all_of(xs, [](Real x) { return std::isfinite(x); });
    };
    if (!held(out.u) || !held(out.v)) out.written = {"plan"};  // sigma is beyond the type
  }

 protected:
  const Problem<Real>& p_;
  Buffer<Real> K_;
  ShiftedIteration<Real> iteration_;
};

}  // namespace uotbench::uot
