// The reference: the potentials in double, by max-then-sum, from the formulas alone.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <limits>
#include <span>

#include "kernels/sinkhorn_log/oracle/costs.hpp"

namespace uotbench::sinkhorn_log {

inline constexpr double none = -std::numeric_limits<double>::infinity();  ///< the logarithm of no mass

using Batch = Eigen::Array<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;  ///< B x bins

struct Reference {
  Batch log_u, log_v;  ///< -inf where there is no mass
};

/// The logarithms and masses of a problem, in double.
struct Masses {
  Batch mu, nu, log_mu, log_nu;
};
template <class Real>
Masses masses_in(const Point& problem, Arrays& inputs);

/// Where the iteration starts: 0, or log_u0 and log_v0 where they are inputs; -inf where there is no mass.
template <class Real>
Reference start_of(const Point& problem, Arrays& inputs, const Masses& masses);

/// This number of iterations from `state` on; where `tol` is not 0, only until the L1 error of the column
/// sums is at most that for every item. The formulas: kernels/sinkhorn_log/problem.hpp. The same bits for any
/// number of threads.
template <class Real>
void iterate(const Costs<Real>& costs, const Masses& masses, double reg, bool symmetric, int iterations,
             double tol, Reference& state);

/// The loss of item b: <f, mu> + <g, nu> - reg sum_ij exp((f_i + g_j - C_ij) / reg).
template <class Real>
double dual_value(const Costs<Real>& costs, const Masses& masses, double reg, const Reference& at,
                  std::size_t b);

/// How far item b's potentials are from a solution.
struct Quality {
  double marginals = 0;  ///< L1 error of the plan's row sums and column sums, together
  /// Primal value of the plan rounded to the marginals (Altschuler, Weed, Rigollet 2017, Algorithm 2) less
  /// the dual value: reg KL(rounded | plan), computed as that, so that nothing cancels.
  double gap = 0;
};
template <class Real>
Quality quality(const Costs<Real>& costs, const Masses& masses, double reg, const Reference& at,
                std::size_t b);

}  // namespace uotbench::sinkhorn_log
