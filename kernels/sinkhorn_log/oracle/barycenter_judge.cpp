#include "kernels/sinkhorn_log/oracle/barycenter_judge.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <string>

#include "kernels/sinkhorn_log/oracle/comparing.hpp"

namespace uotbench::sinkhorn_log {
namespace {

namespace fs = std::filesystem;

/// The outputs of a variant; empty: not written.
template <class Real>
struct Mixed {
  Mixed(Arrays& arrays, const Claim& claim, const Mixture& mixture, std::size_t N)
      : M_(static_cast<std::size_t>(mixture.mu.cols())),
        N_(N),
        S_(static_cast<std::size_t>(mixture.mu.rows())),
        barycenter(arrays["barycenter"].as<Real>()) {
    if (claims(claim, "log_us")) log_us = arrays["log_us"].as<Real>();
    if (claims(claim, "log_vs")) log_vs = arrays["log_vs"].as<Real>();
    if (claims(claim, "loss")) loss = arrays["loss"].as<Real>();
  }

 private:
  std::size_t M_, N_, S_;

 public:
  std::span<const Real> barycenter, log_us = {}, log_vs = {}, loss = {};

  bool has_potentials() const { return !log_us.empty() && !log_vs.empty(); }
  /// Of histogram s in item b.
  std::span<const Real> log_u(std::size_t b, std::size_t s) const {
    return log_us.subspan((b * S_ + s) * M_, M_);
  }
  std::span<const Real> log_v(std::size_t b, std::size_t s) const {
    return log_vs.subspan((b * S_ + s) * N_, N_);
  }
  std::span<const Real> of_item(std::size_t b) const { return barycenter.subspan(b * N_, N_); }

  /// As a state of the reference.
  Barycenters state() const {
    const auto log_of = [](double x) { return std::log(x); };  // Eigen's own has no -inf
    return {widened(log_us, M_), widened(log_vs, N_), widened(barycenter, N_).unaryExpr(log_of)};
  }
};

double mass_of(const Mixture& mixture) { return mixture.mu.row(0).sum(); }

template <class Real>
void compare_loss(const Mixed<Real>& got, double value, std::size_t b, double unit, double tolerance,
                  ItemJudged& item) {
  if (!got.loss.empty() && item.fault.empty())
    compare_with([&](std::size_t) { return value; }, got.loss.subspan(b, 1), "loss",
                 [&](std::size_t) { return unit; }, tolerance, item);
}

/// The mean unit of an item, weighted with masses: the largest of its histograms.
double mean_spread(const Mixture& mixture, std::span<const Spread> spreads, const Batch& barycenters,
                   std::size_t b) {
  const auto row = [](const Batch& of, Eigen::Index at) {
    return std::span(of.data() + at * of.cols(), static_cast<std::size_t>(of.cols()));
  };
  double most = 1;
  for (Eigen::Index s = 0; s < mixture.mu.rows(); ++s)
    most = std::max(
        most, spreads[b * static_cast<std::size_t>(mixture.mu.rows()) + static_cast<std::size_t>(s)].mean(
                  row(mixture.mu, s), row(barycenters, static_cast<Eigen::Index>(b))));
  return most;
}

/// Why one of the plans proves nothing; empty: all do.
std::string first_unverifiable(std::span<const Spread> spreads, std::size_t S, double tolerance,
                               const std::string& dtype) {
  for (std::size_t row = 0; row < spreads.size(); ++row)
    if (std::string reason = unverifiable(spreads[row], tolerance,
                                          fmt::format("item {}, histogram {}: ", row / S, row % S), dtype);
        !reason.empty())
      return reason;
  return "";
}

/// One iterate beside that in double.
template <class Real>
ItemJudged judge_iterate(const Mixed<Real>& got, const Barycenters& want, std::span<const Spread> spreads,
                         const Mixture& mixture, const LogKernel<Real>& kernel, std::size_t b,
                         double tolerance) {
  const auto item_row = static_cast<Eigen::Index>(b);
  const auto S = static_cast<std::size_t>(mixture.mu.rows());
  ItemJudged item;
  const Batch all = want.masses();
  const Eigen::ArrayXd masses = all.row(item_row);
  const auto unit = [&](std::size_t k) {
    double most = 1;
    for (std::size_t s = 0; s < S; ++s) most = std::max(most, spreads[b * S + s].columns[k]);
    return masses.mean() * most;
  };
  compare_with([&](std::size_t k) { return masses[static_cast<Eigen::Index>(k)]; }, got.of_item(b),
               "barycenter", unit, tolerance, item);
  for (std::size_t s = 0; s < S && got.has_potentials() && item.fault.empty(); ++s)
    compare_potentials(got.log_u(b, s), want.log_u, fmt::format("log_us[{}]", s), got.log_v(b, s), want.log_v,
                       fmt::format("log_vs[{}]", s), static_cast<Eigen::Index>(b * S + s), spreads[b * S + s],
                       tolerance, item);
  compare_loss(got, dual_value(mixture, kernel.reg, want, b), b,
               kernel.reg * mean_spread(mixture, spreads, all, b) * mass_of(mixture), tolerance, item);
  return item;
}

/// What is wrong with potentials that should be a solution's; empty: nothing.
template <class Real>
ItemJudged judge_potentials(const Mixed<Real>& got, const Barycenters& state, const Mixture& mixture,
                            const LogKernel<Real>& kernel, std::size_t b, double rounding, double tol,
                            OffBarycenter& found) {
  const Eigen::Index S = mixture.mu.rows();
  ItemJudged item;
  for (Eigen::Index s = 0; s < S; ++s) {
    const Eigen::Index row = static_cast<Eigen::Index>(b) * S + s;
    require_potentials(
        state.log_u, [&](Eigen::Index k) { return mixture.mu(s, k) == 0; }, fmt::format("log_us[{}]", s), row,
        item);
    require_potentials(
        state.log_v, [](Eigen::Index) { return false; }, fmt::format("log_vs[{}]", s), row, item);
  }
  if (!item.fault.empty()) return item;
  const std::vector<double> barycenter(got.of_item(b).begin(), got.of_item(b).end());
  found = off_barycenter(kernel, mixture, state, barycenter, b);
  const double allowed = rounding + 2 * tol;
  if (!(std::max(found.rows, found.columns) <= allowed))
    item.fault = fmt::format(
        "the sums of its plans' rows are off by {:.3g}, of their columns by {:.3g}; at most {:.3g} would be "
        "right",
        found.rows, found.columns, allowed);
  else if (!(found.potentials <= rounding))
    item.fault = fmt::format("the weighted sum of its log_vs is {:.3g}; expected 0", found.potentials);
  return item;
}

}  // namespace

template <class Real>
Judgement BarycenterJudge::judge(const Point& problem, const fs::path& inputs, const fs::path& outputs,
                                 const std::vector<ArraySpec>& specs, const Claim& claim) {
  const double tolerance = claim.tolerance.value_or(standard_tolerance<Real>);
  if (auto violation = violation_of(outputs, specs, claim, {"barycenter"}, tolerance)) return *violation;
  if (folder_ != inputs || problem_ != problem) {
    forget();
    folder_ = inputs;
    problem_ = problem;
  }
  Arrays given(inputs, false), got_arrays(outputs, false);
  const LogKernel<Real> kernel(problem, given);
  const Mixture mixture = mixture_in<Real>(problem, given);
  const Mixed<Real> got(got_arrays, claim, mixture, kernel.N);
  const std::int64_t B = problem.integer("B");

  const auto cannot = [&](const std::string& reason) {
    return Judgement{.check = {.error = std::numeric_limits<double>::infinity(),
                               .tolerance = tolerance,
                               .oracle = "log-f64",
                               .worst = "barycenter"},
                     .reason = reason};
  };
  const std::size_t S = problem.size("histograms");
  if (problem.text("stop") == "iterations") {
    const Iterate& want = iterate_after(claim.iterations, kernel, mixture);
    if (const auto reason =
            first_unverifiable(want.spreads, S, standard_tolerance<Real>, problem.text("dtype"));
        !reason.empty())
      return cannot(reason);
    return judge_items(B, tolerance, "log-f64", [&](std::int64_t b) {
      return judge_iterate(got, want.state, want.spreads, mixture, kernel, static_cast<std::size_t>(b),
                           tolerance);
    });
  }

  // Where no reg log u moves by tol, rows' sums are off by tol / reg at most.
  const double tol = problem.number("tol") / (problem.text("stop") == "change" ? kernel.reg : 1);
  if (!fixed_point_) fixed_point_ = fixed_point(kernel, mixture, tol, problem.integer("max_iterations"));
  if (const auto reason =
          first_unverifiable(fixed_point_->spreads, S, standard_tolerance<Real>, problem.text("dtype"));
      !reason.empty())
    return cannot(reason);
  double unit = 1;
  for (std::int64_t b = 0; b < B; ++b)
    unit = std::max(unit, mean_spread(mixture, fixed_point_->spreads, fixed_point_->barycenters,
                                      static_cast<std::size_t>(b)));
  const double rounding = tolerance * unit;
  const double allowed = rounding + 2 * std::max(tol, fixed_point_->distance_at_tol);
  std::optional<Barycenters> state;
  if (got.has_potentials()) state = got.state();
  std::vector<OffBarycenter> found(static_cast<std::size_t>(B));
  Judgement judgement = judge_items(B, allowed, "log-f64", [&](std::int64_t b) {
    const auto at = static_cast<std::size_t>(b);
    ItemJudged item;
    if (state) {
      item = judge_potentials(got, *state, mixture, kernel, at, rounding, tol, found[at]);
      if (item.fault.empty())
        compare_loss(got, dual_value(mixture, kernel.reg, *state, at), at,
                     kernel.reg * unit * mass_of(mixture), tolerance, item);
    }
    const auto want = fixed_point_->barycenters.row(b);
    double off = 0;
    for (std::size_t j = 0; j < kernel.N; ++j)
      off += std::abs(static_cast<double>(got.of_item(at)[j]) - want(static_cast<Eigen::Index>(j)));
    item.error = std::isnan(off) ? INFINITY : std::max(item.error, off / want.sum());
    if (item.fault.empty() && !(item.error <= allowed))
      item.fault = fmt::format("its barycenter is {:.3g} away from the fixed point; expected at most {:.3g}",
                               item.error, allowed);
    return item;
  });
  if (state) {
    const auto worst = [&](auto of) { return std::ranges::max(found, {}, of).*of; };
    judgement.check.found = {{"rows", worst(&OffBarycenter::rows)},
                             {"columns", worst(&OffBarycenter::columns)}};
  }
  return judgement;
}

template <class Real>
const BarycenterJudge::Iterate& BarycenterJudge::iterate_after(int iterations, const LogKernel<Real>& kernel,
                                                               const Mixture& mixture) {
  const auto find = [&] { return std::ranges::find(iterates_, iterations, &Iterate::iterations); };
  if (const auto known = find(); known != iterates_.end()) return *known;
  Barycenters state = start_of(mixture, kernel.N);
  for (int done = 1; done <= iterations; ++done) {
    iterate(kernel, mixture, state);
    // Results are verified after these two: the fewer are on the way to the more.
    if (done == 2 || done == iterations) iterates_.push_back({done, state, spreads_of(kernel, state)});
  }
  return *find();
}

template Judgement BarycenterJudge::judge<float>(const Point&, const fs::path&, const fs::path&,
                                                 const std::vector<ArraySpec>&, const Claim&);
template Judgement BarycenterJudge::judge<double>(const Point&, const fs::path&, const fs::path&,
                                                  const std::vector<ArraySpec>&, const Claim&);

}  // namespace uotbench::sinkhorn_log
