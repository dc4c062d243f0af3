// The oracle's half of the family `stencil`. Its problems: oracle/spec.cpp; what is right: oracle/judge.cpp.
#include "kernels/stencil/oracle/data.hpp"
#include "kernels/stencil/oracle/judge.hpp"
#include "kernels/stencil/oracle/spec.hpp"

namespace uotbench::stencil {
namespace {

namespace fs = std::filesystem;

class StencilFamily final : public Family {
 public:
  StencilFamily() : Family(stencil_spec()) {}

  Point derive(const Point& point) const override {
    require_sound(point);
    return {};
  }

  std::vector<ArraySpec> outputs(const Point& point) const override {
    std::vector<ArraySpec> specs;
    for (const auto& name : output_names(point.text("model")))
      specs.push_back({name, is_double(point) ? "<f8" : "<f4", {point.size("nx"), point.size("ny")}});
    return specs;
  }

  std::vector<int> judged_after(const Point& point) const override {
    const auto steps = static_cast<int>(point.integer("steps"));
    return {steps, steps == 2 ? 1 : 2};
  }

  double input_bytes(const Point& point) const override {
    return (is_double(point) ? 8 : 4) * point.number("nx") * point.number("ny") *
           static_cast<double>(input_names(point.text("model")).size());
  }

  void prepare(const Point& point, const fs::path& folder) const override {
    forget();
    for (const auto& name : input_names(point.text("model")))
      is_double(point) ? write<double>(point, folder, name) : write<float>(point, folder, name);
  }

  Judgement judge(const Point& point, const fs::path& inputs, const fs::path& outputs,
                  const Claim& claim) const override {
    const Point problem = problem_of(point);
    return is_double(point) ? judge_.judge<double>(problem, inputs, outputs, claim)
                            : judge_.judge<float>(problem, inputs, outputs, claim);
  }

  void forget() const override { judge_.forget(); }

 private:
  static bool is_double(const Point& point) { return point.text("dtype") == "f64"; }

  template <class Real>
  static void write(const Point& point, const fs::path& folder, const std::string& name) {
    auto array =
        NpyArray::create(folder / (name + ".npy"), npy_type<Real>(), {point.size("nx"), point.size("ny")});
    const Field values = values_of(point, name);
    std::ranges::transform(values, array.template as_mutable<Real>().begin(),
                           [](double value) { return static_cast<Real>(value); });
  }

  mutable Judge judge_;  // mutable for what it remembers; an oracle serves one request at a time
};

const StencilFamily family;

}  // namespace
}  // namespace uotbench::stencil
