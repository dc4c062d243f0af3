// What charts of every kind have in common: intervals within the axis or with an arrow, names, sizes, ticks.
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>

#include "results/base/error.hpp"
#include "results/tests/made_record.hpp"
#include "roofline/draw/style.hpp"
#include "roofline/figures/charts/chart.hpp"
#include "roofline/model/model.hpp"
#include "roofline/tests/made_rounds.hpp"

namespace uotbench {
namespace {

using testing::HasSubstr;

/// The lines of a here-document.
std::vector<std::string> lines_of(const Drawing& drawing, const std::string& name) {
  std::vector<std::string> lines;
  std::istringstream in(drawing.commands);
  bool inside = false;
  for (std::string line; std::getline(in, line);) {
    if (line == "EOD") inside = false;
    if (inside) lines.push_back(line);
    if (line.starts_with("$" + name + " ")) inside = true;
  }
  return lines;
}

// 1.35x to 3.63x is not drawn as if it ended at the plot's edge.
TEST(Intervals, ThatGoOnBeyondTheAxisEndInAnArrow) {
  auto run = two_speedups();
  const Drawing whole = drawing_of_run(run, {.kind = "speedup", .filter = ""});
  EXPECT_THAT(lines_of(whole, "panel0_beyond0"), testing::IsEmpty());
  EXPECT_THAT(whole.notes, testing::IsEmpty());
  run.records[0].time->processes[1].samples = {9., 9.};
  const Drawing cut = drawing_of_run(run, {.kind = "speedup", .filter = ""});
  EXPECT_THAT(lines_of(cut, "panel0_beyond0"), testing::SizeIs(1));
  EXPECT_THAT(cut.commands, HasSubstr("vectors head filled"));
  EXPECT_THAT(cut.notes,
              testing::ElementsAre(HasSubstr("an interval goes on beyond the axis (see the arrow), up to")));
  EXPECT_THAT(cut.caption, HasSubstr("8.18e+03"));
}

// Of every kind with intervals: inside the axis as far as that has room for them, else with an arrow.
TEST(Intervals, OfEveryKindAreInsideTheAxisOrEndInAnArrow) {
  for (const double spread : {1.2, 4., 300.}) {
    std::vector<Rounds> cases;
    for (const int size : {256, 512, 1024})
      for (const int threads : {1, 2})
        for (const char* variant : {"uot/base", "uot/ours"}) {
          const double seconds = 1e-9 * size * size / threads;
          const double by = threads == 2 && variant == std::string("uot/ours") ? spread : 1.01;
          cases.push_back(timed(variant, size, threads, {seconds / by, seconds, seconds * by}));
        }
    uotbench::Run run = run_of_rounds(cases);
    auto solves = run;
    for (auto& record : solves.records) record.time->per = Unit::solve, record.time->iterations = 7;
    for (const char* kind : {"speedup", "scaling", "sizes", "solves"}) {
      SCOPED_TRACE(fmt::format("{} {}", kind, spread));
      const bool solved = kind == std::string("solves");
      const Drawing drawing =
          drawing_of_run(solved ? solves : run, {.kind = kind, .filter = "", .x = solved ? "M" : ""});
      std::size_t arrows = 0, at_edge = 0;
      for (int series = 0; series < 4; ++series)
        for (int panel = 0; panel < 4; ++panel)
          arrows += lines_of(drawing, fmt::format("panel{}_beyond{}", panel, series)).size();
      // What is drawn ends where the axis does only where an arrow says that it goes on.
      for (int panel = 0; panel < 4; ++panel) {
        const auto ranges = matches(drawing.commands, "set yrange \\[([^:]+):([^\\]]+)\\]");
        for (int series = 0; series < 4; ++series)
          for (const auto& line : lines_of(drawing, fmt::format("panel{}_series{}", panel, series))) {
            std::istringstream numbers(line);
            double x, y, low, high;
            numbers >> x >> y >> low >> high;
            const auto& range = ranges[static_cast<std::size_t>(panel)];
            at_edge += std::fabs(low / std::stod(range[1]) - 1) < 1e-5;
            at_edge += std::fabs(high / std::stod(range[2]) - 1) < 1e-5;
          }
      }
      EXPECT_EQ(arrows, at_edge);
      EXPECT_EQ(arrows > 0, spread > interval_room) << "an axis follows what is near";
      if (arrows > 0) EXPECT_THAT(drawing.notes, testing::Contains(HasSubstr("beyond the axis")));
    }
  }
}

TEST(Charts, NamesCannotInjectCommands) {
  const std::string flag = testing::TempDir() + "injected";
  for (const std::string quote : {"'", "''", "'''", "\"", "\\\"", "a'", "a''", "%s%n'", "`", "'`"}) {
    auto run = two_speedups();
    const std::string name =
        fmt::format("{0}; system {0}touch {1}{0}; `touch {1}`\nEOD\nsystem {0}touch {1}{0}", quote, flag);
    edited(run.header)["problem_axes"]["uot"].push_back("path");
    for (auto& record : run.records) record.point.set("path", name), record.id += name;
    FigureSpec spec{.kind = "speedup", .filter = ""};
    spec.labels["uot/ours"] = spec.labels["uot/base"] = spec.title.emplace(name);
    EXPECT_THAT(svg_of(drawing_of_run(run, spec), "t"), HasSubstr("system")) << name;
    for (const int i : {0, 1}) run.records[i].point.set("path", name + "2");  // on the axis, too
    EXPECT_THAT(svg_of(drawing_of_run(run, spec), "t"), HasSubstr("system")) << name;
    std::error_code none;
    EXPECT_FALSE(std::filesystem::exists(flag, none)) << name;
  }
}

TEST(Charts, SayThatAFigureIsTooSmall) {
  FigureSpec spec{.kind = "speedup", .filter = "", .width = 8.8};
  spec.height = 1.5;
  EXPECT_THAT(complaint_of(two_speedups(), spec),
              HasSubstr("a figure of 8.8 cm x 1.5 cm is too small for 1 plot"));
}

TEST(Charts, SayThatThereIsTooMuchToTellApart) {
  std::vector<Rounds> cases{timed("uot/base", 512, 1, {1})};
  for (int i = 0; i < 17; ++i) cases.push_back(timed(fmt::format("uot/v{}", i), 512, 1, {1}));
  EXPECT_THAT(complaint_of(run_of_rounds(cases), {.kind = "speedup", .filter = ""}),
              HasSubstr("speedup: 17 kinds of bars or lines, and at most 16 can be distinguished"));
}

TEST(Ticks, StandAtRoundNumbers) {
  const auto texts = [](const std::vector<Tick>& ticks) {
    std::string all;
    for (const auto& tick : ticks) all += tick.text + " ";
    return all;
  };
  EXPECT_EQ(texts(round_ticks(0, 3.1, 6)), "0 1 2 3 ");
  EXPECT_EQ(texts(round_ticks(0, 0.9, 6)), "0 0.2 0.4 0.6 0.8 ");
  EXPECT_EQ(texts(power_ticks(0.4, 17, 9, plain_number)), "0.5 1 2 4 8 16 ");
  EXPECT_EQ(texts(log10_axis("", 1e-5, 1e-2, plain_number).ticks), "1e-05 0.0001 0.001 0.01 ");
  EXPECT_EQ(plain_number(10000), "10000");
  EXPECT_EQ(plain_number(1e6), "1e+06");
}

// Points are at their working sets, with the caches of their threads.

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

// Points are at their number of threads or processes, and the ideal is a line.

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

// Bars are as high as the speedups over a reference, and each series looks different.

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
