// What all variants of the family share and nobody times, compiled once for all workers.
#include "kernels/stencil/problem.hpp"

namespace uotbench::stencil {

template <class Real>
Problem<Real>::Problem(const Point& point, Arrays& inputs, const Team& its_team)
    : nx(point.size("nx")),
      ny(point.size("ny")),
      model(model_of(point.text("model"), numbers_of<Real>(point))),
      team(its_team),
      at(point) {
  const auto give = [&](std::size_t field, const char* name) {
    if (inputs.has(name)) start[field] = inputs[name].as<Real>();
  };
  const std::string name = point.text("model");
  if (name.starts_with("heat")) {
    give(0, "T0");
    give(1, "T0");
  } else if (inputs.has("U0")) {
    constexpr std::array names{"U0", "V0", "P0"}, provisional{"Us", "Vs", "Ps"};
    for (std::size_t f = 0; f < 3; ++f) {
      give(f, names[f]);
      give(3 + f, name == "corrector" ? provisional[f] : names[f]);
    }
  } else {
    give(0, "X");
    give(1, "Y0");
  }
}

template <class Real>
Result<Real>::Result(Arrays& outputs) {
  for (const char* name : {"Y", "T", "U", "V", "P"})
    if (outputs.has(name)) {
      arrays.push_back(outputs[name].template as_mutable<Real>());
      written.emplace_back(name);
    }
}

template struct Problem<float>;
template struct Problem<double>;
template struct Result<float>;
template struct Result<double>;

std::int64_t steps_of_a_mode(const Point& at) {
  constexpr std::int64_t any = std::int64_t{1} << 40, least = 64;
  if (at.text("data") != "mode") return any;
  constexpr double pi = 3.14159265358979323846, small = 57;  // exp(-57) is 1e-25
  const auto bend = [&](const char* axis) {
    const double sine = std::sin(pi / 2 / (at.number(axis) - 1));
    return 4 * at.number("r") * sine * sine;
  };
  const double loss = bend("ny") + (at.text("model") == "heat2d" ? bend("nx") : 0);
  const double kept = std::max(1e-6, 1 - loss);
  return std::max(least, static_cast<std::int64_t>(std::min(1e9, small / -std::log(kept))));
}

std::string unless_model(const std::vector<std::string>& models, const VariantSpec& spec, const Point& at) {
  const std::string model = at.text("model");
  if (models.empty() || std::ranges::find(models, model) != models.end()) return "";
  std::string all;
  for (const auto& one : models) all += (all.empty() ? "" : ", ") + one;
  return spec.name + " has no " + model + ": it has " + all;
}

}  // namespace uotbench::stencil
