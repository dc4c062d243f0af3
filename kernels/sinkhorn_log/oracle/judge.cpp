#include "kernels/sinkhorn_log/oracle/judge.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "harness/worker/oracle/difference.hpp"
#include "harness/worker/oracle/items.hpp"
#include "results/base/error.hpp"

namespace uotbench::sinkhorn_log {
namespace {

namespace fs = std::filesystem;

constexpr double none = -std::numeric_limits<double>::infinity();

// In units of 1 + max |C| / reg, of which a term's rounding is a share. Measured over awkward.json: f32
// kernels are off by up to 2.6e-7, f64 kernels by up to 2.5e-15, and the reference is no better than those.
// Where one of 1024 equal terms is left out of every sum, potentials are off by 1e-3, which at a spread of 41
// is 2e-5.
template <class Real>
constexpr double standard_tolerance = sizeof(Real) == 4 ? 1e-6 : 1e-14;

/// Below it the gap is made of the rounding of costs, and solutions are judged by their marginals alone.
constexpr double least_reg_of_gaps = 1e-2;

bool claims(const Claim& claim, const std::string& output) {
  return std::ranges::find(claim.outputs, output) != claim.outputs.end();
}

/// What can be said of the outputs before anything is computed; empty: they are worth comparing.
std::string objection_to(const fs::path& outputs, const std::vector<ArraySpec>& specs, const Claim& claim) {
  for (const auto& spec : specs) {
    const bool needed = spec.name == "log_u" || spec.name == "log_v";
    if (needed && !claims(claim, spec.name)) return "outputs untouched: nothing was written to " + spec.name;
    if (!claims(claim, spec.name)) continue;
    try {
      auto array = NpyArray::open(outputs / (spec.name + ".npy"));
      if (array.type() != spec.type || array.shape() != spec.shape)
        return fmt::format("wrong: {} is {} ({}), want {} ({})", spec.name, array.type(),
                           fmt::join(array.shape(), ", "), spec.type, fmt::join(spec.shape, ", "));
      if (is_untouched(array)) return "outputs untouched: nothing was written to " + spec.name;
    } catch (const Error& error) {
      return fmt::format("wrong: {} cannot be read: {}", spec.name, error.what());
    }
  }
  return "";
}

std::string number_text(double value) { return std::isnan(value) ? "nan" : fmt::format("{:.6g}", value); }

/// One item's vector: `error` becomes the larger of itself and the mean distance in `unit`, `fault` what is
/// wrong with the first entry that has one.
template <class Real, class Want>
void compare_with(const Want& want, std::span<const Real> got, const std::string& name, double unit,
                  double tolerance, ItemJudged& item) {
  double distance = 0;
  std::size_t count = 0;
  for (std::size_t k = 0; k < got.size(); ++k) {
    const auto is = static_cast<double>(got[k]);
    const double should = want(k);
    const double off = should == none ? (is == none ? 0 : INFINITY) : std::abs(is - should) / unit;
    count += should != none;
    if (std::isfinite(off)) distance += off;
    if (off <= Difference::stands_out * tolerance) continue;
    if (item.fault.empty())
      item.fault =
          should == none
              ? fmt::format("{}[{}] is {}, its mass is 0: -inf would be right", name, k, number_text(is))
              : fmt::format("{}[{}] is {}, {} would be right", name, k, number_text(is), number_text(should));
    if (!std::isfinite(off)) item.error = INFINITY;
  }
  item.error = std::max(item.error, distance / static_cast<double>(std::max<std::size_t>(1, count)));
}

/// The t near 0 for which log u - t and log v + t are meant, of one item. All t give the same plan, and no
/// half step leads back, so rounding drifts along t, each iteration a little further. A t that stands out is
/// a fault.
template <class Real>
double drift(std::span<const Real> log_u, const Batch& want_u, std::span<const Real> log_v,
             const Batch& want_v, Eigen::Index b, double unit, double tolerance) {
  const auto mean_off = [&](std::span<const Real> got, const Batch& want) {
    double sum = 0, count = 0;
    for (Eigen::Index k = 0; k < want.cols(); ++k) {
      if (want(b, k) == none) continue;
      sum += static_cast<double>(got[static_cast<std::size_t>(k)]) - want(b, k);
      ++count;
    }
    return sum / count;
  };
  const double t = (mean_off(log_u, want_u) - mean_off(log_v, want_v)) / 2;
  return std::abs(t) <= Difference::stands_out * tolerance * unit ? t : 0;
}

/// A reference's gradient: potentials less their mean.
std::vector<double> gradient_of(const Reference& want, double reg, Eigen::Index b) {
  std::vector<double> gradient;
  for (const Batch* part : {&want.log_u, &want.log_v}) {
    double sum = 0, count = 0;
    for (const double x : part->row(b))
      if (x != none) sum += x, ++count;
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
    const auto widened = [](std::span<const Real> from, const Batch& like) {
      Batch to(like.rows(), like.cols());
      std::ranges::transform(from, to.data(), [](Real x) { return static_cast<double>(x); });
      return to;
    };
    return {widened(log_u, masses.mu), widened(log_v, masses.nu)};
  }
};

/// What must hold of any item's potentials, whatever the iteration: no NaN, -inf where there is no mass and
/// nowhere else.
void require_potentials(const Batch& got, const Batch& log_mass, const char* name, Eigen::Index b,
                        ItemJudged& item) {
  for (Eigen::Index k = 0; k < got.cols() && item.fault.empty(); ++k) {
    const double is = got(b, k);
    const bool massless = log_mass(b, k) == none;
    if (massless ? is == none : std::isfinite(is)) continue;
    item.error = INFINITY;
    item.fault =
        massless ? fmt::format("{}[{}] is {}, its mass is 0: -inf would be right", name, k, number_text(is))
                 : fmt::format("{}[{}] is {}; a number would be right", name, k, number_text(is));
  }
}

}  // namespace

template <class Real>
Judgement Judge::judge(const Point& problem, const fs::path& inputs, const fs::path& outputs,
                       const std::vector<ArraySpec>& specs, const Claim& claim) {
  const double reg = static_cast<double>(static_cast<Real>(problem.number("reg")));
  double tolerance = claim.tolerance.value_or(standard_tolerance<Real>);
  if (std::string objection = objection_to(outputs, specs, claim); !objection.empty())
    return {.check = {.error = std::numeric_limits<double>::infinity(),
                      .tolerance = tolerance,
                      .oracle = "log-f64",
                      .worst = specs.front().name},
            .reason = objection};

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
      const double t = drift(log_u, want.log_u, log_v, want.log_v, b, spread, tolerance);
      compare_with([&](std::size_t k) { return want.log_u(b, static_cast<Eigen::Index>(k)) + t; }, log_u,
                   "log_u", spread, tolerance, item);
      compare_with([&](std::size_t k) { return want.log_v(b, static_cast<Eigen::Index>(k)) - t; }, log_v,
                   "log_v", spread, tolerance, item);
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
    require_potentials(want.log_u, masses.log_mu, "log_u", b, item);
    require_potentials(want.log_v, masses.log_nu, "log_v", b, item);
    if (!item.fault.empty()) return item;
    compare_derived(b, item);
    auto& [marginals, gap] = found[static_cast<std::size_t>(b)];
    found[static_cast<std::size_t>(b)] = quality(costs, masses, reg, want, static_cast<std::size_t>(b));
    marginals /= mass_of(b);
    gap /= unit * mass_of(b);
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
