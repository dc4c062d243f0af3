// Bars are as high as the speedups over a reference, and each series looks different.
#include <gmock/gmock.h>

#include <algorithm>
#include <set>

#include "results/base/error.hpp"
#include "results/tests/made_record.hpp"
#include "roofline/draw/style.hpp"
#include "roofline/tests/made_rounds.hpp"

namespace uotbench {
namespace {

using testing::HasSubstr;

TEST(SpeedupFigure, BarsAreAsHighAsTheSpeedups) {
  const Drawing drawing = drawing_of_run(two_speedups(), {.kind = "speedup", .filter = ""});
  ASSERT_EQ(drawing.hotspots.size(), 2u);  // the reference is the line at 1
  const auto shapes = shapes_in(svg_of(drawing, "t"), drawing);
  for (const auto& spot : drawing.hotspots)
    EXPECT_TRUE(std::ranges::any_of(shapes, [&](const Box& shape) {
      return same(shape, {spot.left, spot.bottom, spot.right, spot.top}, 0.01);
    })) << spot.text;
  const auto height = [&](int i) { return drawing.hotspots[i].top - drawing.hotspots[i].bottom; };
  EXPECT_NEAR(height(1) / height(0), 2, 1e-9);
  EXPECT_THAT(drawing.hotspots[0].text, HasSubstr("2× over uot/base/M:512/N:512/threads:1@native-v4\n"
                                                  "1.82× to 2.22× (75% interval of paired rounds)"));
  EXPECT_THAT(drawing.commands, HasSubstr("'geo. mean 2.83×, max 4.00×'"));  // the mean is geometric
  EXPECT_THAT(drawing.commands, HasSubstr("'speedup over base'"));
  EXPECT_EQ(drawing.data.rows[1][4], "4");
  EXPECT_THAT(drawing.caption,
              HasSubstr("Vertical lines: 75% interval over paired rounds; 95% takes 6 rounds."));
}

// "?" over the line of an interval could be read as part of neither.
TEST(SpeedupFigure, ADoubtfulBarsMarkIsClearOfItsInterval) {
  for (const double fastest : {0.9e-3, 0.2e-3}) {  // an interval within the plot, and one that leaves it
    uotbench::Run run = run_of_rounds(
        {timed("uot/base", 512, 1, {2e-3, 2e-3, 2e-3}), timed("uot/ours", 512, 1, {1e-3, 1.1e-3, fastest})});
    run.records[1].time->warnings = {"round 1: had its CPU only 13% of the time"};
    const Drawing drawing = drawing_of_run(run, {.kind = "speedup", .filter = ""});
    const auto marks = matches(drawing.commands, "set label '\\?' at screen ([0-9.]+), screen ([0-9.]+)");
    ASSERT_EQ(marks.size(), 1u) << fastest;
    const double x = std::stod(marks[0][1]) * drawing.width, y = std::stod(marks[0][2]) * drawing.height;
    const Hotspot& bar = drawing.hotspots.at(0);
    const double end = bar.bottom + 2e-3 / fastest / 2 * (bar.top - bar.bottom);  // the bar is 2 high
    const bool above = y > end + 0.1, beside = x > (bar.left + bar.right) / 2 + 0.05;
    EXPECT_TRUE(above || beside) << fastest;
    EXPECT_LT(y, drawing.height);
  }
}

// As many as a chart takes.
TEST(SpeedupFigure, SixteenSeriesLookDifferent) {
  std::set<std::pair<std::string, std::string>> looks;
  for (std::size_t i = 0; i < 16; ++i) looks.emplace(look(i).colour, look(i).fill);
  EXPECT_EQ(looks.size(), 16u);
}

// A variant keeps its colour on any number of threads: fewer are a lighter shade of it.
TEST(SpeedupFigure, ThreadsAreShadesOfTheVariantsColour) {
  std::vector<Rounds> cases;
  for (const int threads : {1, 2})
    for (const char* variant : {"uot/base", "uot/a", "uot/b"})
      cases.push_back(timed(variant, 512, threads, {1e-3, 1e-3}));
  const Drawing drawing = drawing_of_run(
      run_of_rounds(cases),
      {.kind = "speedup", .filter = "", .colours = {{"uot/a", "#000000"}, {"uot/b", "#d55e00"}}});
  for (const char* colour : {"'#000000'", "'#d55e00'", "'#8c8c8c'"})
    EXPECT_THAT(drawing.commands, HasSubstr(colour));
  EXPECT_EQ(tinted("#d55e00", 1), "#d55e00");
  EXPECT_EQ(tinted("#d55e00", 0), "#ffffff");
}

TEST(SpeedupFigure, RunsWithDifferentReferencesNeedOneForAll) {
  auto a = two_speedups(), b = two_speedups();
  b.path = "b.jsonl";
  edited(b.header)["sweep"] = {{"speedup_over", {{"variant", "uot/base"}, {"threads", 1}}}};
  const RunView view_a = view_of(a), view_b = view_of(b);
  try {
    figure_of({.kind = "speedup", .filter = ""}, {&view_a, &view_b});
    ADD_FAILURE() << "two references under one label";
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), HasSubstr("b.jsonl are over something else"));
  }
  EXPECT_NO_THROW(figure_of({.kind = "speedup", .filter = "", .over = Json{{"variant", "uot/base"}}},
                            {&view_a, &view_b}));
}

TEST(SpeedupFigure, ManySizesAreLines) {
  std::vector<Rounds> cases;
  for (int size = 64; size <= 1024; size += 64) {
    cases.push_back(timed("uot/base", size, 1, {2e-3}));
    cases.push_back(timed("uot/ours", size, 1, {1e-3 * size / 64}));
  }
  const Drawing drawing = drawing_of_run(run_of_rounds(cases), {.kind = "speedup", .filter = ""});
  ASSERT_EQ(drawing.hotspots.size(), 16u);
  expect_markers_at_hotspots(drawing);
  EXPECT_THAT(drawing.commands, HasSubstr("'M = N'"));
}

TEST(SpeedupFigure, IsOverWhatIsAskedFor) {
  const Drawing drawing = drawing_of_run(
      two_speedups(), {.kind = "speedup", .filter = "", .over = Json{{"variant", "uot/ours"}}});
  EXPECT_EQ(drawing.data.rows[1][4], "0.25");
  EXPECT_EQ(complaint_of(two_speedups(),
                         {.kind = "speedup", .filter = "ours", .over = Json{{"variant", "uot/ours"}}}),
            "speedup: folder/made.jsonl: no case other than its reference uot/ours; --over VARIANT chooses "
            "another");
}

TEST(SpeedupFigure, OneWildRoundDoesNotHideTheOthers) {
  auto run = two_speedups();
  run.records[0].time->processes[1].samples = {9., 9.};
  const Drawing drawing = drawing_of_run(run, {.kind = "speedup", .filter = ""});
  EXPECT_GT(drawing.hotspots[1].top - drawing.hotspots[1].bottom, 0.5);
  EXPECT_EQ(drawing.data.rows[0][6], "8181.818181818181");  // the table has it all
}

}  // namespace
}  // namespace uotbench
