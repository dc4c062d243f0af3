// task=barycenter: B barycenters of the same S histograms, each with its own weights, on a fixed support of N
// bins: iterative Bregman projections in logarithms (Benamou, Carlier, Cuturi, Nenna, Peyre 2015, SIAM J.
// Sci. Comput. 37(2), section 3.2, Proposition 2).
//
// From C (M x N), mu (S x M), weights (B x S, each row's sum 1) and reg, k times for each item b
//   log u_bsi <- log mu_si - logsumexp_j(log v_bsj - C_ij / reg)     the plans' rows sum to mu_s
//   log a_bsj <- logsumexp_i(log u_bsi - C_ij / reg)
//   log b_bj  <- sum_s w_bs log a_bsj,   log v_bsj <- log b_bj - log a_bsj
// from log v = 0: the columns of the S plans all sum to b_b, their geometric mean, which is the barycenter.
// The mean is the paper's, of v times a, since sum_s w_bs log v_bsj is 0 from the beginning. An empty bin of
// mu_s has log u = -inf.
#pragma once

#include "kernels/sinkhorn_log/problem.hpp"

namespace uotbench::sinkhorn_log {

/// A problem as a kernel sees it. The arrays are shared and read-only, and last as long as the problem.
template <class Real>
struct BarycenterProblem {
  BarycenterProblem(const Point& point, Arrays& inputs, const Team& its_team)
      : B(point.size("B")),
        M(point.size("M")),
        N(point.size("N")),
        S(point.size("histograms")),
        reg(static_cast<Real>(point.number("reg"))),
        C(inputs.given<Real>("C")),
        C1(inputs.has("C1") ? inputs["C1"].as<Real>() : std::span<const Real>()),
        side(static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(C1.size()))))),
        mu(inputs["mu"].as<Real>()),
        log_mu(inputs["log_mu"].as<Real>()),
        weights(inputs["weights"].as<Real>()),
        stopping(point),
        team(its_team),
        at(point) {}

  std::size_t B, M, N, S;
  Real reg;
  std::span<const Real> C;           ///< M x N; empty where matrix is `never`
  std::span<const Real> C1;          ///< side x side, as Problem has it
  std::size_t side;                  ///< 0: no grid
  std::span<const Real> mu, log_mu;  ///< S x M; -inf where a mass is 0
  std::span<const Real> weights;     ///< B x S

  Stopping stopping;
  const Team& team;
  const Point& at;

  /// One of `mu` for every item: fields b S + s of a batch.
  std::size_t fields() const { return B * S; }
};

/// Where a kernel puts its result. Poisoned.
template <class Real>
struct BarycenterResult {
  explicit BarycenterResult(Arrays& outputs)
      : barycenter(outputs["barycenter"].as_mutable<Real>()),
        log_us(outputs["log_us"].as_mutable<Real>()),
        log_vs(outputs["log_vs"].as_mutable<Real>()),
        loss(outputs["loss"].as_mutable<Real>()) {}

  std::span<Real> barycenter;      ///< B x N
  std::span<Real> log_us, log_vs;  ///< B x S x M, B x S x N
  std::span<Real> loss;            ///< B: sum_s w_s reg <log u_s, mu_s> - reg sum b, the dual value
  std::vector<std::string> written{"barycenter", "log_us", "log_vs", "loss"};
};

/// Writes barycenter and loss, from log_us and log b (B x N), both in base e.
template <class Real>
void write_barycenters(BarycenterResult<Real>& out, const BarycenterProblem<Real>& p, const Real* log_b) {
#pragma omp parallel for schedule(static)
  for (std::size_t b = 0; b < p.B; ++b) {
    double value = 0;
    for (std::size_t j = 0; j < p.N; ++j) {
      const double mass = std::exp(static_cast<double>(log_b[b * p.N + j]));
      out.barycenter[b * p.N + j] = static_cast<Real>(mass);
      value -= mass;
    }
    for (std::size_t s = 0; s < p.S; ++s) {
      double inner = 0;
      for (std::size_t i = 0; i < p.M; ++i)
        if (const auto mass = static_cast<double>(p.mu[s * p.M + i]); mass > 0)
          inner += mass * static_cast<double>(out.log_us[(b * p.S + s) * p.M + i]);
      value += static_cast<double>(p.weights[b * p.S + s]) * inner;
    }
    out.loss[b] = static_cast<Real>(static_cast<double>(p.reg) * value);
  }
}

/// What a half step changed of one plan: log u of its M rows from `before` to `now`, in base e. The marginal
/// is relative to the mass.
template <class Real, class At>
Change change_of_rows(std::span<const Real> mu, double reg, At before_and_now) {
  Change change;
  double mass = 0;
  for (std::size_t i = 0; i < mu.size(); ++i) {
    const auto weight = static_cast<double>(mu[i]);
    if (weight == 0) continue;
    const auto [before, now] = before_and_now(i);
    const double moved = now - before;
    change.finite = change.finite && std::isfinite(moved);
    change.potential = std::max(change.potential, reg * std::abs(moved));
    change.marginal += weight * std::abs(std::expm1(-moved));
    mass += weight;
  }
  change.marginal /= mass;
  return change;
}

/// The largest Change of fields 0 to `count` - 1, which threads share.
template <class Of>
Change largest_change(std::size_t count, Of of) {
  Change all;
#pragma omp parallel
  {
    Change mine;
#pragma omp for schedule(static)
    for (std::size_t f = 0; f < count; ++f) mine.merge(of(f));
#pragma omp critical
    all.merge(mine);
  }
  return all;
}

/// A variant of task=barycenter: as Variant, with kernels of BarycenterProblem and BarycenterResult.
template <class F32, class F64>
class BarycenterVariant final
    : public TypedVariant<BarycenterProblem, BarycenterResult, Solvable<float, F32>, Solvable<double, F64>> {
  using Base = TypedVariant<BarycenterProblem, BarycenterResult, Solvable<float, F32>, Solvable<double, F64>>;

 public:
  /// `elements`: of private memory other than the potentials, in elements of the dtype; null: none.
  explicit BarycenterVariant(VariantSpec spec, double (*elements)(const Point&) = nullptr)
      : Base(std::move(spec)), elements_(elements) {}

  Unit unit(const Point& at) const override {
    return at.text("stop") == "iterations" ? Unit::iteration : Unit::solve;
  }

  /// log u, now and before, log v and log b.
  double memory(const Point& at) const override {
    const double M = at.number("M"), N = at.number("N"), S = at.number("histograms");
    const double potentials = at.number("B") * (S * (2 * M + N) + N);
    return width(at) * (potentials + (elements_ ? elements_(at) : 0));
  }

 protected:
  std::string cannot(const Point& at) const override {
    const std::string& name = this->spec().name;
    if (const std::string reason = Base::cannot(at); !reason.empty()) return reason;
    if (at.text("task") != "barycenter") return name + " makes barycenters: task must be barycenter";
    if (this->spec().matrices > 0 && at.text("matrix") == "never")
      return name + " reads C, which matrix=never does not make";
    return "";
  }

 private:
  double (*elements_)(const Point&);
};

}  // namespace uotbench::sinkhorn_log
