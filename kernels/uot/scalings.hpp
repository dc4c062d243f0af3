// u and v of kernels that keep K and iterate on the scalings, and how far an iteration moved them.
#pragma once

#include <algorithm>
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
  /// Before an iteration. Where iterations are counted nobody asks for their change, and this costs nothing.
  void remember() {
    if (!remembers_) return;
    u_before_ = u;
    v_before_ = v;
  }
  /// Since remember().
  Change<Real> change() const {
    Change<Real> change;
    for (std::size_t i = 0; i < u.size(); ++i) change.u.add(u_before_[i], u[i]);
    for (std::size_t j = 0; j < v.size(); ++j) change.v.add(v_before_[j], v[j]);
    return change;
  }

 private:
  bool remembers_;
  std::vector<Real> u_before_, v_before_;
};

}  // namespace uotbench::uot
