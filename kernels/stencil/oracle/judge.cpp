#include "kernels/stencil/oracle/judge.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "harness/worker/oracle/difference.hpp"
#include "kernels/stencil/oracle/data.hpp"
#include "kernels/stencil/oracle/ghia.hpp"
#include "results/base/error.hpp"

namespace uotbench::stencil {
namespace {

namespace fs = std::filesystem;

/// Results whose every bit is known.
bool is_exact(const std::string& model) { return model == "copy" || model == "scale" || model == "xpxpyn"; }

/// One element of such a model after `steps` steps, in the arithmetic of Real. What is volatile is rounded,
/// and nothing can be folded.
template <class Real>
Real exact(const std::string& model, const Numbers<Real>& n, Real x, Real y, std::int64_t steps) {
  if (model == "copy") return x;
  if (model == "scale") return n.a * x;
  volatile Real sum = y;
  for (std::int64_t step = 0; step < steps; ++step)
    for (std::int64_t term = 0; term < n.terms; ++term) sum = term % 2 == 0 ? sum + x : sum - x;
  return sum;
}

/// Roundings of a step, in units of the dtype's epsilon. Right kernels' mean errors are a tenth of it or
/// less.
double roundings_a_step(const std::string& model) {
  if (is_exact(model)) return 0;
  return model == "axpy" || model.starts_with("heat") ? 1 : 8;
}

double mean_magnitude(const Field& field) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum) if (field.size() >= worth_a_team)
  for (std::size_t k = 0; k < field.size(); ++k) sum += std::abs(field[k]);
  return sum / static_cast<double>(field.size());
}

/// What can be said of an output before anything is computed; empty: it is worth comparing.
std::string violation_of(const fs::path& outputs, const ArraySpec& spec, const Claim& claim) {
  if (std::ranges::find(claim.outputs, spec.name) == claim.outputs.end())
    return "outputs untouched: nothing was written to " + spec.name;
  try {
    const auto array = NpyArray::open(outputs / (spec.name + ".npy"));
    if (array.type() != spec.type || array.shape() != spec.shape)
      return fmt::format("wrong: {} is {} ({}), want {} ({})", spec.name, array.type(),
                         fmt::join(array.shape(), ", "), spec.type, fmt::join(spec.shape, ", "));
  } catch (const Error& error) {
    return fmt::format("wrong: {} cannot be read: {}", spec.name, error.what());
  }
  return "";
}

/// Of a cavity's flow at a Reynolds number that Ghia et al. have: how far it is from theirs, which says
/// something once it has settled. It is told, not judged: how near a grid comes is the scheme's affair.
template <class Real>
ObjectDocument beside_ghia(const Point& problem, const fs::path& outputs, std::int64_t steps) {
  const std::size_t n = problem.size("nx");
  const double Re = problem.number("Re");
  if (problem.text("data") != "cavity" || problem.size("ny") != n || n % 2 == 0 || (Re != 100 && Re != 1000))
    return {};
  const auto U = NpyArray::open(outputs / "U.npy"), V = NpyArray::open(outputs / "V.npy");
  const OffGhia off = off_ghia<Real>(U.as<Real>(), V.as<Real>(), n, Re);
  return {{"flow_seconds", static_cast<double>(steps) * time_step(problem)},
          {"u_off_ghia", off.u},
          {"v_off_ghia", off.v}};
}

}  // namespace

template <class Real>
const std::vector<Field>& Judge::right(const Point& problem, const fs::path& folder, std::int64_t steps) {
  if (!(problem_ == problem)) right_.clear();
  problem_ = problem;
  if (const auto known = right_.find(steps); known != right_.end()) return known->second;
  constexpr std::size_t most_kept = 3;
  if (right_.size() >= most_kept) right_.clear();
  const std::string model = problem.text("model");
  std::vector<Field> inputs;
  for (const auto& name : input_names(model)) {
    const auto array = NpyArray::open(folder / (name + ".npy"));
    const auto values = array.as<Real>();
    inputs.emplace_back(values.begin(), values.end());
  }
  if (!is_exact(model)) return right_[steps] = after(problem, std::move(inputs), steps);
  const auto numbers = numbers_of<Real>(problem);
  Field& x = inputs[0];
#pragma omp parallel for schedule(static) if (x.size() >= worth_a_team)
  for (std::size_t k = 0; k < x.size(); ++k)
    x[k] = static_cast<double>(exact<Real>(model, numbers, static_cast<Real>(x[k]),
                                           inputs.size() > 1 ? static_cast<Real>(inputs[1][k]) : Real(0),
                                           steps));
  inputs.resize(1);
  return right_[steps] = std::move(inputs);
}

template <class Real>
Judgement Judge::judge(const Point& problem, const fs::path& inputs, const fs::path& outputs,
                       const Claim& claim) {
  const std::string model = problem.text("model");
  const auto names = output_names(model);
  const std::size_t nx = problem.size("nx"), ny = problem.size("ny");
  constexpr double infinity = std::numeric_limits<double>::infinity(),
                   epsilon = std::numeric_limits<Real>::epsilon();
  Judgement judgement{
      .check = {.error = 0,
                .tolerance = claim.tolerance.value_or(epsilon * roundings_a_step(model) *
                                                      (1 + static_cast<double>(claim.iterations))),
                .oracle = is_exact(model) ? "bit by bit" : "f64",
                .worst = names[0]},
      .reason = {}};
  for (const auto& name : names)
    if (std::string reason = violation_of(outputs, {name, npy_type<Real>(), {nx, ny}}, claim);
        !reason.empty()) {
      judgement.check.error = infinity;
      judgement.reason = reason;
      return judgement;
    }
  const auto& want = right<Real>(problem, inputs, claim.iterations);
  // Velocities and pressures feed each other: where one is much smaller than the others, it has their
  // roundings.
  double typical = 0;
  for (const Field& field : want) typical += mean_magnitude(field) / static_cast<double>(want.size());
  for (std::size_t output = 0; output < want.size(); ++output) {
    const auto array = NpyArray::open(outputs / (names[output] + ".npy"));
    const double own = mean_magnitude(want[output]), share = own > 0 ? std::max(1., typical / own) : 1;
    const Difference found = compare(
        Extent{names[output], nx, ny, nx == 1, claim.threads}, array.as<Real>(),
        [&](std::size_t row, std::span<double> to) {
          std::copy_n(want[output].begin() + static_cast<std::ptrdiff_t>(row * ny), ny, to.begin());
        },
        std::max(own, typical), judgement.check.tolerance * share);
    if (const double error = found.error() / share; error > judgement.check.error) {
      judgement.check.error = error;
      judgement.check.worst = names[output];
    }
    if (judgement.reason.empty()) judgement.reason = found.reason();
  }
  judgement.check.found = beside_ghia<Real>(problem, outputs, claim.iterations);
  return judgement;
}

template Judgement Judge::judge<float>(const Point&, const fs::path&, const fs::path&, const Claim&);
template Judgement Judge::judge<double>(const Point&, const fs::path&, const fs::path&, const Claim&);

}  // namespace uotbench::stencil
