// A figure of phases: each case is one bar, whose parts are what its kernel tells and the rest.
#include <gmock/gmock.h>

#include "roofline/tests/made_rounds.hpp"

namespace uotbench {
namespace {

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
