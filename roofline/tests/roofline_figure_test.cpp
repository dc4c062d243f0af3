// A roofline is read with a ruler: points and roofs stand where the numbers say, and no text covers another.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <string>
#include <vector>

#include "results/tests/made_record.hpp"
#include "roofline/figures/roofline/panels.hpp"
#include "roofline/tests/made.hpp"
#include "roofline/tests/read_figure.hpp"

namespace uotbench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::Pair;
using testing::SizeIs;

TEST(Roofline, PutsPointsWhereTheNumbersSay) {
  const auto cases = made_variants(2);
  const auto run = made_run(cases, {made_ceilings()});
  const ReadFigure figure = drawn_roofline(run);
  const auto marks = figure.marks();
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const Work& work = cases[i].work;
    const double x = figure.pixel_x(work.flops / work.bytes());
    const double y = figure.pixel_y(work.flops / cases[i].median / 1e9);
    EXPECT_TRUE(std::ranges::any_of(marks,
                                    [&](const ReadFigure::Mark& mark) {
                                      return std::abs(mark.x - x) < 0.5 && std::abs(mark.y - y) < 0.5 &&
                                             mark.colour == (i == 0 ? "rgb(0,114,178)" : "rgb(230,159,0)");
                                    }))
        << cases[i].variant << " at " << x << ", " << y;
  }
}

TEST(Roofline, UnderRoofsOfAnotherMachineSaysWhereItsPointsAreFrom) {
  auto run = made_run(made_variants(2), {made_ceilings()});
  edited(run.header)["machine"]["hashed"]["cpu"] = "A CPU";
  Ceilings other = made_ceilings();
  other.name = "B CPU";
  const ReadFigure figure = drawn_roofline(run, {.kind = "roofline", .filter = ""}, {other});
  EXPECT_TRUE(figure.has_text("Roofs: B CPU (f32, 2 threads)"));
  EXPECT_TRUE(figure.has_text("Points: measured on A CPU"));
  EXPECT_THAT(figure.drawing.notes,
              ElementsAre("the points were measured on A CPU; the roofs are those of B CPU"));
  figure.expect_no_text_covers_another();
  other.name = "A CPU";
  const ReadFigure own = drawn_roofline(run, {.kind = "roofline", .filter = ""}, {other});
  EXPECT_TRUE(own.has_text("A CPU (f32, 2 threads)"));
  EXPECT_THAT(own.drawing.notes, IsEmpty());
}

// From the slowest to the fastest process, however wide that is.
TEST(Roofline, IntervalsAreThoseOfTheProcesses) {
  auto cases = made_variants(1);
  auto run = made_run(cases, {made_ceilings()});
  run.records[0].time->processes[0].samples = {cases[0].median * 8};
  run.records[0].time->processes[2].samples = {cases[0].median / 2};
  const RunView view = view_of(run);
  const auto rows = figure_of({.kind = "roofline", .filter = ""}, {&view}).data.rows;
  const double flops = cases[0].work.flops / cases[0].median;
  const auto point = std::ranges::find_if(rows, [](const auto& row) { return row[2] == "point"; });
  ASSERT_NE(point, rows.end());
  EXPECT_NEAR(std::stod(point->end()[-2]) / flops, 1. / 8, 1e-3);
  EXPECT_NEAR(std::stod(point->end()[-1]) / flops, 2, 1e-3);
}

TEST(Roofline, DrawsRoofsThroughTheirBandwidths) {
  const auto run = made_run(made_variants(2), {made_ceilings()});
  const ReadFigure figure = drawn_roofline(run);
  int found = 0;
  for (const auto& match : matches(figure.svg, R"(M([\d.]+),([\d.]+) L([\d.]+),([\d.]+)\s)")) {
    const double x1 = std::stod(match[1]), y1 = std::stod(match[2]), x2 = std::stod(match[3]);
    const double y2 = std::stod(match[4]);
    // Of made_ceilings: DRAM in place 120 GB/s, L3, L2 and L1 twice the next.
    for (const double bandwidth : {120., 240., 480., 960.}) {
      const double ridge_x = figure.pixel_x(100 / bandwidth), ridge_y = figure.pixel_y(100);
      if (std::abs(x2 - ridge_x) > 0.5 || std::abs(y2 - ridge_y) > 0.5 || y1 - y2 < 5) continue;
      ++found;
      const double one_octave_x = figure.pixel_x(2) - figure.pixel_x(1);
      const double one_octave_y = figure.pixel_y(1) - figure.pixel_y(2);
      EXPECT_NEAR((y1 - y2) / (x2 - x1), one_octave_y / one_octave_x, 0.01) << bandwidth;
    }
  }
  EXPECT_EQ(found, 4);
}

TEST(Roofline, RoofsHaveTheColourOfTheOnlyKernelThatMovesDataAsTheyDo) {
  auto cases = made_variants(2);  // the first reads, the second writes most of what it reads
  const auto colours = [&] {
    const auto run = made_run(cases, {made_ceilings()});
    const RunView view = view_of(run);
    const auto panels = roofline_contents({.kind = "roofline", .filter = ""}, {&view}, {}).panels;
    std::map<std::string, std::string> variant_of, found;
    for (const auto& point : panels.at(0).points)
      variant_of[point.shown.colour] = point.shown.member->record->variant;
    for (const auto& slope : panels[0].slopes) {
      const auto value = slope.name.rfind(' ', slope.name.rfind(' ') - 1);  // " 120 GB/s"
      if (!slope.colour.empty()) found[slope.name.substr(0, value)] = variant_of.at(slope.colour);
    }
    return found;
  };
  EXPECT_THAT(colours(), ElementsAre(Pair("DRAM read", "uot/one_read"), Pair("DRAM rmw", "uot/map_uot")));
  cases.push_back(cases[0]);
  cases.back().variant = "uot/other";
  EXPECT_THAT(colours(), ElementsAre(Pair("DRAM rmw", "uot/map_uot"))) << "two kernels read";
}

TEST(Roofline, WritesBandwidthsAtTheAngleOfTheirRoofs) {
  for (const double width : {8.8, 18.}) {
    const auto run = made_run(made_variants(2), {made_ceilings()});
    const ReadFigure figure = drawn_roofline(run, {.kind = "roofline", .filter = "", .width = width});
    const double dx = figure.pixel_x(2) - figure.pixel_x(1), dy = figure.pixel_y(1) - figure.pixel_y(2);
    int turned = 0;
    for (const auto& text : figure.texts())
      if (text.text.ends_with("GB/s")) {
        EXPECT_NEAR(-text.box.angle, std::atan2(dy, dx) * 180 / std::numbers::pi, 0.05) << text.text;
        ++turned;
      }
    EXPECT_EQ(turned, 5) << "four levels, and reading from DRAM";
  }
}

TEST(Roofline, CoversNoTextWithAnother) {
  for (const int variants : {2, 12})
    for (const double width : {8.8, 18.}) {
      SCOPED_TRACE(fmt::format("{} variants, {} cm", variants, width));
      const auto run = made_run(made_variants(variants), {made_ceilings()});
      const ReadFigure figure =
          drawn_roofline(run, {.kind = "roofline", .filter = "", .title = "A title", .width = width});
      figure.expect_no_text_covers_another();
      for (const auto& made : made_variants(variants))
        EXPECT_TRUE(figure.has_label(made.variant.substr(4))) << made.variant;
    }
}

TEST(Roofline, NamesWhatHasNoRoomBelowThePlot) {
  std::vector<MadeCase> crowd;
  for (auto made : made_variants(12)) {
    // Apart, but by less than a text takes.
    made.work = made_variants(1)[0].work;
    made.median = made_variants(1)[0].median * std::pow(1.1, crowd.size());
    made.variant += "_with_a_long_name";
    crowd.push_back(made);
  }
  const auto run = made_run(crowd, {made_ceilings()});
  const ReadFigure figure = drawn_roofline(run);
  figure.expect_no_text_covers_another();
  for (const auto& made : crowd) EXPECT_TRUE(figure.has_label(made.variant.substr(4))) << made.variant;
}

// A reader takes a text for the name of the line that it is nearest to, whatever the roofs.
TEST(Roofline, ARoofsNameIsNearestToItsOwnLine) {
  for (const double closeness : {0.98, 0.93, 0.85, 0.5})
    for (const double width : {8.8, 18.}) {
      SCOPED_TRACE(fmt::format("{} at {} cm", closeness, width));
      Ceilings ceilings = made_ceilings();
      for (auto& roof : ceilings.roofs)
        if (roof.kernel == "read" && roof.level == "DRAM") roof.value = 120e9 * closeness;
      const auto run = made_run(made_variants(4), {ceilings});
      const ReadFigure figure = drawn_roofline(run, {.kind = "roofline", .filter = "", .width = width});
      std::map<std::string, double> slopes;  // bytes per second
      for (const auto& row : figure.drawing.data.rows)
        if (row[2].starts_with("bandwidth")) slopes[row[3]] = std::stod(row[8]);
      std::size_t named = 0;
      for (const auto& text : figure.texts()) {
        if (!slopes.contains(text.text) || text.box.angle == 0) continue;
        ++named;
        const auto away = [&](double bandwidth) {  // pixels, upright: all lines are parallel
          const double one = figure.pixel_x(1), octave = figure.pixel_x(2) - one;
          const double x = std::exp2((text.box.x - one) / octave);
          return std::abs(figure.pixel_y(x * bandwidth / 1e9) - text.box.y);
        };
        const double own = away(slopes.at(text.text));
        for (const auto& [name, bandwidth] : slopes)
          if (name != text.text)
            EXPECT_LT((closeness > 0.9 ? 1 : 1.5) * own, away(bandwidth)) << text.text << " or " << name;
      }
      EXPECT_GE(named, 3u);
    }
}

// Of marks that cover each other a reader cannot say which label is whose: they share one.
TEST(Roofline, MarksAtOnePlaceShareALabel) {
  auto cases = made_variants(1);
  cases.push_back(cases[0]);
  cases[1].size = 2048;
  cases.push_back(cases[0]);
  cases[2].variant = "uot/other";
  const ReadFigure figure = drawn_roofline(made_run(cases, {made_ceilings()}));
  EXPECT_TRUE(std::ranges::any_of(figure.texts(), [](const ReadFigure::Text& text) {
    return text.text == "one_read 4096² 30%, 2048² 30%; other 30%";
  }));
}

TEST(Roofline, ExplainsItsMarksAndMarksDoubtfulTimes) {
  auto run = made_run(made_variants(3), {made_ceilings()});
  const ReadFigure certain = drawn_roofline(run);
  EXPECT_TRUE(certain.has_text("fastest to slowest process"));
  EXPECT_TRUE(certain.has_text("%: of the roof for its own traffic"));
  EXPECT_THAT(certain.drawing.commands, Not(HasSubstr("$doubtful1")));
  run.records[1].time->warnings = {"round 1: had its CPU only 13% of the time"};
  const ReadFigure figure = drawn_roofline(run);
  EXPECT_TRUE(figure.has_text("doubtful time (1 of 3)"));
  EXPECT_THAT(figure.drawing.commands, HasSubstr("$doubtful1"));
  EXPECT_THAT(figure.drawing.warnings, ElementsAre(HasSubstr("1 of 3 cases are doubtful")));
  figure.expect_no_text_covers_another();
}

TEST(Roofline, DrawsOneSettingAndSaysWhatIsLeftOut) {
  auto cases = made_variants(2);
  cases[0].threads = 1;
  const auto run = made_run(cases, {made_ceilings()});
  EXPECT_THAT(drawn_roofline(run).drawing.notes, ElementsAre(HasSubstr("left out: 1 case of f32, 1 thread")));
  EXPECT_TRUE(drawn_roofline(run).has_text("not shown: 1 case of f32, 1 thread")) << "in the figure, too";
  const ReadFigure filtered = drawn_roofline(run, {.kind = "roofline", .filter = "threads:1"});
  EXPECT_THAT(filtered.drawing.notes, IsEmpty());
  EXPECT_TRUE(filtered.has_text("made (f32, 1 thread)"));
}

TEST(Roofline, OfTwoSpecifiedMachinesIsThePapersThirdFigure) {
  Ceilings cpu = specified(76.8e9, 793.6e9), gpu = specified(1008e9, 40e12);
  cpu.name = "12900K", gpu.name = "3090 Ti", gpu.device = "gpu";
  const double cells = 1e8;
  const auto run = made_run(
      {{"uot/numpy_order", {.flops = 4 * cells, .bytes_read = 16 * cells, .bytes_written = 8 * cells}}}, {});
  const ReadFigure figure =
      drawn_roofline(run, {.kind = "roofline", .filter = "", .counting = Counting::paper}, {cpu, gpu});
  for (const char* text :
       {"ridge 10.3", "ridge 39.7", "1/4: 19.2 GFLOP/s", "1/4: 252 GFLOP/s", "12900K (specified)"})
    EXPECT_TRUE(figure.has_text(text)) << text;
  EXPECT_THAT(figure.drawing.notes, ElementsAre(HasSubstr("no measured points")));
  figure.expect_no_text_covers_another();
  EXPECT_TRUE(std::ranges::any_of(figure.marks(), [&](const ReadFigure::Mark& mark) {
    return std::abs(mark.x - figure.pixel_x(0.25)) < 0.5 && std::abs(mark.y - figure.pixel_y(19.2)) < 0.5;
  }));
}

TEST(Roofline, PointsFromModelledToCountedIntensity) {
  const auto cases = made_variants(1);
  auto run = made_run(cases, {made_ceilings()});
  const ReadFigure without = drawn_roofline(run);
  EXPECT_THAT(without.drawing.commands, Not(HasSubstr("$counted1")));
  run.records[0].counters["DRAM.read_bytes"].value = 1.5 * cases[0].work.bytes();
  run.records[0].counters["DRAM.write_bytes"].value = 0.5 * cases[0].work.bytes();
  const ReadFigure figure = drawn_roofline(run);
  const auto arrow = matches(figure.drawing.commands, R"(\$counted1 << EOD\n(\S+) (\S+) (\S+) )");
  ASSERT_THAT(arrow, SizeIs(1));
  const double modelled = cases[0].work.flops / cases[0].work.bytes();
  EXPECT_NEAR(std::stod(arrow[0][1]), modelled, 1e-5);
  EXPECT_NEAR(std::stod(arrow[0][3]), -modelled / 2, 1e-5);
  run.records[0].counters["DRAM.write_bytes"] = {.reason = "no such event"};
  EXPECT_THAT(drawn_roofline(run).drawing.commands, Not(HasSubstr("$counted1")));
}

TEST(Roofline, ShowsOneLevelAlone) {
  const auto run = made_run(made_variants(2), {made_ceilings()});
  const ReadFigure figure = drawn_roofline(run, {.kind = "roofline", .filter = "", .level = "L2"});
  EXPECT_TRUE(figure.has_text("L2 480 GB/s"));
  for (const auto& text : figure.texts()) EXPECT_FALSE(text.text.starts_with("L3 ")) << text.text;
}

TEST(Roofline, NamesLevelsThatAreHardlyApartTogether) {
  Ceilings ceilings = made_ceilings();
  for (auto& roof : ceilings.roofs)
    if (roof.level == "L2") roof.value *= 1.98;
  const auto run = made_run(made_variants(2), {ceilings});
  EXPECT_TRUE(drawn_roofline(run).has_text("L1 960, L2 950 GB/s"));
}

TEST(Roofline, TellsMoreOfEachPointWhenPointedAt) {
  const auto run = made_run(made_variants(2), {made_ceilings()});
  const ReadFigure figure = drawn_roofline(run);
  ASSERT_THAT(figure.drawing.hotspots, SizeIs(2));
  EXPECT_THAT(figure.drawing.hotspots[0].text, HasSubstr("uot/one_read/M:4096"));
  EXPECT_THAT(figure.drawing.hotspots[0].text, HasSubstr("of what DRAM allows"));
  for (const auto& row : figure.drawing.data.rows) EXPECT_EQ(row.size(), figure.drawing.data.columns.size());
}

TEST(Roofline, SaysWhatIsMissingInOneLine) {
  const FigureSpec all{.kind = "roofline", .filter = ""};
  const auto bare = made_run(made_variants(1), {});
  EXPECT_EQ(
      complaint_of(bare, all),
      "made.jsonl carries no ceilings: uotbench machine measures them for later runs; uotbench roofline "
      "--machine FILE draws with a specification");
  const auto run = made_run(made_variants(1), {made_ceilings()});
  EXPECT_THAT(complaint_of(run, {.kind = "roofline", .filter = "gpu"}),
              HasSubstr("no case's id matches the filter \"gpu\"; ids look like uot/one_read/M:4096"));
  EXPECT_THAT(complaint_of(run, {.kind = "roofline", .filter = "("}), HasSubstr("not a regular expression"));
  EXPECT_THAT(complaint_of(run, {.kind = "roofline", .filter = "", .level = "L7"}),
              HasSubstr("no bandwidth of the level L7; there are: L1, L2, L3, DRAM"));
  EXPECT_THAT(complaint_of(run, {.kind = "pie", .filter = ""}),
              HasSubstr("no kind of figure is called \"pie\""));
  EXPECT_THAT(complaint_of(run, {.kind = "roofline", .filter = "", .width = 3}), HasSubstr("--width 3cm"));
  auto failed = run;
  failed.records[0].status = Status::failed;
  EXPECT_THAT(complaint_of(failed, all), HasSubstr("no case is ok and timed: 1 failed"));
  auto other = made_variants(1);
  other[0].threads = 7;
  EXPECT_THAT(complaint_of(made_run(other, {made_ceilings()}), all),
              HasSubstr("no ceilings for f32, 7 threads; there are those of: f32, 1 thread; f32, 2 threads"));
}

}  // namespace
}  // namespace uotbench
