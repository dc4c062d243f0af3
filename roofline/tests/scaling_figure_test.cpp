// Points are at their number of threads or processes, and the ideal is a line.
#include <gmock/gmock.h>

#include "roofline/tests/made_speedups.hpp"

namespace uotbench {
namespace {

using testing::HasSubstr;

TEST(ScalingFigure, PointsStandAtThreadsAndSpeedupAndTheIdealIsALine) {
  const auto run = run_of_rounds({timed("uot/a", 512, 1, {4e-3, 4e-3}), timed("uot/a", 512, 2, {2e-3, 2e-3}),
                                  timed("uot/a", 512, 4, {2e-3, 2e-3}), timed("uot/b", 512, 1, {8e-3, 8e-3}),
                                  timed("uot/b", 512, 4, {2e-3, 2e-3})});
  const Drawing drawing = drawing_of_run(run, {.kind = "scaling", .filter = ""});
  ASSERT_EQ(drawing.hotspots.size(), 5u);
  expect_markers_at_hotspots(drawing);
  // 1, 2, 2 and 1, 4, on log axes.
  const auto y = [&](int i) { return drawing.hotspots[i].top; };
  const auto x = [&](int i) { return drawing.hotspots[i].left; };
  EXPECT_NEAR(y(1), y(2), 1e-9);
  EXPECT_NEAR(y(4) - y(3), 2 * (y(1) - y(0)), 1e-9);
  EXPECT_NEAR(x(2) - x(1), x(1) - x(0), 1e-9);
  EXPECT_THAT(drawing.commands, HasSubstr("$panel0_guide0 << EOD\n1 1\n4 4\nEOD\n"));
  EXPECT_THAT(drawing.commands, HasSubstr("'speedup over itself, 1 thread'"));

  // As Fig. 10: over another one's single thread.
  const Drawing over =
      drawing_of_run(run, {.kind = "scaling", .filter = "", .over = Json{{"variant", "uot/b"}}});
  EXPECT_EQ(over.data.rows[2][4], "4");
  EXPECT_THAT(over.commands, HasSubstr("'speedup over b, 1 thread'"));
}

// A problem on one number of threads is no plot of scaling: it is left out, and that is said.
TEST(ScalingFigure, LeavesOutProblemsOfOneNumberOfThreads) {
  auto run = run_of_rounds({timed("uot/a", 512, 1, {4e-3, 4e-3}), timed("uot/a", 512, 2, {2e-3, 2e-3}),
                            timed("uot/a", 1024, 1, {8e-3, 8e-3}), timed("uot/b", 512, 2, {1e-3, 1e-3})});
  run.records.back().status = Status::failed;
  const Drawing drawing = drawing_of_run(run, {.kind = "scaling", .filter = ""});
  EXPECT_EQ(drawing.hotspots.size(), 2u);
  EXPECT_THAT(drawing.notes, testing::ElementsAre("left out, one number of threads in their problem: "
                                                  "uot/a/M:1024/N:1024/threads:1@native-v4",
                                                  "left out: 1 failed"));
  EXPECT_EQ(drawing.data.columns.back(), "left_out");
  ASSERT_EQ(drawing.data.rows.size(), 4u);
  EXPECT_EQ(drawing.data.rows[0].back(), "");
  EXPECT_EQ(drawing.data.rows[2].front(), "uot/a/M:1024/N:1024/threads:1@native-v4");
  EXPECT_EQ(drawing.data.rows[3].back(), "failed");
}

TEST(ScalingFigure, NeedsSeveralThreads) {
  EXPECT_EQ(complaint_of(two_speedups(), {.kind = "scaling", .filter = ""}),
            "scaling needs several values of threads; folder/made.jsonl has 1 alone");
  EXPECT_EQ(complaint_of(two_speedups(), {.kind = "scaling", .filter = "", .x = "ranks"}),
            "scaling needs several values of ranks; folder/made.jsonl has no such axis with numbers");
}

// As many rows a process: each problem has one number of them, and all are in one plot.
TEST(ScalingFigure, ShowsTheEfficiencyOfProblemsThatGrow) {
  std::vector<Rounds> cases;
  for (const auto& [ranks, seconds] : {std::pair{1, 1e-3}, {2, 1.25e-3}, {4, 2e-3}})
    cases.push_back({.variant = "uot/a",
                     .point = {{"M", 512 * ranks}, {"N", 512}, {"ranks", ranks}},
                     .seconds = {seconds},
                     .work = {.flops = 4e6 * ranks}});
  auto run = run_of_rounds(cases);
  const FigureSpec spec{.kind = "scaling", .filter = "", .x = "ranks", .value = "efficiency"};
  const Drawing drawing = drawing_of_run(run, spec);
  ASSERT_EQ(drawing.hotspots.size(), 3u);
  expect_markers_at_hotspots(drawing);
  EXPECT_EQ(drawing.data.rows[0][3], "1");
  EXPECT_EQ(drawing.data.rows[1][3], "0.8");
  EXPECT_EQ(drawing.data.rows[2][3], "0.5");
  EXPECT_EQ(complaint_of(run, {.kind = "scaling", .filter = "", .x = "ranks", .value = "speed"}),
            "scaling: value: expected speedup or efficiency, got \"speed\"");
  run.records.resize(1);
  EXPECT_THAT(complaint_of(run, spec), HasSubstr("scaling needs several values of ranks"));
}

}  // namespace
}  // namespace uotbench
