// The oracle's half of the family `simplex`: its inputs, and which problems there are. What is right:
// oracle/judge.cpp.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "kernels/common/oracle/user_arrays.hpp"
#include "kernels/simplex/oracle/data.hpp"
#include "kernels/simplex/oracle/judge.hpp"
#include "kernels/simplex/oracle/spec.hpp"

namespace uotbench::simplex {
namespace {

namespace fs = std::filesystem;

class SimplexFamily final : public Family {
 public:
  SimplexFamily() : Family(simplex_spec()) {}

  Point derive(const Point& given) const override {
    Point derived = sizes_of_masses(given), point = given;
    for (const auto& [axis, size] : derived.values()) point.set(axis, size);
    require_data(point);
    derived.set("forbidden", has_forbidden_pairs(point) ? "yes" : "no");
    return derived;
  }

  std::vector<ArraySpec> outputs(const Point& point) const override {
    const std::size_t M = point.size("M"), N = point.size("N");
    if (point.integer("round") > 0) return {{"delta", "<f8", {M}}, {"best", "<i4", {M}}};
    return {{"u", "<f8", {M}},
            {"v", "<f8", {N}},
            {"source", "<i4", {M + N}},
            {"target", "<i4", {M + N}},
            {"flow", "<f8", {M + N}}};
  }

  std::vector<int> judged_after(const Point&) const override { return {1}; }

  double input_bytes(const Point& point) const override {
    const double M = point.number("M"), N = point.number("N");
    if (point.text("cost") == "matrix") return 8 * (M * N + M + N);
    return 8 * (M + N) * (point.number("k") + (point.integer("round") > 0 ? 2 : 1));
  }

  void prepare(const Point& point, const fs::path& folder) const override {
    forget();
    const std::size_t M = point.size("M"), N = point.size("N");
    const std::size_t k = point.text("cost") == "matrix" ? 0 : point.size("k");
    std::vector<NpyArray> arrays;
    const auto array = [&](const char* name, std::vector<std::size_t> shape) {
      arrays.push_back(NpyArray::create(folder / fmt::format("{}.npy", name), "<f8", shape));
      return arrays.back().as_mutable<double>();
    };
    Inputs inputs{M, N, k, point.text("cost") == "integer", {}, {}, {}, array("a", {M}), array("b", {N})};
    if (k == 0) inputs.C = array("C", {M, N});
    if (k > 0) inputs.X = array("X", {M, k});
    if (k > 0) inputs.Y = array("Y", {N, k});
    fill(point, inputs);
    if (const bool forbidden = std::ranges::any_of(inputs.C, [](double c) { return std::isinf(c); });
        point.integer("round") == 0 && !forbidden)
      return;
    Arrays written(folder, false);
    if (point.integer("round") == 0) {
      solved(Given(point, written));  // throws where no plan avoids forbidden pairs
      return;
    }
    const Solved state = solved(Given(point, written), point.integer("round"));
    std::ranges::copy(state.u, array("u0", {M}).begin());
    std::ranges::copy(state.v, array("v0", {N}).begin());
  }

  Judgement judge(const Point& point, const fs::path& inputs, const fs::path& outputs,
                  const Claim& claim) const override {
    return judge_.judge(problem_of(point), inputs, outputs, this->outputs(point), claim);
  }

  void forget() const override { judge_.forget(); }

 private:
  mutable Judge judge_;  // mutable for what it remembers; an oracle serves one request at a time
};

const SimplexFamily family;

}  // namespace
}  // namespace uotbench::simplex
