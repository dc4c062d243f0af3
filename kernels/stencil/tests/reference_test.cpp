// The reference solves the equations: discrete modes decay as they must, and the cavity's flow is that of
// Ghia, Ghia and Shin, J. Comput. Phys. 48 (1982), tables I and II.
#include "kernels/stencil/oracle/reference.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

#include "harness/protocol/point.hpp"
#include "kernels/stencil/oracle/data.hpp"

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

struct Profile {
  double place, value;
};

// Re = 100: u over y at x = 1/2, and v over x at y = 1/2.
constexpr std::array u_of_ghia{Profile{.9766, .84123},  Profile{.9688, .78871},  Profile{.9609, .73722},
                               Profile{.9531, .68717},  Profile{.8516, .23151},  Profile{.7344, .00332},
                               Profile{.6172, -.13641}, Profile{.5, -.20581},    Profile{.4531, -.21090},
                               Profile{.2813, -.15662}, Profile{.1719, -.10150}, Profile{.1016, -.06434},
                               Profile{.0703, -.04775}, Profile{.0625, -.04192}, Profile{.0547, -.03717}};
constexpr std::array v_of_ghia{Profile{.9688, -.05906}, Profile{.9609, -.07391}, Profile{.9531, -.08864},
                               Profile{.9453, -.10313}, Profile{.9063, -.16914}, Profile{.8594, -.22445},
                               Profile{.8047, -.24533}, Profile{.5, .05454},     Profile{.2344, .17527},
                               Profile{.2266, .17507},  Profile{.1563, .16077},  Profile{.0938, .12317},
                               Profile{.0781, .10890},  Profile{.0703, .10091},  Profile{.0625, .09233}};

/// Values at evenly spread places, between which it is linear.
double between(const std::vector<double>& values, double place) {
  const double at = place * static_cast<double>(values.size() - 1);
  const auto below = std::min(static_cast<std::size_t>(at), values.size() - 2);
  const double part = at - static_cast<double>(below);
  return (1 - part) * values[below] + part * values[below + 1];
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
double off_ghia(const Flow& flow, int n) {
  const auto side = static_cast<std::size_t>(n);
  std::vector<double> u, v;
  for (std::size_t k = 0; k < side; ++k) {
    u.push_back(flow.U[(side / 2) * side + k]);
    v.push_back(flow.V[k * side + side / 2]);
  }
  double off = 0;
  for (const auto& [y, value] : u_of_ghia) off = std::max(off, std::abs(between(u, y) - value));
  for (const auto& [x, value] : v_of_ghia) off = std::max(off, std::abs(between(v, x) - value));
  return off;
}

/// The error falls as dx^2, to less than 1% of the lid speed. (docs/stencil.md has 129 x 129, the grid of
/// Ghia et al.)
TEST(CavityFlow, ComesToGhiasAsTheGridIsRefined) {
  const double coarse = off_ghia(settled(17, 15), 17), fine = off_ghia(settled(33, 15), 33);
  EXPECT_LT(off_ghia(settled(65, 15), 65), .01);
  EXPECT_LT(fine, .03);
  EXPECT_LT(fine, .35 * coarse);
}

}  // namespace
}  // namespace uotbench::stencil
