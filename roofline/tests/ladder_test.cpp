// A ladder has a rung a variant in the published order, bars of ours, steps of theirs, and nothing where
// there is nothing.
#include "roofline/figures/ladder/ladder.hpp"

#include <gmock/gmock.h>

#include "results/tests/made_ladder.hpp"
#include "results/tests/made_record.hpp"
#include "roofline/draw/gnuplot.hpp"
#include "roofline/tests/read_figure.hpp"

namespace uotbench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

using Row = std::vector<std::string>;

Drawing drawn_ladder(const uotbench::Run& run, const FigureSpec& spec = {.kind = "ladder", .filter = ""}) {
  return drawing_of_run(run, spec);
}
/// rung, quantity, ours, published
std::vector<Row> data_of(const Drawing& drawing) {
  std::vector<Row> rows;
  for (const auto& row : drawing.data.rows) rows.push_back({row[0], row[1], row[2], row[6]});
  return rows;
}

TEST(Ladder, HasRatesAndThePublishedCounters) {
  const Drawing drawing = drawn_ladder(made_ladder());
  EXPECT_THAT(drawing.data.columns, ElementsAre("rung", "quantity", "ours", "unit", "id", "scale",
                                                "published", "published_machine", "ratio", "source", "run"));
  EXPECT_THAT(
      data_of(drawing),
      ElementsAre(Row{"match/gpu1", "rate", "", "8000"}, Row{"match/gpu2", "rate", "", "16000"},
                  Row{"match/cpu1", "rate", "5000", "2000"}, Row{"match/cpu2", "rate", "10000", ""},
                  Row{"match/gpu2", "GPU.loads", "1600", "1601"}, Row{"match/gpu3", "GPU.loads", "400", ""},
                  Row{"match/gpu2", "GPU.conflicts", "1760", "1600"},
                  Row{"match/gpu3", "GPU.conflicts", "0", ""}))
      << "absent is absent, and 0 is 0";
  EXPECT_THAT(
      drawing.data.rows[4],
      ElementsAre("match/gpu2", "GPU.loads", "1600", "accesses", "match/gpu2/N:3@simt-trace", "40", "1601",
                  "A card", testing::StartsWith("0.99937"), "simt-trace, simulated", "ladder.jsonl"));
  EXPECT_THAT(drawing.notes,
              ElementsAre("several cases for one place; drawn is the fastest, or the one counted nearest in "
                          "size to the published "
                          "problem: match/cpu1/N:5@native, match/gpu2/N:3@simt-trace"));
}

TEST(Ladder, IsDrawn) {
  const Drawing drawing = drawn_ladder(made_ladder());
  const std::string svg = svg_of(drawing, "l");
  for (const char* text : {"ours, native", "ours, simt-trace", "published, A card", "published, A box",
                           "flop rate, GFLOP/s", "GPU.loads *", "gpu1", "cpu2", ">1600<", ">1.6k<", ">0<"})
    EXPECT_THAT(svg, HasSubstr(text));
  EXPECT_THAT(drawing.commands, HasSubstr("'ours: native N:5, N:4; simt-trace N:3; –: no value'"));
  EXPECT_THAT(drawing.commands, HasSubstr("* counts times the published 4e-06 GFLOP over the case"));
  EXPECT_THAT(
      drawing.hotspots[4].text,
      HasSubstr("ours: 1600, match/gpu2/N:3@simt-trace (simt-trace, simulated), counted 40, times 40\n"
                "from ladder.jsonl\npublished: 1601, A card"));
}

TEST(Ladder, FurtherVariantsFollowTheOneBeforeThem) {
  const Drawing drawing =
      drawn_ladder(made_ladder(), {.kind = "ladder", .filter = "", .order = {"match/gpu3"}});
  std::vector<std::string> rungs;
  for (const auto& row : drawing.data.rows)
    if (row[1] == "GPU.conflicts") rungs.push_back(row[0]);
  EXPECT_THAT(rungs, ElementsAre("match/gpu3", "match/gpu2"));
  EXPECT_LT(drawing.commands.find("'cpu1' 3"), drawing.commands.find("'cpu2' 4"));
}

TEST(Ladder, AFilterLeavesTheRungsThatMatch) {
  const Drawing drawing = drawn_ladder(made_ladder(), {.kind = "ladder", .filter = "gpu2"});
  EXPECT_THAT(data_of(drawing), ElementsAre(Row{"match/gpu2", "rate", "", "16000"},
                                            Row{"match/gpu2", "GPU.loads", "1600", "1601"},
                                            Row{"match/gpu2", "GPU.conflicts", "1760", "1600"}));
}

TEST(Ladder, ShowsTheValuesAskedFor) {
  auto run = made_ladder();
  edited(run.header)["metrics"] = {
      {{"name", "GPU.share"}, {"formula", "GPU.conflicts / GPU.loads"}, {"unit", "1"}}};
  const Drawing drawing =
      drawn_ladder(run, {.kind = "ladder", .filter = "", .value = "GPU.share,GPU.blocks"});
  EXPECT_THAT(data_of(drawing),
              ElementsAre(Row{"match/gpu2", "GPU.share", "1.1", ""}, Row{"match/gpu3", "GPU.share", "0", ""},
                          Row{"match/gpu2", "GPU.blocks", "640", ""}))
      << "a metric does not grow with the problem";
  EXPECT_EQ(complaint_of(made_ladder(), {.kind = "ladder", .filter = "", .value = "GPU.stores"}),
            "ladder: no case has a value of GPU.stores; match/cpu1/N:4@native: not counted");
}

TEST(Ladder, WithoutPublishedValuesDrawsOursAlone) {
  auto run = made_ladder();
  edited(run.header)["sweep"].erase("published");
  EXPECT_THAT(data_of(drawn_ladder(run)),
              ElementsAre(Row{"match/cpu1", "rate", "5000", ""}, Row{"match/cpu2", "rate", "10000", ""}));
  const Drawing counted = drawn_ladder(run, {.kind = "ladder", .filter = "N:3", .value = "GPU.loads"});
  EXPECT_THAT(data_of(counted),
              ElementsAre(Row{"match/gpu2", "GPU.loads", "40", ""}, Row{"match/gpu3", "GPU.loads", "10", ""}))
      << "as counted";
  EXPECT_EQ(complaint_of(run, {.kind = "ladder", .filter = "simt-trace"}),
            "ladder: ladder.jsonl: no case is timed; --value COUNTER draws what was counted");
}

TEST(Ladder, ThatIsTooSmallSaysSo) {
  EXPECT_THAT(
      complaint_of(made_ladder(), {.kind = "ladder", .filter = "", .height = 2}),
      HasSubstr("is too small for 3 panels of 5 rungs; give more width, more height or a narrower filter"));
}

TEST(LadderText, HasThreeDigitsAndNoMoreThanWerePublished) {
  EXPECT_EQ(ladder_text(0), "0");
  EXPECT_EQ(ladder_text(1.983), "1.98");
  EXPECT_EQ(ladder_text(22.43), "22.4");
  EXPECT_EQ(ladder_text(464.3), "464");
  EXPECT_EQ(ladder_text(6526), "6526");
  EXPECT_EQ(ladder_text(52345), "52.3k");
  EXPECT_EQ(ladder_text(1600, 2), "1.6k");
  EXPECT_EQ(ladder_text(0.0507), "0.0507");
}

TEST(LadderAxis, IsLogarithmicWhereValuesAreFarApartAndKeepsZero) {
  const auto panel = [](const std::vector<double>& values) {
    LadderPanel made{.quantity = "GPU.loads", .unit = "accesses"};
    for (const double value : values) made.ours.push_back(LadderBar{.value = value, .source = {}});
    return made;
  };
  const LadderPanel near = panel({1, 4, 0}), far = panel({9143e6, 25.6e6, 0});
  EXPECT_FALSE(LadderAxis(near).axis.log);
  const LadderAxis axis(far);
  EXPECT_TRUE(axis.axis.log);
  EXPECT_EQ(axis.name(), "GPU.loads, in 10⁶");
  EXPECT_EQ(axis.axis.low, 10);
  EXPECT_EQ(axis.place(0), 10);
  EXPECT_EQ(axis.place(9143e6), 9143);
}

}  // namespace
}  // namespace uotbench
