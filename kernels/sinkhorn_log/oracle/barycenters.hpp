// The reference of task=barycenter: iterative Bregman projections in logarithms, in double, by max-then-sum
// (Benamou, Carlier, Cuturi, Nenna, Peyre 2015, SIAM J. Sci. Comput. 37(2), section 3.2, Proposition 2). The
// formulas: kernels/sinkhorn_log/timed/barycenter.hpp.
#pragma once

#include <span>
#include <vector>

#include "kernels/sinkhorn_log/oracle/reference.hpp"
#include "kernels/sinkhorn_log/oracle/spread.hpp"

namespace uotbench::sinkhorn_log {

/// What barycenters are of: S histograms over M bins, and how much of each is in each of B barycenters.
struct Mixture {
  Batch mu, log_mu;  ///< S x M
  Batch weights;     ///< B x S
};
template <class Real>
Mixture mixture_in(const Point& problem, Arrays& inputs);

/// Of item b and histogram s is row b S + s.
struct Barycenters {
  Batch log_u, log_v;  ///< B S x M, B S x N
  Batch log_b;         ///< B x N: the logarithm of the barycenters

  Batch masses() const {
    return log_b.unaryExpr([](double x) { return std::exp(x); });
  }
};

/// logsumexp over one cost. On a grid of pixels it is done for its two coordinates in turn: n^3 terms in
/// place of n^4.
template <class Real>
class LogKernel {
 public:
  LogKernel(const Point& problem, Arrays& inputs);

  /// N numbers: LSE_i(log_u_i - C_ij / reg). -inf where all terms are.
  std::vector<double> over_rows(const double* log_u) const { return sums(log_u, true); }
  /// M numbers: LSE_j(log_v_j - C_ij / reg).
  std::vector<double> over_columns(const double* log_v) const { return sums(log_v, false); }

  /// Of potentials of M and N bins. Where all costs are of one grid none of them is far from the others, and
  /// every line has the unit 1 + max |C| / reg.
  Spread spread(std::span<const double> log_u, std::span<const double> log_v) const;

  const std::size_t M, N;
  const double reg;

 private:
  std::vector<double> sums(const double* from, bool over_rows) const;

  Costs<Real> costs_;
  std::span<const Real> C1_;  ///< n x n; empty: no grid
};

/// u = v = 1, but u = 0 where there is no mass.
Barycenters start_of(const Mixture& mixture, std::size_t N);

/// An iteration further. Returns the largest L1 distance, over items and histograms, of a plan's row sums
/// from mu before the iteration, relative to the mass. The same bits for any number of threads.
template <class Real>
double iterate(const LogKernel<Real>& kernel, const Mixture& mixture, Barycenters& state);

/// The fixed point in double, and what a solve that stops early may be off by.
struct FixedPoint {
  Batch barycenters;  ///< B x N, where the error of the marginals is a hundredth of tol
  /// L1 distance from that, relative to the mass, of the iterate whose marginals were the first to be off by
  /// less than tol: the largest over items.
  double distance_at_tol = 0;
  std::vector<Spread> spreads = {};  ///< B S, of the potentials of the fixed point
};

/// B S, of all plans.
template <class Real>
std::vector<Spread> spreads_of(const LogKernel<Real>& kernel, const Barycenters& at);
template <class Real>
FixedPoint fixed_point(const LogKernel<Real>& kernel, const Mixture& mixture, double tol, std::int64_t most);

/// How far item b is from what makes its barycenter the only one: the plans of all its histograms have the
/// rows' sums mu_s and the columns' sums of the barycenter, and sum_s w_s log v_s = 0.
struct OffBarycenter {
  double rows = 0, columns = 0;  ///< L1, relative to the mass, of the worst histogram
  double potentials = 0;         ///< mean over the columns of |sum_s w_s log v_s|
};
/// `barycenter`: N masses, which the potentials need not fit.
template <class Real>
OffBarycenter off_barycenter(const LogKernel<Real>& kernel, const Mixture& mixture, const Barycenters& at,
                             std::span<const double> barycenter, std::size_t b);

/// sum_s w_bs (<f_s, mu_s> + <g_s, barycenter> - reg sum P_s), f = reg log u, g = reg log v: the dual value
/// of item b, for potentials that end with a half step of v.
double dual_value(const Mixture& mixture, double reg, const Barycenters& at, std::size_t b);

}  // namespace uotbench::sinkhorn_log
