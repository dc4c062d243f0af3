// Blocks in the order of execution: read from a record, and what waiting and overlapping make of their
// cycles.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>

#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/record/counters.hpp"
#include "roofline/explain/explanation.hpp"
#include "roofline/explain/in_core.hpp"
#include "roofline/tests/made.hpp"

namespace uotbench {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// Lines 0 and 2 are blocks, line 1 is none.
Record record_in_order(const std::vector<CounterLine>& parts) {
  Record record;
  Counter& blocks = record.counters[counter_names::by_block];
  blocks.value = 2000;
  blocks.lines = {{"made+0x10, 2 instructions: ffc975fc", 1900},
                  {"elsewhere", 60},
                  {"made+0x20, 1 instructions: c3", 40}};
  Counter& sequence = record.counters[counter_names::sequence];
  sequence.value = 8;
  sequence.lines = parts;
  return record;
}

HotCode code_in_order(const std::vector<CounterLine>& parts) {
  std::string reason;
  const auto code = hot_code_of(record_in_order(parts), reason);
  EXPECT_TRUE(code) << reason;
  return code.value_or(HotCode{.blocks = {}, .source = {}});
}

TEST(Sequence, IsOfTheBlocksThatTheRecordHas) {
  const HotCode code = code_in_order({{"(0 2)*2 1", 6}, {"2", 1}});
  EXPECT_THAT(code.sequence, ElementsAre(0, 1, 0, 1, 1));
  EXPECT_EQ(code.no_sequence, "");
}

TEST(Sequence, IsNoneWhereItWasNotRecorded) {
  Record record = record_in_order({});
  Counter& counter = record.counters[counter_names::sequence];
  counter.value.reset();
  counter.reason = "step counts instructions, not \"sequence\"";
  std::string reason;
  const auto code = hot_code_of(record, reason);
  ASSERT_TRUE(code);
  EXPECT_THAT(code->sequence, IsEmpty());
  EXPECT_EQ(code->no_sequence, "") << "older records, and other workers' records, have none";
}

TEST(Sequence, ThatNamesNoLineIsRefusedAndTheBlocksAreRead) {
  for (const char* text : {"0 3", "0*", "0*99999999999"}) {
    const HotCode code = code_in_order({{"0", 2}, {text, 2}});
    EXPECT_THAT(code.sequence, IsEmpty()) << text;
    EXPECT_THAT(code.no_sequence, HasSubstr("instructions.sequence: expected numbers of blocks such as"));
    EXPECT_THAT(code.no_sequence, HasSubstr(fmt::format("got \"{}\"", text)));
    EXPECT_EQ(code.blocks.size(), 2u);
  }
}

/// Ten passes each through a block of two loads, which loops, and one of four additions.
HotCode two_blocks(std::vector<std::size_t> sequence) {
  return {.blocks = {{.at = "x", .instructions = 2, .code = {}, .passes = 10, .loops = true},
                     {.at = "y", .instructions = 4, .code = {}, .passes = 10}},
          .instructions = 60,
          .source = "made",
          .sequence = std::move(sequence)};
}
/// `loads`: cycles of a pass through the first block, of which its units are busy for 2.
std::vector<BlockCycles> their_cycles(double loads) {
  return {{.cycles = loads, .unit = {{"Load", 2}}, .front_end = 0.5},
          {.cycles = 4, .unit = {{"Add", 4}}, .front_end = 1}};
}
InCore in_order(const HotCode& code, const std::vector<BlockCycles>& each, double cycles) {
  InCore core = in_core_of(code.blocks, each, {"Load"});
  put_in_order(core, code, each, {"Load"}, cycles);
  return core;
}

TEST(InOrder, WaitingAcrossBlocksIsADependencyChain) {
  const HotCode code = two_blocks({0, 1, 0, 1, 0, 1});
  const InCore core = in_order(code, their_cycles(2), 36);  // 18 of the units
  EXPECT_EQ(core.order.instructions, 18);
  EXPECT_EQ(core.order.block_by_block, 18);
  EXPECT_EQ(core.order.times(), 2);
  EXPECT_EQ(core.overlapping, 2 * 60) << "of ten passes through each";
  EXPECT_EQ(core.cycles, core.overlapping);
  EXPECT_EQ(core.bound, "dependency chain");
  EXPECT_EQ(core.memory, 20) << "loads as without their order";
}

TEST(InOrder, WithoutWaitingIsBoundByTheBusiestUnit) {
  const HotCode code = two_blocks({0, 1, 0, 1, 0, 1});
  const InCore core = in_order(code, their_cycles(2), 19.8);
  EXPECT_THAT(core.overlapping, DoubleNear(66, 1e-9)) << "1.1 times the units'";
  EXPECT_EQ(core.bound, "Add");
}

// What is left without them is the next limit: it must not name their units.
TEST(InOrder, ThatLoadsAndStoresBoundIsTheirTime) {
  const HotCode code = two_blocks({0, 1, 0, 1, 0, 1});
  const std::vector<BlockCycles> each{{.cycles = 6, .unit = {{"Load", 6}, {"Add", 1}}, .front_end = 0.5},
                                      {.cycles = 2, .unit = {{"Load", 2}, {"Add", 1}}, .front_end = 1.5}};
  const InCore core = in_order(code, each, 26.4);  // 24 of the units
  EXPECT_THAT(core.cycles, DoubleNear(88, 1e-9));
  EXPECT_EQ(core.memory, core.cycles);
  EXPECT_THAT(core.overlapping, DoubleNear(1.1 * 10 * (1 + 1.5), 1e-9));
  EXPECT_EQ(core.bound, "issue");
}

// The simulation has units that the core has not, or shares them where the core does not.
TEST(InOrder, ShorterUnitsShortenWhatDoesNotWait) {
  const HotCode code = two_blocks({0, 1, 0, 1});
  auto each = their_cycles(2);
  each[0].simulated = 4;  // a unit that is busy for 2 was for 4
  EXPECT_THAT(in_order(code, each, 16).cycles, DoubleNear(10 * (2 + 4), 1e-9));
  EXPECT_THAT(in_order(code, each, 32).cycles, DoubleNear(2 * 10 * (4 + 4), 1e-9)) << "a dependency chain";
}

// A loop of few passes: a pass waits for the one before it, but not for the last of the loop's entry before.
TEST(InOrder, ShortChainsOverlap) {
  const HotCode code = two_blocks({0, 0, 1, 0, 0, 1});
  const InCore one_by_one = in_core_of(code.blocks, their_cycles(8), {"Load"});
  EXPECT_EQ(one_by_one.bound, "dependency chain");
  EXPECT_EQ(one_by_one.overlapping, 10 * (8 + 4));
  const InCore core = in_order(code, their_cycles(8), 16);
  EXPECT_EQ(core.overlapping, 10 * (2 + 4));
  EXPECT_EQ(core.bound, "Add");
  EXPECT_EQ(core.hot.bound, "dependency chain") << "of the loop alone";
}

// The part of the call has the second block half as often as the call.
TEST(InOrder, IsScaledToThePassesOfTheCall) {
  const InCore core = in_order(two_blocks({0, 0, 1}), their_cycles(2), 16);
  EXPECT_EQ(core.order.times(), 2);
  EXPECT_EQ(core.overlapping, 2 * 60);
}

TEST(InOrder, WithoutCyclesIsAnError) {
  const HotCode code = two_blocks({0});
  InCore core = in_core_of(code.blocks, their_cycles(2), {"Load"});
  EXPECT_THROW(put_in_order(core, code, their_cycles(2), {"Load"}, 0), Error);
  EXPECT_FALSE(core.order.known());
  EXPECT_EQ(core.overlapping, 10 * (0.5 + 4)) << "as it was";
}

Json one_region(const Json& summary) {
  const Json region{{"Name", "order"}, {"SummaryView", summary}};
  return Json{{"CodeRegions", Json::array({region})}};
}

TEST(InOrder, HasTheCyclesOfItsOneRegion) {
  EXPECT_EQ(cycles_from_mca(one_region({{"Iterations", 1}, {"TotalCycles", 8120}})), 8120);
  EXPECT_EQ(cycles_from_mca(one_region({{"Iterations", 4}, {"TotalCycles", 8120}})), 2030) << "of one pass";
  EXPECT_THROW(cycles_from_mca(one_region({{"Iterations", 1}})), Error);
  EXPECT_THROW(cycles_from_mca({{"CodeRegions", Json::array()}}), Error);
  EXPECT_THROW(cycles_from_mca(Json::array()), Error);
}

TEST(InOrder, IsARowOfTheScreenAndInJson) {
  const Work reading{.bytes_read = 80e9, .working_set = 400e6};
  Ceilings made = made_ceilings();
  Roof clock = bandwidth_roof("cycle", "", 2, 6e9);
  clock.operation = "cycle";
  made.roofs.push_back(clock);
  uotbench::Run run = made_run({{"uot/made", reading, 2.1}}, {made});
  run.records.front().counters = record_in_order({{"0", 2}}).counters;
  InCore core{.tool = "made", .overlapping = 12e9, .memory = 3e9, .bound = "dependency chain", .share = 1};
  core.order = {.instructions = 18400, .cycles = 8120, .block_by_block = 5800};
  const RunView view = view_under_roofs(run);
  const auto explain = [&] {
    return explain_all(view, [&](const uotbench::Run&, const Record&) { return core; }).at(0);
  };
  const Explanation it = explain();
  const Table table = table_of(it);
  const auto row =
      std::ranges::find_if(table.rows, [](const auto& one) { return one[0].text == "in order"; });
  ASSERT_NE(row, table.rows.end());
  EXPECT_EQ((*row)[1].text, "1.40x");
  EXPECT_EQ((*row)[2].text,
            "modelled: 18.40k instructions in the order of execution take 8120 cycles, block by block 5800; "
            "more than 1.15x is a dependency chain");
  const Json json = json_of(it).at("in_core").at("in_order");
  EXPECT_EQ(json.at("instructions"), 18400);
  EXPECT_EQ(json.at("cycles"), 8120);
  EXPECT_EQ(json.at("block_by_block_cycles"), 5800);
  core.order = {};
  core.no_order = "llvm-mca failed: no memory";
  const Explanation without = explain();
  EXPECT_TRUE(json_of(without).at("in_core").at("in_order").is_null());
  EXPECT_THAT(without.trust,
              testing::Contains("blocks were analysed one by one, without waiting between them: "
                                "llvm-mca failed: no memory"));
}

}  // namespace
}  // namespace uotbench
