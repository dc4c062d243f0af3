// Counts of the same thing are held against each other exactly; counts of other things are not.
#include <gmock/gmock.h>

#include "results/base/json.hpp"
#include "results/gate/decide/decision.hpp"
#include "results/record/counters.hpp"

namespace uotbench {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Counter simulated(double value, const std::string& source = "trace") {
  return {.value = value, .origin = {.source = source, .kind = "simulated"}, .unit = "accesses"};
}

Record with(const std::map<std::string, Counter>& counters) {
  Record record;
  for (const auto& [name, counter] : counters) record.counters[name] = counter;
  return record;
}

/// "L1D.misses regressed".
std::vector<std::string> told(const std::vector<CounterVerdict>& verdicts) {
  std::vector<std::string> texts;
  for (const auto& verdict : verdicts) texts.push_back(verdict.name + " " + name_of(verdict.verdict));
  return texts;
}

struct Compared {
  std::vector<std::string> verdicts, notes;
};

Compared compare(const Record& a, const Record& b) {
  Compared compared;
  compared.verdicts = told(compare_counters(a, b, &compared.notes));
  EXPECT_EQ(told(compare_counters(a, b)), compared.verdicts) << "notes change nothing";
  return compared;
}

TEST(GateCounters, AreExact) {
  const Record a = with({{"L1D.misses", simulated(1e6)}});
  EXPECT_THAT(compare(a, with({{"L1D.misses", simulated(1e6)}})).verdicts, ElementsAre("L1D.misses ok"));
  EXPECT_THAT(compare(a, with({{"L1D.misses", simulated(1e6 + 1)}})).verdicts,
              ElementsAre("L1D.misses regressed"));
  EXPECT_THAT(compare(a, with({{"L1D.misses", simulated(1e6 - 1)}})).verdicts,
              ElementsAre("L1D.misses improved"));
  Counter sent = simulated(848, "mpi"), more = simulated(849, "mpi");
  sent.origin.kind = more.origin.kind = "exact";
  EXPECT_THAT(compare(with({{"bytes_sent", sent}}), with({{"bytes_sent", more}})).verdicts,
              ElementsAre("bytes_sent regressed"));
  EXPECT_THAT(compare(with({{"x", simulated(0)}}), with({{"x", simulated(1)}})).verdicts,
              ElementsAre("x regressed"));
}

TEST(GateCounters, AllowCallgrindOnePercent) {
  const auto instructions = [](double value, const std::string& source) {
    Counter counter = simulated(value, source);
    counter.unit = "instructions";
    return with({{"instructions", counter}});
  };
  const auto verdict = [&](double value, const std::string& source) {
    return compare(instructions(1000, source), instructions(value, source)).verdicts[0];
  };
  EXPECT_EQ(verdict(1010, "callgrind"), "instructions ok");
  EXPECT_EQ(verdict(1011, "callgrind"), "instructions regressed");
  EXPECT_EQ(verdict(989, "callgrind"), "instructions improved");
  EXPECT_EQ(verdict(1001, "trace"), "instructions regressed");
  EXPECT_EQ(compare(with({{"x", simulated(1000, "callgrind")}}), with({{"x", simulated(1001, "callgrind")}}))
                .verdicts[0],
            "x ok");
  EXPECT_EQ(
      compare(with({{"x", simulated(1000, "callgrind-l2")}}), with({{"x", simulated(1011, "callgrind-l2")}}))
          .verdicts[0],
      "x regressed");
}

TEST(GateCounters, NoteWhereTheWorkModelDiffers) {
  Record a = with({}), b = with({});
  EXPECT_THAT(compare(a, b).verdicts, IsEmpty());
  a.work = Work{.flops = 4, .bytes_read = 8, .bytes_written = 8, .write_allocate = 0, .working_set = 1};
  b.work = Work{.flops = 4, .bytes_read = 9, .bytes_written = 7, .write_allocate = 1, .working_set = 2};
  EXPECT_THAT(compare(a, b).verdicts,
              ElementsAre("flops ok", "bytes_read ok", "bytes_written ok", "write_allocate ok"));
  const std::string differs = "the work model differs, which has no verdict: ";
  EXPECT_THAT(compare(a, b).notes, ElementsAre(differs + "bytes_read 8 -> 9 bytes (+12.5%, model)",
                                               differs + "bytes_written 8 -> 7 bytes (-12.5%, model)",
                                               differs + "write_allocate 0 -> 1 bytes (none before, model)"));
  a.work->counted = b.work->counted = true;
  EXPECT_THAT(compare(a, b).verdicts, ElementsAre("flops ok", "bytes_read regressed",
                                                  "bytes_written improved", "write_allocate regressed"));
  EXPECT_THAT(compare(a, b).notes, IsEmpty());
  a.work->bytes_nontemporal = 1;
  EXPECT_THAT(compare(a, b).verdicts, testing::Contains("bytes_nontemporal improved"));
  a.work->counted = b.work->counted = false;
  b.work.reset();
  EXPECT_THAT(compare(a, b).verdicts, IsEmpty());
  EXPECT_THAT(compare(a, b).notes, ElementsAre("only the baseline declares its work"));
}

TEST(GateCounters, TellWorkThatRunsCountedFromWhatAModelSays) {
  Record a = with({}), b = with({});
  a.work = b.work = Work{.flops = 4};
  EXPECT_EQ(compare_counters(a, b)[0].source, "model");
  a.work->counted = b.work->counted = true;
  EXPECT_EQ(compare_counters(a, b)[0].source, "run");
  a.work->counted = false;
  EXPECT_THAT(compare(a, b).verdicts, IsEmpty());
  EXPECT_THAT(compare(a, b).notes,
              ElementsAre("work: not compared: the candidate counted it, the other's is its model's"));
}

TEST(GateCounters, AreToldBySource) {
  GateReport report;
  const auto told = [&](bool requested) {
    report.notes.clear();
    report.warnings.clear();
    tell_counters(report, "nobody counts", requested);
    return std::pair(report.notes, report.warnings);
  };
  using Lines = std::vector<std::string>;
  EXPECT_EQ(told(false), std::pair(Lines{}, Lines{})) << "without a case that is another's fault";
  const CounterVerdict misses{.name = "L1D.misses", .source = "trace"},
      flops{.name = "flops", .source = "model"};
  report.cases = {{.id = "a@w", .counters = {flops}}, {.id = "b@w"}};
  EXPECT_EQ(told(false), std::pair(Lines{"compared exactly: work model (1 case)"},
                                   Lines{"no counters were compared: nobody counts"}));
  EXPECT_EQ(told(true), std::pair(Lines{"compared exactly: work model (1 case)",
                                        "no counters were compared: nobody counts"},
                                  Lines{}));
  report.cases[1].counters = {misses, misses, flops};
  EXPECT_EQ(told(false), std::pair(Lines{"compared exactly: work model (2 cases), trace (1 case)"}, Lines{}));
}

TEST(GateCounters, LeaveOutWhatIsMeasured) {
  Counter measured = simulated(1000, "papi");
  measured.origin.kind = "measured";
  const auto compared = compare(with({{"x", measured}}), with({{"x", measured}}));
  EXPECT_THAT(compared.verdicts, IsEmpty());
  EXPECT_THAT(compared.notes, IsEmpty());
}

TEST(GateCounters, NoteWhatOnlyOneHas) {
  Counter none;
  none.reason = "callgrind simulates one core";
  const Record has = with({{"x", simulated(1)}});
  EXPECT_THAT(
      compare(has, with({{"x", none}})).notes,
      ElementsAre("x: only the baseline has it, simulated; the candidate: callgrind simulates one core"));
  EXPECT_THAT(compare(with({}), has).notes,
              ElementsAre("x: only the candidate has it, simulated; the baseline: not counted"));
  EXPECT_THAT(compare(with({}), has).verdicts, IsEmpty());
}

TEST(GateCounters, DoNotCompareCountsOfOtherThings) {
  const Record a = with({{"x", simulated(1)}});
  const auto changed = [&](auto change) {
    Counter other = simulated(2);
    change(other);
    const auto compared = compare(a, with({{"x", other}}));
    EXPECT_THAT(compared.verdicts, IsEmpty());
    return compared.notes.empty() ? "" : compared.notes[0];
  };
  EXPECT_EQ(changed([](Counter& c) { c.origin.source = "callgrind"; }),
            "x: not compared: its source is \"trace\" in the baseline, \"callgrind\" in the candidate");
  EXPECT_EQ(changed([](Counter& c) { c.unit = "bytes"; }),
            "x: not compared: its unit is \"accesses\" in the baseline, \"bytes\" in the candidate");
  EXPECT_EQ(changed([](Counter& c) { c.per = Unit::solve; }),
            "x: not compared: what it is per is \"iteration\" in the baseline, \"solve\" in the candidate");
  EXPECT_EQ(changed([](Counter& c) { c.from = "a + b"; }),
            "x: not compared: its formula is \"\" in the baseline, \"a + b\" in the candidate");
  EXPECT_EQ(changed([](Counter& c) { c.note = "1024 sets"; }),
            "x: not compared: its note is \"\" in the baseline, \"1024 sets\" in the candidate");
}

TEST(GateCounters, TakeTheShapeOfALaunchForNoCost) {
  Counter few = simulated(64, "simt-trace"), many = simulated(128, "simt-trace");
  few.unit = many.unit = "blocks";
  const auto compared = compare(with({{"GPU.blocks", few}}), with({{"GPU.blocks", many}}));
  EXPECT_THAT(compared.verdicts, IsEmpty());
  EXPECT_THAT(compared.notes, ElementsAre("GPU.blocks: 64 in the baseline, 128 in the candidate"));
  EXPECT_THAT(compare(with({{"GPU.blocks", few}}), with({{"GPU.blocks", few}})).notes, IsEmpty());
}

Json kernel(const char* name, int registers, int spills, const char* architecture = "sm_90") {
  return {{"source", "cuda_map"},   {"kernel", name},        {"architecture", architecture},
          {"registers", registers}, {"spill_bytes", spills}, {"stack_bytes", 0},
          {"shared_bytes", 1024}};
}

TEST(Kernels, AreHeldAgainstWhatPtxasSaidBefore) {
  const Json a = {kernel("part2<8>", 32, 0), kernel("gone", 8, 0)};
  const Json b = {kernel("part2<8>", 40, 16), kernel("fresh", 8, 0)};
  std::vector<std::string> notes;
  const auto verdicts = compare_kernels(a, b, &notes);
  EXPECT_THAT(told(verdicts), ElementsAre("registers of part2<8> regressed", "spills of part2<8> regressed",
                                          "stack of part2<8> ok", "shared memory of part2<8> ok"));
  EXPECT_EQ(verdicts[0].source, "ptxas");
  EXPECT_EQ(verdicts[1].unit, "bytes");
  EXPECT_THAT(notes, ElementsAre("kernel gone for sm_90: only the baseline has it",
                                 "kernel fresh for sm_90: only the candidate has it"));
  EXPECT_THAT(compare_kernels(nullptr, nullptr), IsEmpty());
  EXPECT_THAT(compare_kernels(a, nullptr), IsEmpty());
}

TEST(Kernels, AreToldApartByArchitecture) {
  const Json a = {kernel("k", 32, 0, "sm_80"), kernel("k", 32, 0, "sm_90")};
  const Json b = {kernel("k", 32, 0, "sm_80"), kernel("k", 31, 0, "sm_90")};
  const auto verdicts = told(compare_kernels(a, b));
  EXPECT_EQ(verdicts[0], "registers of k for sm_80 ok");
  EXPECT_EQ(verdicts[4], "registers of k for sm_90 improved");
}

TEST(CaseNotes, SayOnceWhatIsSaidOfMany) {
  CaseNotes notes;
  notes.add("a", {"x: not counted", "y: gone"});
  notes.add("b", {"x: not counted"});
  EXPECT_THAT(notes.lines(), ElementsAre("x: not counted (2 cases)", "a: y: gone"));
}

TEST(GateCounters, CompareWorkThatRepeatsAlone) {
  Record a, b;
  a.work = Work{.flops = 1, .operations = {{"exp", 10}}, .counted = true};
  b.work = Work{.flops = 1, .operations = {{"exp", 11}}, .counted = true};
  EXPECT_THAT(compare(a, b).verdicts, testing::Contains("exp regressed"));
  b.work->repeats = false;
  EXPECT_THAT(compare(a, b).verdicts, IsEmpty());
  EXPECT_THAT(compare(a, b).notes,
              ElementsAre("work: not compared: another run of the candidate may do another amount of it"));
}

}  // namespace
}  // namespace uotbench
