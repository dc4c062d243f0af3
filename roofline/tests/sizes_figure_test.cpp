// Points are at their working sets, with the caches of their threads.
#include <gmock/gmock.h>

#include "results/tests/made_record.hpp"
#include "roofline/model/model.hpp"
#include "roofline/tests/made_speedups.hpp"

namespace uotbench {
namespace {

using testing::HasSubstr;

TEST(SizesFigure, PointsStandAtTheWorkingSetBesideTheCachesOfTheirThreads) {
  std::vector<Rounds> cases;
  for (const int threads : {1, 2})
    for (const int size : {32, 256, 2048})
      cases.push_back(timed("uot/a", size, threads, {size * 1e-6, size * 1.1e-6}));
  const Drawing drawing = drawing_of_run(run_of_rounds(cases), {.kind = "sizes", .filter = ""});
  ASSERT_EQ(drawing.hotspots.size(), 6u);
  expect_markers_at_hotspots(drawing);
  EXPECT_THAT(drawing.data.rows[0],
              testing::ElementsAre("uot/a/M:32/N:32/threads:1@native-v4", "4096", testing::_, "3.2e-05",
                                   testing::_, testing::_, "iteration", "made.jsonl"));
  for (const char* text :
       {"'L1 32 KiB'", "'L2 1 MiB'", "'L2 2 MiB'", "'1 thread'", "'2 threads'", "'working set'"})
    EXPECT_THAT(drawing.commands, HasSubstr(text));
  EXPECT_THAT(drawing.commands, testing::Not(HasSubstr("L3")));  // out of sight
}

TEST(SizesFigure, ShowsBandwidthWhereAsked) {
  const FigureSpec spec{.kind = "sizes", .filter = "", .value = "bandwidth"};
  const Drawing drawing = drawing_of_run(two_speedups(), spec);
  expect_markers_at_hotspots(drawing);
  EXPECT_THAT(drawing.commands, HasSubstr("'bandwidth (GB/s)'"));
  EXPECT_EQ(complaint_of(two_speedups(), {.kind = "sizes", .filter = "", .value = "speed"}),
            "sizes: value: expected time or bandwidth, got \"speed\"");
  auto run = two_speedups();
  for (auto& record : run.records) record.work.reset();
  EXPECT_EQ(complaint_of(run, spec),
            "sizes: folder/made.jsonl: no case has a work model, which declares its working set");
}

/// Two kinds of problem are two plots; what the model promises is a grey line through the working sets.
TEST(SizesFigure, BandwidthStandsBesideThePromise) {
  std::vector<Rounds> cases;
  for (const char* data : {"one", "two"})
    for (const int size : {1024, 2048}) {
      Rounds made = timed("uot/a", size, 2, {size * 1e-6});
      made.point["data"] = data;
      made.work.element = ElementWork{.elements = 1e6, .flops = 1, .memory = 2};
      cases.push_back(made);
    }
  auto run = run_of_rounds(cases);
  edited(run.header)["problem_axes"]["uot"].push_back("data");
  const RunView view = view_under_roofs(run, {made_ceilings()});
  const Drawing drawing = figure_of({.kind = "sizes", .filter = "", .value = "bandwidth"}, {&view});
  for (const char* text :
       {"'data one'", "'data two'", "$panel0_guide0", "$panel1_guide0", "'promised (Eq. 11, 12)'"})
    EXPECT_THAT(drawing.commands, HasSubstr(text));
  const Drawing time = figure_of({.kind = "sizes", .filter = ""}, {&view});
  EXPECT_THAT(time.commands, testing::Not(HasSubstr("_guide")));
}

}  // namespace
}  // namespace uotbench
