// What all variants of the family share and nobody times, compiled once for all workers.
#include "kernels/sinkhorn_log/problem.hpp"

namespace uotbench::sinkhorn_log {
namespace {

std::size_t root(std::size_t square) {
  return static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(square))));
}

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

}  // namespace

template <class Real>
Problem<Real>::Problem(const Point& point, Arrays& inputs, const Team& its_team)
    : B(point.size("B")),
      M(point.size("M")),
      N(point.size("N")),
      reg(static_cast<Real>(point.number("reg"))),
      symmetric(point.text("scheme") == "symmetric"),
      own_costs(point.text("cost") == "own"),
      C(inputs.given<Real>("C")),
      X(inputs.given<Real>("X")),
      Y(inputs.given<Real>("Y")),
      d(X.size() / M),
      cost_scale(static_cast<Real>(point.number("cost_scale"))),
      C1(inputs.given<Real>("C1")),
      side(point.text("cost") == "grid2d" ? root(M) : 0),
      mu(inputs["mu"].as<Real>()),
      nu(inputs["nu"].as<Real>()),
      log_mu(inputs["log_mu"].as<Real>()),
      log_nu(inputs["log_nu"].as<Real>()),
      rows(inputs.given<std::int32_t>("rows")),
      columns(inputs.given<std::int32_t>("columns")),
      log_u0(inputs.given<Real>("log_u0")),
      log_v0(inputs.given<Real>("log_v0")),
      stopping(point),
      team(its_team),
      at(point) {}

template <class Real>
Result<Real>::Result(Arrays& outputs)
    : log_u(outputs["log_u"].as_mutable<Real>()),
      log_v(outputs["log_v"].as_mutable<Real>()),
      loss(outputs["loss"].as_mutable<Real>()),
      gradient(outputs["gradient"].as_mutable<Real>()) {}

template struct Problem<float>;
template struct Problem<double>;
template struct Result<float>;
template struct Result<double>;

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
template void write_result(Result<float>&, const Problem<float>&, const float*, const float*);
template void write_result(Result<double>&, const Problem<double>&, const double*, const double*);

bool to_solution(const Point& at) { return at.text("stop") != "iterations"; }

std::string cannot_do(bool solves, bool canonical, const VariantSpec& spec, const Point& at) {
  const std::string& name = spec.name;
  if (at.text("task") != "transport")
    return name + " makes plans, and no barycenters: task must be transport";
  if (spec.matrices > 0 && at.text("matrix") == "never")
    return name + " reads C, which matrix=never does not make";
  if (to_solution(at) && !solves)
    return name + " counts iterations and has no stopping test: stop must be iterations";
  if (!to_solution(at) && !canonical)
    return name +
           " takes other steps than the iteration that is verified step by step: stop must be marginal or "
           "change";
  return "";
}

}  // namespace uotbench::sinkhorn_log
