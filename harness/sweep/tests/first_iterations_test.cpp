// The first iterations after the inputs show a kernel that stops working later.
#include "harness/sweep/workers/first_iterations.hpp"

#include <gmock/gmock.h>

#include "harness/sweep/tests/scripted_worker.hpp"
#include "harness/sweep/workers/prove.hpp"

namespace uotbench {
namespace {

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
