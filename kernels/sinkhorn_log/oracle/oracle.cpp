// The oracle's half of the family `sinkhorn_log`: its inputs, and which problems there are. What is right:
// oracle/judge.cpp, oracle/barycenter_judge.cpp.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/sinkhorn_log/oracle/barycenter_judge.hpp"
#include "kernels/sinkhorn_log/oracle/data.hpp"
#include "kernels/sinkhorn_log/oracle/judge.hpp"
#include "kernels/sinkhorn_log/oracle/spec.hpp"
#include "kernels/sinkhorn_log/oracle/user_arrays.hpp"

namespace uotbench::sinkhorn_log {
namespace {

namespace fs = std::filesystem;

bool is_double(const Point& point) { return point.text("dtype") == "f64"; }
bool has_matrix(const Point& point) { return point.text("matrix") == "stored"; }
bool is_ragged(const Point& point) { return point.text("ragged") == "yes"; }

/// Throws Error where an axis is given that means nothing beside another: it would stand in the record as if
/// it had been used.
void require_meant(const Point& point) {
  const auto require = [&](const char* axis, bool meant, const char* beside, const std::string& with) {
    const auto axes = sinkhorn_log_spec().axes;
    const auto known = std::ranges::find(axes, axis, &Axis::name);
    if (!meant && point.value(axis) != known->standard)
      throw Error(fmt::format("{} is for {}; {} is {}", axis, with, beside, point.text(beside)));
  };
  const std::string cost = point.text("cost"), masses = point.text("masses"), stop = point.text("stop");
  require("d", cost == "points", "cost", "cost=points");
  require("cost_scale", dimensions(point) > 0, "cost", "squared distances");
  require("matrix", dimensions(point) > 0, "cost", "costs of points, which can be computed anew");
  for (const char* axis : {"histograms", "weights"})
    require(axis, wants_barycenters(point), "task", "task=barycenter");
  for (const char* axis : {"scheme", "source", "ragged", "warm"})
    require(axis, !wants_barycenters(point), "task", "task=transport");
  require("source", !has_user_masses(point), "masses", "masses that are drawn");
  const bool own = point.text("data") == "npy";
  const bool starts = point.text("warm") == "given";
  require("path", own || cost == "npy" || masses == "npy" || point.text("weights") == "npy" || starts, "data",
          "data=npy, cost=npy, masses=npy, weights=npy and warm=given");
  if (cost == "matrix" && !own)
    throw Error("cost=matrix is for data=npy: C of the folder path; data is drawn");
  for (const char* axis : {"tol", "max_iterations"})
    require(axis, stop != "iterations", "stop", "stop=marginal and stop=change");
}

void require_shapes(const Point& point) {
  const std::size_t M = point.size("M"), N = point.size("N");
  const std::string masses = point.text("masses");
  if (point.text("cost") == "grid2d" && (M != N || side_of(M) == 0))
    throw Error(
        fmt::format("cost=grid2d is of a square of pixels: M and N must be the same square, not {} "
                    "and {}",
                    M, N));
  if (wants_barycenters(point)) {
    if (point.text("cost") == "own")
      throw Error("task=barycenter has one cost for all items: cost cannot be own");
    if (masses == "images" && side_of(M) == 0)
      throw Error(fmt::format("masses=images are of squares of pixels: M must be a square, not {}", M));
    return;
  }
  if (masses == "images" && (side_of(M) == 0 || side_of(N) == 0))
    throw Error(
        fmt::format("masses=images are of squares of pixels: M and N must be squares, not {} and {}", M, N));
  if (masses == "ones" && M != N)
    throw Error(fmt::format("masses=ones have equal sums only where M and N are equal, not {} and {}", M, N));
  if (is_ragged(point) && (masses == "ones" || point.text("source") == "one"))
    throw Error("ragged=yes gives each item its own sizes: masses cannot be ones, nor source one");
}

class SinkhornLog final : public Family {
 public:
  SinkhornLog() : Family(sinkhorn_log_spec()) {}

  Point derive(const Point& given) const override {
    Point derived, point = given;
    const auto add = [&](const Point& found) {
      for (const auto& [axis, value] : found.values()) {
        derived.set(axis, value);
        if (!point.has(axis)) point.set(axis, value);
      }
    };
    add(user_kind_of_costs(given));
    add(user_sizes(point));
    require_meant(point);
    require_shapes(point);
    require_user_arrays(point);
    const bool forbidden = has_forbidden_pairs(point);
    if (forbidden && wants_barycenters(point))
      throw Error("task=barycenter needs finite costs: C.npy holds inf, a forbidden pair");
    derived.set("forbidden", forbidden ? "yes" : "no");
    return derived;
  }

  std::vector<ArraySpec> outputs(const Point& point) const override {
    const std::size_t B = point.size("B"), M = point.size("M"), N = point.size("N");
    const std::string type = is_double(point) ? "<f8" : "<f4";
    if (const std::size_t S = point.size("histograms"); wants_barycenters(point))
      return {{"barycenter", type, {B, N}},
              {"log_us", type, {B, S, M}},
              {"log_vs", type, {B, S, N}},
              {"loss", type, {B}}};
    return {{"log_u", type, {B, M}},
            {"log_v", type, {B, N}},
            {"loss", type, {B}},
            {"gradient", type, {B, M + N}}};
  }

  std::vector<int> judged_after(const Point& point) const override {
    return point.text("stop") == "iterations" ? Family::judged_after(point) : std::vector<int>{1};
  }

  double input_bytes(const Point& point) const override {
    const double B = point.number("B"), M = point.number("M"), N = point.number("N");
    const double matrices = !has_matrix(point) ? 0 : point.text("cost") == "own" ? B : 1;
    const double vectors = point.text("warm") == "no" ? 2 : 3;
    const double width = is_double(point) ? 8 : 4, d = static_cast<double>(dimensions(point));
    if (const double S = point.number("histograms"); wants_barycenters(point))
      return width * (matrices * M * N + 2 * S * M + B * S + d * (M + N));
    return width * (matrices * M * N + (vectors * B + d) * (M + N)) + (is_ragged(point) ? 8 * B : 0);
  }

  void prepare(const Point& point, const fs::path& folder) const override {
    forget();
    barycenters_.forget();
    is_double(point) ? prepare_as<double>(point, folder) : prepare_as<float>(point, folder);
  }

  Judgement judge(const Point& point, const fs::path& inputs, const fs::path& outputs,
                  const Claim& claim) const override {
    const Point problem = problem_of(point);
    if (wants_barycenters(point))
      return is_double(point)
                 ? barycenters_.judge<double>(problem, inputs, outputs, this->outputs(point), claim)
                 : barycenters_.judge<float>(problem, inputs, outputs, this->outputs(point), claim);
    return is_double(point) ? judge_.judge<double>(problem, inputs, outputs, this->outputs(point), claim)
                            : judge_.judge<float>(problem, inputs, outputs, this->outputs(point), claim);
  }

  void forget() const override { judge_.forget(); }

  std::vector<std::string> lendable(const Point&) const override { return {"C"}; }

 private:
  template <class Real>
  static void prepare_as(const Point& point, const fs::path& folder) {
    const std::size_t B = point.size("B"), M = point.size("M"), N = point.size("N");
    const std::size_t d = dimensions(point);
    std::vector<NpyArray> arrays;
    const auto array = [&]<class T = Real>(const char* name, std::vector<std::size_t> shape, T = {}) {
      arrays.push_back(NpyArray::create(folder / fmt::format("{}.npy", name), npy_type<T>(), shape));
      return arrays.back().template as_mutable<T>();
    };
    const bool mixed = wants_barycenters(point);
    const std::size_t histograms = mixed ? point.size("histograms") : B;
    Inputs<Real> inputs{B, M, N, array("mu", {histograms, M}), {}};
    if (mixed)
      inputs.weights = array("weights", {B, histograms});
    else
      inputs.nu = array("nu", {B, N});
    if (has_matrix(point))
      inputs.C = point.text("cost") == "own" ? array("C", {B, M, N}) : array("C", {M, N});
    if (d > 0) inputs.X = array("X", {M, d});
    if (d > 0) inputs.Y = array("Y", {N, d});
    if (point.text("cost") == "grid2d") inputs.C1 = array("C1", {side_of(M), side_of(M)});
    if (is_ragged(point)) inputs.rows = array("rows", {B}, std::int32_t{});
    if (is_ragged(point)) inputs.columns = array("columns", {B}, std::int32_t{});
    fill(point, inputs);
    const auto logarithms = [](std::span<const Real> of, std::span<Real> to) {
      std::ranges::transform(of, to.begin(),
                             [](Real x) { return static_cast<Real>(std::log(static_cast<double>(x))); });
    };
    logarithms(inputs.mu, array("log_mu", {histograms, M}));
    if (!mixed) logarithms(inputs.nu, array("log_nu", {B, N}));
    if (point.text("warm") == "given")
      read_user_start<Real>(point, array("log_u0", {B, M}), array("log_v0", {B, N}));
    if (point.text("warm") == "neighbour")
      write_neighbour(point, folder, inputs, array("log_u0", {B, M}), array("log_v0", {B, N}));
  }

  /// Where a problem whose masses differ a little comes to, to a marginal error of 1e-3 or in 100 iterations.
  template <class Real>
  static void write_neighbour(const Point& point, const fs::path& folder, const Inputs<Real>& inputs,
                              std::span<Real> log_u0, std::span<Real> log_v0) {
    Arrays written(folder, false);
    const Costs<Real> costs(point, written);
    const auto masses_as = [](const std::vector<Real>& from, std::size_t B) {
      Batch to(static_cast<Eigen::Index>(B), static_cast<Eigen::Index>(from.size() / B));
      std::ranges::transform(from, to.data(), [](Real x) { return static_cast<double>(x); });
      return to;
    };
    Masses masses{masses_as(disturbed<Real>(point, inputs.mu, inputs.M), inputs.B),
                  masses_as(disturbed<Real>(point, inputs.nu, inputs.N), inputs.B),
                  {},
                  {}};
    const auto log_of = [](double x) { return std::log(x); };  // Eigen's own has no -inf
    masses.log_mu = masses.mu.unaryExpr(log_of);
    masses.log_nu = masses.nu.unaryExpr(log_of);
    Reference state{(masses.mu == 0).select(none, Batch::Zero(masses.mu.rows(), masses.mu.cols())),
                    (masses.nu == 0).select(none, Batch::Zero(masses.nu.rows(), masses.nu.cols()))};
    iterate(costs, masses, point.number("reg"), false, 100, 1e-3, state);
    const auto rounded = [](double x) { return static_cast<Real>(x); };
    std::transform(state.log_u.data(), state.log_u.data() + state.log_u.size(), log_u0.begin(), rounded);
    std::transform(state.log_v.data(), state.log_v.data() + state.log_v.size(), log_v0.begin(), rounded);
  }

  // mutable for what they remember; an oracle serves one request at a time
  mutable Judge judge_;
  mutable BarycenterJudge barycenters_;
};

const SinkhornLog family;

}  // namespace
}  // namespace uotbench::sinkhorn_log
