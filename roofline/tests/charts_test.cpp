// What charts of every kind have in common: intervals within the axis or with an arrow, names, sizes, ticks.
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "results/tests/made_record.hpp"
#include "roofline/figures/charts/chart.hpp"
#include "roofline/tests/made_speedups.hpp"

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

}  // namespace
}  // namespace uotbench
