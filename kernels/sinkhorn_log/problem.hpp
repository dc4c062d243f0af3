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
#include "kernels/sinkhorn_log/parts/solving.hpp"

namespace uotbench::sinkhorn_log {

/// A problem as a kernel sees it. The arrays are shared and read-only, and last as long as the problem.
/// Everything is in C order.
template <class Real>
struct Problem {
  Problem(const Point& point, Arrays& inputs, const Team& its_team)
      : B(point.size("B")),
        M(point.size("M")),
        N(point.size("N")),
        reg(static_cast<Real>(point.number("reg"))),
        symmetric(point.text("scheme") == "symmetric"),
        own_costs(point.text("cost") == "own"),
        C(given(inputs, "C")),
        X(given(inputs, "X")),
        Y(given(inputs, "Y")),
        d(X.size() / M),
        cost_scale(static_cast<Real>(point.number("cost_scale"))),
        C1(given(inputs, "C1")),
        side(point.text("cost") == "grid2d" ? root(M) : 0),
        mu(inputs["mu"].as<Real>()),
        nu(inputs["nu"].as<Real>()),
        log_mu(inputs["log_mu"].as<Real>()),
        log_nu(inputs["log_nu"].as<Real>()),
        rows(given<std::int32_t>(inputs, "rows")),
        columns(given<std::int32_t>(inputs, "columns")),
        log_u0(given(inputs, "log_u0")),
        log_v0(given(inputs, "log_v0")),
        stopping(point),
        team(its_team),
        at(point) {}

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

 private:
  template <class T = Real>
  static std::span<const T> given(Arrays& inputs, const char* name) {
    return inputs.has(name) ? inputs[name].template as<T>() : std::span<const T>();
  }
  static std::size_t root(std::size_t square) {
    return static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(square))));
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
  explicit Result(Arrays& outputs)
      : log_u(outputs["log_u"].as_mutable<Real>()),
        log_v(outputs["log_v"].as_mutable<Real>()),
        loss(outputs["loss"].as_mutable<Real>()),
        gradient(outputs["gradient"].as_mutable<Real>()) {}

  std::span<Real> log_u, log_v;  ///< B x M, B x N
  std::span<Real> loss;          ///< B: <f, mu> + <g, nu> - reg sum_ij P_ij
  /// B x (M + N): f less its mean, then g less its mean; the means are of those with mass, the others have
  /// -inf.
  std::span<Real> gradient;
  std::vector<std::string> written{"log_u", "log_v"};
};

/// Sum of P_ij of item b. O(M N), in double.
template <class Real>
double plan_mass(const Problem<Real>& p, std::size_t b, const Real* log_u, const Real* log_v) {
  double sum = 0;
  for (std::size_t i = 0; i < p.M; ++i)
    for (std::size_t j = 0; j < p.N; ++j)
      if (log_u[i] > minus_infinity<Real> && log_v[j] > minus_infinity<Real>)
        sum += std::exp(static_cast<double>(log_u[i]) + static_cast<double>(log_v[j]) -
                        p.cost(b, i, j) / static_cast<double>(p.reg));
  return sum;
}

/// Potentials less their mean into `to`; returns <potential, mass>.
template <class Real>
double write_centred(std::span<const Real> log_scaling, std::span<const Real> mass, double reg, Real* to) {
  double sum = 0, value = 0;
  std::size_t count = 0;
  for (std::size_t k = 0; k < mass.size(); ++k) {
    if (mass[k] == 0) continue;
    const double potential = reg * static_cast<double>(log_scaling[k]);
    sum += potential;
    value += potential * static_cast<double>(mass[k]);
    ++count;
  }
  const double mean = count > 0 ? sum / static_cast<double>(count) : 0;
  for (std::size_t k = 0; k < mass.size(); ++k)
    to[k] = mass[k] == 0 ? minus_infinity<Real>
                         : static_cast<Real>(reg * static_cast<double>(log_scaling[k]) - mean);
  return value;
}

/// log u (B x M) and log v (B x N) as they are, and the loss and the gradient that follow from them. Where
/// the last half step was u's, the plan's rows sum to mu, and its cells need not be added up.
template <class Real>
void write_result(Result<Real>& out, const Problem<Real>& p, const Real* log_u, const Real* log_v) {
  const double reg = static_cast<double>(p.reg);
  std::copy_n(log_u, p.B * p.M, out.log_u.begin());
  std::copy_n(log_v, p.B * p.N, out.log_v.begin());
#pragma omp parallel for schedule(static)
  for (std::size_t b = 0; b < p.B; ++b) {
    const std::span<const Real> u(log_u + b * p.M, p.M), v(log_v + b * p.N, p.N);
    const auto mu = p.mu.subspan(b * p.M, p.M), nu = p.nu.subspan(b * p.N, p.N);
    Real* const gradient = out.gradient.data() + b * (p.M + p.N);
    double mass = 0;
    if (p.symmetric)
      mass = plan_mass(p, b, u.data(), v.data());
    else
      for (const Real m : mu) mass += static_cast<double>(m);
    const double of_f = write_centred(u, mu, reg, gradient);
    const double of_g = write_centred(v, nu, reg, gradient + p.M);
    out.loss[b] = static_cast<Real>(of_f + of_g - reg * mass);
  }
  out.written = {"log_u", "log_v", "loss", "gradient"};
}

/// A variant of this family: Variant<Kernel<float>, Kernel<double>>, with what typed_variant.hpp says of
/// Kernel. One that has what solving.hpp asks for goes to a solution, too. `matrices = 0` in its spec says
/// that it does not read C.
template <class F32, class F64>
class Variant final : public TypedVariant<Problem, Result, Solvable<float, F32>, Solvable<double, F64>> {
  using Base = TypedVariant<Problem, Result, Solvable<float, F32>, Solvable<double, F64>>;
  using Kernel = AnyKernel<F32, F64>;

 public:
  /// `elements`: of private memory besides the potentials, in elements of the dtype; null: none.
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
    const std::string& name = this->spec().name;
    if (const std::string reason = Base::cannot(at); !reason.empty()) return reason;
    if (at.text("task") != "transport")
      return name + " makes plans, and no barycenters: task must be transport";
    if (this->spec().matrices > 0 && at.text("matrix") == "never")
      return name + " reads C, which matrix=never does not make";
    if (to_solution(at) && !Solves<Kernel>)
      return name + " counts iterations and has no stopping test: stop must be iterations";
    if (!to_solution(at) && !is_canonical<Kernel>)
      return name +
             " takes other steps than the iteration that is judged step by step: stop must be marginal or "
             "change";
    return "";
  }

 private:
  static bool to_solution(const Point& at) { return at.text("stop") != "iterations"; }

  double (*elements_)(const Point&);
};

/// Pairs (i, j) of an iteration, of both half steps and all items: 2 B M N.
inline double pairs(const Point& at) { return 2 * at.number("B") * at.number("M") * at.number("N"); }

/// Of an iteration that takes so many exponentials and other flops a pair, and reads C `passes` times from
/// memory in all. The logarithms, one a line, are left out.
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
