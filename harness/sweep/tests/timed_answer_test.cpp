// What a worker says of time is taken where it can be true, and no further.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/sweep/run/session.hpp"
#include "harness/sweep/tests/scripted_worker.hpp"
#include "results/base/json.hpp"

namespace uotbench {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::MatchesRegex;
using testing::StartsWith;

const RunContext no_limits;

class TimedBy : public testing::Test {
 protected:
  /// Of a worker that takes 0.1 s and answers this as `time`, beside what every answer holds.
  std::string timed(const Json& more, const std::vector<int>& cpus = {}, const TimeAsked& asked = {}) {
    Json time{{"per", "iteration"},
              {"clock", "steady"},
              {"inner", 1},
              {"stopped_by", "time"},
              {"samples", {1e-3, 2e-3}}};
    time.update(more);
    WorkerProcess process(scripted_worker(folder_, R"(
def answer(request):
    time.sleep(0.1)
    send(type='record', time=request['say']))"),
                          no_limits, cpus);
    return outcome_of([&] {
      const Json record =
          process.exchange({{"type", "run"}, {"steps", {"time"}}, {"say", time}}, "record", 60);
      answer = timed_answer(*reply_of(record).time, process, asked);
    });
  }

  TimedAnswer answer;

 private:
  static RunReply reply_of(const Json& record) try {
    return run_reply_from(record);
  } catch (const Error& error) {
    throw WorkerFailure{Status::failed, error.what()};
  }

  Folder folder_;
};

TEST_F(TimedBy, KeepsWhatIsPossible) {
  EXPECT_EQ(timed({{"per", "solve"}, {"iterations", 7}, {"inner", 3}, {"busy", 0.5}}), "ok");
  EXPECT_THAT(answer.samples.samples, ElementsAre(1e-3, 2e-3));
  EXPECT_EQ(answer.inner, 3);
  EXPECT_EQ(answer.busy, 0.5);
  EXPECT_EQ(answer.per, Unit::solve);
  EXPECT_EQ(answer.iterations, 7);
  EXPECT_FALSE(answer.samples.first_sample);
}

// An early exit, a cache of the last result, values that become denormal.
TEST_F(TimedBy, HoldsTheFirstSamplesAgainstTheLast) {
  EXPECT_EQ(timed({{"samples", {2e-3, 2e-3, 1e-3, 1e-3, 1e-3}}}), "ok");
  EXPECT_THAT(answer.warnings, testing::IsEmpty());
  EXPECT_EQ(timed({{"samples", {40e-3, 1e-3, 1e-3, 1e-3, 1e-3}}}), "ok");
  EXPECT_THAT(answer.warnings, testing::IsEmpty()) << "one interrupt";
  EXPECT_EQ(timed({{"samples", {4e-3, 4e-3, 1e-3, 1e-3, 1e-3}}}), "ok");
  EXPECT_THAT(answer.warnings,
              ElementsAre("its times are doubtful: its samples change from 4.000 ms to 1.000 ms "
                          "within a process"));
  EXPECT_EQ(timed({{"samples", {1e-2, 1e-4}}}), "ok") << "two samples are no trend";
  EXPECT_THAT(answer.warnings, testing::SizeIs(1));
}

TEST(Unsteady, IsACaseWhoseProcessesAllChange) {
  const ProcessSamples dwindling{.samples = {1e-2, 1e-2, 1e-3, 1e-4, 1e-4}},
      growing{.samples = {1e-4, 1e-4, 1e-3, 1e-2, 1e-2}}, steady{.samples = {1e-4, 1e-4, 1e-4, 1e-4, 1e-4}};
  const std::string text = " within a process: it has no steady iteration";
  EXPECT_EQ(unsteady(dwindling), "its samples change from 10.00 ms to 100.0 us" + text);
  EXPECT_EQ(unsteady(growing), "its samples change from 100.0 us to 10.00 ms" + text);
  EXPECT_EQ(unsteady(steady), "");
  EXPECT_EQ(unsteady({.samples = dwindling.samples, .busy = 0.5}), "") << "it may have lost its CPU at first";
  EXPECT_EQ(unsteady({.samples = {1e-2, 1e-4}}), "");
  int asked = 0;
  const auto of = [&](std::vector<ProcessSamples> processes, const ProcessSamples& one_more) {
    Timing timing;
    timing.processes = std::move(processes);
    return why_unsteady(timing, [&] {
      ++asked;
      return one_more;
    });
  };
  EXPECT_NE(of({dwindling, dwindling, growing}, steady), "");
  EXPECT_EQ(of({dwindling, steady, dwindling}, dwindling), "")
      << "an honest process that was disturbed at first";
  EXPECT_EQ(of({steady}, dwindling), "");
  EXPECT_EQ(of({}, dwindling), "");
  EXPECT_EQ(asked, 0);
  EXPECT_EQ(of({dwindling}, steady), "") << "the only process may have been disturbed";
  EXPECT_NE(of({dwindling}, growing), "");
  EXPECT_EQ(asked, 2);
}

TEST_F(TimedBy, HoldsASolvesIterationsToWhatWasAsked) {
  const Json ten{{"per", "solve"}, {"iterations", 10}}, million{{"per", "solve"}, {"iterations", 1000000}};
  const RunRequest request{.point = Point{{"M", 3}}, .step = run_step::Time{}, .iterations = 10};
  const auto counted = asked_to_time(request, {10, 2}, 1);
  EXPECT_EQ(timed(ten, {}, counted), "ok");
  EXPECT_EQ(timed(million, {}, counted),
            "failed: reported solves of 1000000 iterations; expected 10, as asked");
  EXPECT_EQ(timed(million, {}, asked_to_time(request, {1}, 1)), "ok") << "it stops by its own test";
  RunRequest own = request;
  own.point.set("iterations", 100);  // an axis of the variant's
  EXPECT_EQ(asked_to_time(own, {10, 2}, 1).iterations, 100);
  own.step = run_step::Time{.stop_after = 7};
  EXPECT_FALSE(asked_to_time(own, {10, 2}, 1).iterations);
}

TEST_F(TimedBy, RefusesMoreSecondsThanPassed) {
  EXPECT_THAT(
      timed({{"samples", std::vector<double>(50, 20.)}}),
      MatchesRegex("failed: reported 1e\\+03 s of samples in [0-9.]+ s: 50 samples, each of 1 x 20 s"));
  EXPECT_THAT(timed({{"inner", std::int64_t{1} << 53}, {"samples", {1e-6}}}),
              StartsWith("failed: reported 9.01e+09 s of samples in "));
  // A clock of CPU time sums up what all CPUs do, and no more.
  EXPECT_THAT(timed({{"clock", "cpu"}, {"samples", {1e5}}}),
              StartsWith("failed: reported 1e+05 s of samples in "));
}

TEST_F(TimedBy, RefusesIterationsShorterThanAny) {
  EXPECT_EQ(timed({{"per", "solve"}, {"iterations", 1000000000}, {"samples", {1e-6}}}),
            "failed: reported solves of 1e-06 s with 1000000000 iterations: 1e-15 s per iteration");
  EXPECT_EQ(timed({{"per", "solve"}, {"iterations", 1000}, {"samples", {1e-6}}}), "ok");
  EXPECT_EQ(timed({{"per", "solve"}}), "failed: timed solves and does not say how many iterations one takes");
}

TEST_F(TimedBy, RefusesAFirstSampleOfAnotherTime) {
  for (const double moment : {-1e300, 0., 1e18})
    EXPECT_THAT(timed({{"first_sample_at", moment}}),
                AllOf(StartsWith("failed: reported first_sample_at "),
                      HasSubstr("expected seconds of CLOCK_MONOTONIC")));
}

// Each of these ended the whole program once: part of an answer was destroyed twice.
TEST_F(TimedBy, SurvivesWhateverIsMissingOrOfAnotherType) {
  for (const char* key : {"per", "clock", "inner", "stopped_by", "samples", "busy"})
    EXPECT_THAT(timed({{key, {{"a", 1}}}}),
                StartsWith("failed: worker mine: answer to run (time): /time/" + std::string(key)));
  EXPECT_THAT(timed({{"phases", {{{"name", "p"}, {"seconds", {1e-4}}}}}}),
              StartsWith("failed: the phase p has 1 times, but there are 2 samples"));
}

// What several processes counted is their mean; what all counted alike is exactly that, for a gate compares
// it so.

Work counted_work(double flops) { return {.flops = flops, .counted = true}; }

TEST(TimedWork, OfEqualCountsIsThatCount) {
  for (const double flops : {7., 49., 0.1, 1e300 / 3}) {
    std::optional<Work> mean;
    for (std::size_t process = 1; process <= 49; ++process) take_work(mean, counted_work(flops), process);
    EXPECT_EQ(mean->flops, flops);
  }
}

TEST(TimedWork, IsTheMeanOfTheTimedProcesses) {
  std::optional<Work> mean = Work{.flops = 1000};  // the judged process's model
  for (std::size_t process = 1; process <= 3; ++process)
    take_work(mean, counted_work(10 * static_cast<double>(process)), process);
  EXPECT_DOUBLE_EQ(mean->flops, 20);
  EXPECT_TRUE(mean->counted);
}

TEST(TimedWork, LeavesAModelAsItWasJudged) {
  std::optional<Work> mean = Work{.flops = 1000};
  take_work(mean, Work{.flops = 5}, 1);
  take_work(mean, std::nullopt, 2);
  EXPECT_EQ(mean->flops, 1000);
}

// A worker that tells it with its times alone.
TEST(TimedWork, TakesAModelWhereNoneWasToldBefore) {
  std::optional<Work> mean;
  take_work(mean, std::nullopt, 1);
  EXPECT_FALSE(mean);
  take_work(mean, Work{.flops = 5}, 2);
  ASSERT_TRUE(mean);
  EXPECT_EQ(mean->flops, 5);
  EXPECT_FALSE(mean->counted);
}

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
