// The models: what a time step of each is made of.
//
// A model has `arrays` fields of nx x ny elements each; `stages(fields, odd, act)` calls act(stage) for every
// stage of a time step, in order. Models that do not update in place alternate between two halves of their
// fields; `odd` says which half is read.
#pragma once

#include <array>
#include <string>
#include <utility>
#include <variant>

#include "kernels/stencil/parts/formulas.hpp"
#include "kernels/stencil/parts/stages.hpp"

namespace uotbench::stencil {

/// Pointers to a model's fields, nx x ny elements each.
template <class Real>
struct Fields {
  std::size_t nx = 0, ny = 0;
  std::array<Real*, 6> at = {};

  View<Real> view(std::initializer_list<int> in, std::initializer_list<int> out) const {
    View<Real> it{.row = static_cast<std::ptrdiff_t>(ny)};
    std::ranges::transform(in, it.in, [&](int f) { return at[static_cast<std::size_t>(f)]; });
    std::ranges::transform(out, it.out, [&](int f) { return at[static_cast<std::size_t>(f)]; });
    for (const int f : out) it.in_place |= std::ranges::find(in, f) != in.end();
    return it;
  }
};

/// COPY, SCALE, AXPY and XPXPYN: field 0 is X, field 1 is Y.
template <class Real, class Formula, bool reads_y>
struct ElementWise {
  static constexpr int arrays = 2;
  static constexpr bool steps = false;  ///< whether steps follow from each other, as time steps do

  Formula formula;

  template <class Act>
  void stages(const Fields<Real>& f, bool, Act act) const {
    act(Stage<Real, Formula>{formula, reads_y ? f.view({0, 1}, {1}) : f.view({0}, {1}),
                             Lines::pieces(0, f.nx * f.ny)});
  }
  static int result(int, bool) { return 1; }
};

/// HEAT1D and HEAT2D: fields 0 and 1 are T, now and next. The walls keep their temperature.
template <class Real, class Formula, bool plane>
struct Heat {
  static constexpr int arrays = 2;
  static constexpr bool steps = true;

  Formula formula;

  template <class Act>
  void stages(const Fields<Real>& f, bool odd, Act act) const {
    act(Stage<Real, Formula>{formula, odd ? f.view({1}, {0}) : f.view({0}, {1}),
                             plane ? Lines::inner(f.nx, f.ny) : Lines::pieces(1, f.ny - 1)});
  }
  static int result(int, bool odd) { return odd ? 1 : 0; }
};

/// Fields 0 to 2 are U, V, P, and 3 to 5 their provisional values. The substeps alone are models, too.
template <class Real, bool predicts, bool corrects>
struct MacCormack {
  static constexpr int arrays = 6;
  static constexpr bool steps = predicts && corrects;

  Momentum<Real> momentum;

  template <class Act>
  void stages(const Fields<Real>& f, bool, Act act) const {
    const Lines lines = Lines::inner(f.nx, f.ny);
    if constexpr (predicts)
      act(Stage<Real, PredictorFormula<Real>>{
          {momentum}, f.view({0, 1, 2}, {3, 4, 5}), lines, {f.at[5], f.nx, f.ny}});
    if constexpr (corrects)
      act(Stage<Real, CorrectorFormula<Real>>{
          {momentum}, f.view({3, 4, 5, 0, 1, 2}, {0, 1, 2}), lines, {f.at[2], f.nx, f.ny}});
  }
  static int result(int output, bool) { return corrects ? output : 3 + output; }
};

template <class Real>
using Copy = ElementWise<Real, CopyFormula<Real>, false>;
template <class Real>
using Scale = ElementWise<Real, ScaleFormula<Real>, false>;
template <class Real>
using Axpy = ElementWise<Real, AxpyFormula<Real>, true>;
template <class Real>
using Xpxpyn = ElementWise<Real, XpxpynFormula<Real>, true>;
template <class Real>
using Heat1d = Heat<Real, Heat1dFormula<Real>, false>;
template <class Real>
using Heat2d = Heat<Real, Heat2dFormula<Real>, true>;
template <class Real>
using NavierStokes2d = MacCormack<Real, true, true>;
template <class Real>
using Predictor = MacCormack<Real, true, false>;
template <class Real>
using Corrector = MacCormack<Real, false, true>;

template <class Real>
using Model = std::variant<Copy<Real>, Scale<Real>, Axpy<Real>, Xpxpyn<Real>, Heat1d<Real>, Heat2d<Real>,
                           NavierStokes2d<Real>, Predictor<Real>, Corrector<Real>>;

/// In the order of Model.
inline constexpr std::array model_names{"copy",   "scale", "axpy",      "xpxpyn",   "heat1d",
                                        "heat2d", "ns2d",  "predictor", "corrector"};

/// `model` is one of model_names.
template <class Real>
Model<Real> model_of(const std::string& model, const Numbers<Real>& n) {
  const auto place = std::ranges::find(model_names, model) - model_names.begin();
  switch (place) {
    case 0:
      return Copy<Real>{};
    case 1:
      return Scale<Real>{{n.a}};
    case 2:
      return Axpy<Real>{{n.a}};
    case 3:
      return Xpxpyn<Real>{{n.terms}};
    case 4:
      return Heat1d<Real>{{1 - 2 * n.r, n.r}};
    case 5:
      return Heat2d<Real>{{1 - 4 * n.r, n.r}};
    case 6:
      return NavierStokes2d<Real>{{n}};
    case 7:
      return Predictor<Real>{{n}};
    default:
      return Corrector<Real>{{n}};
  }
}

}  // namespace uotbench::stencil
