// What the tables on a terminal look like.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "results/base/json.hpp"
#include "results/claims/claims.hpp"
#include "results/tests/made_record.hpp"
#include "results/view/compare.hpp"
#include "tools/tests/printed.hpp"
#include "tools/tests/program.hpp"
#include "tools/uotbench/views/gate.hpp"
#include "tools/uotbench/views/run.hpp"

namespace uotbench {
namespace {

// What a person reads of two runs, or of two values of an axis. golden/small.jsonl is A, golden/after.jsonl
// B: another build, machine and option; cases on one side only, and not timed on one side.

using CompareGolden = Golden;

TEST_F(CompareGolden, TwoRuns) {
  const uotbench::Run a = read_run("small.jsonl"), b = read_run("after.jsonl");
  const RunView view_a = view_of(a), view_b = view_of(b);
  const auto comparison = compare_runs(view_a, view_b);
  expect_golden("compare_runs.txt", text_of(comparison, {.speedups = true}));
  expect_golden("compare_runs.json", json_of(comparison).dump(2) + '\n');
}

TEST_F(CompareGolden, WorkersAndVariantsOfOneRun) {
  const uotbench::Run workers = read_run("workers.jsonl"), small = read_run("small.jsonl");
  const RunView view_workers = view_of(workers), view_small = view_of(small);
  expect_golden("compare_workers.txt", text_of(compare_within(view_workers, "worker", "native-v3")));
  expect_golden("compare_variants.txt", text_of(compare_within(view_small, "variant", "uot/map_uot")));
}

// A kernel in C++ and one in Python are never in one worker.
TEST_F(CompareGolden, VariantsOfDifferentWorkersAreJoinedWhereTheyMustBe) {
  uotbench::Run run = read_run("workers.jsonl");
  std::erase_if(run.records, [](const Record& record) {
    return !(record.variant == "uot/gemv" && record.worker == "native-v3") &&
           !(record.variant == "uot/map_uot" && record.worker == "mine");
  });
  ASSERT_EQ(run.records.size(), 2u);
  const RunView view = view_of(run);
  const std::string text = text_of(compare_within(view, "variant", "uot/gemv"));
  EXPECT_THAT(text, testing::ContainsRegex("map_uot @mine +1.500 ms +1.500 ms +1.000"));
}

TEST(CompareCommand, NamesThePartOfAFirstLineThatIsWrong) {
  Folder folder;
  write_text(folder / "bad.jsonl", "{\"kind\":\"run\",\"schema\":1,\"machine\":5,\"plan\":[]}\n");
  EXPECT_EQ(uotbench(folder.path(), {"show", "bad.jsonl"}).err,
            "uotbench: bad.jsonl: line 1: /machine: expected an object, got 5\n");
}

TEST(CompareCommand, SaysWhereNothingIsToCompare) {
  const std::string golden = std::string(UOTBENCH_SOURCE_DIR) + "/tools/tests/golden/";
  Folder folder;
  write_text(folder / "empty.jsonl", "{\"kind\":\"run\",\"schema\":1,\"plan\":[]}\n");
  const Outcome outcome = uotbench(folder.path(), {"compare", golden + "small.jsonl", "empty.jsonl"});
  EXPECT_EQ(outcome.code, 6);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err, testing::MatchesRegex("uotbench: nothing to compare; only in A: [^\n]*\n"));
  const Outcome one = uotbench(folder.path(), {"compare", golden + "small.jsonl", "--vary", "worker"});
  EXPECT_EQ(one.code, 6);
  EXPECT_EQ(one.err, "uotbench: nothing to compare: worker is native-v4 in all cases\n");
  EXPECT_EQ(uotbench(folder.path(), {"compare", golden + "small.jsonl", golden + "after.jsonl"}).code, 0);
}

TEST(CompareCommand, DoubtsWhatNoCeilingAllows) {
  const Folder folder;
  write_text(folder / "slow.jsonl", run_under_a_slow_ceiling());
  const std::string doubt = "the times of ([2-9]|1[0-3]) of 13 cases are doubtful: see show slow.jsonl";
  EXPECT_THAT(uotbench(folder.path(), {"compare", golden_run, "slow.jsonl"}).out,
              testing::AllOf(testing::HasSubstr("A: the times of 1 of 13 cases are doubtful"),
                             testing::ContainsRegex("B: " + doubt)));
  EXPECT_THAT(uotbench(folder.path(), {"compare", "slow.jsonl", "--vary", "variant"}).out,
              testing::ContainsRegex(doubt));
  EXPECT_THAT(uotbench(folder.path(), {"show", "slow.jsonl"}).out,
              testing::HasSubstr("faster than the fastest ceiling measured allows"));
}

// What a person reads of a stored run, character for character. golden/NAME.jsonl is the run, golden/NAME.txt
// its table, golden/NAME.json its rows. UOTBENCH_UPDATE_GOLDEN=1 rewrites the last two: read the diff.

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

using RunViewGolden = Golden;

// Every status, a run that was cut off, noise, a speedup over the first variant at equal threads, a larger
// tolerance, a kernel's bytes in a reason.
TEST_F(RunViewGolden, TableOfAnUnfinishedRun) {
  const auto run = read_run("small.jsonl");
  expect_golden("small.txt", table_of(view_of(run)));
  expect_golden("small.json", json_of(view_of(run)).dump(2) + '\n');
}

// The same variants in three workers, a reference that the sweep names, a Debug build.
TEST_F(RunViewGolden, TableOfSeveralWorkers) {
  const auto run = read_run("workers.jsonl");
  expect_golden("workers.txt", table_of(view_of(run)));
}

// A clock that says 0, or a record without samples, makes no infinity and no error.
TEST(RunView, ShowsNothingWhereNothingIsKnown) {
  Record record;
  record.id = "uot/x/M:1/N:1@w";
  record.variant = "uot/x";
  record.worker = "w";
  record.point = {{"M", 1}, {"N", 1}};
  record.work = Work{.flops = 1, .bytes_read = 1, .bytes_written = 1};
  record.time = Timing{};
  uotbench::Run run{.path = "x",
                    .header = made_header({{"kind", "run"}, {"problem_axes", {{"uot", {"M", "N"}}}}}),
                    .records = {record},
                    .resumes = {},
                    .end = {},
                    .unfinished = {},
                    .warnings = {}};
  for (const std::vector<double>& samples : {std::vector<double>{}, std::vector<double>(6, 0.)}) {
    run.records[0].time->processes = {
        ProcessSamples{.start = 0, .first_sample = {}, .arm = {}, .samples = samples}};
    const RunView view = view_of(run);
    EXPECT_FALSE(view.groups.at(0).cases.at(0).bandwidth);
    EXPECT_FALSE(view.groups.at(0).cases.at(0).speedup);
  }
}

// Speedups over a library that runs below its best are no news of the kernel.
TEST(HandicappedBaseline, IsNamedInTableComparisonAndEvidence) {
  uotbench::Run run = read_run(golden_run);
  const std::string why = "OpenBLAS runs Prescott kernels (128-bit vectors) on a CPU with 512-bit vectors";
  const auto gemv = std::ranges::find(run.records, "uot/gemv", &Record::variant);
  ASSERT_NE(gemv, run.records.end());
  const RunView honest = view_of(run);
  EXPECT_THAT(table_of(honest), Not(HasSubstr("handicapped")));
  gemv->env.set("handicap", why);
  const RunView view = view_of(run);
  EXPECT_THAT(table_of(view), HasSubstr("baseline handicapped: " + why));
  EXPECT_THAT(compare_runs(view, view).warnings,
              Contains(HasSubstr("baseline handicapped: " + gemv->id + ": " + why)));
  EXPECT_THAT(doubts_of(evidence_of(run)), Contains("weak baseline: " + gemv->id + ": " + why));
}

// A gate's text: silent of what is ok, and plain about the rest.

GateReport report() {
  GateReport report{.sweep = "gate", .started = "", .run = "", .baseline = {}, .candidate = {}};
  GateCase fine, slow;
  fine.id = "uot/fine/M:4/N:4@worker";
  fine.verdict = Verdict::ok;
  fine.time = TimeVerdict{.verdict = Verdict::ok, .reason = "no change found", .ratio = 1};
  fine.reason = "no change found";
  slow = fine;
  slow.id = "uot/slow/M:4/N:4@worker";
  slow.verdict = Verdict::regressed;
  slow.reason = "1.104x (1.092 to 1.117), confirmed";
  report.cases = {fine, slow};
  report.warnings = {"the clock is slow"};
  report.elapsed = 65;
  return report;
}

TEST(GateView, NamesOnlyWhatIsNotOk) {
  const std::string text = text_of(report());
  EXPECT_THAT(text, Not(HasSubstr("uot/fine")));
  EXPECT_THAT(text,
              HasSubstr("REGRESSED  uot/slow/M:4/N:4@worker\n    1.104x (1.092 to 1.117), confirmed\n"));
  EXPECT_THAT(text, HasSubstr("warning: the clock is slow\n"));
  EXPECT_THAT(text, HasSubstr("(1m05s)\n"));
}

TEST(GateView, SaysTheTimeWhereACounterDecides) {
  GateReport counted = report();
  GateCase& slow = counted.cases[1];
  slow.reason = "L1D.misses 10 -> 20 (+100.0%, trace)";
  slow.time =
      TimeVerdict{.verdict = Verdict::ok, .ratio = 1.01, .interval = ConfidenceInterval{1, 1.02, 0.95}};
  slow.baseline_seconds = 0.01;
  slow.candidate_seconds = 0.0101;
  EXPECT_THAT(text_of(counted),
              HasSubstr("    L1D.misses 10 -> 20 (+100.0%, trace)\n    time 1.010x (1.000 to "
                        "1.020), 10.00 ms -> 10.10 ms: ok\n"));
  slow.reason = "time 1.010x (1.000 to 1.020), confirmed";
  EXPECT_THAT(text_of(counted), Not(HasSubstr("10.00 ms"))) << "said once";
}

TEST(GateView, MoreNoiseTakesMorePairs) {
  const GateRules rules;
  const auto quiet = pairs_to_find(1.10, 0.02, rules), noisy = pairs_to_find(1.10, 0.10, rules);
  ASSERT_TRUE(quiet && noisy);
  EXPECT_GE(*quiet, fewest_pairs(rules, 1));
  EXPECT_GT(*noisy, *quiet);
  EXPECT_EQ(pairs_to_find(1.03, 0.02, rules), std::nullopt);  // within delta: never
}

TEST(GateView, APlanSaysWhatCannotBeTimed) {
  const GatePlanRow timed{.id = "uot/a@worker", .process = 0.2, .noise = 0.02, .obstacle = {}},
      not_timed{.id = "uot/b@worker", .process = 0, .noise = {}, .obstacle = "it crashed"};
  const std::string text = plan_text({timed, not_timed}, {}, {});
  EXPECT_THAT(text, HasSubstr("it crashed"));
  EXPECT_THAT(text, HasSubstr("24 pairs of each case take 10s"));
  const Json json = plan_json({timed, not_timed}, {});
  EXPECT_EQ(json.at("cases").at(1).at("obstacle"), "it crashed");
  EXPECT_DOUBLE_EQ(json.at("screen").get<double>(), 2 * 24 * 0.2);
}

}  // namespace
}  // namespace uotbench
