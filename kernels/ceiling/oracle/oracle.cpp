// The oracle's half of the family `ceiling`: x, and what each variant's y has to be.
#include <limits>

#include "harness/worker/oracle/family.hpp"
#include "harness/worker/oracle/random.hpp"
#include "harness/worker/parallel.hpp"
#include "kernels/ceiling/oracle/judge.hpp"

namespace uotbench::ceiling {
namespace {

namespace fs = std::filesystem;

FamilySpec ceiling_spec() {
  using enum Axis::Kind;
  return {
      .name = "ceiling",
      .summary = "what the machine can do at most, and known lengths of time",
      .axes =
          {{.name = "N", .role = Role::size, .about = "elements of each array"},
           {.name = "dtype",
            .kind = text,
            .standard = "f32",
            .values = {"f32", "f64"},
            .about = "element type"},
           {.name = "seed", .kind = integer, .standard = 1, .least = 0, .about = "of the random numbers"}},
      .iterations = 2,
      .checked = {Point{{"N", 37}}, Point{{"N", 37}, {"dtype", "f64"}}, Point{{"N", 1}}},
      .mathematics =
          {"Every variant computes something else, so the oracle knows each by its name; a variant under "
           "another name cannot be verified. The head of kernels/ceiling/NAME.cpp says what it computes."},
      .arrays = {{"x", "N", "dtype", false, "numbers from 0 to 1"},
                 {"y", "N", "dtype", true, "must be written"}}};
}

template <class Real>
void fill(std::span<Real> x, std::int64_t seed) {
  const RandomStream random(seed, 0);
#pragma omp parallel for schedule(static) if (x.size() >= worth_a_team)
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<Real>(random.uniform(i));
}

class Ceiling final : public Family {
 public:
  Ceiling() : Family(ceiling_spec()) {}

  std::vector<ArraySpec> outputs(const Point& point) const override {
    return {{"y", is_double(point) ? "<f8" : "<f4", {point.size("N")}}};
  }

  double input_bytes(const Point& point) const override {
    return (is_double(point) ? 8 : 4) * point.number("N");
  }

  void prepare(const Point& point, const fs::path& folder) const override {
    auto x = NpyArray::create(folder / "x.npy", is_double(point) ? "<f8" : "<f4", {point.size("N")});
    is_double(point) ? fill(x.as_mutable<double>(), point.integer("seed"))
                     : fill(x.as_mutable<float>(), point.integer("seed"));
  }

  Judgement judge(const Point& point, const fs::path& inputs, const fs::path& outputs,
                  const Claim& claim) const override {
    auto y = NpyArray::open(outputs / "y.npy");
    if (is_untouched(y))
      return {.check = {.error = std::numeric_limits<double>::infinity(), .oracle = "none", .worst = "y"},
              .reason = "outputs untouched: nothing was written"};
    if (claim.variant == "ceiling/spin")
      return judge_spin(is_double(point) ? y.as<double>()[0] : static_cast<double>(y.as<float>()[0]), point);
    return judge_arrays(claim.variant, point, NpyArray::open(inputs / "x.npy"), y, claim.iterations);
  }

 private:
  static bool is_double(const Point& point) { return point.text("dtype") == "f64"; }
};

const Ceiling family;

}  // namespace
}  // namespace uotbench::ceiling
