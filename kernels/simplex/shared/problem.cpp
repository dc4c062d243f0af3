// What all variants of the family share and nobody times, compiled once for all workers.
#include "kernels/simplex/problem.hpp"

#include <algorithm>

#include "results/base/error.hpp"

namespace uotbench::simplex {

template <class Real>
Problem<Real>::Problem(const Point& point, Arrays& inputs, const Team& its_team)
    : M(point.size("M")),
      N(point.size("N")),
      k(point.text("cost") == "matrix" ? 0 : point.size("k")),
      exact(point.text("cost") == "integer"),
      X(inputs.given<Real>("X")),
      Y(inputs.given<Real>("Y")),
      C(inputs.given<Real>("C")),
      a(inputs.given<Real>("a")),
      b(inputs.given<Real>("b")),
      u(inputs.given<Real>("u0")),
      v(inputs.given<Real>("v0")),
      team(its_team),
      at(point) {}

template <class Real>
void Result<Real>::write(std::span<const Real> u, std::span<const Real> v, std::span<const Flow> plan) {
  std::ranges::copy(u, outputs_["u"].as_mutable<Real>().begin());
  std::ranges::copy(v, outputs_["v"].as_mutable<Real>().begin());
  write_plan(plan);
  written.insert(written.begin(), {"u", "v"});
}

template <class Real>
void Result<Real>::write_plan(std::span<const Flow> plan) {
  const auto source = outputs_["source"].as_mutable<std::int32_t>();
  const auto target = outputs_["target"].as_mutable<std::int32_t>();
  const auto flow = outputs_["flow"].as_mutable<Real>();
  if (plan.size() > flow.size()) throw Error("the plan has more arcs than the M + N that there is room for");
  for (std::size_t e = 0; e < flow.size(); ++e) {
    const Flow arc = e < plan.size() ? plan[e] : Flow{-1, -1, 0};
    source[e] = arc.source;
    target[e] = arc.target;
    flow[e] = arc.amount;
  }
  written = {"source", "target", "flow"};
}

template <class Real>
void Result<Real>::write_prices(std::span<const Real> delta, std::span<const std::int32_t> best) {
  std::ranges::copy(delta, outputs_["delta"].as_mutable<Real>().begin());
  std::ranges::copy(best, outputs_["best"].as_mutable<std::int32_t>().begin());
  written = {"delta", "best"};
}

template struct Problem<double>;
template struct Result<double>;

std::string cannot_take(const Takes& takes, bool prices, const VariantSpec& spec, const Point& at) {
  const std::string& name = spec.name;
  if (prices && at.integer("round") == 0)
    return name + " prices the potentials of a round: round must be 1 or more";
  if (!prices && at.integer("round") > 0) return name + " solves the whole problem: round must be 0";
  const bool matrix = at.text("cost") == "matrix";
  if (matrix && !takes.matrix) return name + " computes costs from points: cost must be squared or integer";
  if (takes.only_exact && at.text("cost") != "integer") return name + " needs integers: cost must be integer";
  if (!matrix && (at.integer("k") < takes.least_k || at.integer("k") > takes.most_k))
    return name + " is for points of " + std::to_string(takes.least_k) + " to " +
           std::to_string(takes.most_k) + " coordinates, not k=" + std::to_string(at.integer("k"));
  return "";
}

}  // namespace uotbench::simplex
