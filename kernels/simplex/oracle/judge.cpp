#include "kernels/simplex/oracle/judge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/simplex/oracle/given.hpp"

namespace uotbench::simplex {
namespace {

namespace fs = std::filesystem;

constexpr double standard_tolerance = 1e-9;
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double least_cost = 1e-5;  ///< of a plan that gaps are relative to, where pairs usually cost 1
constexpr double rounding = 1e-4;    ///< times the tolerance: 500 times that of a double
constexpr std::size_t most_for_lemon = 4096;  ///< points of a side: it takes all pairs, at 24 bytes

/// A plan that was found to be one.
struct Plan {
  std::span<const std::int32_t> source, target;
  std::span<const double> flow;
};

/// What makes these arrays no plan at all; empty: nothing.
std::string violation_of(const Plan& plan, const Given& given) {
  for (std::size_t e = 0; e < plan.flow.size(); ++e) {
    const std::int32_t i = plan.source[e], j = plan.target[e];
    const double flow = plan.flow[e];
    if (i == -1 && j == -1 && flow == 0) continue;
    if (i < 0 || j < 0 || static_cast<std::size_t>(i) >= given.M || static_cast<std::size_t>(j) >= given.N)
      return fmt::format(
          "arc {} leads from {} to {} with flow {}; sources are 0 to {}, targets 0 to {}, and -1, -1, 0 "
          "says that there is no arc",
          e, i, j, flow, given.M - 1, given.N - 1);
    if (!std::isfinite(flow) || flow < 0)
      return fmt::format("flow[{}] is {}; expected a number from 0", e, flow);
    if (flow > 0 && !std::isfinite(given.cost(static_cast<std::size_t>(i), static_cast<std::size_t>(j))))
      return fmt::format("wrong: flow[{}] is {} from {} to {}, a forbidden pair: expected 0", e, flow, i, j);
  }
  return "";
}

/// The L1 distance of the plan's sums from the masses, relative to the mass, and the worst of them.
struct Sums {
  double off = 0, worst = 0, mass = 0;
  std::string where;
};
Sums sums_of(const Plan& plan, const Given& given) {
  std::vector<double> of_source(given.M), of_target(given.N);
  for (std::size_t e = 0; e < plan.flow.size(); ++e)
    if (plan.source[e] >= 0) {
      of_source[static_cast<std::size_t>(plan.source[e])] += plan.flow[e];
      of_target[static_cast<std::size_t>(plan.target[e])] += plan.flow[e];
    }
  Sums sums;
  const auto add = [&](std::span<const double> want, std::span<const double> got, const char* side) {
    for (std::size_t p = 0; p < want.size(); ++p) {
      const double off = std::abs(got[p] - want[p]);
      sums.mass += want[p];
      sums.off += off;
      if (off > sums.worst) {
        sums.worst = off;
        sums.where = fmt::format("{} {} has {} of its mass of {}", side, p, got[p], want[p]);
      }
    }
  };
  add(given.a, of_source, "source");
  add(given.b, of_target, "target");
  sums.off /= sums.mass;
  return sums;
}

__extension__ using Exact = __int128;

/// Costs of plans and values of potentials. Where all are integers nothing is rounded.
template <class Sum>
Sum cost_of(const Plan& plan, const Given& given) {
  Sum sum = 0;
  for (std::size_t e = 0; e < plan.flow.size(); ++e)
    if (plan.source[e] >= 0 && plan.flow[e] > 0)
      sum += static_cast<Sum>(plan.flow[e]) *
             static_cast<Sum>(given.cost(static_cast<std::size_t>(plan.source[e]),
                                         static_cast<std::size_t>(plan.target[e])));
  return sum;
}
template <class Sum>
Sum value_of(std::span<const double> u, std::span<const double> v, const Given& given) {
  Sum sum = 0;
  for (std::size_t i = 0; i < given.M; ++i) sum += static_cast<Sum>(given.a[i]) * static_cast<Sum>(u[i]);
  for (std::size_t j = 0; j < given.N; ++j) sum -= static_cast<Sum>(given.b[j]) * static_cast<Sum>(v[j]);
  return sum;
}

bool are_integers(std::span<const double> values) {
  return std::ranges::all_of(values, [](double x) { return x == std::floor(x) && std::abs(x) < 0x1p53; });
}

std::string first_not_finite(std::span<const double> values, const char* name) {
  const auto bad = std::ranges::find_if(values, [](double x) { return !std::isfinite(x); });
  return bad == values.end() ? "" : fmt::format("{}[{}] is {}", name, bad - values.begin(), *bad);
}

/// The size of the costs that count in each row: the largest of those that carry flow, and what its pairs
/// usually cost. One pair that costs far more, or is forbidden, moves neither.
std::vector<double> units_of(const Plan& plan, const Given& given, std::span<const RowLeast> rows) {
  std::vector<double> units(given.M);
  for (std::size_t i = 0; i < given.M; ++i) units[i] = rows[i].usual;
  for (std::size_t e = 0; e < plan.flow.size(); ++e)
    if (plan.source[e] >= 0 && plan.flow[e] > 0) {
      const auto i = static_cast<std::size_t>(plan.source[e]), j = static_cast<std::size_t>(plan.target[e]);
      units[i] = std::max(units[i], std::abs(given.cost(i, j)));
    }
  return units;
}

/// What potentials prove, and how.
struct Proof {
  double reduced = 0;  ///< the most by which a reduced cost is below 0, in its row's unit
  double least = 0;    ///< that reduced cost
  std::size_t row = 0, column = 0;
  double loss = 0;  ///< what the potentials prove less once they are lowered until no reduced cost is below 0
  double usual = 0;  ///< cost of a plan whose pairs cost what they usually do
};
Proof proof_of(const Plan& plan, const Given& given, std::span<const double> u, std::span<const double> v) {
  const auto rows = least_of_rows(given, u, v);
  const auto units = units_of(plan, given, rows);
  Proof proof;
  for (std::size_t i = 0; i < given.M; ++i) {
    const double below = std::max(0., -rows[i].reduced);
    proof.loss += given.a[i] * below;
    proof.usual += given.a[i] * rows[i].usual;
    if (!(below / std::max(units[i], 1e-300) > proof.reduced)) continue;
    proof.reduced = below / std::max(units[i], 1e-300);
    proof.least = rows[i].reduced;
    proof.row = i;
    proof.column = rows[i].column;
  }
  return proof;
}

}  // namespace

Judgement Judge::judge(const Point& problem, const fs::path& inputs, const fs::path& outputs,
                       const std::vector<ArraySpec>& specs, const Claim& claim) {
  Judgement judgement{.check = {.error = infinity,
                                .tolerance = claim.tolerance.value_or(standard_tolerance),
                                .oracle = "certificate-f64",
                                .worst = specs.front().name},
                      .reason = ""};
  const bool solves = problem.integer("round") == 0;
  const auto wrote = [&](const char* name) {
    return std::ranges::find(claim.outputs, name) != claim.outputs.end();
  };
  for (const char* name : solves ? std::vector{"source", "target", "flow"} : std::vector{"delta", "best"})
    if (!wrote(name)) {
      judgement.reason = fmt::format("{} was not written", name);
      return judgement;
    }
  for (const std::string& name : claim.outputs) {
    NpyArray array = NpyArray::open(outputs / (name + ".npy"));
    if (array.type() == "<f8" && is_untouched(array)) {
      judgement.reason = fmt::format("untouched: {} holds what it held before", name);
      return judgement;
    }
  }
  Arrays given_arrays(inputs, false), got(outputs, false);
  const Given given(problem, given_arrays);
  return solves ? judge_solution(given, got, claim, judgement) : judge_prices(given, got, judgement);
}

Judgement Judge::judge_solution(const Given& given, Arrays& outputs, const Claim& claim,
                                Judgement judgement) {
  const Plan plan{outputs["source"].as<std::int32_t>(), outputs["target"].as<std::int32_t>(),
                  outputs["flow"].as<double>()};
  judgement.reason = violation_of(plan, given);
  if (!judgement.reason.empty()) return judgement;

  const Sums sums = sums_of(plan, given);
  const double cost = cost_of<double>(plan, given);
  const bool certified = std::ranges::find(claim.outputs, "u") != claim.outputs.end();
  double reduced = 0, gap = 0;
  std::string fault;
  if (certified) {
    const auto u = outputs["u"].as<double>(), v = outputs["v"].as<double>();
    judgement.reason = first_not_finite(u, "u") + first_not_finite(v, "v");
    if (!judgement.reason.empty()) return judgement;
    const Proof proof = proof_of(plan, given, u, v);
    reduced = proof.reduced;
    if (given.exact && are_integers(u) && are_integers(v) && are_integers(plan.flow)) {
      const Exact difference = cost_of<Exact>(plan, given) - value_of<Exact>(u, v, given);
      gap = std::abs(static_cast<double>(difference)) / std::max(1., std::abs(cost));
      if (difference != 0 || proof.least < 0 || sums.worst > 0)
        fault = fmt::format(
            "the plan costs {} more than the potentials prove, the least reduced cost is {}, {}: with "
            "integers all would be exact",
            static_cast<double>(difference), proof.least, sums.where);
    } else {
      const double value = value_of<double>(u, v, given);
      // Costs of a plan that costs nothing are sums of potentials that are rounded.
      gap = (std::abs(cost - value) + proof.loss) /
            std::max({std::abs(cost), least_cost * proof.usual / 2, 1e-300});
    }
    if (reduced > judgement.check.tolerance)
      fault = fmt::format(
          "the reduced cost of source {} and target {} is {:.6g}, so the plan is not proved to be the "
          "cheapest",
          proof.row, proof.column, proof.least);
    else if (gap > judgement.check.tolerance)
      fault = fmt::format("the plan costs {:.17g} and the potentials prove {:.17g}", cost,
                          value_of<double>(u, v, given) - proof.loss);
  } else {
    if (!cost_) cost_ = solved(given).cost;
    gap = std::abs(cost - *cost_) / std::max(std::abs(*cost_), 1e-300);
    if (gap > judgement.check.tolerance)
      fault = fmt::format("the plan costs {:.17g} and the cheapest {:.17g}", cost, *cost_);
  }
  if (sums.off > judgement.check.tolerance) fault = fmt::format("the plan is none: {}", sums.where);
  judgement.check.error = std::max({sums.off, reduced, gap});
  judgement.check.worst = sums.off >= std::max(reduced, gap) ? "flow" : reduced >= gap ? "u" : "flow";
  judgement.check.found = {{"cost", cost}, {"marginals", sums.off}, {"reduced_cost", reduced}, {"gap", gap}};
  if (given.exact && lemon() && std::max(given.M, given.N) <= most_for_lemon) {
    if (!lemon_) lemon_ = lemon()(given);
    judgement.check.found.set("lemon", *lemon_);
    if (fault.empty() && cost != *lemon_)
      fault = fmt::format("the plan costs {:.17g} and LEMON's {:.17g}", cost, *lemon_);
  }
  if (!fault.empty()) judgement.reason = "wrong: " + fault;
  return judgement;
}

Judgement Judge::judge_prices(const Given& given, Arrays& outputs, Judgement judgement) const {
  const auto delta = outputs["delta"].as<double>();
  const auto best = outputs["best"].as<std::int32_t>();
  const auto rows = least_of_rows(given, given.u0, given.v0);
  double error = 0, violated = 0;
  for (std::size_t i = 0; i < given.M; ++i) {
    const double want = std::min(0., rows[i].reduced);
    // What the pair and its like cost; of potentials, which may be far larger, what double keeps of a sum.
    const double potentials = std::abs(given.u0[i]) + std::abs(given.v0[rows[i].column]);
    const double unit =
        std::max({given.cost(i, rows[i].column), rows[i].usual, rounding * potentials, 1e-300});
    violated += want < 0;
    double off = std::abs(delta[i] - want);
    const bool known = best[i] >= 0 && static_cast<std::size_t>(best[i]) < given.N;
    if (known) {
      const auto j = static_cast<std::size_t>(best[i]);
      off = std::max(off, std::abs(given.cost(i, j) - given.u0[i] + given.v0[j] - want));
    } else if (best[i] != -1 || delta[i] != 0) {
      off = infinity;
    }
    if (!std::isfinite(delta[i])) off = infinity;
    if (off / unit > judgement.check.tolerance && judgement.reason.empty())
      judgement.reason = fmt::format("wrong: source {}: delta is {:.9g} with target {}, want {:.9g}", i,
                                     delta[i], best[i], want);
    error = std::max(error, off / unit);
  }
  judgement.check.error = error;
  judgement.check.worst = "delta";
  judgement.check.found = {{"violated_sources", violated}};
  return judgement;
}

}  // namespace uotbench::simplex
