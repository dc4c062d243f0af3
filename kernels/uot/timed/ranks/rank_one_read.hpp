// One read of K over processes: each has a block of rows; the N column sums are added up over all of them.
#pragma once

#include "kernels/uot/timed/fused_pass.hpp"
#include "kernels/uot/timed/ranks/over_ranks.hpp"
#include "kernels/uot/timed/scalings.hpp"

namespace uotbench::uot {

/// Sums, exchanged as they are.
template <class Real>
struct WholeSums {
  explicit WholeSums(std::size_t) {}
  void add_up(std::vector<Real>& sums) { uot::add_up(sums.data(), sums.size()); }
};

template <class Real, class Exchange = WholeSums<Real>>
class RankOneRead {
 public:
  static constexpr KernelTraits declares{.restarts = true};

  explicit RankOneRead(const RankProblem<Real>& problem)
      : problem_(problem), p_(problem.mine), scalings_(p_), pass_(p_), sums_(p_.N), exchange_(p_.N) {}

  void restart() { scalings_.restart(); }

  void iterate() {
    auto &u = scalings_.u, &v = scalings_.v;
    pass_.rows(p_.K.data(), v.data(),
               [&](std::size_t i, Real dot) { return u[i] = next_scaling(u[i], p_.a[i], dot, p_); });
    pass_.columns([&](std::size_t j, Real sum) { sums_[j] = sum; });
    exchange_.add_up(sums_);
#pragma omp parallel for schedule(static)
    for (std::size_t j = 0; j < p_.N; ++j) v[j] = next_scaling(v[j], p_.b[j], sums_[j], p_);
  }

  void finish(RankResult<Real>& out) { out.write(problem_, scalings_.u, scalings_.v); }

 private:
  const RankProblem<Real>& problem_;
  const Problem<Real>& p_;
  Scalings<Real> scalings_;
  FusedPass<Real> pass_;
  std::vector<Real> sums_;
  Exchange exchange_;
};

}  // namespace uotbench::uot
