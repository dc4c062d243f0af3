// The oracle's half of the family `uot`: what a problem is, its inputs, and whether a result is right.
// The formulas are in oracle/reference.hpp; a kernel's view of the same problem is in problem.hpp.
#include <fmt/format.h>

#include "harness/worker/family.hpp"
#include "kernels/uot/oracle/data.hpp"
#include "kernels/uot/oracle/images.hpp"
#include "kernels/uot/oracle/judge.hpp"
#include "kernels/uot/oracle/user_arrays.hpp"

namespace uotbench::uot {
namespace {

namespace fs = std::filesystem;

/// Above 0, but for no better reason than that 0 has no exp(-C/0) and no power.
constexpr double positive = 1e-12;

FamilySpec uot_spec() {
  using enum Axis::Kind;
  return {
      .name = "uot",
      .summary = "entropic unbalanced optimal transport: iterations of a row and a column rescaling",
      .axes = {{.name = "M", .kind = size, .about = "rows"},
               {.name = "N", .kind = size, .about = "columns"},
               {.name = "dtype",
                .kind = text,
                .standard = "f32",
                .values = {"f32", "f64"},
                .about = "element type"},
               {.name = "scheme",
                .kind = text,
                .standard = "unbalanced",
                .values = {"unbalanced", "damped"},
                .about = "unbalanced: POT's iteration; damped: MAP-UOT's, whose limit is balanced transport"},
               {.name = "data",
                .kind = text,
                .standard = "uniform",
                .values = {"uniform", "points", "noisy", "colors", "npy"},
                .about = "where K, a and b come from"},
               {.name = "seed", .kind = integer, .standard = 1, .least = 0, .about = "of the random numbers"},
               {.name = "reg",
                .kind = number,
                .standard = .05,
                .least = positive,
                .about = "entropic regularisation"},
               {.name = "reg_m",
                .kind = number,
                .standard = .05,
                .least = positive,
                .about = "marginal relaxation"},
               {.name = "fi",
                .kind = number,
                .least = positive,
                .most = 1,
                .derived = true,
                .about = "exponent; reg_m / (reg_m + reg) unless given"},
               {.name = "source",
                .kind = text,
                .standard = "scene:meadow",
                .about = "data=colors: a PNG file, scene:meadow or scene:sunset"},
               {.name = "target", .kind = text, .standard = "scene:sunset", .about = "data=colors: likewise"},
               {.name = "path",
                .kind = text,
                .standard = "",
                .about = "data=npy: the folder with a.npy, b.npy and K.npy or C.npy"}},
      .iterations = 10};
}

bool is_double(const Point& point) { return point.text("dtype") == "f64"; }

class Uot final : public Family {
 public:
  Uot() : Family(uot_spec()) {}

  Json derive(const Point& point) const override {
    const std::string data = point.text("data");
    // Given but not used, they would stand in the record as if they had been.
    if (data != "npy" && !point.text("path").empty())
      throw Error(fmt::format("path={} is for data=npy; data is {}", point.text("path"), data));
    for (const auto& axis : spec().axes)
      if (data != "colors" && (axis.name == "source" || axis.name == "target") &&
          point.text(axis.name.c_str()) != axis.standard)
        throw Error(fmt::format("{}={} is for data=colors; data is {}", axis.name,
                                point.text(axis.name.c_str()), data));
    if (data == "colors") {
      for (const char* axis : {"source", "target"}) require_image(axis, point.text(axis));
    } else if (data == "npy") {
      require_user_arrays(point);
    }
    return {{"fi", point.number("reg_m") / (point.number("reg_m") + point.number("reg"))}};
  }

  std::vector<ArraySpec> outputs(const Point& point) const override {
    const std::size_t M = point.size("M"), N = point.size("N");
    const std::string type = is_double(point) ? "<f8" : "<f4";
    return {{"plan", type, {M, N}}, {"u", type, {M}}, {"v", type, {N}}};
  }

  double input_bytes(const Point& point) const override {
    const double M = point.number("M"), N = point.number("N");
    return (is_double(point) ? 8 : 4) * (M * N + M + N);
  }

  void prepare(const Point& point, const fs::path& folder) const override {
    judge_.forget();
    is_double(point) ? prepare_as<double>(point, folder) : prepare_as<float>(point, folder);
  }

  Judgement judge(const Point& point, const fs::path& inputs, const fs::path& outputs,
                  const Claim& claim) const override {
    Json values;
    for (const auto& axis : spec().axes) values[axis.name] = point.values().value(axis.name, Json());
    const Point problem(values);
    return is_double(point) ? judge_.judge<double>(problem, inputs, outputs, this->outputs(point), claim)
                            : judge_.judge<float>(problem, inputs, outputs, this->outputs(point), claim);
  }

 private:
  template <class Real>
  static void prepare_as(const Point& point, const fs::path& folder) {
    const std::size_t M = point.size("M"), N = point.size("N");
    NpyArray K = NpyArray::create(folder / "K.npy", npy_type<Real>(), {M, N});
    NpyArray a = NpyArray::create(folder / "a.npy", npy_type<Real>(), {M});
    NpyArray b = NpyArray::create(folder / "b.npy", npy_type<Real>(), {N});
    Inputs<Real> inputs{M, N, K.as_mutable<Real>(), a.as_mutable<Real>(), b.as_mutable<Real>()};
    fill(point, inputs);
    require_solvable(point, inputs);
  }

  mutable Judge judge_;  // mutable for what it remembers; an oracle serves one request at a time
};

const Uot uot;

}  // namespace
}  // namespace uotbench::uot
