// gemm_shifted of a batch: an item a lane.
#pragma once

#include "kernels/sinkhorn_log/parts/batch_in_lanes.hpp"
#include "kernels/sinkhorn_log/parts/lane_product.hpp"
#include "kernels/sinkhorn_log/problem.hpp"

namespace uotbench::sinkhorn_log {

template <class Real>
class ManyItems {
  using Pack = typename Lanes<Real>::Pack;

 public:
  explicit ManyItems(const Problem<Real>& problem)
      : p_(problem),
        u_(problem.M, problem.B, {problem.B, problem.M}, problem.log_mu, problem.log_u0, remembers(problem)),
        v_(problem.N, problem.B, {problem.B, problem.N}, problem.log_nu, problem.log_v0, remembers(problem)),
        weights_u_(problem.M, problem.B),
        weights_v_(problem.N, problem.B),
        largest_(weights_u_.vectors() * Pack::size()),
        product_(problem.M, problem.N, [&](std::size_t i, std::size_t j) {
          return -std::numbers::log2e * problem.cost(0, i, j) / static_cast<double>(problem.reg);
        }) {}

  void restart() {
    u_.restart();
    v_.restart();
  }

  Again iterate() {
    u_.remember();
    v_.remember();
    Again again = product_.template logsumexp<sum_rows>(
        u_.logs, weights_u_, largest_,
        [&](std::size_t j, std::size_t vector, Pack lse) { v_.step(j, vector, lse, p_.symmetric); });
    again += product_.template logsumexp<sum_columns>(
        p_.symmetric ? v_.before : v_.logs, weights_v_, largest_,
        [&](std::size_t i, std::size_t vector, Pack lse) { u_.step(i, vector, lse, p_.symmetric); });
    return again;
  }

  Change change() const {
    Change all = v_.change(p_.nu, static_cast<double>(p_.reg), true, p_.symmetric);
    all.merge(u_.change(p_.mu, static_cast<double>(p_.reg), p_.symmetric, p_.symmetric));
    return all;
  }

  void finish(Result<Real>& out) {
    write_result(out, p_, u_.natural(p_.mu.size()).data(), v_.natural(p_.nu.size()).data());
  }

 private:
  static bool remembers(const Problem<Real>& p) { return p.symmetric || p.stopping.at_solution; }

  const Problem<Real>& p_;
  BatchInLanes<Real> u_, v_;
  Lanes<Real> weights_u_, weights_v_;
  Buffer<Real> largest_;  ///< of each item's logarithms
  LaneProduct<Real> product_;
};

}  // namespace uotbench::sinkhorn_log
