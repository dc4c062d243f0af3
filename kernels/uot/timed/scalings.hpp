// u and v of kernels that keep K and iterate on the scalings, and how far an iteration moved them.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/uot/problem.hpp"

namespace uotbench::uot {

template <class Real>
struct Scalings {
  explicit Scalings(const Problem<Real>& problem)
      : u(problem.M, 1), v(problem.N, 1), remembers_(problem.stopping.at_solution) {}

  std::vector<Real> u, v;

  void restart() {
    std::ranges::fill(u, Real(1));
    std::ranges::fill(v, Real(1));
  }
  /// Before an iteration. Where iterations are counted their change is not needed, and this costs nothing.
  void remember() {
    if (!remembers_) return;
    u_before_ = u;
    v_before_ = v;
  }
  /// Since remember().
  Change<Real> change() const {
    Change<Real> change;
    each_change([&](std::size_t, Real before, Real now) { change.u.add(before, now); },
                [&](std::size_t, Real before, Real now) { change.v.add(before, now); });
    return change;
  }
  /// Calls act_u(i, before, now) for every u, and act_v likewise.
  template <class ActU, class ActV>
  void each_change(ActU act_u, ActV act_v) const {
    for (std::size_t i = 0; i < u.size(); ++i) act_u(i, u_before_[i], u[i]);
    for (std::size_t j = 0; j < v.size(); ++j) act_v(j, v_before_[j], v[j]);
  }
  /// Back to remember().
  void undo() {
    u = u_before_;
    v = v_before_;
  }
  /// Whether all that are not 0 are from 1/reach to reach.
  bool within(Real reach) const {
    const auto fits = [&](Real x) { return x == 0 || (x >= 1 / reach && x <= reach); };
    return std::ranges::all_of(u, fits) && std::ranges::all_of(v, fits);
  }
  /// Since remember(): the most that any of them changed by, relative to itself. Those that were 0 stay so.
  double largest_step() const { return std::max(largest_step(u_before_, u), largest_step_of_v()); }
  double largest_step_of_v() const { return largest_step(v_before_, v); }
  const std::vector<Real>& v_before() const { return v_before_; }  ///< as remember() found it

 private:
  static double largest_step(const std::vector<Real>& before, const std::vector<Real>& now) {
    Real most = 0;
    for (std::size_t k = 0; k < now.size(); ++k)
      if (before[k] > 0) most = std::max(most, std::abs(now[k] / before[k] - 1));
    return static_cast<double>(most);
  }

  bool remembers_;
  std::vector<Real> u_before_, v_before_;
};

}  // namespace uotbench::uot
