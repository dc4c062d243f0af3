// What a paper gets: columns that were chosen, headings in words, and no wild number without a mark.
#include <gmock/gmock.h>

#include <algorithm>

#include "results/base/error.hpp"
#include "results/export/export.hpp"
#include "results/tests/made_header.hpp"
#include "results/view/run_table.hpp"

namespace uotbench {
namespace {

using testing::HasSubstr;
using testing::Not;

Record timed_in(const std::string& variant, const std::vector<double>& seconds) {
  Record record;
  record.variant = variant;
  record.worker = "w";
  record.point = {{"M", 8}};
  record.id = variant + "/M:8@w";
  record.time = Timing{};
  for (const double second : seconds)
    record.time->processes.push_back(
        {.start = 1, .first_sample = {}, .arm = {}, .samples = {second, second}});
  return record;
}

Run run_for_paper() {
  Record wild = timed_in("uot/wild", {1e-3, 1e-3, 4e-3}), calm = timed_in("uot/calm", {2e-3, 2e-3, 2e-3});
  calm.work = Work{.flops = 5, .bytes_read = 6};
  calm.work->operations = {{.name = "exp", .count = 64}};
  return {.path = "x.jsonl",
          .header = made_header({{"kind", "run"}, {"problem_axes", {{"uot", {"M"}}}}}),
          .records = {calm, wild},
          .resumes = {},
          .end = {},
          .unfinished = {},
          .warnings = {}};
}

TEST(Tex, HasTheColumnsThatAreChosen) {
  const uotbench::Run run = run_for_paper();
  const RunView view = view_of(run);
  const std::string chosen = to_tex(view, {.columns = {"speedup", "median"}, .macros = false});
  EXPECT_THAT(chosen, HasSubstr("Variant & Speedup & Time \\\\\n"));
  EXPECT_THAT(chosen, HasSubstr("calm & 1.00$\\times$ & 2.000\\,ms \\\\\n"));
  EXPECT_THAT(chosen, Not(HasSubstr("newcommand")));
  EXPECT_THAT(to_tex(view), HasSubstr("\\newcommand{\\uotCalmMEightWMedian}{2.000\\,ms}\n"));
  EXPECT_THAT(to_tex(view), Not(HasSubstr("Status"))) << "ok, all of them";
  const std::string medians = to_tex(view, {.columns = {"median"}});
  EXPECT_THAT(medians, HasSubstr("\\newcommand{\\uotCalmMEightWMedian}{2.000\\,ms}\n"));
  EXPECT_THAT(medians, Not(HasSubstr("Speedup}"))) << "no command of a column that was not chosen";
  EXPECT_THROW(to_tex(view, {.columns = {"speedups"}}), UsageError);
}

TEST(Tex, MarksWhatIsMostlyNoise) {
  const uotbench::Run run = run_for_paper();
  const std::string tex = to_tex(view_of(run));
  EXPECT_THAT(tex, HasSubstr("wild & 1.000\\,ms$^\\dagger$ & $>$\\,100\\% & "));
  EXPECT_THAT(tex, HasSubstr("2.00$\\times$$^\\dagger$"));
  EXPECT_THAT(tex, HasSubstr("WildMEightWMedian}{1.000\\,ms$^\\dagger$}"));
  EXPECT_THAT(tex, HasSubstr("$^\\dagger$The processes of this case differ by more than their median."));
  uotbench::Run calm = run_for_paper();
  calm.records.pop_back();
  EXPECT_THAT(to_tex(view_of(calm)), Not(HasSubstr("dagger")));
}

TEST(Csv, HasIntervalsAndOperations) {
  const uotbench::Run run = run_for_paper();
  const std::string csv = to_csv(view_of(run));
  EXPECT_THAT(csv, HasSubstr(",median_seconds,low_seconds,high_seconds,"));
  EXPECT_THAT(csv, HasSubstr(",0.001,0.001,0.004,")) << "the fastest and the slowest process";
  EXPECT_THAT(csv, HasSubstr(",operations_exp\n"));
  EXPECT_THAT(csv, HasSubstr(",64\n"));
}

TEST(Csv, OfSamplesHasALineEach) {
  const uotbench::Run run = run_for_paper();
  const std::string csv = to_csv_of_samples(view_of(run));
  EXPECT_THAT(csv, testing::StartsWith("id,variant,worker,per,round,process_start,arm,sample,seconds\n"
                                       "uot/calm/M:8@w,uot/calm,w,iteration,1,1,,1,0.002\n"
                                       "uot/calm/M:8@w,uot/calm,w,iteration,1,1,,2,0.002\n"));
  EXPECT_EQ(std::ranges::count(csv, '\n'), 1 + 2 * 3 * 2);
  EXPECT_THAT(csv, HasSubstr("uot/wild/M:8@w,uot/wild,w,iteration,3,1,,2,0.004\n"));
}

}  // namespace
}  // namespace uotbench
