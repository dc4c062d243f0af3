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

TEST(Contradictions, AreFoundInEveryProcess) {
  EXPECT_THAT(contradictions(timing_of({1e-3, 0.9e-3, 2e-3}, 1e-3)), IsEmpty());
  EXPECT_THAT(
      contradictions(timing_of({1e-3, 0.5e-3}, 1e-3)),
      ElementsAre("its times are doubtful: process 2 reported 500.0 us/iteration, but the process that was "
                  "proved needs 1.000 ms"));
  EXPECT_EQ(outcome_of([] {
              contradictions(timing_of({1e-3, 1e-3, 0.1e-3}, 1e-3));
            }),
            "failed: process 3 reported 100.0 us/iteration, but the process that was proved needs 1.000 ms");
  Timing unseen = timing_of({1e-3, 0.1e-3}, 1);
  unseen.proof->outside.reset();
  EXPECT_THAT(contradictions(unseen), IsEmpty());
}

}  // namespace
}  // namespace uotbench
