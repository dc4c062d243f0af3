// A time taken apart: what its components come to, what bounds it, and what that gains.
#include <gmock/gmock.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "results/base/json.hpp"
#include "results/record/counters.hpp"
#include "roofline/explain/explanation.hpp"
#include "roofline/tests/made.hpp"

namespace uotbench {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;

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
  uotbench::Run run = run_of(made_reading, 1.1);
  const Explanation it = explained(run);
  EXPECT_EQ(it.bottleneck, Bottleneck::memory_bandwidth);
  EXPECT_THAT(it.verdict, HasSubstr("memory bandwidth at DRAM: 500.0 ms predicted, measured 1.100 s"));
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
  uotbench::Run run = run_of(made_reading, 2);
  for (auto& process : run.records.front().time->processes) process.busy = 0.55;
  EXPECT_EQ(explained(run).bottleneck, Bottleneck::other_processes);
  for (auto& process : run.records.front().time->processes) process.busy = 0.9;
  const Explanation it = explained(run);
  EXPECT_EQ(it.bottleneck, Bottleneck::unexplained) << "1.8 s are still far from 1";
  EXPECT_THAT(it.verdict, HasSubstr("1.000 s of 2.000 s are not explained"));
}

TEST(Explanation, OfATimeShorterThanItsPartsDoubtsThem) {
  uotbench::Run run = run_of(made_reading, 0.5);
  const Explanation it = explained(run);
  EXPECT_EQ(it.bottleneck, Bottleneck::unexplained);
  EXPECT_THAT(it.verdict, HasSubstr("a ceiling was measured too low, or the work model moves too much"));
}

Run run_with_clock(double median) {
  Ceilings made = made_ceilings();
  Roof clock = bandwidth_roof("cycle", "", 2, 6e9);
  clock.operation = "cycle";
  made.roofs.push_back(clock);
  uotbench::Run run = made_run({{"uot/made", made_reading, median}}, {made});
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
      made_run({{"uot/made", made_reading, 1.1, 2}, {"uot/made", made_reading, 1.7, 1}}, {made_ceilings()});
  add_code(run.records.back());
  std::string analysed;
  const Explanation it = explained(run, [&](const uotbench::Run&, const Record& record) {
    analysed = record.id;
    return InCore{.tool = "made"};
  });
  EXPECT_EQ(analysed, run.records.back().id);
  EXPECT_THAT(it.trust, testing::Contains("instructions are those of " + run.records.back().id));
}

TEST(Explanation, TakesLinesOfTheSameCaseOnOneThread) {
  uotbench::Run run =
      made_run({{"uot/made", made_reading, 1.1, 2}, {"uot/made", made_reading, 1.7, 1}}, {made_ceilings()});
  Record& one = run.records.back();
  one.counters[counter_names::l1_accesses].value = 20e9;
  one.counters[counter_names::l1_misses].value = 2 * 80e9 / 64;
  const Explanation it = explained(run);
  EXPECT_THAT(it.together, DoubleNear(1 + 0.125, 1e-12)) << "twice the lines into L1";
  EXPECT_THAT(it.trust, testing::Contains("lines between the levels are those of " + one.id));
}

// A case of two threads, and one of one thread and this size whose code it has, with 400e6 mispredicted
// branches.
uotbench::Run run_with_branches(double rate, int size = 4096) {
  Ceilings made = made_ceilings();
  if (rate > 0) {
    Roof roof = bandwidth_roof("misprediction", "", 2, rate);
    roof.operation = "misprediction";
    made.roofs.push_back(roof);
  }
  const double share = size * size / (4096. * 4096);
  uotbench::Run run =
      made_run({{"uot/made", made_reading, 3.1, 2}, {"uot/made", made_reading * share, 5, 1, size}}, {made});
  add_code(run.records.back());
  Counter& counter = run.records.back().counters[counter_names::mispredicted];
  counter.value = 400e6;
  counter.origin = {.source = "step", .kind = "simulated"};
  return run;
}

void count_first_mispredicted(Record& record, double value) {
  Counter& counter = record.counters[counter_names::first_mispredicted];
  counter.value = value;
  counter.origin = {.source = "step", .kind = "simulated"};
}

TEST(Explanation, AddsMispredictedBranches) {
  uotbench::Run run = run_with_branches(2e8);
  const Explanation it = explained(run);
  EXPECT_THAT(it.together, DoubleNear(1 + 2, 1e-12)) << "nothing goes on meanwhile";
  EXPECT_EQ(it.bottleneck, Bottleneck::mispredictions);
  const auto part = std::ranges::find(it.parts.all, "branches", &TimePart::name);
  ASSERT_NE(part, it.parts.all.end());
  EXPECT_EQ(part->from,
            "400.0M mispredicted (step, simulated) of 10.00 ns each (ceiling/misprediction), 2 threads");
  EXPECT_THAT(it.next, HasSubstr("without \"branches\""));
  EXPECT_EQ(json_of(it).at("mispredicted_branches"), 400e6);
  count_first_mispredicted(run.records.back(), 500e6);
  EXPECT_EQ(explained(run).branches->mispredicted, 400e6) << "a call of the same size is repeated";
}

TEST(Explanation, TakesMispredictedBranchesOfAnotherSizeAsOftenAsItsCode) {
  uotbench::Run run = run_with_branches(2e8, 2048);
  edited(run.header)["axis_roles"] = {{"uot", {{"M", "size"}, {"N", "size"}, {"dtype", "problem"}}}};
  const Explanation it = explained(run);
  ASSERT_TRUE(it.branches);
  EXPECT_THAT(it.branches->mispredicted, DoubleNear(1600e6, 1)) << "the ratio of their bytes";
  count_first_mispredicted(run.records.back(), 500e6);
  EXPECT_THAT(explained(run).branches->mispredicted, DoubleNear(2000e6, 1))
      << "what is learnt of fewer branches is not learnt of more";
}

TEST(Explanation, WithoutACeilingLeavesMispredictedBranchesOut) {
  uotbench::Run run = run_with_branches(0);
  const Explanation it = explained(run);
  EXPECT_THAT(it.together, DoubleNear(1, 1e-12));
  EXPECT_THAT(
      it.trust,
      testing::Contains(HasSubstr("mispredicted branches are left out: what one takes was not measured")));
}

// Of one thread 50 GB/s from DRAM, of two 80.
TEST(Explanation, OfOneThreadSaysHowManyFillTheBandwidth) {
  uotbench::Run run = made_run({{"uot/made", made_reading, 1.7, 1}}, {made_ceilings()});
  EXPECT_THAT(explained(run).saturation, HasSubstr("with 2 threads: 2 move its bytes in 1.000 s"));
  uotbench::Run both = run_of(made_reading, 1.1);
  EXPECT_EQ(explained(both).saturation, "");
}

TEST(Explanation, NamesFasterCasesOfItsProblem) {
  uotbench::Run run =
      made_run({{"uot/made", made_reading, 1.1}, {"uot/half", made_reading * 0.5, 0.55}}, {made_ceilings()});
  EXPECT_THAT(explained(run).faster,
              ElementsAre(HasSubstr("uot/half/M:4096/N:4096/threads:2@native-v4: 550.0 ms, "
                                    "2.00x as fast, 50.0% of the bytes")));
}

// A solve of few iterations is faster although each of them takes longer.
TEST(Explanation, ComparesSolvesWithSolves) {
  uotbench::Run run =
      made_run({{"uot/many", made_reading, 1.1}, {"uot/few", made_reading, 0.55}}, {made_ceilings()});
  for (auto& record : run.records) {
    record.time->per = Unit::solve;
    record.time->iterations = record.variant == "uot/many" ? 100 : 2;
  }
  EXPECT_THAT(explained(run).faster, ElementsAre(testing::EndsWith("@native-v4: 550.0 ms, 2.00x as fast")));
  std::ranges::reverse(run.records);
  EXPECT_THAT(explained(run).faster, testing::IsEmpty());
}

TEST(HotLines, AreThoseOfTheSameCaseOnOneThread) {
  uotbench::Run run =
      made_run({{"uot/made", made_reading, 1.1, 2}, {"uot/made", made_reading, 1.7, 1}}, {made_ceilings()});
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

// 4096 x 4096 numbers take 16 times the cycles of 1024 x 1024.
TEST(CountedCode, OfAnotherSizeIsMultipliedByTheWork) {
  const Work small = made_reading * (1. / 16);
  uotbench::Run run = made_run({{"uot/made", made_reading, 1.1, 2, 4096}, {"uot/made", small, 0.1, 1, 1024}},
                               {made_ceilings()});
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

// Two solves need not make the same number of iterations: their counted accesses say how much more one does.
TEST(CountedCode, OfAnotherSolveIsMultipliedByTheAccesses) {
  uotbench::Run run =
      made_run({{"uot/made", made_reading, 1.1, 2, 4096}, {"uot/made", made_reading, 0.1, 1, 1024}},
               {made_ceilings()});
  edited(run.header)["axis_roles"] = {{"uot", {{"M", "size"}, {"N", "size"}}}};
  for (auto& record : run.records) record.time->per = Unit::solve;
  add_code(run.records.back());
  const auto analyse = [](const uotbench::Run&, const Record&) {
    return InCore{.tool = "made", .overlapping = 100, .memory = 10, .cycles = 110, .share = 1};
  };
  EXPECT_FALSE(explained(run, analyse).core.known()) << "accesses were not counted";
  run.records.front().counters[counter_names::l1_accesses].value = 3000;
  run.records.back().counters[counter_names::l1_accesses].value = 1000;
  const Explanation it = explained(run, analyse);
  EXPECT_EQ(it.core.overlapping, 300);
  EXPECT_THAT(it.trust, testing::Contains("instructions are those of " + run.records.back().id +
                                          ", 3 times: the ratio of their counted accesses"));
}

// Where the code is analysed, flops are no part of the time.
TEST(Explanation, HasTheFlopsOfAnalysedCode) {
  Work work = made_reading;
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
  uotbench::Run run = run_of(made_reading, 1.1);
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
                                       "1 of 2 cases that were made for a bottleneck have it"));
}

TEST(Changes, NameThePartThatChangedMost) {
  uotbench::Run before = run_of(made_reading, 1.1), after = run_of(made_reading, 1.7);
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
  uotbench::Run run = run_of(made_reading, 1.1);
  const Explanation it = explained(run);
  const Table table = table_of(it);
  std::vector<std::string> names;
  for (const auto& row : table.rows) names.push_back(row.front().text);
  EXPECT_THAT(names, ElementsAre("measured", "moves", "roof (90.9%)", "loads and stores", "L2 to L1",
                                 "L3 to L2", "DRAM to L3", "together", "not explained", "next"));
  EXPECT_THAT(table.rows.at(8).back().text, HasSubstr("of the measured time"));
  EXPECT_EQ(table.about, "memory bandwidth at DRAM: 500.0 ms predicted, measured 1.100 s");
  const Json json = json_of(it);
  EXPECT_EQ(json.at("bottleneck"), "memory bandwidth");
  EXPECT_EQ(json.at("parts").size(), 4u);
  EXPECT_EQ(summary_of({it}).rows.size(), 1u);
}

TEST(Explanation, OfACountedCaseHasABarOfItsTime) {
  uotbench::Run run = run_of(made_reading, 1.25);
  EXPECT_TRUE(summary_of({explained(run)}).rows.at(0).at(1).shares.empty()) << "the roofline says the same";
  run.records.front().counters[counter_names::l1_misses].value = 80e9 / 64;
  const auto shares = summary_of({explained(run)}).rows.at(0).at(1).shares;
  ASSERT_EQ(shares.size(), 5u);
  EXPECT_EQ(shares[0].kind, "memory");
  EXPECT_EQ(shares[3].kind, "transfer");
  EXPECT_THAT(shares[3].of, DoubleNear(0.4, 1e-12));
  EXPECT_THAT(shares[3].about, HasSubstr("DRAM to L3: 500.0 ms, 40.0% of the measured time\n"));
  EXPECT_EQ(shares[4].kind, "rest");
  EXPECT_THAT(shares[4].of, DoubleNear(0.2, 1e-12));
}

TEST(Explanation, NamesStoresPastTheCaches) {
  uotbench::Run run = run_of(
      {.bytes_read = 35e9, .bytes_written = 35e9, .bytes_nontemporal = 35e9, .working_set = 400e6}, 1.1);
  const Explanation it = explained(run);
  const Table table = table_of(it);
  EXPECT_EQ(table.rows.at(1).front().text, "moves");
  EXPECT_THAT(table.rows.at(1).back().text, HasSubstr("32.6 GiB of them past the caches"));
  EXPECT_EQ(json_of(it).at("bytes_nontemporal"), 35e9);
}

}  // namespace
}  // namespace uotbench
