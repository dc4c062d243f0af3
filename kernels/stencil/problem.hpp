// Explicit finite differences on regular grids, and the element-wise operations that they are compared with
// (X. He, PLOS ONE 2023, doi 10.1371/journal.pone.0282265, section 2). An iteration is a time step:
//   copy Y = X, scale Y = a X, axpy Y += a X, xpxpyn Y <- Y + X - X + X - ... (`terms` of them)
//   heat1d, heat2d   T + r (the sum of T's neighbours - 2 T or 4 T); the walls keep their T
//   ns2d             predictor and corrector of MacCormack's scheme, in a cavity whose lid (y = 1) moves
//   predictor, corrector   one of these alone
// shared/formulas.hpp has the formulas, shared/models.hpp what a step is made of. Arrays are nx x ny in C
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
#include "kernels/stencil/shared/work.hpp"

namespace uotbench::stencil {

/// Arrays are shared and read-only: copy what you work on.
template <class Real>
struct Problem {
  Problem(const Point& point, Arrays& inputs, const Team& its_team);

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
  explicit Result(Arrays& outputs);

  std::vector<std::span<Real>> arrays;  ///< Y, or T, or U, V and P
  std::vector<std::string> written;
};

/// Steps after which a lone mode that dies away is so small that its numbers would soon be denormal.
std::int64_t steps_of_a_mode(const Point& at);

// Compiled once for all workers (shared/problem.cpp).
extern template struct Problem<float>;
extern template struct Problem<double>;
extern template struct Result<float>;
extern template struct Result<double>;
/// Why a variant that can run `models` alone, or all where that is empty, refuses a point; empty: it does
/// not.
std::string unless_model(const std::vector<std::string>& models, const VariantSpec& spec, const Point& at);

/// A variant of this family: Variant<Kernel<float>, Kernel<double>>, with what typed_variant.hpp says of
/// Kernel. `models`: those that it can run, where it cannot run all.
template <class F32, class F64>
class Variant final : public TypedVariant<Problem, Result, F32, F64> {
  using Base = TypedVariant<Problem, Result, F32, F64>;

 public:
  /// `arrays`: nx x ny arrays that it holds in addition to the model's.
  explicit Variant(VariantSpec spec, std::vector<std::string> models = {}, double arrays = 0)
      : Base(std::move(spec)), models_(std::move(models)), arrays_(arrays) {}

  double memory(const Point& at) const override {
    return width(at) * cells_of(at) * (arrays_of(at) + arrays_) + 2e6;
  }

 protected:
  std::string cannot(const Point& at) const override {
    if (std::string reason = Base::cannot(at); !reason.empty()) return reason;
    return unless_model(models_, this->spec(), at);
  }

 private:
  std::vector<std::string> models_;
  double arrays_;
};

}  // namespace uotbench::stencil
