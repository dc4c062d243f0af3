// The oracle's half of the family `bottleneck`: numbers whose sum is exact in any order.
#include <fmt/format.h>

#include <limits>

#include "harness/worker/oracle/family.hpp"
#include "harness/worker/oracle/random.hpp"

namespace uotbench::bottleneck {
namespace {

namespace fs = std::filesystem;

FamilySpec bottleneck_spec() {
  using enum Axis::Kind;
  return {
      .name = "bottleneck",
      .summary = "the sum of numbers, slow for a reason that is known",
      .axes =
          {{.name = "N", .role = Role::size, .most = 1 << 26, .about = "numbers"},
           {.name = "dtype",
            .kind = text,
            .standard = "f32",
            .values = {"f32", "f64"},
            .about = "element type"},
           {.name = "seed", .kind = integer, .standard = 1, .least = 0, .about = "of the random numbers"}},
      .iterations = 3,
      .checked = {Point{{"N", 37}}, Point{{"N", 1025}, {"dtype", "f64"}}, Point{{"N", 1}}},
      .mathematics =
          {"y = sum of x_i over all i, added up over the iterations. Each x_i is 0 or 1, so that sums "
           "are exact in any order; a single sum in f32 is exact up to 2^24."},
      .arrays = {{"x", "N", "dtype", false, "numbers, each 0 or 1"},
                 {"y", "1", "<f8", true, "must be written"}}};
}

class BottleneckFamily final : public Family {
 public:
  BottleneckFamily() : Family(bottleneck_spec()) {}

  std::vector<ArraySpec> outputs(const Point&) const override { return {{"y", "<f8", {1}}}; }

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
    constexpr double infinity = std::numeric_limits<double>::infinity();
    if (is_untouched(y))
      return {.check = {.error = infinity, .oracle = "none", .worst = "y"},
              .reason = "outputs untouched: nothing was written"};
    const auto x = NpyArray::open(inputs / "x.npy");
    const double want = claim.iterations * (is_double(point) ? sum(x.as<double>()) : sum(x.as<float>()));
    const double got = y.as<double>()[0];
    return {.check = {.error = got == want ? 0 : infinity, .tolerance = 0, .oracle = "f64", .worst = "y"},
            .reason = got == want ? "" : fmt::format("wrong: y[0]: got {:.17g}, want {:.17g}", got, want)};
  }

 private:
  static bool is_double(const Point& point) { return point.text("dtype") == "f64"; }

  template <class Real>
  static void fill(std::span<Real> x, std::int64_t seed) {
    const RandomStream random(seed, 0);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = random.uniform(i) < .5 ? Real(0) : Real(1);
  }

  template <class Real>
  static double sum(std::span<const Real> x) {
    double all = 0;
    for (const Real number : x) all += static_cast<double>(number);
    return all;
  }
};

const BottleneckFamily family;

}  // namespace
}  // namespace uotbench::bottleneck
