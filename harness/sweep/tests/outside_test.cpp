// A reported time of a unit is held against the parent's clock. Here the test itself makes the units: what a
// unit takes is known, on a busy machine too.
#include "harness/sweep/workers/outside.hpp"

#include <gtest/gtest.h>

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
  const auto seconds = seconds_outside(idle_, make, 1, 0);
  ASSERT_TRUE(seconds);
  EXPECT_GE(*seconds, 0.9 * unit);
}

}  // namespace
}  // namespace uotbench
