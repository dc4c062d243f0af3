// The reference solves the equations: discrete modes decay as they must, and the cavity's flow is that of
// Ghia, Ghia and Shin, J. Comput. Phys. 48 (1982), tables I and II.
#include "kernels/stencil/oracle/reference.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "harness/protocol/point.hpp"
#include "kernels/stencil/oracle/data.hpp"
#include "kernels/stencil/oracle/ghia.hpp"

namespace uotbench::stencil {
namespace {

Point heat_mode(const char* model, int nx, int ny) {
  return Point{{"model", model}, {"nx", nx}, {"ny", ny}, {"data", "mode"}, {"dtype", "f64"}, {"seed", 1}};
}

/// 4 sin^2(pi dx / 2): what a step's second difference takes off a sine over so many cells, times r.
double bend(int cells) {
  const double sine = std::sin(std::numbers::pi / 2 / (cells - 1));
  return 4 * sine * sine;
}

/// In units of the mode's amplitude.
double largest_off(const Field& got, const Field& mode, double factor) {
  double off = 0;
  for (std::size_t k = 0; k < got.size(); ++k) off = std::max(off, std::abs(got[k] - factor * mode[k]));
  return off / 6;
}

TEST(Modes, AHeat1dModeDecaysAsItMust) {
  for (const int cells : {33, 512}) {
    const Field mode = values_of(heat_mode("heat1d", 1, cells), "T0");
    const auto count = static_cast<std::size_t>(cells);
    EXPECT_LT(largest_off(heat(1, count, .4, mode, 200), mode, std::pow(1 - .4 * bend(cells), 200)), 3e-14);
    EXPECT_GT(largest_off(heat(1, count, .4, mode, 199), mode, std::pow(1 - .4 * bend(cells), 200)), 1e-10);
  }
}

TEST(Modes, AHeat2dModeDecaysAsItMust) {
  const Field mode = values_of(heat_mode("heat2d", 33, 65), "T0");
  const double factor = std::pow(1 - .2 * (bend(33) + bend(65)), 200);
  EXPECT_LT(largest_off(heat(33, 65, .2, mode, 200), mode, factor), 3e-14);
  EXPECT_GT(largest_off(heat(33, 65, .2, mode, 199), mode, factor), 1e-10);
}

/// The publication's Fig. 3A: a = 1, L = 1, 512 nodes, r = .4; T = 6 sin(pi x) exp(-pi^2 t) up to O(dx^2).
TEST(Modes, TheModeIsTheHeatEquationsSolution) {
  const Field mode = values_of(heat_mode("heat1d", 1, 512), "T0");
  const int steps = 2000;
  const double t = steps * .4 / (511. * 511.);
  EXPECT_LT(
      largest_off(heat(1, 512, .4, mode, steps), mode, std::exp(-std::numbers::pi * std::numbers::pi * t)),
      1e-5);
}

/// The publication's Fig. 3B: a = 1, L = 2, r = .2, t0 = .001. The spot spreads as Eq. 6 says, up to O(dx^2);
/// on half as many cells it is off by more than three times as much.
TEST(Spot, SpreadsAsTheHeatEquationSays) {
  const auto off_at = [](int cells) {
    const Point at{{"model", "heat2d"}, {"nx", cells},    {"ny", cells},
                   {"data", "spot"},    {"dtype", "f64"}, {"seed", 1}};
    const auto n = static_cast<std::size_t>(cells);
    const double dx = 2. / (cells - 1), r = .2, t0 = .001, seconds = .003;
    const auto steps = std::lround(seconds / (r * dx * dx));
    const Field T = heat(n, n, r, values_of(at, "T0"), steps);
    const double t = t0 + static_cast<double>(steps) * r * dx * dx, highest = 1 / (4 * std::numbers::pi * t);
    double off = 0;
    for (std::size_t j = 0; j < n; ++j) {
      const double x = dx * static_cast<double>(j) - 1;
      off = std::max(off, std::abs(T[n / 2 * n + j] - highest * std::exp(-x * x / (4 * t))));
    }
    return off / highest;
  };
  const double coarse = off_at(129), fine = off_at(257);
  EXPECT_LT(fine, 2e-3);
  EXPECT_GT(coarse, 3 * fine);
}

/// The cavity on n x n cells at rest for `seconds`, from a fluid at rest.
Flow settled(int n, double seconds) {
  const Point at{{"model", "ns2d"}, {"nx", n},    {"ny", n},      {"data", "cavity"},
                 {"dtype", "f64"},  {"seed", 1},  {"a", .7},      {"r", .2},
                 {"terms", 6},      {"Re", 100.}, {"courant", .5}};
  const auto side = static_cast<std::size_t>(n);
  Flow flow{values_of(at, "U0"), values_of(at, "V0"), values_of(at, "P0")}, provisional = flow;
  const Cavity cavity(side, side, numbers_as(at));
  const auto steps = static_cast<int>(seconds / time_step(at));
  for (int step = 0; step < steps; ++step) cavity.step(flow, provisional);
  return flow;
}

/// The largest distance from Ghia's profiles, in lid speeds.
double off_profiles(const Flow& flow, int n) {
  const auto [u, v] = off_ghia(std::span<const double>(flow.U), std::span<const double>(flow.V),
                               static_cast<std::size_t>(n), 100);
  return std::max(u, v);
}

/// The error falls as dx^2, to less than 1% of the lid speed. (docs/results/stencil.md has 129 x 129, the
/// grid of Ghia et al.)
TEST(CavityFlow, ComesToGhiasAsTheGridIsRefined) {
  const double coarse = off_profiles(settled(17, 15), 17), fine = off_profiles(settled(33, 15), 33);
  EXPECT_LT(off_profiles(settled(65, 15), 65), .01);
  EXPECT_LT(fine, .03);
  EXPECT_LT(fine, .35 * coarse);
}

}  // namespace
}  // namespace uotbench::stencil
