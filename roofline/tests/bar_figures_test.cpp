// Figures of bars: misses over accesses, of one source (what was not counted is named, never zero); phases;
// and the components of a time, two bars for each size, the core's and the data's, over the measured time.
#include <gmock/gmock.h>

#include <algorithm>

#include "results/record/counters.hpp"
#include "roofline/explain/explanation.hpp"
#include "roofline/tests/made.hpp"
#include "roofline/tests/made_rounds.hpp"
#include "roofline/tests/read_figure.hpp"

namespace uotbench {
namespace {

using testing::HasSubstr;

Counter simulated(double value, const std::string& source) {
  return {.value = value, .origin = {.source = source, .kind = "simulated"}};
}

Counters counted(double misses, double accesses) {
  Counters counters;
  counters["L1D.misses"] = simulated(misses, "callgrind");
  counters["L1D.accesses"] = simulated(accesses, "callgrind");
  return counters;
}

TEST(MissesFigure, BarsAreMissesOverAccessesAndAbsentIsNotZero) {
  auto run = two_speedups();
  run.records[0].counters = counted(64, 1000);
  run.records[1].counters = counted(32, 1000);
  run.records[2].counters["L1D.misses"].reason = "not supported";
  run.records[2].counters["L1D.accesses"].value = 5;
  const Drawing drawing = drawing_of_run(run, {.kind = "misses", .filter = ""});
  ASSERT_EQ(drawing.hotspots.size(), 2u);
  const auto height = [&](int i) { return drawing.hotspots[i].top - drawing.hotspots[i].bottom; };
  EXPECT_NEAR(height(0) / height(1), 2, 1e-9);
  EXPECT_EQ(drawing.data.rows[0][4], "0.064");
  EXPECT_THAT(drawing.hotspots[0].text,
              HasSubstr("6.40% of L1D accesses miss: 64 of 1000\ncallgrind, simulated"));
  EXPECT_THAT(drawing.commands, HasSubstr("'L1D (callgrind, simulated)'"));
  const auto shapes = shapes_in(svg_of(drawing, "t"), drawing);
  for (const auto& spot : drawing.hotspots)
    EXPECT_TRUE(std::ranges::any_of(shapes, [&](const Box& shape) {
      return same(shape, {spot.left, spot.bottom, spot.right, spot.top}, 0.01);
    })) << spot.text;
}

TEST(MissesFigure, SaysThatNothingWasCounted) {
  auto run = two_speedups();
  EXPECT_EQ(complaint_of(run, {.kind = "misses", .filter = ""}),
            "misses: no counters in folder/made.jsonl: it was run without; uotbench run with --counters auto "
            "counts");
  run.records[0].counters["branches"].value = 5;
  EXPECT_THAT(complaint_of(run, {.kind = "misses", .filter = ""}), HasSubstr("there are: branches"));
}

/// Misses of L1D and L2 by one source.
Counters counted_by(const std::string& source, double l1, double l2, double accesses) {
  Counters counters;
  counters["L1D.misses"] = simulated(l1, source);
  counters["L2.misses"] = simulated(l2, source);
  counters["L1D.accesses"] = simulated(accesses, source);
  return counters;
}

TEST(MissesFigure, RatesAreMissesPerAccessOfL1D) {
  auto run = two_speedups();
  run.records[0].counters = counted_by("papi", 64, 46, 1000);
  const Drawing drawing = drawing_of_run(run, {.kind = "misses", .filter = ""});
  ASSERT_EQ(drawing.hotspots.size(), 2u);
  EXPECT_EQ(drawing.data.rows[1][4], "0.046");
  EXPECT_THAT(drawing.hotspots[1].text, HasSubstr("4.60% of L1D accesses miss L2: 46 of 1000"));
  EXPECT_THAT(drawing.commands, HasSubstr("'miss rate (%)'"));
}

TEST(MissesFigure, ShowsCountsWhereAsked) {
  auto run = two_speedups();
  run.records[0].counters = counted_by("papi", 64e6, 46e6, 1e9);
  run.records[1].counters["L1D.misses"] = simulated(16e6, "papi");
  const Drawing drawing = drawing_of_run(run, {.kind = "misses", .filter = "", .value = "count"});
  ASSERT_EQ(drawing.hotspots.size(), 3u);
  const auto height = [&](int i) { return drawing.hotspots[i].top - drawing.hotspots[i].bottom; };
  EXPECT_NEAR(height(0) / height(1), 4, 1e-9);
  EXPECT_THAT(drawing.commands, HasSubstr("'misses per iteration (millions)'"));
  EXPECT_THAT(drawing.hotspots[1].text, HasSubstr("1.6e+07 misses of L1D per iteration\npapi, simulated"));
  EXPECT_EQ(complaint_of(run, {.kind = "misses", .filter = "", .value = "time"}),
            "misses: value: expected rate or count, got \"time\"");
}

TEST(MissesFigure, TellsWhatIsLeftOutAndWhy) {
  auto run = two_speedups();
  run.records[0].counters = counted_by("papi", 64, 46, 1000);
  run.records[1].counters = counted_by("papi", 64, 46, 1000);
  run.records[1].counters["L2.misses"] = {.reason = "no such\nevent"};
  const Drawing drawing = drawing_of_run(run, {.kind = "misses", .filter = "512"});
  EXPECT_EQ(drawing.hotspots.size(), 3u);
  EXPECT_THAT(drawing.notes, testing::ElementsAre("left out of L2: uot/ours/M:512/N:512/threads:1@native-v4: "
                                                  "no such\\nevent"));
}

TEST(MissesFigure, DoesNotMixSources) {
  auto run = two_speedups();
  run.records[0].counters = counted_by("callgrind", 64, 46, 1000);
  run.records[1].counters = counted_by("trace", 32, 23, 4000);
  run.records[2].counters = counted_by("trace", 32, 23, 4000);
  EXPECT_EQ(
      complaint_of(run, {.kind = "misses", .filter = ""}),
      "misses: L1D is from callgrind (1 case) and trace (2 cases), which do not compare; --source trace "
      "shows one of them");
  EXPECT_EQ(
      complaint_of(run, {.kind = "misses", .filter = "", .source = "papi"}),
      "misses: nothing that the source \"papi\" counted in folder/made.jsonl; there are: callgrind, trace");
  const Drawing drawing = drawing_of_run(run, {.kind = "misses", .filter = "", .source = "trace"});
  EXPECT_EQ(drawing.hotspots.size(), 4u);
  EXPECT_THAT(drawing.notes, testing::ElementsAre(HasSubstr("counted by callgrind"), HasSubstr("not counted"),
                                                  HasSubstr("element by element")));
}

TEST(MissesFigure, NeedsNoTimes) {
  auto run = two_speedups();
  run.records[0].counters = counted_by("trace", 32, 23, 4000);
  for (auto& record : run.records) record.time.reset();
  EXPECT_EQ(drawing_of_run(run, {.kind = "misses", .filter = ""}).hotspots.size(), 2u);
}

// A figure of phases: each case is one bar, whose parts are the phases that its kernel reports, and the rest.

using testing::ElementsAre;
using testing::HasSubstr;

/// Of two problems; "pivot" is told by one of the variants alone, "plain" tells nothing.
Run made_phases() {
  std::vector<Rounds> cases;
  for (const int size : {8, 16})
    for (const char* variant : {"uot/both", "uot/one", "uot/plain"})
      cases.push_back({variant, {{"M", size}, {"N", size}}, {1e-3 * size, 1e-3 * size}});
  Run run = run_of_rounds(cases);
  for (auto& record : run.records)
    for (auto& process : record.time->processes) {
      const double whole = process.samples[0];
      if (record.variant != "uot/plain") process.phases.push_back({"price", {whole / 4, whole / 4}, 3});
      if (record.variant == "uot/both") process.phases.push_back({"pivot", {whole / 2, whole / 2}, 1});
    }
  return run;
}

TEST(PhasesFigure, StacksThePartsOfEachCase) {
  const auto run = made_phases();
  const Drawing drawing = drawing_of_run(run, {.kind = "phases", .filter = "M:8/"});
  EXPECT_THAT(drawing.data.columns,
              ElementsAre("id", "phase", "seconds", "per", "share", "entered", "run", "left_out"));
  ASSERT_EQ(drawing.data.rows.size(), 6u) << "three and two parts, and the case without any";
  EXPECT_THAT(drawing.data.rows.front(), ElementsAre("uot/both/M:8/N:8@native-v4", "price", "0.002",
                                                     "iteration", "0.25", "3", "made.jsonl", ""));
  EXPECT_THAT(drawing.data.rows.back().back(), "the kernel reports no phases");
  // Pointed at, a part of a bar begins where the one below it ends.
  const auto spot = [&](const char* text) {
    const auto found = std::ranges::find_if(
        drawing.hotspots, [&](const Hotspot& each) { return each.text.find(text) != std::string::npos; });
    EXPECT_NE(found, drawing.hotspots.end()) << text;
    return *found;
  };
  const Hotspot price = spot("uot/both/M:8/N:8@native-v4\nprice"),
                pivot = spot("\npivot: 4.000 ms, 50.0% of 8.000 ms");
  EXPECT_DOUBLE_EQ(price.top, pivot.bottom);
  EXPECT_NEAR(pivot.top - pivot.bottom, 2 * (price.top - price.bottom), 1e-9);
  EXPECT_DOUBLE_EQ(price.left, pivot.left);
  const std::string svg = svg_of(drawing, "p");
  for (const char* text : {"price", "pivot", "other", "ms", "both", "one"}) EXPECT_THAT(svg, HasSubstr(text));
}

TEST(PhasesFigure, HasAPlotAProblemAndShares) {
  const auto run = made_phases();
  const std::string svg = svg_of(drawing_of_run(run, {.kind = "phases", .value = "share"}), "p");
  for (const char* text : {"8²", "16²", "% of the time"}) EXPECT_THAT(svg, HasSubstr(text));
}

// The bars of 16² are twice as long as those of 8²; each size has its own plot.
TEST(PhasesFigure, HasOneScaleWherePlotsCanBeCompared) {
  const auto run = made_phases();
  const Drawing drawing = drawing_of_run(run, {.kind = "phases"});
  const auto height_of = [&](const std::string& id) {
    for (const auto& spot : drawing.hotspots)
      if (spot.text.starts_with(id + "\nprice")) return spot.top - spot.bottom;
    return 0.;
  };
  EXPECT_GT(height_of("uot/one/M:8/N:8@native-v4"), 0);
  EXPECT_NEAR(height_of("uot/one/M:16/N:16@native-v4"), 2 * height_of("uot/one/M:8/N:8@native-v4"), 1e-9);
}

TEST(PhasesFigure, SaysWhyThereIsNone) {
  const auto run = made_phases();
  EXPECT_EQ(complaint_of(run, {.kind = "phases", .filter = "plain"}),
            "phases: folder/made.jsonl: no kernel of these cases reports phases");
  EXPECT_EQ(complaint_of(run, {.kind = "phases", .value = "rate"}),
            "phases: value: expected time or share, got \"rate\"");
}

using testing::ElementsAre;
using testing::HasSubstr;

/// 80 and 160 GB from DRAM, 1 s and 2 s of two threads, whose lines were counted.
Run made_sizes() {
  const Work work{.flops = 50e9, .bytes_read = 80e9, .working_set = 400e6};
  uotbench::Run run =
      made_run({{"uot/made", work * 2, 2.2, 2, 8192}, {"uot/made", work, 1.1, 2, 4096}}, {made_ceilings()});
  for (auto& record : run.records)
    record.counters[counter_names::l1_misses].value = record.work->bytes_read / 64;
  run.records.push_back(made_run({{"uot/plain", work, 1}}, {}).records.front());
  return run;
}

std::vector<std::string> column(const Drawing& drawing, std::size_t index) {
  std::vector<std::string> all;
  for (const auto& row : drawing.data.rows) all.push_back(row[index]);
  return all;
}

TEST(EcmFigure, StacksTheComponentsOfAnExplanation) {
  const uotbench::Run run = made_sizes();
  const Drawing drawing = drawing_of_run(run, {.kind = "ecm", .filter = "made.*4096"});
  EXPECT_THAT(drawing.data.columns, ElementsAre("id", "part", "seconds", "evidence", "run"));
  EXPECT_THAT(column(drawing, 1),
              ElementsAre("flops", "loads and stores", "L2 to L1", "L3 to L2", "DRAM to L3"));
  EXPECT_THAT(column(drawing, 2), ElementsAre("0.5", "0.125", "0.125", "0.25", "0.5"));
  const auto spot = [&](const char* text) {
    const auto found = std::ranges::find_if(
        drawing.hotspots, [&](const Hotspot& each) { return each.text.find(text) != std::string::npos; });
    EXPECT_NE(found, drawing.hotspots.end()) << text;
    return *found;
  };
  const Hotspot core = spot("\nflops: 500.0 ms"), outer = spot("\nDRAM to L3: 500.0 ms"),
                inner = spot("\nL3 to L2: 250.0 ms");
  EXPECT_DOUBLE_EQ(inner.top, outer.bottom);
  EXPECT_NEAR(core.top - core.bottom, outer.top - outer.bottom, 1e-9);
  EXPECT_LT(core.right, outer.left);
}

TEST(EcmFigure, HasAPairOfBarsForEachSizeFromSmallToLarge) {
  const uotbench::Run run = made_sizes();
  const Drawing drawing = drawing_of_run(run, {.kind = "ecm", .filter = ""});
  EXPECT_THAT(drawing.data.rows.back().back(), HasSubstr("were not counted"));
  const std::string svg = svg_of(drawing, "e");
  for (const char* text : {"4096²", "8192²", "made", "% of the measured time", "DRAM to L3"})
    EXPECT_THAT(svg, HasSubstr(text));
  EXPECT_LT(svg.find("4096²"), svg.find("8192²"));
}

TEST(EcmFigure, OfTimesHasTheMeasuredOneAsABar) {
  const uotbench::Run run = made_sizes();
  const Drawing drawing = drawing_of_run(run, {.kind = "ecm", .filter = "made.*4096", .value = "time"});
  EXPECT_EQ(drawing.data.rows.back()[1], "measured");
  EXPECT_EQ(drawing.data.rows.back()[2], "1.1");
  EXPECT_THAT(drawing.data.rows.back()[3], HasSubstr("measured/predicted 1.10"));
  EXPECT_THAT(svg_of(drawing, "e"), HasSubstr("seconds"));
}

TEST(EcmFigure, OfWhatIsWaitedForIsOnTheLongerBar) {
  Ceilings ceilings = made_ceilings();
  Roof region = bandwidth_roof("region", "", 2, 1e6);
  region.operation = "region";
  ceilings.roofs.push_back(region);
  uotbench::Run run = made_run({{"uot/made", {.bytes_read = 80e9, .working_set = 400e6}, 1.6}}, {ceilings});
  run.records.front().counters[counter_names::regions].value = 5e5;
  const Drawing drawing = drawing_of_run(run, {.kind = "ecm", .filter = ""});
  const Hotspot& waiting = drawing.hotspots.back();
  EXPECT_THAT(waiting.text, HasSubstr("region starts: 500.0 ms"));
  EXPECT_DOUBLE_EQ(waiting.bottom, drawing.hotspots[drawing.hotspots.size() - 2].top);
}

TEST(EcmFigure, AnalysesCodeWhereItCan) {
  Ceilings ceilings = made_ceilings();
  Roof clock = bandwidth_roof("cycle", "", 2, 6e9);
  clock.operation = "cycle";
  ceilings.roofs.push_back(clock);
  uotbench::Run run = made_run({{"uot/made", {.bytes_read = 80e9, .working_set = 400e6}, 1.1}}, {ceilings});
  Counter& code = run.records.front().counters[counter_names::by_block];
  code.value = 2;
  code.lines = {{"made+0x0, 2 instructions: ffc975fc", 2}};
  FigureSpec spec{.kind = "ecm", .filter = ""};
  spec.analyse = [](const uotbench::Run&, const Record&) {
    return InCore{.tool = "made", .overlapping = 3e9, .memory = 6e8, .bound = "Port5", .share = 1};
  };
  EXPECT_THAT(column(drawing_of_run(run, spec), 1),
              ElementsAre("core", "loads and stores", "L2 to L1", "L3 to L2", "DRAM to L3"));
}

TEST(EcmFigure, SaysWhyThereIsNone) {
  const uotbench::Run run = made_sizes();
  EXPECT_THAT(complaint_of(run, {.kind = "ecm", .filter = "plain"}),
              HasSubstr("ecm: made.jsonl: no case has ceilings and counted lines or code"));
  EXPECT_EQ(complaint_of(run, {.kind = "ecm", .value = "rate"}),
            "ecm: value: expected share or time, got \"rate\"");
}

}  // namespace
}  // namespace uotbench
