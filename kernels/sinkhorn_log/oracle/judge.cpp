#include "kernels/sinkhorn_log/oracle/judge.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/sinkhorn_log/oracle/comparing.hpp"

namespace uotbench::sinkhorn_log {
namespace {

namespace fs = std::filesystem;

/// Below it the gap is made of the rounding of costs, and solutions are judged by their marginals alone.
constexpr double least_reg_of_gaps = 1e-2;

/// A reference's gradient: potentials less their mean.
std::vector<double> gradient_of(const Reference& want, double reg, Eigen::Index b) {
  std::vector<double> gradient;
  for (const Batch* part : {&want.log_u, &want.log_v}) {
    double sum = 0, count = 0;
    for (const double x : part->row(b))
      if (x != no_mass) sum += x, ++count;
    for (const double x : part->row(b)) gradient.push_back(reg * (x - (count > 0 ? sum / count : 0)));
  }
  return gradient;
}

/// The outputs of a variant.
template <class Real>
struct Outputs {
  Outputs(Arrays& arrays, const Claim& claim)
      : log_u(arrays["log_u"].as<Real>()), log_v(arrays["log_v"].as<Real>()) {
    if (claims(claim, "loss")) loss = arrays["loss"].as<Real>();
    if (claims(claim, "gradient")) gradient = arrays["gradient"].as<Real>();
  }
  std::span<const Real> log_u, log_v, loss = {}, gradient = {};

  /// As a state of the reference.
  Reference state(const Masses& masses) const {
    return {widened(log_u, static_cast<std::size_t>(masses.mu.cols())),
            widened(log_v, static_cast<std::size_t>(masses.nu.cols()))};
  }
};

}  // namespace

template <class Real>
Judgement Judge::judge(const Point& problem, const fs::path& inputs, const fs::path& outputs,
                       const std::vector<ArraySpec>& specs, const Claim& claim) {
  const double reg = static_cast<double>(static_cast<Real>(problem.number("reg")));
  double tolerance = claim.tolerance.value_or(standard_tolerance<Real>);
  if (auto objection = objection_to(outputs, specs, claim, {"log_u", "log_v"}, tolerance)) return *objection;

  Arrays given(inputs, false), got_arrays(outputs, false);
  const Costs<Real> costs(problem, given);
  const Masses masses = masses_in<Real>(problem, given);
  const Outputs<Real> got(got_arrays, claim);
  const std::int64_t B = problem.integer("B");
  const std::size_t M = costs.M, N = costs.N;
  const double largest = costs.largest(), spread = 1 + largest / reg, unit = reg + largest;
  const bool solved = problem.text("stop") != "iterations";

  const Reference& want =
      solved ? got.state(masses) : reference<Real>(problem, inputs, given, costs, masses, claim.iterations);
  const auto mass_of = [&](std::int64_t b) { return masses.mu.row(b).sum(); };
  /// Loss and gradient follow from the potentials that are right, which those of a solution are by
  /// themselves.
  const auto compare_derived = [&](std::int64_t b, ItemJudged& item) {
    const auto at = static_cast<std::size_t>(b);
    const double of_loss = unit * mass_of(b);
    if (!got.loss.empty()) {
      const double value = dual_value(costs, masses, reg, want, at);
      compare_with([&](std::size_t) { return value; }, got.loss.subspan(at, 1), "loss", of_loss, tolerance,
                   item);
    }
    if (!got.gradient.empty()) {
      const auto gradient = gradient_of(want, reg, b);
      compare_with([&](std::size_t k) { return gradient[k]; }, got.gradient.subspan(at * (M + N), M + N),
                   "gradient", unit, tolerance, item);
    }
  };

  if (!solved)
    return judge_items(B, tolerance, "log-f64", [&](std::int64_t b) {
      const auto at = static_cast<std::size_t>(b);
      ItemJudged item;
      const auto log_u = got.log_u.subspan(at * M, M), log_v = got.log_v.subspan(at * N, N);
      compare_potentials(log_u, want.log_u, "log_u", log_v, want.log_v, "log_v", b, spread, tolerance, item);
      if (item.fault.empty()) compare_derived(b, item);
      return item;
    });

  // What is left of the marginals at the end is less than what the stopping test saw an iteration before.
  // Where a symmetric iteration moved f and g by tol, a whole step would have by 2 tol: 4 tol / reg of both
  // marginals.
  const bool by_change = problem.text("stop") == "change";
  tolerance = tolerance * spread + problem.number("tol") * (by_change ? 5 / reg : 2);
  std::vector<Quality> found(static_cast<std::size_t>(B));
  Judgement judgement = judge_items(B, tolerance, "log-f64", [&](std::int64_t b) {
    ItemJudged item;
    const auto without = [&](const Batch& log_mass) {
      return [&log_mass, b](Eigen::Index k) { return log_mass(b, k) == no_mass; };
    };
    require_potentials(want.log_u, without(masses.log_mu), "log_u", b, item);
    require_potentials(want.log_v, without(masses.log_nu), "log_v", b, item);
    if (!item.fault.empty()) return item;
    compare_derived(b, item);
    auto& [marginals, gap] = found[static_cast<std::size_t>(b)];
    found[static_cast<std::size_t>(b)] = quality(costs, masses, reg, want, static_cast<std::size_t>(b));
    // Where there is less mass than 1, an error of tol is more than that share of it.
    marginals /= std::max(1., mass_of(b));
    gap /= unit * std::max(1., mass_of(b));
    item.error = std::max(item.error, marginals);
    if (reg >= least_reg_of_gaps) item.error = std::max(item.error, gap);
    if (item.fault.empty() && !(item.error <= tolerance))
      item.fault = fmt::format(
          "its plan's marginals are off by {:.3g} and its gap is {:.3g}; at most {:.3g} "
          "would be right",
          marginals, gap, tolerance);
    return item;
  });
  const auto worst = [&](auto of) { return std::ranges::max(found, {}, of).*of; };
  judgement.check.found = {{"marginals", worst(&Quality::marginals)}, {"gap", worst(&Quality::gap)}};
  return judgement;
}

template <class Real>
const Reference& Judge::reference(const Point& problem, const fs::path& folder, Arrays& inputs,
                                  const Costs<Real>& costs, const Masses& masses, int iterations) {
  const auto find = [&]() {
    return std::ranges::find_if(known_, [&](const Known& known) {
      return known.folder == folder && known.problem == problem && known.iterations == iterations;
    });
  };
  if (const auto known = find(); known != known_.end()) return known->reference;
  Reference state = start_of<Real>(problem, inputs, masses);
  int done = 0;
  // Results are judged after these two: the fewer are on the way to the more.
  for (const int stop : {2, iterations}) {
    if (stop > iterations) continue;
    iterate(costs, masses, static_cast<double>(static_cast<Real>(problem.number("reg"))),
            problem.text("scheme") == "symmetric", stop - done, 0, state);
    known_.push_back({folder, problem, stop, state});
    done = stop;
  }
  return find()->reference;
}

template Judgement Judge::judge<float>(const Point&, const fs::path&, const fs::path&,
                                       const std::vector<ArraySpec>&, const Claim&);
template Judgement Judge::judge<double>(const Point&, const fs::path&, const fs::path&,
                                        const std::vector<ArraySpec>&, const Claim&);

}  // namespace uotbench::sinkhorn_log
