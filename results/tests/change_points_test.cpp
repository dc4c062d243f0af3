// Steps are found where they are, and nowhere else: on made series, small enough for every build.
#include "results/statistics/change_points.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "results/tests/gate_noise.hpp"

namespace uotbench {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

/// Times around 1 ms with a noise of so much, slower by `ratio` from `at` on.
std::vector<double> made_series(Dice& dice, std::size_t count, double noise, double ratio = 1,
                                std::size_t at = 0) {
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i)
    values.push_back(1e-3 * std::exp(noise * dice.normal()) * (i >= at ? ratio : 1));
  return values;
}

TEST(EDivisive, AreWhereTheEnergyDistanceIsLargest) {
  // By hand, of 0 0 0 0 0 0 0 1 1 1 1 1 1 1: m = n = 7, E = 2, Q = 49 / 14 * 2 = 7 at the middle; one of
  // C(14, 7) / 2 orders is as good.
  const std::vector<double> values{0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1};
  const auto found = e_divisive(values, {});
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].at, 7u);
  EXPECT_LE(found[0].p, 0.001);
}

TEST(EDivisive, OfFewValuesAreNone) {
  // Ten values in two halves: 2 of 252 orders are as good, more than one of 1,000.
  EXPECT_THAT(e_divisive(std::vector<double>{0, 0, 0, 0, 0, 1, 1, 1, 1, 1}, {}), IsEmpty());
  EXPECT_THAT(e_divisive({}, {}), IsEmpty());
  EXPECT_THAT(e_divisive(std::vector<double>(100, 1.), {}), IsEmpty()) << "all equal";
}

TEST(ChangePoints, AreNoneInUnchangedSeries) {
  Dice dice(1);
  std::size_t alarms = 0;
  for (int series = 0; series < 100; ++series)
    alarms += change_points(made_series(dice, 60, 0.02), {}).size();
  EXPECT_EQ(alarms, 0u);
}

TEST(ChangePoints, AreFoundInNineOfTen) {
  Dice dice(2);
  int found = 0;
  for (int series = 0; series < 20; ++series) {
    const auto steps = change_points(made_series(dice, 60, 0.01, 1.03, 50), {});
    if (steps.size() != 1) continue;
    EXPECT_NEAR(static_cast<double>(steps[0].at), 50, 3);
    EXPECT_NEAR(steps[0].ratio, 1.03, 0.02);
    EXPECT_LT(steps[0].interval.low, steps[0].ratio);
    EXPECT_GT(steps[0].interval.high, steps[0].ratio);
    EXPECT_GT(steps[0].interval.low, 1);
    ++found;
  }
  EXPECT_GE(found, 18);
}

TEST(ChangePoints, UpAndDownAgainAreTwo) {
  Dice dice(3);
  std::vector<double> values = made_series(dice, 90, 0.01);
  for (std::size_t i = 30; i < 60; ++i) values[i] *= 1.2;
  const auto steps = change_points(values, {});
  ASSERT_THAT(steps, SizeIs(2));
  EXPECT_EQ(steps[0].at, 30u);
  EXPECT_NEAR(steps[0].ratio, 1.2, 0.02);
  EXPECT_EQ(steps[1].at, 60u);
  EXPECT_NEAR(steps[1].ratio, 1 / 1.2, 0.02);
}

TEST(ChangePoints, ThatAreSmallerThanDeltaAreNone) {
  Dice dice(4);
  const auto values = made_series(dice, 200, 0.002, 1.03, 100);
  EXPECT_THAT(change_points(values, {.delta = 0.02}), SizeIs(1));
  EXPECT_THAT(change_points(values, {.delta = 0.05}), IsEmpty());
}

TEST(ChangePoints, OneOrTwoSlowCommitsAreNoStep) {
  Dice dice(5);
  std::vector<double> values = made_series(dice, 60, 0.01);
  values[20] *= 2;
  values[40] *= 1.5;
  values[41] *= 1.5;
  EXPECT_THAT(change_points(values, {}), IsEmpty());
}

TEST(ChangePoints, AreTheSameEachTime) {
  Dice dice(6);
  const auto values = made_series(dice, 60, 0.02, 1.04, 40);
  const auto once = change_points(values, {}), again = change_points(values, {});
  ASSERT_EQ(once.size(), again.size());
  for (std::size_t i = 0; i < once.size(); ++i) EXPECT_EQ(once[i].p, again[i].p);
}

}  // namespace
}  // namespace uotbench
