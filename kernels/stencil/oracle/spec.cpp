#include "kernels/stencil/oracle/spec.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "kernels/stencil/shared/point_numbers.hpp"
#include "results/base/error.hpp"

namespace uotbench::stencil {
namespace {

/// |u| dt / dx + |v| dt / dy + c dt sqrt(1 / dx^2 + 1 / dy^2) <= 1 with speeds of 1 and c = 10 allows a
/// little more.
constexpr double most_courant = .6;

std::vector<Axis> problem_axes() {
  using enum Axis::Kind;
  return {
      {.name = "model",
       .kind = text,
       .standard = "heat2d",
       .values = {"copy", "scale", "axpy", "xpxpyn", "heat1d", "heat2d", "ns2d", "predictor", "corrector"},
       .about = "what a step computes"},
      {.name = "nx", .role = Role::size, .about = "cells in x, the first index; 1 of heat1d"},
      {.name = "ny", .role = Role::size, .about = "cells in y, the index that runs through memory"},
      {.name = "dtype", .kind = text, .standard = "f32", .values = {"f32", "f64"}, .about = "element type"},
      {.name = "data",
       .kind = text,
       .standard = "random",
       .values = {"random", "mode", "spot", "cavity"},
       .about =
           "random numbers; one sine, which a heat model damps and does not bend; heat in the middle of a "
           "square, which spreads; a fluid at rest"},
      {.name = "terms", .standard = 6, .least = 1, .most = 20, .about = "of xpxpyn"},
      {.name = "a", .kind = number, .standard = .7, .about = "factor of scale and axpy"},
      {.name = "r",
       .kind = number,
       .standard = .2,
       .least = 1e-6,
       .most = 1,
       .about = "of heat1d and heat2d: diffusivity times dt / dx^2"},
      {.name = "Re",
       .kind = number,
       .standard = 100.,
       .least = 1,
       .most = 1e6,
       .about = "Reynolds number: lid speed times side over viscosity"},
      {.name = "courant",
       .kind = number,
       .standard = .2,
       .least = 1e-6,
       .about = "cells that sound passes in a step, at most"},
      {.name = "steps",
       .standard = 10,
       .least = 1,
       .most = 1 << 20,
       .about = "time steps after which a result is verified; it is also verified after 2"},
      {.name = "seed", .kind = integer, .standard = 1, .least = 0, .about = "of the random numbers"}};
}

}  // namespace

FamilySpec stencil_spec() {
  return {
      .name = "stencil",
      .summary = "explicit finite differences on a grid, and array operations",
      .axes = problem_axes(),
      .iterations = 10,
      .checked = {Point{{"nx", 7}, {"ny", 13}},
                  Point{{"nx", 7}, {"ny", 13}, {"dtype", "f64"}, {"model", "ns2d"}},
                  Point{{"nx", 1}, {"ny", 37}, {"model", "heat1d"}},
                  Point{{"nx", 1}, {"ny", 37}, {"model", "xpxpyn"}}, Point{{"nx", 3}, {"ny", 3}}},
      .mathematics =
          {"An iteration is a time step. Arrays are nx x ny in C order: i is x, j is y. (X. He, PLOS ONE "
           "2023, "
           "doi 10.1371/journal.pone.0282265, Eq. 3 to 8.)",
           "copy: Y = X. scale: Y = a X. axpy: Y += a X. xpxpyn: Y <- Y + X - X + X - ..., `terms` terms "
           "from "
           "left to right, each rounded to the dtype. X is so large that Y loses digits, and the result is "
           "right only bit by bit; so are those of copy and scale.",
           "heat1d (nx = 1): T_j <- T_j + r (T_{j+1} - 2 T_j + T_{j-1}). heat2d: T <- T + r (T_{i+1} + "
           "T_{i-1} "
           "+ T_{j+1} + T_{j-1} - 4 T). The first and last cells of a row and of a column keep their T. "
           "Stable "
           "for r <= 1/2 and r <= 1/4.",
           "ns2d: dx = 1 / (nx - 1), dy = 1 / (ny - 1), c = 10, nu = 1 / Re, dt = min(courant min(dx, dy) / "
           "c, "
           "0.1 Re min(dx, dy)^2). Predictor, with e, w, n, s for i+1, i-1, j+1, j-1: "
           "U* = U - dt/dx (U (Ue - U) + Pe - P) - dt/dy V (Un - U) + nu dt/dx^2 (Ue - 2 U + Uw) + nu "
           "dt/dy^2 "
           "(Un - 2 U + Us); V* = V - dt/dx U (Ve - V) - dt/dy (V (Vn - V) + Pn - P) + the same of V; "
           "P* = P - c^2 dt/dx (Ue - U) - c^2 dt/dy (Vn - V). Corrector: the same of U*, V*, P* with first "
           "differences backward (U* - U*w, ...) gives U**, V**, P**; then U <- (U + U**) / 2, and V and P "
           "likewise. U and V keep their values on the walls. After each substep the pressure on a wall is "
           "that "
           "of the inner cell before it: first P[i, 0] = P[i, 1] and P[i, ny-1] = P[i, ny-2], then row 0 is "
           "row 1 and row nx-1 is row nx-2.",
           "predictor: U, V, P <- U*, V*, P* of the U, V, P that were given, every time. corrector: the "
           "second "
           "substep, again and again, with the Us, Vs, Ps that were given as provisional values.",
           "Factors are computed in double and rounded to the dtype."},
      .arrays = {{"X", "nx,ny", "dtype", false, "of copy, scale, axpy and xpxpyn"},
                 {"Y0", "nx,ny", "dtype", false, "where axpy and xpxpyn begin"},
                 {"T0", "nx,ny", "dtype", false, "where heat1d and heat2d begin, walls among it"},
                 {"U0", "nx,ny", "dtype", false, "where ns2d, predictor and corrector begin: velocity in x"},
                 {"V0", "nx,ny", "dtype", false, "velocity in y"},
                 {"P0", "nx,ny", "dtype", false, "pressure"},
                 {"Us", "nx,ny", "dtype", false, "of corrector: U*"},
                 {"Vs", "nx,ny", "dtype", false, "of corrector: V*"},
                 {"Ps", "nx,ny", "dtype", false, "of corrector: P*"},
                 {"Y", "nx,ny", "dtype", true, "of copy, scale, axpy and xpxpyn; must be written"},
                 {"T", "nx,ny", "dtype", true, "of heat1d and heat2d; must be written"},
                 {"U", "nx,ny", "dtype", true, "of ns2d and corrector; of predictor U*; must be written"},
                 {"V", "nx,ny", "dtype", true, "likewise"},
                 {"P", "nx,ny", "dtype", true, "likewise"}}};
}

void require_sound(const Point& point) {
  const std::string model = point.text("model"), data = point.text("data");
  const bool heat = model.starts_with("heat");
  const bool flow = model == "ns2d" || model == "predictor" || model == "corrector";
  const std::int64_t nx = point.integer("nx"), ny = point.integer("ny");
  if (model == "heat1d" && nx != 1)
    throw Error(fmt::format("heat1d is of one row: nx must be 1, not {}", nx));
  if (ny < 3 && (heat || flow))
    throw Error(fmt::format("{} has no inner cell: ny must be at least 3, not {}", model, ny));
  if (nx < 3 && (model == "heat2d" || flow))
    throw Error(fmt::format("{} has no inner cell: nx must be at least 3, not {}", model, nx));
  const double r = point.number("r"), most_r = model == "heat1d" ? .5 : .25;
  if (heat && r > most_r)
    throw Error(fmt::format("{} is unstable with r={}: r must be at most {}", model, r, most_r));
  if (const double courant = point.number("courant"); flow && courant > most_courant)
    throw Error(fmt::format("{} is unstable with courant={}: courant must be at most {}", model, courant,
                            most_courant));
  if ((data == "mode" && !heat) || (data == "cavity" && model != "ns2d"))
    throw Error(fmt::format("data={} is for {}; model is {}", data,
                            data == "mode" ? "heat1d and heat2d" : "ns2d", model));
  // In f32 its far field would be denormal.
  if (data == "spot" && (model != "heat2d" || nx != ny || point.text("dtype") != "f64"))
    throw Error(fmt::format(
        "data=spot is for heat2d, nx equal to ny and dtype=f64; model is {}, nx {}, ny {}, dtype {}", model,
        nx, ny, point.text("dtype")));
  const auto axes = problem_axes();
  const auto require = [&](const char* name, bool meant, const char* models) {
    if (!meant && point.value(name) != std::ranges::find(axes, name, &Axis::name)->standard)
      throw Error(fmt::format("{} is for {}; model is {}", name, models, model));
  };
  require("terms", model == "xpxpyn", "xpxpyn");
  require("a", model == "scale" || model == "axpy", "scale and axpy");
  require("r", heat, "heat1d and heat2d");
  require("Re", flow, "ns2d, predictor and corrector");
  require("courant", flow, "ns2d, predictor and corrector");
}

}  // namespace uotbench::stencil
