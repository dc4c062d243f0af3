// PAPI counts what it can, every thread of this process, and what it refuses is in its own words.
#include <gmock/gmock.h>

#include <thread>

#include "harness/host/process/perf_obstacle.hpp"
#include "harness/worker/counters/hardware_source.hpp"
#include "harness/worker/tests/counting.hpp"

namespace uotbench {
namespace {

using testing::HasSubstr;

EventCounts count(Instance& instance, const CountRequest& wanted) {
  return HardwareSource(std::make_unique<PapiBackend>()).count(instance, Team(1, {}), wanted);
}

// The kernel's own events need no PMU; where even those are forbidden, PAPI's words are there.
TEST(Papi, CountsOldAndNewThreads) {
  ThreeThreads instance;
  const auto faults = count(instance, request({"perf::PAGE-FAULTS"}, 0.2)).at("perf::PAGE-FAULTS");
  if (!faults.value) {
    EXPECT_THAT(faults.reason, HasSubstr("PAPI"));
    GTEST_SKIP() << faults.reason;
  }
  EXPECT_GE(*faults.value, 700);
  EXPECT_LT(*faults.value, 760);
}

TEST(Papi, CountsAgainAndAgainAndColdOnes) {
  InstanceOf instance([] { touch_fresh_pages(100); });
  CountRequest cold = request({"perf::PAGE-FAULTS"}, 0.2);
  cold.cold = true;
  for (int i = 0; i < 2; ++i) {
    const auto faults = count(instance, cold).at("perf::PAGE-FAULTS");
    if (!faults.value) GTEST_SKIP() << faults.reason;
    EXPECT_GE(*faults.value, 100);
    EXPECT_LT(*faults.value, 110);
  }
}

TEST(Papi, RefusesInItsOwnWords) {
  InstanceOf instance;
  const auto counts = count(instance, request({"PAPI_LD_IN", "perf::CONTEXT-SWITCHES"}));
  EXPECT_THAT(counts.at("PAPI_LD_IN").reason,
              testing::StartsWith("PAPI knows no event \"PAPI_LD_IN\" (did you mean PAPI_LD_INS?): "));
  EXPECT_EQ(
      counts.at("perf::CONTEXT-SWITCHES").reason,
      "perf::CONTEXT-SWITCHES: PAPI looks at user mode, where this never happens; the source os counts it");
}

TEST(Papi, AMachineWithoutAPmuIsAnObstacle) {
  if (try_cycles() == 0) GTEST_SKIP() << "this one has a PMU";
  const Obstacle obstacle = PapiBackend().obstacle();
  EXPECT_THAT(obstacle.reason, testing::StartsWith("PAPI_TOT_CYC: PAPI says \""));
  EXPECT_THAT(obstacle.reason, HasSubstr("hardware counters: "));
  InstanceOf instance;
  const auto loads = count(instance, request({"PAPI_LD_INS"})).at("PAPI_LD_INS");
  EXPECT_EQ(loads.value, std::nullopt);
  EXPECT_THAT(loads.reason, testing::StartsWith("PAPI_LD_INS: PAPI says \""));
}

TEST(Papi, AMachineWithAPmuCountsInstructions) {
  if (const Obstacle obstacle = PapiBackend().obstacle(); !obstacle.reason.empty())
    GTEST_SKIP() << obstacle.reason;
  InstanceOf instance([] {
    for (volatile int left = 100000; left != 0;) left = left - 1;
  });
  EXPECT_GT(*count(instance, request({"PAPI_TOT_INS"}, 0.2)).at("PAPI_TOT_INS").value, 1e5);
}

}  // namespace
}  // namespace uotbench
