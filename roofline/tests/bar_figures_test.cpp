// Figures of bars: misses, and phases.

// Bars are misses over accesses, of one source; what was not counted is named, never zero.
#include <gmock/gmock.h>

#include <algorithm>

#include "roofline/tests/made_rounds.hpp"

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

// A figure of phases: each case is one bar, whose parts are what its kernel tells and the rest.

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

}  // namespace

}  // namespace uotbench
