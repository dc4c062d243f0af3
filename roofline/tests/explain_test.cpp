// A time taken apart: components, what they come to, and what bounds it.
#include <gmock/gmock.h>

#include "results/base/error.hpp"
#include "results/record/counters.hpp"
#include "roofline/explain/changes.hpp"
#include "roofline/explain/explanation.hpp"
#include "roofline/explain/transfers.hpp"
#include "roofline/tests/made_run.hpp"

namespace uotbench {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;

TimePart part(TimePart::Kind kind, const char* name, double seconds) {
  return {.kind = kind, .name = name, .bound = name, .seconds = seconds, .from = {}};
}

// Stengel et al. 2015, Eq. 1: max(T_OL, T_nOL + T_L1L2 + T_L2L3 + T_L3Mem), here {2 || 3 | 4 | 5}.
TEST(TimeParts, OverlapAsInTheEcmModel) {
  using enum TimePart::Kind;
  TimeParts parts{.all = {part(core, "core", 2), part(memory, "loads", 3), part(transfer, "L2", 4),
                          part(transfer, "L3", 5)}};
  EXPECT_EQ(parts.together(), 12);
  EXPECT_EQ(parts.bounding()->name, "L3");
  EXPECT_EQ(parts.without(*parts.bounding()).together(), 7);
  parts.all.front().seconds = 20;
  EXPECT_EQ(parts.together(), 20);
  EXPECT_EQ(parts.bounding()->name, "core");
  EXPECT_EQ(parts.without(*parts.bounding()).together(), 12);
  parts.all.push_back(part(waiting, "region starts", 30));
  EXPECT_EQ(parts.together(), 50);
  EXPECT_EQ(parts.bounding()->name, "region starts");
}

const Work reading{.bytes_read = 80e9, .working_set = 400e6};  // of two threads: 1 s from DRAM

std::vector<TimePart> parts_of_reading(const Record* counts, bool with_l1 = true) {
  Record record;
  record.work = reading;
  record.point = {{"threads", 2}};
  return transfers_of(record, Roofs(made_ceilings(), {.threads = 2}), {.level = "DRAM"}, counts, with_l1);
}

// 640, 320, 160 and 80 GB/s in L1 to DRAM.
TEST(Transfers, OfAKernelLikeTheCeilingAddUpToTheCeiling) {
  EXPECT_THAT(parts_of_reading(nullptr), ElementsAre(Field(&TimePart::seconds, DoubleNear(0.125, 1e-12)),
                                                     Field(&TimePart::seconds, DoubleNear(0.125, 1e-12)),
                                                     Field(&TimePart::seconds, DoubleNear(0.25, 1e-12)),
                                                     Field(&TimePart::seconds, DoubleNear(0.5, 1e-12))));
  const auto without = parts_of_reading(nullptr, false);
  EXPECT_THAT(without, ElementsAre(Field(&TimePart::name, "L2 to L1"), Field(&TimePart::name, "L3 to L2"),
                                   Field(&TimePart::name, "DRAM to L3")))
      << "what L1 takes is the analysed code's";
}

TEST(Transfers, AreScaledByCountedLines) {
  Record counts;
  Counter& misses = counts.counters[counter_names::l1_misses];
  misses.value = 2 * 80e9 / 64;
  misses.origin.source = "trace";
  const auto parts = parts_of_reading(&counts);
  EXPECT_THAT(parts[1].seconds, DoubleNear(0.25, 1e-12)) << "twice the lines into L1";
  EXPECT_EQ(parts[1].evidence, Evidence::counted);
  EXPECT_THAT(parts[1].from, HasSubstr("2.00x the model's lines (trace)"));
  EXPECT_THAT(parts[2].seconds, DoubleNear(0.25, 1e-12)) << "of L2 nothing was counted";
}

// A line that L1 misses and L3 has is no traffic of DRAM.
TEST(Transfers, WhereLevelsHaveNoCeilingsAreTheLinesFromTheOuterOne) {
  Ceilings ceilings = made_ceilings();
  std::erase_if(ceilings.roofs, [](const Roof& roof) { return roof.level == "L2" || roof.level == "L3"; });
  Record record, counts;
  record.work = reading;
  counts.counters[counter_names::l1_misses].value = 9 * 80e9 / 64;
  counts.counters[counter_names::l3_misses].value = 2 * 80e9 / 64;
  const auto parts = transfers_of(record, Roofs(ceilings, {.threads = 2}), {.level = "DRAM"}, &counts, false);
  ASSERT_EQ(parts.size(), 1u);
  EXPECT_EQ(parts[0].name, "DRAM to L1");
  EXPECT_THAT(parts[0].from, HasSubstr("2.00x the model's lines"));
}

// In L1 they would take as long, and the difference of two levels would be nothing.
TEST(Transfers, OfStoresPastTheCachesAreWhatTheirCeilingTakes) {
  Ceilings ceilings = made_ceilings();
  std::erase_if(ceilings.roofs, [](const Roof& roof) { return roof.kernel == "copy_nt"; });
  for (const char* level : {"L1", "L2", "L3", "DRAM"})
    ceilings.roofs.push_back(bandwidth_roof("copy_nt", level, 2, 20e9));
  Record record;
  record.work = {.bytes_read = 90e9, .bytes_written = 10e9, .bytes_nontemporal = 10e9, .working_set = 400e6};
  const auto parts = transfers_of(record, Roofs(ceilings, {.threads = 2}), {.level = "DRAM"}, nullptr, false);
  ASSERT_EQ(parts.size(), 4u);
  EXPECT_THAT(parts[0].seconds, DoubleNear(0.125, 1e-12)) << "80 GB are read as by other kernels";
  EXPECT_EQ(parts[3].name, "past caches");
  EXPECT_THAT(parts[3].seconds, DoubleNear(1, 1e-12));
  EXPECT_THAT(parts[3].from, HasSubstr("copy_nt at 20.0 GB/s"));
}

InCore not_analysed(const Run&, const Record&) { return {.tool = {}, .reason = "not asked for"}; }

Explanation explained(Run& run, const AnalyseCode& analyse = not_analysed) {
  static std::optional<RunView> view;
  view.emplace(view_under_roofs(run));
  const auto all = explain_all(*view, analyse);
  EXPECT_EQ(all.size(), run.records.size());
  return all.front();
}

Run run_of(const Work& work, double median) {
  return made_run({{"uot/made", work, median}}, {made_ceilings()});
}

TEST(Explanation, OfATimeNearItsPartsIsTheLongestOfThem) {
  uotbench::Run run = run_of(reading, 1.1);
  const Explanation it = explained(run);
  EXPECT_EQ(it.bottleneck, Bottleneck::memory_bandwidth);
  EXPECT_THAT(it.verdict, HasSubstr("memory bandwidth at DRAM: 500.0 ms of 1.100 s"));
  EXPECT_THAT(it.next,
              HasSubstr("without \"DRAM to L3\" at most 1.83x as fast; then memory bandwidth at L3"));
  EXPECT_THAT(it.ratio(), DoubleNear(1.1, 1e-12));
  EXPECT_THAT(it.trust, testing::Contains(HasSubstr("in-core time not known")));
}

TEST(Explanation, WithoutAnalysisOfTheCodeIsTheRoofline) {
  uotbench::Run run = run_of({.flops = 200e9, .bytes_read = 80e9, .working_set = 400e6}, 2.2);
  const Explanation it = explained(run);
  EXPECT_THAT(it.together, DoubleNear(2, 1e-12)) << "100 GFLOP/s";
  EXPECT_THAT(it.together, DoubleNear(it.member->roof->floor, 1e-12));
  EXPECT_EQ(it.bottleneck, Bottleneck::core_throughput);
  EXPECT_THAT(it.next, HasSubstr("then memory bandwidth at DRAM"));
}

TEST(Explanation, OfAProcessWithoutItsCpuIsOtherProcesses) {
  uotbench::Run run = run_of(reading, 2);
  for (auto& process : run.records.front().time->processes) process.busy = 0.55;
  EXPECT_EQ(explained(run).bottleneck, Bottleneck::other_processes);
  for (auto& process : run.records.front().time->processes) process.busy = 0.9;
  const Explanation it = explained(run);
  EXPECT_EQ(it.bottleneck, Bottleneck::unexplained) << "1.8 s are still far from 1";
  EXPECT_THAT(it.verdict, HasSubstr("1.000 s of 2.000 s are not explained"));
}

TEST(Explanation, OfATimeShorterThanItsPartsDoubtsThem) {
  uotbench::Run run = run_of(reading, 0.5);
  const Explanation it = explained(run);
  EXPECT_EQ(it.bottleneck, Bottleneck::unexplained);
  EXPECT_THAT(it.verdict, HasSubstr("a ceiling was measured too low, or the work model moves too much"));
}

void add_code(Record& record) {
  Counter& counter = record.counters[counter_names::by_block];
  counter.value = 2000;
  counter.lines = {{"worker+0x10, 2 instructions: ffc975fc", 1990}};
}

Run run_with_clock(double median) {
  Ceilings made = made_ceilings();
  Roof clock = bandwidth_roof("cycle", "", 2, 6e9);
  clock.operation = "cycle";
  made.roofs.push_back(clock);
  uotbench::Run run = made_run({{"uot/made", reading, median}}, {made});
  add_code(run.records.front());
  return run;
}

TEST(Explanation, OfALongChainIsTheChain) {
  uotbench::Run run = run_with_clock(2.1);
  const Explanation it = explained(run, [](const uotbench::Run&, const Record&) {
    return InCore{
        .tool = "made", .overlapping = 12e9, .memory = 3e9, .bound = "dependency chain", .share = 1};
  });
  EXPECT_EQ(it.clock, 3e9) << "of each of two";
  EXPECT_THAT(it.together, DoubleNear(2, 1e-12)) << "12e9 cycles shared by two threads";
  EXPECT_EQ(it.bottleneck, Bottleneck::dependency_chain);
  EXPECT_THAT(it.next, HasSubstr("without \"core\" at most 1.42x as fast; then"));
}

TEST(Explanation, GainsNoMoreThanThePartsThatAreLeftAllow) {
  uotbench::Run run = run_with_clock(1.8);
  const Explanation it = explained(run, [](const uotbench::Run&, const Record&) {
    return InCore{
        .tool = "made", .overlapping = 12e9, .memory = 3e9, .bound = "dependency chain", .share = 1};
  });
  EXPECT_THAT(it.together, DoubleNear(2, 1e-12)) << "more than was measured";
  EXPECT_THAT(it.next, HasSubstr("without \"core\" at most 1.31x as fast")) << "1.8 of 0.5 + 0.875";
}

TEST(Explanation, LoadsInL1AddToTransfers) {
  uotbench::Run run = run_with_clock(3);
  const Explanation it = explained(run, [](const uotbench::Run&, const Record&) {
    return InCore{.tool = "made", .overlapping = 6e9, .memory = 12e9, .bound = "Port2", .share = 1};
  });
  EXPECT_THAT(it.together, DoubleNear(2 + 0.875, 1e-12)) << "2 s of loads, 0.875 s of transfers into L1";
  EXPECT_EQ(it.bottleneck, Bottleneck::core_throughput);
  EXPECT_THAT(it.verdict, HasSubstr("in-core throughput (load and store units)"));
}

TEST(Explanation, CountsItsCodeOnOneThread) {
  uotbench::Run run =
      made_run({{"uot/made", reading, 1.1, 2}, {"uot/made", reading, 1.7, 1}}, {made_ceilings()});
  add_code(run.records.back());
  std::string analysed;
  const Explanation it = explained(run, [&](const uotbench::Run&, const Record& record) {
    analysed = record.id;
    return InCore{.tool = "made"};
  });
  EXPECT_EQ(analysed, run.records.back().id);
  EXPECT_THAT(it.trust, testing::Contains("instructions are those of " + run.records.back().id));
}

// Of one thread 50 GB/s from DRAM, of two 80.
TEST(Explanation, OfOneThreadSaysHowManyFillTheBandwidth) {
  uotbench::Run run = made_run({{"uot/made", reading, 1.7, 1}}, {made_ceilings()});
  EXPECT_THAT(explained(run).saturation,
              HasSubstr("with 2 threads: the ceilings of 2 move its bytes in 1.000 s"));
  uotbench::Run both = run_of(reading, 1.1);
  EXPECT_EQ(explained(both).saturation, "");
}

TEST(Explanation, NamesFasterCasesOfItsProblem) {
  uotbench::Run run =
      made_run({{"uot/made", reading, 1.1}, {"uot/half", reading * 0.5, 0.55}}, {made_ceilings()});
  EXPECT_THAT(explained(run).faster,
              ElementsAre(HasSubstr("uot/half/M:4096/N:4096/threads:2@native-v4: 550.0 ms, "
                                    "2.00x as fast, 50.0% of the bytes")));
}

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

TEST(HotLines, AreThoseOfTheSameCaseOnOneThread) {
  uotbench::Run run =
      made_run({{"uot/made", reading, 1.1, 2}, {"uot/made", reading, 1.7, 1}}, {made_ceilings()});
  EXPECT_EQ(explained(run).lines.reason, "its instructions were not counted by line (--counters functions)");
  Counter& counter = run.records.back().counters[counter_names::by_line];
  counter.value = 1000;
  counter.origin.source = "callgrind";
  counter.lines = {{"made.cpp:7", 900}, {"made.cpp:9", 60}, {"made.cpp:1", 5}};
  const Explanation it = explained(run);
  const Table table = table_of(it.lines);
  ASSERT_EQ(table.rows.size(), 2u) << "95% of all";
  EXPECT_EQ(table.rows[0][0].text, "made.cpp:7");
  EXPECT_EQ(table.rows[0][1].text, "90.0%");
  EXPECT_EQ(table.rows[1][2].text, "60");
  EXPECT_THAT(table.notes, ElementsAre("lines are those of " + run.records.back().id));
  EXPECT_EQ(json_of(it).at("source_lines").at("lines").size(), 3u);
  Counter& misses = run.records.back().counters[counter_names::misses_by_line];
  misses.value = 40;
  misses.lines = {{"made.cpp:1", 30}, {"made.cpp:7", 10}};
  const Table missed = table_of(explained(run).lines);
  ASSERT_EQ(missed.rows.size(), 3u) << "few instructions, and most of the misses";
  EXPECT_EQ(missed.columns.back().title, "of L1 misses");
  EXPECT_EQ(missed.rows[0].back().text, "25.0%");
  EXPECT_EQ(missed.rows[1].back().text, "<0.1%");
  EXPECT_EQ(missed.rows[2].back().text, "75.0%");
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

// 4096 x 4096 numbers take 16 times the cycles of 1024 x 1024.
TEST(CountedCode, OfAnotherSizeIsMultipliedByTheWork) {
  const Work small = reading * (1. / 16);
  uotbench::Run run =
      made_run({{"uot/made", reading, 1.1, 2, 4096}, {"uot/made", small, 0.1, 1, 1024}}, {made_ceilings()});
  edited(run.header)["axis_roles"] = {{"uot", {{"M", "size"}, {"N", "size"}, {"dtype", "problem"}}}};
  add_code(run.records.back());
  const auto analyse = [](const uotbench::Run&, const Record&) {
    return InCore{.tool = "made", .overlapping = 100, .memory = 10, .cycles = 110, .share = 1};
  };
  const Explanation it = explained(run, analyse);
  EXPECT_EQ(it.core.overlapping, 1600);
  EXPECT_EQ(it.core.memory, 160);
  EXPECT_EQ(it.core.times, 16);
  EXPECT_THAT(it.trust, testing::Contains("instructions are those of " + run.records.back().id +
                                          ", 16 times: the ratio of their work"));
  run.records.back().point.set("dtype", "f64");
  EXPECT_FALSE(explained(run, analyse).core.known()) << "another problem";
}

// Where the code is analysed, flops are no part of the time.
TEST(Explanation, HasTheFlopsOfAnalysedCode) {
  Work work = reading;
  work.flops = 2e9;
  uotbench::Run run = run_of(work, 1.1);
  add_code(run.records.front());
  const Explanation it = explained(run, [](const uotbench::Run&, const Record&) {
    return InCore{.tool = "made", .overlapping = 100, .memory = 10, .cycles = 110, .share = 1};
  });
  const Table table = table_of(it);
  EXPECT_EQ(table.rows.at(2).front().text, "computes");
  EXPECT_EQ(table.rows.at(2).at(1).text, "2.000G");
  EXPECT_EQ(table.rows.at(2).back().text, "flops (work model)");
}

TEST(Explanation, SaysWhatItsKernelWasMadeFor) {
  uotbench::Run run = run_of(reading, 1.1);
  run.records.front().env.set("made_for", "memory bandwidth");
  const Explanation it = explained(run);
  EXPECT_EQ(it.made_for, "memory bandwidth");
  EXPECT_EQ(json_of(it).at("made_for"), "memory bandwidth");
  Explanation other = it;
  other.made_for = "latency";
  const Table table = summary_of({it, other});
  EXPECT_EQ(table.columns.at(5).title, "made for");
  EXPECT_EQ(table.rows.at(1).at(5).text, "latency");
  EXPECT_EQ(table.rows.at(1).at(2).value, 1.);
  EXPECT_THAT(table.rows.at(1).at(2).source,
              HasSubstr("DRAM to L3 500.0 ms (modelled: DRAM, read at 80.0 GB/s, less 500.0 ms in L3;"));
  EXPECT_THAT(table.notes, ElementsAre("measured/predicted is between 0.8 and 1.25 for 2 of 2 cases (100.0%)",
                                       "1 of 2 kernels that were made for a bottleneck have it"));
}

TEST(Mca, AnotherAnswerIsRefusedInOneLine) {
  Json answer = mca_answer(1, 1, 1);
  answer["TargetInfo"]["Resources"] = {"Load"};
  EXPECT_THROW(blocks_from_mca(answer), Error);
  EXPECT_THROW(blocks_from_mca(Json::array()), Error);
}

TEST(Changes, NameThePartThatChangedMost) {
  uotbench::Run before = run_of(reading, 1.1), after = run_of(reading, 1.7);
  Counter& misses = after.records.front().counters[counter_names::l1_misses];
  misses.value = 5 * 80e9 / 64;
  const RunView view_a = view_under_roofs(before), view_b = view_under_roofs(after);
  const auto a = explain_all(view_a, not_analysed), b = explain_all(view_b, not_analysed);
  const auto changes = changes_of(a, b);
  ASSERT_EQ(changes.size(), 1u);
  EXPECT_THAT(changes[0].part, HasSubstr("L2 to L1: 125.0 ms -> 625.0 ms"));
  EXPECT_EQ(changed_part(a.at(0), b.at(0)), changes[0].part);
  EXPECT_EQ(table_of(changes).rows.at(0).back().text, changes[0].part);
  const Json json = json_of(changes);
  EXPECT_EQ(json.at(0).at("part"), changes[0].part);
  EXPECT_EQ(json.at(0).at("b"), b.at(0).measured);
  after.records.front().counters = {};
  EXPECT_THAT(changes_of(a, explain_all(view_b, not_analysed)).at(0).part,
              HasSubstr("not explained: 100.0 ms -> 700.0 ms"));
  EXPECT_EQ(changed_part(a.at(0), explain_all(view_b, not_analysed).at(0)), "");
}

TEST(Explanation, HasAScreenAndJson) {
  uotbench::Run run = run_of(reading, 1.1);
  const Explanation it = explained(run);
  const Table table = table_of(it);
  std::vector<std::string> names;
  for (const auto& row : table.rows) names.push_back(row.front().text);
  EXPECT_THAT(names, ElementsAre("measured", "moves", "roof (90.9%)", "loads and stores", "L2 to L1",
                                 "L3 to L2", "DRAM to L3", "together", "not explained", "next"));
  EXPECT_THAT(table.rows.at(8).back().text, HasSubstr("of the measured time"));
  EXPECT_EQ(table.about, "memory bandwidth at DRAM: 500.0 ms of 1.100 s");
  const Json json = json_of(it);
  EXPECT_EQ(json.at("bottleneck"), "memory bandwidth");
  EXPECT_EQ(json.at("parts").size(), 4u);
  EXPECT_EQ(summary_of({it}).rows.size(), 1u);
}

TEST(Explanation, NamesStoresPastTheCaches) {
  uotbench::Run run = run_of(
      {.bytes_read = 35e9, .bytes_written = 35e9, .bytes_nontemporal = 35e9, .working_set = 400e6}, 1.1);
  const Explanation it = explained(run);
  const Table table = table_of(it);
  EXPECT_EQ(table.rows.at(1).front().text, "moves");
  EXPECT_THAT(table.rows.at(1).back().text, HasSubstr("32.6 GiB stored past the caches"));
  EXPECT_EQ(json_of(it).at("bytes_nontemporal"), 35e9);
}

}  // namespace
}  // namespace uotbench
