// Whether the processes of a case agree is decided in one place, for a run as for a gate.
#include "harness/sweep/run/session.hpp"

#include <gmock/gmock.h>

#include "harness/sweep/tests/scripted_worker.hpp"

namespace uotbench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const ProcessSamples shrinking{.start = 0, .samples = {1e-2, 1e-2, 1e-3, 1e-4, 1e-4}},
    constant{.start = 0, .samples = {1e-4, 1e-4, 1e-4, 1e-4, 1e-4}};

/// A case of these processes. `more` is what one more of them answers.
struct Agreement {
  explicit Agreement(std::vector<ProcessSamples> processes) { timing.processes = std::move(processes); }

  std::vector<std::string> require(const TimedOnce& more) {
    asked.clear();
    return require_agreement(timing, [&](bool proved) {
      asked.push_back(proved);
      return more;
    });
  }

  Timing timing;
  std::vector<bool> asked;  ///< whether each process more was to be proved
};

TimedOnce one_more(const ProcessSamples& samples, std::optional<double> outside = {}) {
  TimedOnce once;
  once.answer.samples = samples;
  if (outside)
    once.proof =
        ProvedProcess{.proof = {.how = "restarted", .reason = {}, .outside = outside}, .warnings = {}};
  return once;
}

TEST(Agreement, AsksForATimedProcessWhereTheOnlyOneIsUnsteady) {
  Agreement only({shrinking});
  EXPECT_THAT(only.require(one_more(constant)), IsEmpty());
  EXPECT_THAT(only.asked, ElementsAre(false));
  EXPECT_THAT(outcome_of([&] { only.require(one_more(shrinking)); }),
              HasSubstr("it has no steady iteration"));
  EXPECT_THAT(Agreement({constant, shrinking}).require(one_more(shrinking)), IsEmpty());
}

TEST(Agreement, AsksForAProvedProcessWhereOneIsDoubted) {
  Agreement proved({constant, constant});
  proved.timing.proof = Proof{.how = "restarted", .reason = {}, .outside = 1e-3};
  EXPECT_THAT(proved.require(one_more(constant, 1e-4)), IsEmpty());
  EXPECT_THAT(proved.asked, ElementsAre(true));
  EXPECT_EQ(proved.timing.proof->outside, 1e-4);
  proved.timing.proof->outside = 1e-3;
  EXPECT_THAT(outcome_of([&] { proved.require(one_more(constant)); }),
              HasSubstr("the process that was proved needs 1.000 ms"));
  EXPECT_THAT(proved.asked, ElementsAre(true, true, true)) << "none was proved";
}

}  // namespace
}  // namespace uotbench
