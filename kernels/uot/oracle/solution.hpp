// The solution of a problem, in double: what a solve (stop=change) is held against.
//
//   min_P  <P, C> + reg KL(P | R) + reg_m KL(P 1 | a) + reg_m KL(P' 1 | b),   K = R exp(-C/reg)
// is solved by P = diag(u) K diag(v) with u = (a / K v)^fi and v = (b / K' u)^fi, and by no other (Chizat,
// Peyre, Schmitzer, Vialard 2018). Everything here is about f = log u and g = log v: exp(-C/reg) may have
// underflowed a hundred times over.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace uotbench::uot {

/// log K, a row at a time: never held as a whole.
struct LogKernel {
  std::size_t M, N;
  std::function<void(std::size_t i, std::span<double> row)> row;  ///< thread-safe; -inf where K is 0
};

/// Of the costs where there are some (`kl`: times a_i b_j), otherwise of K itself. The spans must outlive it.
template <class Real>
LogKernel log_kernel(std::span<const Real> C, std::span<const Real> K, std::span<const Real> a,
                     std::span<const Real> b, double reg, bool kl);

struct Solution {
  std::vector<double> f, g;  ///< log u, log v; -inf where there is no mass
  std::vector<double> r, c;  ///< the plan's row and column sums, as optimality has them: a u^(-reg/reg_m)
  double mass = 0;           ///< of the plan
  double objective = 0;      ///< its value but for reg times the mass of R, in units of reg
  double residual = 0;       ///< of the optimality conditions, see solution()
  double gap = 0;            ///< between primal and dual, relative: see relative_gap()
  int passes = 0;            ///< over the matrix, for tuning
};

/// Residual: the most by which log u = fi (log a - log sum_j K_ij v_j), or the same for v, is off where the
/// sums are taken in the log domain, relative to the largest of |log u|, |log v| and 1.
inline constexpr double solved_to = 1e-12;

/// Throws Error with what was reached where that is more than `solved_to`.
Solution solution(const LogKernel& K, const std::vector<double>& a, const std::vector<double>& b, double fi);

/// How a plan differs from a solution, other than cell by cell.
struct Quality {
  double mass;
  double marginals;  ///< L1 distance of its row and column sums from those that optimality asks for, relative
  double gap;        ///< its objective less the dual's at the solution, relative
};
template <class Real>
Quality quality(std::span<const Real> plan, const LogKernel& K, const Solution& solution, double fi);

}  // namespace uotbench::uot
