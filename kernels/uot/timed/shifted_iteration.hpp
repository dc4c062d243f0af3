// one_read's iteration, made invariant to translation and, where wanted, over-relaxed. What both need are the
// M + N numbers that the steps know anyway: the matrix is still read once.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "kernels/common/fast_pow.hpp"
#include "kernels/uot/timed/best_shift.hpp"
#include "kernels/uot/timed/fused_pass.hpp"
#include "kernels/uot/timed/relaxation.hpp"
#include "kernels/uot/timed/scalings.hpp"

namespace uotbench::uot {

/// Steps go to the best u for this v (and back), or further, as the last ones suggest (relaxation.hpp).
enum class Steps : bool { plain, relaxed };

/// The scalings are u e^sigma and v e^-sigma: where reg_m/reg is 1000 and one side has three times the mass,
/// sigma is 550, and float ends at e^88. In the plan it is not seen. `Pass` has the members of FusedPass.
template <class Real, class Pass = FusedPass<Real>>
class ShiftedIteration {
 public:
  explicit ShiftedIteration(const Problem<Real>& problem)
      : scalings(problem),
        fi_(problem.at.number("fi")),
        power_(problem.fi),
        mass_(problem.N),
        pass_(problem),
        relaxation_(fi_) {}

  Scalings<Real> scalings;
  double sigma = 0;

  Facts facts() const { return pass_.facts(); }  ///< of passes that have them

  void restart() {
    scalings.restart();
    sigma = 0;
    relaxation_ = Relaxation(fi_);
  }

  /// At these logarithms of the scalings.
  void start(std::span<const Real> log_u, std::span<const Real> log_v) {
    sigma = static_cast<double>(std::ranges::max(log_u) - std::ranges::max(log_v)) / 2;
    const auto shift = static_cast<Real>(sigma);  // the largest u is as large as the largest v
    std::ranges::transform(log_u, scalings.u.begin(), [&](Real x) { return std::exp(x - shift); });
    std::ranges::transform(log_v, scalings.v.begin(), [&](Real x) { return std::exp(x + shift); });
  }

  /// On K, as the pass takes it, and for these masses.
  template <class Matrix>
  void iterate(const Matrix& K, const Real* a, const Real* b, Steps steps) {
    scalings.remember();
    sigma_before_ = sigma;
    auto &u = scalings.u, &v = scalings.v;
    const auto rows = static_cast<Real>(std::exp(-sigma * (1 - fi_)));
    pass_.rows(K, v.data(), [&](std::size_t i, auto dots) { return stepped(&u[i], &a[i], dots, rows); });
    pass_.columns([&, columns = 1 / rows](std::size_t j, auto sums) {
      (stepped(&v[j], &b[j], sums, columns) * sums).copy_to(&mass_[j], simd::element_aligned);
    });
    double mass = 0;
    for (const Real x : mass_) mass += static_cast<double>(x);
    const double share = sigma * (1 - fi_) / fi_;  // of sigma in the targets
    const BestShift best(std::log(targets(a, u)) - share, std::log(targets(b, v)) + share, std::log(mass),
                         fi_);
    sigma += (best.s - best.t) / 2;
    const auto both = static_cast<Real>(std::exp((best.s + best.t) / 2));
    for (Real& x : u) x *= both;
    for (Real& x : v) x *= both;
    if (steps == Steps::relaxed) relaxation_.observe(scalings.largest_step());
  }

  /// The next iterations are on another K, near the last one's: what they change says nothing of the rate
  /// yet.
  void disturb() { relaxation_.wait(); }

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
  /// The step of the entries that begin at `scaling` and have these masses and sums, all times `by`.
  template <class V>
  V stepped(Real* scaling, const Real* mass, const V& sums, Real by) const {
    const V masses(mass, simd::element_aligned);
    V best = power_(masses / sums) * by;
    where(masses == Real(0), best) = Real(0);  // 0/0 is 0
    const V now = relaxation_.step(V(scaling, simd::element_aligned), best);
    now.copy_to(scaling, simd::element_aligned);
    return now;
  }

  /// The sum of target(mass, scaling, fi), in double.
  double targets(const Real* masses, const std::vector<Real>& scalings) const {
    using Doubles = simd::native_simd<double>;
    constexpr double most = 500;  // of exp2_or_zero
    const double power = -(1 - fi_) / fi_;
    Doubles sum = 0;
    for (std::size_t k = 0; k < scalings.size(); k += Doubles::size()) {
      const auto of = [&](const Real* from) {
        return Doubles([&](std::size_t lane) {
          return k + lane < scalings.size() ? static_cast<double>(from[k + lane]) : 0.;
        });
      };
      const Doubles mass = of(masses);
      Doubles target = mass * exp2_or_zero(min(fast_log2(of(scalings.data())) * power, Doubles(most)));
      where(mass == 0., target) = 0.;
      sum += target;
    }
    return reduce(sum);
  }

  double fi_, sigma_before_ = 0;
  FastPow<Real> power_;
  std::vector<Real> mass_;
  Pass pass_;
  Relaxation relaxation_;
};

/// Makes written scalings u and v those of the problem, u e^sigma and v e^-sigma, where the type holds them.
template <class Real>
void shift_scalings(Result<Real>& out, double sigma) {
  const auto by = static_cast<Real>(std::exp(sigma));
  for (Real& x : out.u) x *= by;
  for (Real& x : out.v) x /= by;
  const auto held = [](std::span<Real> xs) {
    return std::ranges::all_of(xs, [](Real x) { return std::isfinite(x); });
  };
  if (!held(out.u) || !held(out.v)) out.written = {"plan"};  // sigma is beyond the type
}

/// A kernel that goes to a solution in such iterations on K as given.
template <class Real, Steps steps>
class ShiftedSolve {
 public:
  static constexpr KernelTraits declares{.restarts = true, .facts = true};
  static constexpr Takes takes{.warm_starts = true, .canonical = false};

  explicit ShiftedSolve(const Problem<Real>& problem)
      : p_(problem), K_(private_copy(problem)), iteration_(problem) {}

  void restart() {
    iteration_.restart();
    if (!p_.log_u0.empty()) iteration_.start(p_.log_u0, p_.log_v0);
  }
  void iterate() { iteration_.iterate(K_.data(), p_.a.data(), p_.b.data(), steps); }
  Change<double> change() const { return iteration_.change(); }
  Facts facts() const { return iteration_.facts(); }
  void finish(Result<Real>& out) {
    write_result<Real>(out, p_, iteration_.scalings.u, iteration_.scalings.v);
    shift_scalings(out, iteration_.sigma);
  }

 protected:
  const Problem<Real>& p_;
  Buffer<Real> K_;
  ShiftedIteration<Real> iteration_;
};

}  // namespace uotbench::uot
