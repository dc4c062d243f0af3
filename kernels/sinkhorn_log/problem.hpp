// Log-domain Sinkhorn: balanced entropic transport of a batch of B pairs of histograms over one cost, in
// logarithms (J. Feydy et al. 2019; the batch: T. Viehmann 2019, arXiv 1907.01729, section 3).
//
// From C (M x N), mu (B x M), nu (B x N) and reg > 0, k times for each item b
//   alternating  log v_j <- log nu_j - logsumexp_i(log u_i - C_ij / reg), then
//                log u_i <- log mu_i - logsumexp_j(log v_j - C_ij / reg)
//   symmetric    both from what the iteration before left, and the mean of old and new:
//                log v_j <- (log v_j + log nu_j - logsumexp_i(log u_i - C_ij / reg)) / 2, log u likewise
// It starts from log u_0 and log v_0: 0 where there is mass, and -inf where there is none, or what `warm`
// gives. A mass of zero has -inf from the beginning to the end, so it adds nothing to any sum.
// The plan is P_ij = exp(log u_i + log v_j - C_ij / reg), the potentials are f = reg log u, g = reg log v.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "harness/worker/buffer.hpp"
#include "harness/worker/team.hpp"
#include "harness/worker/typed_variant.hpp"
#include "kernels/sinkhorn_log/shared/solving.hpp"

namespace uotbench::sinkhorn_log {

/// A problem as a kernel sees it. The arrays are shared and read-only, and last as long as the problem.
/// Everything is in C order.
template <class Real>
struct Problem {
  Problem(const Point& point, Arrays& inputs, const Team& its_team);

  std::size_t B, M, N;
  Real reg;
  bool symmetric;  ///< the scheme
  bool own_costs;  ///< each item has its own M x N of C; else all share one

  std::span<const Real> C;  ///< M x N; B x M x N with own_costs; empty where matrix is `never`
  std::span<const Real> X,
      Y;            ///< M x d and N x d: C_ij = cost_scale |X_i - Y_j|^2; empty: costs of no points
  std::size_t d;    ///< dimensions of the points (1 and 2 on grids); 0: none
  Real cost_scale;  ///< C, C1 have it already
  /// side x side, of a grid of side^2 pixels (M = N = side^2, pixel (r, c) is r side + c):
  /// C[(r,c), (s,t)] = C1[r,s] + C1[c,t]. Empty where the cost is not grid2d.
  std::span<const Real> C1;
  std::size_t side;  ///< 0: no such grid

  std::span<const Real> mu, nu;          ///< B x M and B x N, each item's masses
  std::span<const Real> log_mu, log_nu;  ///< their logarithms; -inf where the mass is 0
  /// B: item b has rows[b] <= M rows and columns[b] <= N columns, the first ones. Beyond them its masses are
  /// 0, so a kernel that does not look is right, too. Empty: all have M and N.
  std::span<const std::int32_t> rows, columns;
  std::span<const Real> log_u0, log_v0;  ///< B x M and B x N, where `warm` says so; else empty

  Stopping stopping;
  const Team& team;  ///< its threads: omp parallel regions use all of them
  const Point& at;   ///< tunables

  std::size_t rows_of(std::size_t b) const { return rows.empty() ? M : static_cast<std::size_t>(rows[b]); }
  std::size_t columns_of(std::size_t b) const {
    return columns.empty() ? N : static_cast<std::size_t>(columns[b]);
  }
  /// M x N.
  const Real* costs_of(std::size_t b) const { return C.data() + (own_costs ? b * M * N : 0); }

  /// C_ij of item b, also where C is not stored.
  double cost(std::size_t b, std::size_t i, std::size_t j) const {
    if (!C.empty()) return static_cast<double>(costs_of(b)[i * N + j]);
    double sum = 0;
    for (std::size_t k = 0; k < d; ++k) {
      const double apart = static_cast<double>(X[i * d + k]) - static_cast<double>(Y[j * d + k]);
      sum += apart * apart;
    }
    return static_cast<double>(cost_scale) * sum;
  }
};

template <class Real>
constexpr Real minus_infinity = -std::numeric_limits<Real>::infinity();

/// log u (or log v) after its half step, for every kernel: `lse` is the logsumexp that belongs to it,
/// `before` what it was. -inf where there is no mass, whatever the others are.
template <class Real>
Real next_potential(Real before, Real log_mass, Real lse, bool symmetric) {
  if (log_mass == minus_infinity<Real>) return log_mass;
  const Real next = log_mass - lse;
  return symmetric ? (before + next) / 2 : next;
}

/// Where a kernel puts its result. Poisoned: every cell of log_u and log_v has to be written.
template <class Real>
struct Result {
  explicit Result(Arrays& outputs);

  std::span<Real> log_u, log_v;  ///< B x M, B x N
  std::span<Real> loss;          ///< B: <f, mu> + <g, nu> - reg sum_ij P_ij
  /// B x (M + N): f less its mean, then g less its mean; the means are of those with mass, the others have
  /// -inf.
  std::span<Real> gradient;
  std::vector<std::string> written{"log_u", "log_v"};
};

/// log u (B x M) and log v (B x N) as they are, and the loss and the gradient that follow from them. Where
/// the last half step was u's, the plan's rows sum to mu, and its cells need not be added up.
template <class Real>
void write_result(Result<Real>& out, const Problem<Real>& p, const Real* log_u, const Real* log_v);

// Compiled once for all workers (shared/problem.cpp).
extern template struct Problem<float>;
extern template struct Problem<double>;
extern template struct Result<float>;
extern template struct Result<double>;
/// Whether a point is a whole solve.
bool to_solution(const Point& at);
/// Why a variant whose kernel goes to a solution (`solves`) or does not, and takes the family's steps
/// (`canonical`) or others, refuses a point; empty: it does not.
std::string cannot_do(bool solves, bool canonical, const VariantSpec& spec, const Point& at);

/// A variant of this family: Variant<Kernel<float>, Kernel<double>>, with what typed_variant.hpp says of
/// Kernel. One that has what solving.hpp asks for goes to a solution, too. `matrices = 0` in its spec says
/// that it does not read C.
template <class F32, class F64>
class Variant final : public TypedVariant<Problem, Result, Solvable<float, F32>, Solvable<double, F64>> {
  using Base = TypedVariant<Problem, Result, Solvable<float, F32>, Solvable<double, F64>>;
  using Kernel = AnyKernel<F32, F64>;

 public:
  /// `elements`: of private memory other than the potentials, in elements of the dtype; null: none.
  explicit Variant(VariantSpec spec, double (*elements)(const Point&) = nullptr)
      : Base(std::move(spec)), elements_(elements) {}

  Unit unit(const Point& at) const override {
    return to_solution(at) ? Unit::solve : declares_of<Kernel>.unit;
  }

  /// log u and log v, now and before.
  double memory(const Point& at) const override {
    const double potentials = 2 * at.number("B") * (at.number("M") + at.number("N"));
    return width(at) * (potentials + (elements_ ? elements_(at) : 0));
  }

 protected:
  std::string cannot(const Point& at) const override {
    if (std::string reason = Base::cannot(at); !reason.empty()) return reason;
    return cannot_do(Solves<Kernel>, is_canonical<Kernel>, this->spec(), at);
  }

 private:
  double (*elements_)(const Point&);
};

/// Pairs (i, j) of an iteration, of both half steps and all items: 2 B M N.
inline double pairs(const Point& at) { return 2 * at.number("B") * at.number("M") * at.number("N"); }

/// Of an iteration that takes this number of exponentials and other flops per pair, and reads C `passes`
/// times from memory in all. The logarithms, one a line, are left out.
inline Work exp_work(const Point& at, double exps, double flops, double passes) {
  const double costs = (at.text("cost") == "own" ? at.number("B") : 1) * at.number("M") * at.number("N");
  const double vectors = at.number("B") * (at.number("M") + at.number("N"));
  return {.flops = flops * pairs(at),
          .bytes_read = width(at) * (passes * costs + 2 * vectors),
          .bytes_written = width(at) * vectors,
          .working_set = width(at) * (costs + 2 * vectors),
          .operations = {{"exp", exps * pairs(at)}}};
}

}  // namespace uotbench::sinkhorn_log
