// The steps of solves go up: neither the best shift nor an over-relaxed step lowers the dual.
#include <gtest/gtest.h>

#include "kernels/uot/timed/anderson.hpp"
#include "kernels/uot/timed/best_shift.hpp"
#include "kernels/uot/timed/relaxation.hpp"

namespace uotbench::uot {
namespace {

TEST(BestShift, IsTheHighestPointOfTheDual) {
  for (const double fi : {.1, .5, .999})
    for (const double A : {.3, 2., 70.}) {
      const double rho = fi / (1 - fi), B = 1.7, m = .4;
      const auto dual = [&](double s, double t) {
        return -rho * (A * std::exp(-s / rho) + B * std::exp(-t / rho)) - m * std::exp(s + t);
      };
      const BestShift best(std::log(A), std::log(B), std::log(m), fi);
      const double highest = dual(best.s, best.t);
      EXPECT_GE(highest, dual(0, 0));
      // As far as rounding lets the difference be seen.
      for (const double by : {.1, -.1}) {
        EXPECT_GT(highest, dual(best.s + by, best.t)) << fi << ' ' << A;
        EXPECT_GT(highest, dual(best.s, best.t + by)) << fi << ' ' << A;
        EXPECT_GT(highest, dual(best.s + by * rho, best.t - by * rho)) << fi << ' ' << A;
      }
    }
}

TEST(BestShift, TargetIsTheMassThatOptimalityAsksFor) {
  EXPECT_NEAR(target(.3, 2, .75), .3 * std::pow(2, -1 / 3.), 1e-15);
  EXPECT_EQ(target(0, 0, .75), 0);
}

/// One that comes closer by q per iteration, for as long as it takes to learn w.
Relaxation learned(double fi, double q) {
  Relaxation relaxation(fi);
  double step = .4;
  for (int k = 0; k < 40; ++k) relaxation.observe(step *= q);
  return relaxation;
}

double step(const Relaxation& relaxation, double before, double best) {
  using One = std::experimental::simd<double, std::experimental::simd_abi::scalar>;
  return relaxation.step(One(before), One(best))[0];
}

// In units of the line's mass and around its best, D is -(rho e^(-x/rho) + e^x).
TEST(Relaxation, NeverLowersTheDual) {
  for (const double fi : {.05, .3, .5, .9, .999})
    for (const double q : {.5, .9, .99}) {
      const double rho = fi / (1 - fi);
      const auto dual = [&](double x) { return -(rho * std::exp(-x / rho) + std::exp(x)); };
      const Relaxation relaxation = learned(fi, q);
      bool longer = false;
      for (double before = -3; before <= 3; before += .01) {
        const double after = std::log(step(relaxation, std::exp(before), 1));
        EXPECT_GE(dual(after), dual(before) - 1e-12) << fi << ' ' << q << ' ' << before;
        longer = longer || after * before < -1e-9;
      }
      EXPECT_TRUE(longer) << fi << ' ' << q;
    }
}

TEST(Relaxation, LeavesALineWithoutMassAlone) { EXPECT_EQ(step(learned(.5, .9), 1, 0), 0); }

// Where long steps bring nothing closer they end, for longer each time.
TEST(Relaxation, GoesBackToPlainSteps) {
  Relaxation relaxation = learned(.9, .9);
  for (int k = 0; k < 60; ++k) relaxation.observe(.1);
  EXPECT_EQ(step(relaxation, 1, 1.1), 1.1);
}

// Of a linear map of n numbers, n differences of steps tell where its fixed point is.
TEST(Anderson, FindsTheFixedPointOfALinearMap) {
  const double A[2][2] = {{.9, .3}, {-.1, .6}};
  const std::vector<double> fixed{.2, -.1};
  Anderson mixing(2);
  std::vector<double> x{0, 0};
  for (int n = 0; n < 3; ++n) {
    std::vector<double> image(2), step(2);
    for (std::size_t i = 0; i < 2; ++i) {
      image[i] = fixed[i] + A[i][0] * (x[0] - fixed[0]) + A[i][1] * (x[1] - fixed[1]);
      step[i] = image[i] - x[i];
    }
    x = image;
    const auto more = mixing.more(image, step);
    for (std::size_t i = 0; i < 2; ++i) x[i] += more[i];
  }
  EXPECT_NEAR(x[0], .2, 1e-6);
  EXPECT_NEAR(x[1], -.1, 1e-6);
}

TEST(Anderson, ForgetsWhereStepsGrow) {
  Anderson mixing(3);
  mixing.more({1}, {.1});
  EXPECT_NE(mixing.more({1.09}, {.09})[0], 0);
  EXPECT_EQ(mixing.more({2}, {.5})[0], 0);
}

}  // namespace
}  // namespace uotbench::uot
