// Explicit finite differences on regular grids, and the element-wise operations that they are compared with
// (X. He, PLOS ONE 2023, doi 10.1371/journal.pone.0282265, section 2). An iteration is a time step:
//   copy Y = X, scale Y = a X, axpy Y += a X, xpxpyn Y <- Y + X - X + X - ... (`terms` of them)
//   heat1d, heat2d   T + r (the sum of T's neighbours - 2 T or 4 T); the walls keep their T
//   ns2d             predictor and corrector of MacCormack's scheme, in a cavity whose lid (y = 1) moves
//   predictor, corrector   one of these alone
// parts/formulas.hpp has the formulas, parts/models.hpp what a step is made of. Arrays are nx x ny in C
// order; i is x and j is y. heat1d has nx = 1; the element-wise ones take any shape.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "harness/worker/team.hpp"
#include "harness/worker/typed_variant.hpp"
#include "kernels/stencil/parts/work.hpp"

namespace uotbench::stencil {

/// Arrays are shared and read-only: copy what you work on.
template <class Real>
struct Problem {
  Problem(const Point& point, Arrays& inputs, const Team& its_team)
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

  std::size_t nx, ny;
  Model<Real> model;
  /// What each field of the model begins with, nx x ny: the walls of both halves among it.
  std::array<std::span<const Real>, 6> start;
  const Team& team;  ///< its threads: omp parallel regions use all of them
  const Point& at;   ///< tunables
};

/// nx x ny each.
template <class Real>
struct Result {
  explicit Result(Arrays& outputs) {
    for (const char* name : {"Y", "T", "U", "V", "P"})
      if (outputs.has(name)) {
        arrays.push_back(outputs[name].template as_mutable<Real>());
        written.emplace_back(name);
      }
  }

  std::vector<std::span<Real>> arrays;  ///< Y, or T, or U, V and P
  std::vector<std::string> written;
};

/// Steps after which a lone mode that dies away is so small that its numbers would soon be denormal.
inline std::int64_t steps_of_a_mode(const Point& at) {
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

/// A variant of this family: Variant<Kernel<float>, Kernel<double>>, with what typed_variant.hpp says of
/// Kernel. `models`: those that it can run, where it cannot run all.
template <class F32, class F64>
class Variant final : public TypedVariant<Problem, Result, F32, F64> {
  using Base = TypedVariant<Problem, Result, F32, F64>;

 public:
  /// `arrays`: nx x ny arrays that it holds besides the model's.
  explicit Variant(VariantSpec spec, std::vector<std::string> models = {}, double arrays = 0)
      : Base(std::move(spec)), models_(std::move(models)), arrays_(arrays) {}

  double memory(const Point& at) const override {
    return width(at) * cells_of(at) * (arrays_of(at) + arrays_) + 2e6;
  }

 protected:
  std::string cannot(const Point& at) const override {
    if (std::string reason = Base::cannot(at); !reason.empty()) return reason;
    const std::string model = at.text("model");
    if (models_.empty() || std::ranges::find(models_, model) != models_.end()) return "";
    std::string all;
    for (const auto& one : models_) all += (all.empty() ? "" : ", ") + one;
    return this->spec().name + " has no " + model + ": it has " + all;
  }

 private:
  std::vector<std::string> models_;
  double arrays_;
};

}  // namespace uotbench::stencil
