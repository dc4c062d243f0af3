#include "kernels/uot/oracle/judge.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>

#include "harness/worker/oracle/difference.hpp"
#include "harness/worker/oracle/family.hpp"
#include "harness/worker/parallel.hpp"
#include "kernels/uot/oracle/sampled.hpp"
#include "results/base/error.hpp"

namespace uotbench::uot {
namespace {

namespace fs = std::filesystem;

// Float kernels that add up one number after the other, the least exact of the right ones, are off by 1e-6 on
// 10240 x 10240 uniform numbers and by 6e-6 on points with fi = 1 (measured); leaving out one row of 10240 is
// 1e-4, and single cells are held to Difference::stands_out besides. Such double kernels are off by 3e-15,
// but the reference is no better than they are.
template <class Real>
constexpr double standard_tolerance = sizeof(Real) == 4 ? 1e-5 : 1e-12;

bool claims(const Claim& claim, const std::string& output) {
  return std::ranges::find(claim.outputs, output) != claim.outputs.end();
}

/// Why the file is not the array it was made as; a worker in another language may have replaced it.
std::string misshapen(const ArraySpec& spec, const fs::path& folder) try {
  const auto array = NpyArray::open(folder / (spec.name + ".npy"));
  if (array.type() == spec.type && array.shape() == spec.shape) return "";
  return fmt::format("wrong: {} is {} ({}), want {} ({})", spec.name, array.type(),
                     fmt::join(array.shape(), ", "), spec.type, fmt::join(spec.shape, ", "));
} catch (const Error& error) {
  return fmt::format("wrong: {} cannot be read: {}", spec.name, error.what());
}

/// Where K is never stored there is no plan either: then u and v have to be written. An application's plan is
/// its own; all that it is for has to be written.
bool has_plan(const std::vector<ArraySpec>& specs) { return specs.front().name == "plan"; }

/// What can be said of the outputs before anything is computed; empty: they are worth comparing.
std::string violation_of(const fs::path& outputs, const std::vector<ArraySpec>& specs, const Claim& claim) {
  for (const auto& spec : specs)
    if ((spec.name == "plan" || !has_plan(specs)) && !claims(claim, spec.name))
      return "outputs untouched: nothing was written to " + spec.name;
  for (const auto& spec : specs) {
    if (!claims(claim, spec.name)) continue;
    if (const auto reason = misshapen(spec, outputs); !reason.empty()) return reason;
  }
  auto first = NpyArray::open(outputs / (specs.front().name + ".npy"));
  return is_untouched(first) ? "outputs untouched: nothing was written" : "";
}

/// An array's part that belongs to one item of a batch: they stand one below the other.
template <class Real>
std::span<const Real> of_item(std::span<const Real> all, std::size_t item, std::size_t items) {
  return all.subspan(item * (all.size() / items), all.size() / items);
}

/// The plan against diag(u) K diag(v), a row at a time.
template <class Real>
Difference compare_plan(std::span<const Real> plan, std::span<const Real> K, const Reference& reference,
                        int threads, double tolerance) {
  const auto& [u, v, mass, overflow] = reference;
  const auto M = static_cast<std::size_t>(u.size()), N = static_cast<std::size_t>(v.size());
  const auto want = [&](std::size_t i, std::span<double> row) {
    const double scaling = u.data()[i];
    for (std::size_t j = 0; j < N; ++j) row[j] = scaling * static_cast<double>(K[i * N + j]) * v.data()[j];
  };
  const double mean = mass / (static_cast<double>(M) * static_cast<double>(N));
  return compare({"plan", M, N, false, threads}, plan, want, mean, tolerance);
}

/// The first row or column of the plan that is wrong by itself: in a plan whose mass is nearly all in one
/// line, others would be lost in the mean of all. Sums of positive terms keep their digits however small they
/// are, but for numbers that are nearly too small for the type. Empty: none.
template <class Real>
std::string wrong_line(std::span<const Real> plan, std::span<const Real> K, const Reference& want,
                       double tolerance) {
  constexpr double least_share = 1e-20;
  const auto M = static_cast<std::size_t>(want.u.size()), N = static_cast<std::size_t>(want.v.size());
  struct Line {
    double off = 0, sum = 0;
  };
  std::vector<Line> rows(M), columns(N);
#pragma omp parallel if (M * N >= worth_a_team)
  {
    std::vector<Line> mine(N);
#pragma omp for schedule(static) nowait
    for (std::size_t i = 0; i < M; ++i)
      for (std::size_t j = 0; j < N; ++j) {
        const double cell = want.u.data()[i] * static_cast<double>(K[i * N + j]) * want.v.data()[j];
        const double off = std::abs(static_cast<double>(plan[i * N + j]) - cell);
        rows[i].off += off, rows[i].sum += cell;
        mine[j].off += off, mine[j].sum += cell;
      }
#pragma omp critical
    for (std::size_t j = 0; j < N; ++j) columns[j].off += mine[j].off, columns[j].sum += mine[j].sum;
  }
  for (const auto& [lines, name] : {std::pair(&rows, "row"), std::pair(&columns, "column")})
    for (std::size_t k = 0; k < lines->size(); ++k) {
      const Line& line = (*lines)[k];
      if (line.sum > least_share * want.mass && line.off > Difference::stands_out * tolerance * line.sum)
        return fmt::format("wrong: {} {} of the plan is off by {:.3g} in all, and sums to {:.3g}", name, k,
                           line.off, line.sum);
    }
  return "";
}

/// The t near 1 for which u t and v / t are meant. All t give the same plan, so rounding drifts along t, each
/// iteration a little further where fi is near 1 (measured: 5e-5 after 10, with a plan good to 5e-6), and
/// that is no fault of a kernel's. A t that stands out is one.
template <class Real>
double drift(std::span<const Real> u, const Eigen::VectorXd& want, double tolerance) {
  const double t = want.sum() / std::accumulate(u.begin(), u.end(), 0.);
  return std::abs(t - 1) <= Difference::stands_out * tolerance ? t : 1;
}

template <class Real>
Difference compare_scaling(const char* name, std::span<const Real> got, const Eigen::VectorXd& want,
                           int threads, double tolerance) {
  const auto copy = [&](std::size_t, std::span<double> row) { std::ranges::copy(want, row.begin()); };
  return compare({name, 1, static_cast<std::size_t>(want.size()), true, threads}, got, copy, want.mean(),
                 tolerance);
}

/// What is not a number in a vector that is not compared.
template <class Real>
std::string not_numbers_in(const char* name, Arrays& outputs) {
  const auto vector = outputs[name].as<Real>();
  const auto same = [&](std::size_t, std::span<double> row) { std::ranges::copy(vector, row.begin()); };
  return compare({name, 1, vector.size(), true}, vector, same, 1, 1).reason();
}

/// Where a scaling outgrows Real, kernels that hold it cannot but overflow, and that should be said.
template <class Real>
std::string beyond_range(const Reference& reference) {
  for (const auto& [name, scaling] : {std::pair("u", &reference.u), std::pair("v", &reference.v)})
    if (scaling->maxCoeff() > std::numeric_limits<Real>::max())
      return fmt::format("; {} reaches {:.2g}, more than {} holds", name, scaling->maxCoeff(),
                         sizeof(Real) == 4 ? "f32" : "f64");
  return "";
}

/// K, and what a variant made of it; empty: it did not write that.
template <class Real>
struct Made {
  std::span<const Real> K, plan, u, v;
};
struct Compared {
  double error = 0;
  std::string worst = {}, reason = {};
};

template <class Real>
Compared compare_item(const Made<Real>& made, const Reference& want, int threads, double tolerance) {
  Compared found;
  if (!want.overflow.empty())
    return {std::numeric_limits<double>::infinity(), "", "the reference overflows: " + want.overflow};
  const auto add = [&](const char* name, const Difference& difference) {
    if (found.reason.empty()) found.reason = difference.reason();
    if (difference.error() <= found.error) return;
    found.error = difference.error();
    found.worst = name;
  };
  if (!made.plan.empty()) add("plan", compare_plan<Real>(made.plan, made.K, want, threads, tolerance));
  const double t = made.u.empty() ? 1 : drift(made.u, want.u, tolerance);
  if (!made.u.empty()) add("u", compare_scaling<Real>("u", made.u, want.u / t, threads, tolerance));
  if (!made.v.empty()) add("v", compare_scaling<Real>("v", made.v, want.v * t, threads, tolerance));
  if (found.reason.empty() && !made.plan.empty())
    found.reason = wrong_line<Real>(made.plan, made.K, want, tolerance);
  if (!std::isfinite(found.error)) found.reason += beyond_range<Real>(want);
  return found;
}

}  // namespace

/// The error is the largest of the relative L1 errors of the plan, of its marginals, and of u and v where the
/// variant wrote them (but for their drift). The marginals' need not be computed: |sum_j d_ij| <= sum_j
/// |d_ij|, so they are at most the plan's.
template <class Real>
Judgement Judge::judge(const Point& problem, const fs::path& inputs, const fs::path& outputs,
                       const std::vector<ArraySpec>& specs, const Claim& claim) {
  const double tolerance = claim.tolerance.value_or(standard_tolerance<Real>);
  Judgement judgement{.check = {.error = std::numeric_limits<double>::infinity(),
                                .tolerance = tolerance,
                                .oracle = "eigen-f64",
                                .worst = specs.front().name},
                      .reason = violation_of(outputs, specs, claim)};
  auto& [check, reason] = judgement;
  if (!reason.empty()) return judgement;

  if (problem.integer("application") > 0) return applications_.judge<Real>(problem, inputs, outputs, claim);
  Arrays given(inputs, false), got(outputs, false);
  if (!has_plan(specs) && !is_judged_in_full(problem))
    return judge_samples<Real>(problem, given, got, tolerance);
  if (problem.text("stop") == "change") return judge_solve<Real>(problem, inputs, got, claim);
  const std::size_t items = problem.size("B");
  const auto& references = this->references<Real>(problem, inputs, given, claim.iterations);
  Made<Real> all;
  if (has_plan(specs)) all.K = given["K"].as<Real>(), all.plan = got["plan"].as<Real>();
  if (claims(claim, "u")) all.u = got["u"].as<Real>();
  if (claims(claim, "v")) all.v = got["v"].as<Real>();
  const auto judge_one = [&](std::size_t item, int threads) {
    const auto of = [&](std::span<const Real> array) { return of_item<Real>(array, item, items); };
    return compare_item<Real>({of(all.K), of(all.plan), of(all.u), of(all.v)}, references[item], threads,
                              tolerance);
  };
  if (items > 1)
    return judge_items(problem.integer("B"), tolerance, check.oracle, [&](std::int64_t item) {
      const Compared one = judge_one(static_cast<std::size_t>(item), 1);
      return ItemJudged{.error = one.error, .fault = one.reason};
    });
  const Compared one = judge_one(0, claim.threads);
  check.error = one.error;
  if (!one.worst.empty()) check.worst = one.worst;
  reason = one.reason;
  return judgement;
}

template <class Real>
const std::vector<Reference>& Judge::references(const Point& problem, const fs::path& folder, Arrays& inputs,
                                                int iterations) {
  for (const auto& known : known_)
    if (known.folder == folder && known.problem == problem && known.iterations == iterations)
      return known.references;
  const std::size_t items = problem.size("B");
  const std::span<const Real> a = inputs["a"].as<Real>(), b = inputs["b"].as<Real>();
  const auto solved = [&](auto K, std::size_t item) {
    return solve<Real, typename decltype(K)::value_type>(K, of_item<Real>(a, item, items),
                                                         of_item<Real>(b, item, items), problem.number("fi"),
                                                         problem.text("scheme") == "damped", iterations);
  };
  std::vector<Reference> references(items);
  if (inputs.has("K")) {
    const std::span<const Real> K = inputs["K"].as<Real>();
#pragma omp parallel for schedule(static) if (items > 1 && K.size() / items < worth_a_team)
    for (std::size_t item = 0; item < items; ++item)
      references[item] = solved(of_item<Real>(K, item, items), item);
  } else {
    references[0] = solved(std::span<const double>(kernel_of_points<Real>(problem, inputs)), 0);
  }
  known_.push_back({folder, problem, iterations, std::move(references)});
  return known_.back().references;
}

/// A solve is right where its plan is the solution's to 1%, or what the variant claims if that is more. POT's
/// test is about the last step, and the way to go may be 1/(1 - fi) times that and more: what it came to is
/// the error. u and v belong to kernels that may hold them relative to what they please.
template <class Real>
Judgement Judge::judge_solve(const Point& problem, const fs::path& folder, Arrays& got, const Claim& claim) {
  constexpr double solve_tolerance = 1e-2;
  const double fi = problem.number("fi"), tolerance = std::max(claim.tolerance.value_or(0), solve_tolerance);
  Arrays inputs(folder, false);
  const auto given = [&](const char* name) {
    return inputs.has(name) ? inputs[name].as<Real>() : std::span<const Real>();
  };
  const auto a = given("a"), b = given("b"), plan = std::span<const Real>(got["plan"].as<Real>());
  const LogKernel K =
      log_kernel<Real>(given("C"), given("K"), a, b, problem.number("reg"), problem.text("reg_type") == "kl");
  const Solution& want = [&]() -> const Solution& {
    Point solved_problem = problem;
    for (const char* axis : {"tol", "max_iterations"})
      solved_problem.set(axis, nullptr);  // they do not move the solution
    for (const auto& solved : solved_)
      if (solved.folder == folder && solved.problem == solved_problem) return solved.solution;
    solved_.push_back({folder, solved_problem, solution(K, {a.begin(), a.end()}, {b.begin(), b.end()}, fi)});
    return solved_.back().solution;
  }();

  const auto row = [&](std::size_t i, std::span<double> cells) {
    K.row(i, cells);
    for (std::size_t j = 0; j < cells.size(); ++j) cells[j] = std::exp(want.f[i] + want.g[j] + cells[j]);
  };
  const double mean = want.mass / static_cast<double>(K.M * K.N);
  const Difference difference = compare({"plan", K.M, K.N, false, claim.threads}, plan, row, mean, tolerance);
  Judgement judgement{
      .check = {.error = difference.error(), .tolerance = tolerance, .oracle = "log-f64", .worst = "plan"},
      .reason = difference.reason()};
  auto& [check, reason] = judgement;
  for (const char* name : {"u", "v"})
    if (claims(claim, name) && reason.empty()) reason = not_numbers_in<Real>(name, got);
  if (!std::isfinite(check.error)) return judgement;
  const Quality found = quality(plan, K, want, fi);
  check.found = {{"mass", found.mass}, {"marginals", found.marginals}, {"gap", found.gap}};
  return judgement;
}

template Judgement Judge::judge<float>(const Point&, const fs::path&, const fs::path&,
                                       const std::vector<ArraySpec>&, const Claim&);
template Judgement Judge::judge<double>(const Point&, const fs::path&, const fs::path&,
                                        const std::vector<ArraySpec>&, const Claim&);

}  // namespace uotbench::uot
