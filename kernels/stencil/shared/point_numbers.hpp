// What a step multiplies by, from a point's axes: one place for the kernels and for their judge.
#pragma once

#include <algorithm>
#include <cstdint>

#include "harness/protocol/point.hpp"

namespace uotbench::stencil {

/// Computed in double and rounded to the dtype, so that a kernel in f32 and its judge in f64 solve the same
/// problem. Those of NS2D (X. He 2023, Eq. 7 and 8) are of the unit square, lid speed 1, speed of sound 10
/// (the publication's 0.1 is the Mach number), nu = 1 / Re.
template <class Real>
struct Numbers {
  Real a = 0;              ///< SCALE, AXPY
  Real r = 0;              ///< HEAT1D, HEAT2D: thermal diffusivity times dt / dx^2
  Real dt_dx = 0;          ///< dt / dx; x is the first index
  Real dt_dy = 0;          ///< dt / dy
  Real nu_dx = 0;          ///< nu dt / dx^2
  Real nu_dy = 0;          ///< nu dt / dy^2
  Real c2_dx = 0;          ///< c^2 dt / dx
  Real c2_dy = 0;          ///< c^2 dt / dy
  std::int64_t terms = 0;  ///< XPXPYN
};

inline constexpr double speed_of_sound = 10;

/// Seconds of a step of NS2D: a sound wave passes `courant` cells, and diffusion stays stable.
inline double time_step(const Point& at) {
  const double dx = 1 / (at.number("nx") - 1), dy = 1 / (at.number("ny") - 1);
  const double least = std::min(dx, dy);
  return std::min(at.number("courant") * least / speed_of_sound, .1 * at.number("Re") * least * least);
}

template <class Real>
Numbers<Real> numbers_of(const Point& at) {
  const auto rounded = [](double x) { return static_cast<Real>(x); };
  Numbers<Real> it{.a = rounded(at.number("a")), .r = rounded(at.number("r")), .terms = at.integer("terms")};
  if (at.integer("nx") < 2 || at.integer("ny") < 2) return it;
  const double to_dx = at.number("nx") - 1, to_dy = at.number("ny") - 1, dt = time_step(at);
  const double nu = 1 / at.number("Re"), c2 = speed_of_sound * speed_of_sound;
  it.dt_dx = rounded(dt * to_dx);
  it.dt_dy = rounded(dt * to_dy);
  it.nu_dx = rounded(nu * dt * to_dx * to_dx);
  it.nu_dy = rounded(nu * dt * to_dy * to_dy);
  it.c2_dx = rounded(c2 * dt * to_dx);
  it.c2_dy = rounded(c2 * dt * to_dy);
  return it;
}

}  // namespace uotbench::stencil
