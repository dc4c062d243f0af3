// The plan itself, scaled in place: what the variants share that iterate on P and not on u and v.
#pragma once

#include <algorithm>
#include <vector>

#include "kernels/uot/problem.hpp"

namespace uotbench::uot {

template <class Real>
class PlanInPlace {
 public:
  explicit PlanInPlace(const Problem<Real>& problem)
      : p_(problem), cells_(private_copy(problem)), u_(p_.M, 1), v_(p_.N, 1) {}

  Real* row(std::size_t i) { return cells_.data() + i * p_.N; }

  /// By what row i (column j) of the plan is to be multiplied; `sum` is its sum. Called once a step for each.
  Real row_factor(std::size_t i, Real sum) { return factor_of(u_[i], p_.a[i], sum); }
  Real column_factor(std::size_t j, Real sum) { return factor_of(v_[j], p_.b[j], sum); }

  void write(Result<Real>& out) const {
    std::ranges::copy(cells_.view().first(out.plan.size()), out.plan.begin());
  }

 private:
  /// `unbalanced` needs the accumulated scaling U of the row, which it updates: with s = U (K v),
  /// (a / K v)^fi / U = (a / s)^fi U^(fi-1).
  Real factor_of(Real& scaling, Real mass, Real sum) const {
    const Real step = factor(mass, sum, p_.fi);
    if (p_.damped) return step;
    const Real ratio = step == 0 ? Real(0) : step * std::pow(scaling, p_.fi - 1);
    scaling *= ratio;
    return ratio;
  }

  const Problem<Real>& p_;
  Buffer<Real> cells_;
  std::vector<Real> u_, v_;
};

}  // namespace uotbench::uot
