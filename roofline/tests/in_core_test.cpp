// Machine code that was counted, and what its analyser says of it.
#include "roofline/explain/in_core.hpp"

#include <gmock/gmock.h>

#include <string>

#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/record/counters.hpp"
#include "roofline/explain/hot_code.hpp"
#include "roofline/tests/made.hpp"

namespace uotbench {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(HotCode, IsReadFromTheCounter) {
  Record record;
  std::string reason;
  EXPECT_FALSE(hot_code_of(record, reason));
  EXPECT_THAT(reason, HasSubstr("--counters blocks"));
  add_code(record);
  const auto code = hot_code_of(record, reason);
  ASSERT_TRUE(code);
  ASSERT_EQ(code->blocks.size(), 1u);
  EXPECT_EQ(code->blocks[0].at, "worker+0x10");
  EXPECT_EQ(code->blocks[0].instructions, 2u);
  EXPECT_EQ(code->blocks[0].code, "ffc975fc");
  EXPECT_EQ(code->blocks[0].passes, 995);
  EXPECT_THAT(code->share(), DoubleNear(0.995, 1e-12));
  EXPECT_FALSE(code->blocks[0].loops) << "where its last instruction begins is not known";
  // Its last instruction begins 15 bytes before the end: jnz -4; jnz -6; a jump of 6 bytes by -8; jmp -4.
  const auto loops = [&](const std::string& head, const std::string& jump) {
    const std::string code_of_it = head + jump + std::string(30 - jump.size(), '0');
    record.counters[counter_names::by_block].lines = {{"x+0x0, 2 instructions: " + code_of_it, 2}};
    return hot_code_of(record, reason)->blocks.at(0).loops;
  };
  EXPECT_TRUE(loops("ffc9", "75fc"));
  EXPECT_FALSE(loops("ffc9", "75fa"));
  EXPECT_TRUE(loops("ffc9", "0f85f8ffffff"));
  EXPECT_TRUE(loops("ffc9", "ebfc"));
  EXPECT_FALSE(loops("ffc9", "c3"));
  record.counters[counter_names::by_block].lines = {{"elsewhere", 3}, {"x, 0 instructions: 90", 1}};
  EXPECT_FALSE(hot_code_of(record, reason));
  EXPECT_EQ(reason, "the counter has no blocks");
}

/// Of 100 iterations of one instruction on two units.
Json mca_answer(double cycles, double first_unit, double second_unit) {
  const auto use = [](int instruction, int unit, double usage) {
    return Json{{"InstructionIndex", instruction}, {"ResourceIndex", unit}, {"ResourceUsage", usage}};
  };
  return {{"TargetInfo", {{"CPUName", "made"}, {"Resources", {"Load", "Add"}}}},
          {"CodeRegions",
           {{{"Name", "block0"},
             {"Instructions", {"addq\t%rax, %rbx"}},
             {"SummaryView",
              {{"Iterations", 100}, {"TotalCycles", 100 * cycles}, {"TotaluOps", 100}, {"DispatchWidth", 4}}},
             {"InstructionInfoView", {{"InstructionList", {{{"mayLoad", true}, {"mayStore", false}}}}}},
             {"ResourcePressureView",
              {{"ResourcePressureInfo", {use(0, 0, 77), use(1, 0, first_unit), use(1, 1, second_unit)}}}}}}}};
}

TEST(Mca, BlocksAreBoundByTheBusiestUnitOrByAChain) {
  const auto throughput = blocks_from_mca(mca_answer(2.01, 2, 1)).at(0);
  EXPECT_FALSE(throughput.is_chain());
  EXPECT_EQ(throughput.busiest().name, "Load");
  EXPECT_EQ(throughput.memory({"Load"}), 2);
  EXPECT_EQ(throughput.others({"Load"}).cycles, 1);
  EXPECT_TRUE(throughput.loads);
  const auto chain = blocks_from_mca(mca_answer(4, 2, 1)).at(0);
  EXPECT_TRUE(chain.is_chain());
  const auto issue = blocks_from_mca(mca_answer(0.25, 0.1, 0.1)).at(0);
  EXPECT_EQ(issue.busiest().name, "issue") << "one micro-operation, four at a time";

  CodeBlock block{.at = "x", .instructions = 1, .code = {}, .passes = 10, .loops = true};
  const InCore core = in_core_of({block, block}, {throughput, chain}, {"Load"});
  EXPECT_EQ(core.memory, 10 * (2 + 2));
  EXPECT_EQ(core.overlapping, 10 * (1 + 4)) << "nothing of the chain's block goes on besides";
  EXPECT_EQ(core.bound, "dependency chain");
  EXPECT_EQ(core.hot.cycles, 4);
  EXPECT_EQ(core.hot.bound, "dependency chain");
  EXPECT_EQ(core.hot.passes, 10);
  block.loops = false;
  const InCore straight = in_core_of({block}, {chain}, {"Load"});
  EXPECT_EQ(straight.hot.bound, "Load") << "a function that is called again waits for no earlier call";
  EXPECT_EQ(straight.cycles, 10 * 2);
}

/// A load and a store of a vector on Zen 4, `cycles` a pass.
Json load_and_store(double cycles) {
  const auto use = [](int instruction, int unit, double usage) {
    return Json{{"InstructionIndex", instruction}, {"ResourceIndex", unit}, {"ResourceUsage", usage}};
  };
  const Json memory = {{"mayLoad", true}, {"mayStore", true}};
  return {{"TargetInfo", {{"CPUName", "znver4"}, {"Resources", {"Zn4FP45.0", "Zn4FP45.1", "Zn4FPSt"}}}},
          {"CodeRegions",
           {{{"Name", "block0"},
             {"Instructions", {"vmovups\t(%rax), %ymm0", "vmovups\t%ymm0, (%rbx)"}},
             {"SummaryView",
              {{"Iterations", 100}, {"TotalCycles", 100 * cycles}, {"TotaluOps", 200}, {"DispatchWidth", 6}}},
             {"InstructionInfoView", {{"InstructionList", {memory, memory}}}},
             {"ResourcePressureView",
              {{"ResourcePressureInfo",
                {use(0, 0, 3), use(0, 1, 1), use(1, 0, 0.25), use(1, 1, 1.75), use(1, 2, 2), use(2, 0, 3.25),
                 use(2, 1, 2.75), use(2, 2, 2)}}}}}}}};
}

TEST(Mca, VectorStoresOfZen4DoNotUseThePipesOfLoads) {
  const auto block = blocks_from_mca(load_and_store(3.3)).at(0);
  EXPECT_EQ(block.unit.at("Zn4FP45.0"), 2) << "(3.25 + 2.75 - 2) / 2";
  EXPECT_EQ(block.unit.at("Zn4FP45.1"), 2);
  EXPECT_EQ(block.unit.at("Zn4FPSt"), 2);
  EXPECT_EQ(block.throughput(), 2);
  EXPECT_EQ(block.simulated_throughput(), 3.25);
  EXPECT_THAT(block.cycles, DoubleNear(3.3 * 2 / 3.25, 1e-9));
  EXPECT_EQ(block.listing[0].unit.size(), 2u) << "a load is as it was";
  EXPECT_EQ(block.listing[1].unit.size(), 1u) << "Zn4FPSt";
  EXPECT_EQ(blocks_from_mca(load_and_store(9)).at(0).cycles, 9) << "a dependency chain is as long as before";
}

TEST(Mca, AnotherAnswerIsRefusedInOneLine) {
  Json answer = mca_answer(1, 1, 1);
  answer["TargetInfo"]["Resources"] = {"Load"};
  EXPECT_THROW(blocks_from_mca(answer), Error);
  EXPECT_THROW(blocks_from_mca(Json::array()), Error);
}

TEST(HotBlock, HasItsInstructionsWithTheUnitsThatTheyKeepBusy) {
  CodeBlock block{.at = "made+0x10", .instructions = 1, .code = {}, .passes = 1e6, .loops = true};
  InCore core = in_core_of({block}, {blocks_from_mca(mca_answer(4, 2, 1)).at(0)}, {"Load"});
  core.tool = "llvm-mca 19 (made)";
  Table table = hot_block_table(core);
  EXPECT_EQ(table.about,
            "made+0x10: 1.000M passes of 4.00 cycles, bound by dependency chain (llvm-mca 19 (made)).");
  ASSERT_EQ(table.rows.size(), 2u);
  EXPECT_EQ(table.rows[0][0].text, "addq %rax, %rbx");
  EXPECT_EQ(table.rows[0][1].text, "Load 77.00");
  EXPECT_EQ(table.rows[1][1].text, "Add 1.00, Load 2.00; to issue 0.25");
  core.hot.listing[0].unit = {{"Zn4ALU3", 0.2}, {"Zn4Load.0", 0.25}, {"Zn4Load.1", 0.75}};
  EXPECT_EQ(hot_block_table(core).rows[0][1].text, "Zn4ALU3 0.20, Zn4Load 1.00");
  EXPECT_TRUE(table.notes.empty());
  EXPECT_FALSE(core.tools_disagree());
  core.other = {.reason = "OSACA is not installed", .mend = "pip install osaca"};
  EXPECT_THAT(hot_block_table(core).notes,
              ElementsAre("OSACA is not installed; install it with: pip install osaca"));
  EXPECT_THAT(text_of_hot_block(core), testing::Not(HasSubstr("OSACA")));
  core.other = {.tool = "OSACA 0.7.1 (SPR)", .cycles = 3, .bound = "port 5"};
  EXPECT_THAT(hot_block_table(core).notes, ElementsAre("3.00 cycles, port 5: OSACA 0.7.1 (SPR)"));
  EXPECT_THAT(text_of_hot_block(core), HasSubstr("; 3.00 cycles, port 5: OSACA 0.7.1 (SPR)"));
  EXPECT_TRUE(core.tools_disagree()) << "4 cycles and 3";
}

}  // namespace
}  // namespace uotbench
