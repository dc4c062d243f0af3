// What a person reads of a stored run, character for character. golden/NAME.jsonl is the run, golden/NAME.txt
// its table, golden/NAME.json its rows. UOTBENCH_UPDATE_GOLDEN=1 rewrites the last two: read the diff.
#include <gmock/gmock.h>

#include <algorithm>

#include "results/claims/evidence.hpp"
#include "results/tests/made_record.hpp"
#include "results/view/compare.hpp"
#include "tools/tests/printed.hpp"
#include "tools/tests/program.hpp"
#include "tools/uotbench/views/run.hpp"

namespace uotbench {
namespace {

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

}  // namespace
}  // namespace uotbench
