// A reported time of a unit is held against the parent's clock. Here the test itself makes the units: what a
// unit takes is known, on a busy machine too.
#include "harness/sweep/workers/outside.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "harness/sweep/tests/scripted_worker.hpp"

namespace uotbench {
namespace {

class Outside : public testing::Test {
 protected:
  static constexpr double unit = 0.01;  // seconds

  static void make(std::int64_t units) {
    std::this_thread::sleep_for(std::chrono::duration<double>(unit * static_cast<double>(units)));
  }
  Plausible held(double reported) {
    return held_against({.median = reported, .least = reported}, idle_, make, 1, 0).plausible;
  }

  Folder folder_;
  RunContext unlimited_;
  WorkerProcess idle_{scripted_worker(folder_, ""), unlimited_, {}};
};

TEST_F(Outside, BelievesWhoTellsTheTruth) { EXPECT_EQ(held(unit), Plausible::yes); }

TEST_F(Outside, DoubtsWhoTellsAThirdOrAQuarter) {
  EXPECT_EQ(held(unit / 3), Plausible::doubtful);
  EXPECT_EQ(held(unit / 4), Plausible::doubtful);
}

TEST_F(Outside, RefusesWhoTellsATenth) { EXPECT_EQ(held(unit / 10), Plausible::no); }

TEST_F(Outside, RefusesAReportOfTenTimesAsLong) {
  EXPECT_EQ(held(10 * unit), Plausible::too_long);
  EXPECT_EQ(held(3 * unit), Plausible::yes) << "samples hold more than a unit: what starts and stops a clock";
  const ReportedUnit cold{.median = 10 * unit, .least = 0};
  EXPECT_EQ(held_against(cold, idle_, make, 1, 0).plausible, Plausible::yes);
}

TEST(Plausible, IsHeldToTheSameFactorsWithAnyClock) {
  const auto of = [](double reported, double seen) {
    return plausible({.median = reported, .least = reported}, seen);
  };
  EXPECT_EQ(of(1, 1.4), Plausible::yes);
  EXPECT_EQ(of(1, 1.6), Plausible::doubtful);
  EXPECT_EQ(of(1, 5.1), Plausible::no);
  EXPECT_EQ(of(1, 0.21), Plausible::yes);
  EXPECT_EQ(of(1, 0.19), Plausible::too_long);
}

TEST_F(Outside, SeesHowLongAUnitTakes) {
  const auto seen = seconds_outside(idle_, make, 1, 0);
  ASSERT_TRUE(seen);
  EXPECT_FALSE(seen->below);
  EXPECT_GE(seen->seconds, 0.9 * unit);
}

// An answer that comes at once to a request for 10^12 units.
TEST_F(Outside, RefusesWhoAnswersAtOnceHoweverManyAreAsked) {
  const auto nothing = [](std::int64_t) {};
  const auto seen_of = [&](const ReportedUnit& reported) {
    return held_against(reported, idle_, nothing, 1, 0);
  };
  for (const double reported : {1e-11, 1e-7, 1.}) {
    const SeenOutside seen = seen_of({.median = reported, .least = reported});
    EXPECT_EQ(seen.plausible, Plausible::too_long) << reported;
    ASSERT_TRUE(seen.unit);
    EXPECT_TRUE(seen.unit->below);
    EXPECT_LT(seen.unit->seconds, 1e-12);
  }
  const SeenOutside cold = seen_of({.median = 1e-7, .least = 0});
  EXPECT_EQ(cold.plausible, Plausible::yes);
  EXPECT_FALSE(cold.unit) << "less than something is no time of a unit";
}

// The fastest unit that there is: a call.
TEST_F(Outside, BelievesTheFastestUnits) {
  static volatile std::int64_t made = 0;
  const auto call = [](std::int64_t units) {
    for (std::int64_t i = 0; i < units; ++i) made = made + 1;
  };
  const auto seconds_of = [&](std::int64_t units) {
    const auto start = std::chrono::steady_clock::now();
    call(units);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  constexpr std::int64_t units = 1'000'000;
  double least = 1;
  for (int i = 0; i < 20; ++i) least = std::min(least, seconds_of(units) / units);
  const SeenOutside seen = held_against({.median = least, .least = least}, idle_, call, 1, 0);
  EXPECT_THAT(seen.plausible, testing::AnyOf(Plausible::yes, Plausible::doubtful));
  ASSERT_TRUE(seen.unit);
  EXPECT_FALSE(seen.unit->below);
}

}  // namespace
}  // namespace uotbench
