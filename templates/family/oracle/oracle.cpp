// The oracle's half of the family `demo`.
#include <limits>

#include "harness/worker/oracle/difference.hpp"
#include "harness/worker/oracle/family.hpp"
#include "harness/worker/oracle/random.hpp"

namespace uotbench::demo {
namespace {

namespace fs = std::filesystem;

FamilySpec demo_spec() {
  using enum Axis::Kind;
  return {.name = "demo",
          .summary = "the square of every number",
          .axes = {{.name = "N", .role = Role::size, .about = "numbers"},
                   {.name = "dtype",
                    .kind = text,
                    .standard = "f32",
                    .values = {"f32", "f64"},
                    .about = "element type"}},
          .iterations = 3,
          .checked = {Point{{"N", 37}}, Point{{"N", 37}, {"dtype", "f64"}}, Point{{"N", 1}}},
          .mathematics = {"y_i = x_i^2."},
          .arrays = {{"x", "N", "dtype", false, "numbers from -0.5 to 0.5"},
                     {"y", "N", "dtype", true, "must be written"}}};
}

class Demo final : public Family {
 public:
  Demo() : Family(demo_spec()) {}

  std::vector<ArraySpec> outputs(const Point& point) const override {
    return {{"y", type(point), {point.size("N")}}};
  }

  double input_bytes(const Point& point) const override {
    return (is_double(point) ? 8 : 4) * point.number("N");
  }

  void prepare(const Point& point, const fs::path& folder) const override {
    auto x = NpyArray::create(folder / "x.npy", type(point), {point.size("N")});
    is_double(point) ? fill(x.as_mutable<double>()) : fill(x.as_mutable<float>());
  }

  Judgement judge(const Point& point, const fs::path& inputs, const fs::path& outputs,
                  const Claim& claim) const override {
    const auto x = NpyArray::open(inputs / "x.npy"), y = NpyArray::open(outputs / "y.npy");
    return is_double(point) ? judged(x.as<double>(), y.as<double>(), claim)
                            : judged(x.as<float>(), y.as<float>(), claim);
  }

 private:
  static bool is_double(const Point& point) { return point.text("dtype") == "f64"; }
  static std::string type(const Point& point) { return is_double(point) ? "<f8" : "<f4"; }

  template <class Real>
  static void fill(std::span<Real> x) {
    const RandomStream random(1, 0);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<Real>(random.uniform(i) - .5);
  }

  /// A product is rounded once; a variant may have a tolerance of its own.
  template <class Real>
  static Judgement judged(std::span<const Real> x, std::span<const Real> y, const Claim& claim) {
    constexpr double rounding = std::numeric_limits<Real>::epsilon(), typical = 1. / 12;
    const double tolerance = claim.tolerance.value_or(rounding);
    const auto squares = [&](std::size_t, std::span<double> want) {
      for (std::size_t i = 0; i < x.size(); ++i)
        want[i] = static_cast<double>(x[i]) * static_cast<double>(x[i]);
    };
    const Difference found = compare(Extent{"y", 1, x.size(), true}, y, squares, typical, tolerance);
    return {.check = {.error = found.error(), .tolerance = tolerance, .oracle = "f64", .worst = "y"},
            .reason = found.reason()};
  }
};

const Demo family;

}  // namespace
}  // namespace uotbench::demo
