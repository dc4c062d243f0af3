// A figure of components: two bars for each size, the core's and the data's, over the measured time.
#include <gmock/gmock.h>

#include "results/record/counters.hpp"
#include "roofline/explain/explanation.hpp"
#include "roofline/tests/made.hpp"
#include "roofline/tests/read_figure.hpp"

namespace uotbench {
namespace {

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
