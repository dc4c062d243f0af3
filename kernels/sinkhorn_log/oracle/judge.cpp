#include "kernels/sinkhorn_log/oracle/judge.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "harness/worker/parallel.hpp"
#include "kernels/sinkhorn_log/oracle/comparing.hpp"

namespace uotbench::sinkhorn_log {
namespace {

namespace fs = std::filesystem;

/// Where the largest cost is more of the units that costs with mass have, the gap is made of the little mass
/// that rounding a plan spreads over pairs that carry none, and solutions are judged by their marginals
/// alone: of all plans diag(u) K diag(v) only the solution has them.
constexpr double most_units_of_gaps = 4;

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

template <class Real>
std::vector<Spread> spreads_of(const Costs<Real>& costs, double reg, const Reference& at) {
  std::vector<Spread> spreads(static_cast<std::size_t>(at.log_u.rows()));
#pragma omp parallel for schedule(static) if (spreads.size() * costs.M * costs.N >= worth_a_team)
  for (std::size_t b = 0; b < spreads.size(); ++b)
    spreads[b] = spread_of(costs, b, reg, {at.log_u.data() + b * costs.M, costs.M},
                           {at.log_v.data() + b * costs.N, costs.N});
  return spreads;
}

}  // namespace

template <class Real>
Judgement Judge::judge(const Point& problem, const fs::path& inputs, const fs::path& outputs,
                       const std::vector<ArraySpec>& specs, const Claim& claim) {
  const double reg = static_cast<double>(static_cast<Real>(problem.number("reg")));
  double tolerance = claim.tolerance.value_or(standard_tolerance<Real>);
  if (auto violation = violation_of(outputs, specs, claim, {"log_u", "log_v"}, tolerance)) return *violation;

  Arrays given(inputs, false), got_arrays(outputs, false);
  const Costs<Real> costs(problem, given);
  const Masses masses = masses_in<Real>(problem, given);
  const Outputs<Real> got(got_arrays, claim);
  const std::int64_t B = problem.integer("B");
  const std::size_t M = costs.M, N = costs.N;
  const bool solved = problem.text("stop") != "iterations";

  std::optional<Known> own;
  if (solved) {
    own.emplace();
    own->reference = got.state(masses);
    own->spreads = spreads_of(costs, reg, own->reference);
  }
  const Known& right = solved ? *own : known<Real>(problem, inputs, given, costs, masses, claim.iterations);
  const Reference& want = right.reference;
  const std::vector<Spread>& spreads = right.spreads;
  for (std::int64_t b = 0; b < B; ++b)
    if (const std::string reason =
            unverifiable(spreads[static_cast<std::size_t>(b)], standard_tolerance<Real>,
                         B > 1 ? fmt::format("item {}: ", b) : "", problem.text("dtype"));
        !reason.empty())
      return {.check = {.error = std::numeric_limits<double>::infinity(),
                        .tolerance = tolerance,
                        .oracle = "log-f64",
                        .worst = "log_u"},
              .reason = reason};
  const auto mass_of = [&](std::int64_t b) { return masses.mu.row(b).sum(); };
  const auto mean_spread = [&](std::int64_t b) {
    const auto row = [&](const Batch& of) {
      return std::span(of.data() + b * of.cols(), static_cast<std::size_t>(of.cols()));
    };
    return spreads[static_cast<std::size_t>(b)].mean(row(masses.mu), row(masses.nu));
  };
  /// Loss and gradient follow from the potentials that are right, which those of a solution are by
  /// themselves.
  const auto compare_derived = [&](std::int64_t b, ItemJudged& item) {
    const auto at = static_cast<std::size_t>(b);
    const Spread& spread = spreads[at];
    const double mean = mean_spread(b), of_loss = reg * mean * mass_of(b);
    if (!got.loss.empty()) {
      const double value = dual_value(costs, masses, reg, want, at);
      compare_with([&](std::size_t) { return value; }, got.loss.subspan(at, 1), "loss",
                   [&](std::size_t) { return of_loss; }, tolerance, item);
    }
    if (!got.gradient.empty()) {
      const auto gradient = gradient_of(want, reg, b);
      // What is off in a mean is off in all that it is taken from.
      const auto unit = [&](std::size_t k) {
        return reg * std::max(mean, k < M ? spread.rows[k] : spread.columns[k - M]);
      };
      compare_with([&](std::size_t k) { return gradient[k]; }, got.gradient.subspan(at * (M + N), M + N),
                   "gradient", unit, tolerance, item);
    }
  };

  if (!solved)
    return judge_items(B, tolerance, "log-f64", [&](std::int64_t b) {
      const auto at = static_cast<std::size_t>(b);
      ItemJudged item;
      const auto log_u = got.log_u.subspan(at * M, M), log_v = got.log_v.subspan(at * N, N);
      compare_potentials(log_u, want.log_u, "log_u", log_v, want.log_v, "log_v", b, spreads[at], tolerance,
                         item);
      if (item.fault.empty()) compare_derived(b, item);
      return item;
    });

  // What is left of the marginals at the end is less than what the stopping test saw an iteration before.
  // Where a symmetric iteration moved f and g by tol, a whole step would have by 2 tol: 4 tol / reg of both
  // marginals.
  const bool by_change = problem.text("stop") == "change";
  const double left = problem.number("tol") * (by_change ? 5 / reg : 2), rounding = tolerance;
  std::vector<double> units(static_cast<std::size_t>(B));
  for (std::int64_t b = 0; b < B; ++b) units[static_cast<std::size_t>(b)] = mean_spread(b);
  tolerance = rounding * *std::ranges::max_element(units) + left;
  const double largest = costs.largest();
  std::vector<Quality> found(static_cast<std::size_t>(B));
  bool gaps = reg >= least_reg_of_gaps;
  for (const Spread& spread : spreads) gaps = gaps && largest <= most_units_of_gaps * reg * spread.largest();
  Judgement judgement = judge_items(B, tolerance, "log-f64", [&](std::int64_t b) {
    const auto at = static_cast<std::size_t>(b);
    ItemJudged item;
    const auto without = [&](const Batch& log_mass) {
      return [&log_mass, b](Eigen::Index k) { return log_mass(b, k) == no_mass; };
    };
    require_potentials(want.log_u, without(masses.log_mu), "log_u", b, item);
    require_potentials(want.log_v, without(masses.log_nu), "log_v", b, item);
    if (!item.fault.empty()) return item;
    compare_derived(b, item);
    auto& [marginals, gap] = found[at];
    found[at] = quality(costs, masses, reg, want, at);
    // Where there is less mass than 1, an error of tol is more than that share of it.
    marginals /= std::max(1., mass_of(b));
    gap /= reg * units[at] * std::max(1., mass_of(b));
    item.error = std::max(item.error, marginals);
    if (gaps) item.error = std::max(item.error, gap);
    const double allowed = rounding * units[at] + left;
    if (item.fault.empty() && !(item.error <= allowed))
      item.fault = fmt::format(
          "its plan's marginals are off by {:.3g} and its gap is {:.3g}; expected at most "
          "{:.3g}",
          marginals, gap, allowed);
    return item;
  });
  const auto worst = [&](auto of) { return std::ranges::max(found, {}, of).*of; };
  judgement.check.found = {{"marginals", worst(&Quality::marginals)}};
  if (const double gap = worst(&Quality::gap); std::isfinite(gap)) judgement.check.found.set("gap", gap);
  return judgement;
}

template <class Real>
const Judge::Known& Judge::known(const Point& problem, const fs::path& folder, Arrays& inputs,
                                 const Costs<Real>& costs, const Masses& masses, int iterations) {
  const auto find = [&]() {
    return std::ranges::find_if(known_, [&](const Known& known) {
      return known.folder == folder && known.problem == problem && known.iterations == iterations;
    });
  };
  if (const auto known = find(); known != known_.end()) return *known;
  const double reg = static_cast<double>(static_cast<Real>(problem.number("reg")));
  Reference state = start_of<Real>(problem, inputs, masses);
  int done = 0;
  // Results are verified after these two: the fewer are on the way to the more.
  for (const int stop : {2, iterations}) {
    if (stop > iterations) continue;
    iterate(costs, masses, reg, problem.text("scheme") == "symmetric", stop - done, 0, state);
    known_.push_back({folder, problem, stop, state, spreads_of(costs, reg, state)});
    done = stop;
  }
  return *find();
}

template Judgement Judge::judge<float>(const Point&, const fs::path&, const fs::path&,
                                       const std::vector<ArraySpec>&, const Claim&);
template Judgement Judge::judge<double>(const Point&, const fs::path&, const fs::path&,
                                        const std::vector<ArraySpec>&, const Claim&);

}  // namespace uotbench::sinkhorn_log
