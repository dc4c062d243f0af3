// What a person reads of two runs, or of two values of an axis. golden/small.jsonl is A, golden/after.jsonl
// B: another build, machine and option; cases on one side only, and not timed on one side.
#include "results/view/compare.hpp"

#include <gmock/gmock.h>

#include "tools/tests/printed.hpp"
#include "tools/tests/program.hpp"
#include "tools/uotbench/views/compare.hpp"

namespace uotbench {
namespace {

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

}  // namespace
}  // namespace uotbench
