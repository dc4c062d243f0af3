// A reported time of a unit is held against the parent's clock. Here the test itself makes the units: what a
// unit takes is known, on a busy machine too.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "harness/sweep/tests/scripted_worker.hpp"
#include "harness/sweep/workers/prove.hpp"
#include "harness/sweep/workers/validation.hpp"

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

// The first iterations after the inputs show a kernel that stops working later.

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

FirstIterations of(const std::vector<std::vector<double>>& proofs, int steps = 1) {
  FirstIterations first(steps);
  for (const auto& seconds : proofs) first.add(seconds);
  return first;
}

TEST(FirstIterations, AreTheSlowestOfTheShortestAndNeverTheFirst) {
  EXPECT_EQ(of({{9, 2e-3, 1e-3}, {9, 1e-3, 4e-3}}).slowest(), 1e-3);
  EXPECT_EQ(of({{9, 2e-3, 1e-3, 3e-3}}).typical(), 2e-3);
  EXPECT_EQ(of({{9, 2e-3}}, 4).slowest(), 0.5e-3) << "a call of four iterations";
  EXPECT_FALSE(of({{9}}).slowest()) << "one iteration wakes threads and fills caches";
  EXPECT_FALSE(of({}).slowest());
}

TEST(FirstIterations, ContradictAKernelThatStopsWorking) {
  const auto first = of({{9, 1e-3, 1e-3, 1e-3, 1e-9}});
  EXPECT_EQ(first.plausible(1e-3), Plausible::yes);
  EXPECT_EQ(first.plausible(4e-4), Plausible::doubtful);
  EXPECT_EQ(first.plausible(1e-9), Plausible::no);
  EXPECT_EQ(of({{9, 3e-7}}).plausible(1e-7), Plausible::yes) << "looking at the clock takes the rest";
  EXPECT_EQ(of({}).plausible(1e-9), Plausible::yes) << "nothing is reported";
}

TEST(FirstIterations, FillCachesWithoutADoubt) {
  EXPECT_EQ(of({{9, 3.9e-3, 2.7e-3, 2.5e-3, 2.4e-3}}).plausible(2.4e-3), Plausible::yes);
  EXPECT_EQ(of({{9, 13e-3, 2.7e-3, 2.5e-3, 2.4e-3}}).plausible(2.4e-3), Plausible::no);
}

TEST(FirstIterations, AreReportedWithinTheTimeOfTheAnswer) {
  const std::vector<double> seconds{1e-3, 2e-3};
  EXPECT_THAT(possible_seconds(seconds, 1), ElementsAre(1e-3, 2e-3));
  EXPECT_THAT(possible_seconds({}, 1), IsEmpty());
  EXPECT_EQ(outcome_of([&] { possible_seconds(seconds, 1e-3); }),
            "failed: reported 0.003 s of iterations in an answer that took 0.001 s");
}

Timing timing_of(const std::vector<double>& medians, double outside) {
  Timing timing;
  for (const double seconds : medians) timing.processes.push_back({.start = 0, .samples = {seconds}});
  timing.proof = Proof{.how = "restarted", .reason = {}, .outside = outside};
  return timing;
}

std::vector<std::string> contradictions_of(const std::vector<double>& medians, double outside,
                                           const OutsideAgain& again = {}) {
  Timing timing = timing_of(medians, outside);
  return contradictions(timing, again);
}

TEST(Contradictions, AreFoundInEveryProcess) {
  EXPECT_THAT(contradictions_of({1e-3, 0.9e-3, 2e-3}, 1e-3), IsEmpty());
  EXPECT_THAT(
      contradictions_of({1e-3, 0.5e-3}, 1e-3),
      ElementsAre("its times are doubtful: process 2 reported 500.0 us/iteration, but the process that was "
                  "proved needs 1.000 ms"));
  EXPECT_EQ(outcome_of([] {
              contradictions_of({1e-3, 1e-3, 0.1e-3}, 1e-3);
            }),
            "failed: process 3 reported 100.0 us/iteration, but the process that was proved needs 1.000 ms");
  Timing unseen = timing_of({1e-3, 0.1e-3}, 1);
  unseen.proof->outside.reset();
  EXPECT_THAT(contradictions(unseen), IsEmpty());
}

TEST(Contradictions, AskAgainBeforeAProcessIsDoubted) {
  // The process that was proved had lost its CPU: by its own clock it was as slow.
  const std::vector<double> medians{2.48e-3, 0.47e-3, 0.41e-3};
  int asked = 0;
  const auto again = [&](double seconds) {
    asked = 0;
    return [&asked, seconds]() -> std::optional<double> {
      ++asked;
      return seconds;
    };
  };
  EXPECT_THAT(contradictions_of(medians, 2.21e-3, again(0.45e-3)), IsEmpty());
  EXPECT_EQ(asked, 1);
  EXPECT_THAT(contradictions_of(medians, 2.21e-3, again(0.8e-3)), testing::SizeIs(2));
  EXPECT_EQ(outcome_of([&] { contradictions_of(medians, 2.21e-3, again(2.3e-3)); }),
            "failed: process 3 reported 410.0 us/iteration, but the process that was proved needs 2.210 ms");
  EXPECT_EQ(asked, 3);
  EXPECT_THAT(contradictions_of(medians, 1e-3, again(0.4e-3)), IsEmpty()) << "a doubt, too, is asked again";
  EXPECT_EQ(asked, 1);
  EXPECT_THAT(contradictions_of(medians, 2e-3, again(3e-3)), testing::SizeIs(2));
  EXPECT_EQ(asked, 3);
}

}  // namespace
}  // namespace uotbench
