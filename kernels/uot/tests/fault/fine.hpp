// The plain solution that kernels which misbehave inherit.
#pragma once

#include <cstddef>
#include <vector>

#include "kernels/uot/problem.hpp"

namespace uotbench::uot {

/// Solves with u and v, plainly. Those that misbehave inherit it and change one thing.
template <class Real>
class Fine {
 public:
  explicit Fine(const Problem<Real>& problem) : p_(problem), u_(p_.M, 1), v_(p_.N, 1) {}

  void iterate() {
    ++iterations_;
    for (std::size_t i = 0; i < p_.M; ++i) {
      Real sum = 0;
      for (std::size_t j = 0; j < p_.N; ++j) sum += p_.row(i)[j] * v_[j];
      u_[i] = next_scaling(u_[i], p_.a[i], sum, p_);
    }
    for (std::size_t j = 0; j < p_.N; ++j) {
      Real sum = 0;
      for (std::size_t i = 0; i < p_.M; ++i) sum += p_.row(i)[j] * u_[i];
      v_[j] = next_scaling(v_[j], p_.b[j], sum, p_);
    }
  }

  void finish(Result<Real>& out) { write_result<Real>(out, p_, u_, v_); }

 protected:
  const Problem<Real>& p_;
  std::vector<Real> u_, v_;
  int iterations_ = 0;
};

}  // namespace uotbench::uot
