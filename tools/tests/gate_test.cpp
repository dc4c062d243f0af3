// What a gate finds: slower, faster, equal, counted, or nothing for certain.
#include <fstream>
#include <regex>

#include "harness/host/facts/machine.hpp"
#include "tools/tests/fixtures.hpp"

namespace uotbench {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

TEST_F(Gate, IsSilentWhereNothingChanged) {
  const Outcome outcome = gate("", "", {}, {"uot/python_lists", "uot/python_other"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  EXPECT_THAT(outcome.out, Not(HasSubstr(lists)));
  EXPECT_THAT(outcome.out, HasSubstr("2 ok"));
}

TEST_F(Gate, NamesTheKernelTheRatioAndAnInterval) {
  const Outcome outcome = gate("", "--factor 1.2", {"--json"});
  EXPECT_EQ(outcome.code, 3) << outcome.err;
  const GateReport report = report_of(outcome);
  ASSERT_EQ(report.cases.size(), 1u);
  const GateCase& one = report.cases[0];
  EXPECT_EQ(one.id, lists);
  EXPECT_EQ(one.verdict, Verdict::regressed);
  ASSERT_TRUE(one.time && one.time->interval);
  EXPECT_NEAR(one.time->ratio, 1.2, 1e-9);
  EXPECT_NEAR(*one.baseline_seconds, 1e-4, 1e-10);
  EXPECT_EQ(one.time->confirming, 10u);
}

TEST_F(Gate, AFasterCandidatePasses) {
  const Outcome outcome = gate("--factor 1.2", "");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("improved  " + lists));
}

// The same program in both arms: only what is injected can be found.
TEST_F(Gate, ASlowdownWithinALargeDeltaPasses) {
  const Outcome outcome = gate("", "--factor 1.12", {"--delta", "15%"});
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("none of 1 case regressed"));
}

TEST_F(Gate, SomeCasesMayHaveAnotherDelta) {
  const std::vector<std::string> both{"uot/python_lists", "uot/python_other"};
  const Outcome outcome = gate("", "--factor 1.12", {"--delta-of", "uot/python_o*=15%"}, both);
  EXPECT_EQ(outcome.code, 3) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("REGRESSED  " + lists));
  EXPECT_THAT(outcome.out, HasSubstr("1 of 2 cases regressed; 1 ok"));
}

TEST_F(Gate, FindsAnInjectedSlowdownAndSaysThatBothAreTheSame) {
  const Outcome outcome = gate("--build hash=77", "--build hash=77", {"--inject-slowdown", "3"});
  EXPECT_EQ(outcome.code, 3) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("3.000x"));
  EXPECT_THAT(outcome.out, HasSubstr("both arms are the same program (hash 77)"));
}

TEST_F(Gate, AWorkerThatDoesNotSlowDownIsNoProof) {
  const Outcome outcome = gate("", "--stubborn", {"--inject-slowdown", "1.10"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("--inject-slowdown 1.1: worker worker does not slow down"));
}

TEST_F(Gate, EverySampleIsInTheRunFile) {
  ASSERT_EQ(gate("", "--factor 1.2").code, 3);
  const auto records = records_of(folder / "gate.jsonl");
  for (const auto& [arm, letter, processes] :
       {std::tuple{".baseline", "A", 20u}, {".candidate", "B", 20u}, {".control", "A'", 10u}}) {
    const auto record = records.find(lists + arm);
    ASSERT_NE(record, records.end()) << arm;
    EXPECT_EQ(record->second.status, Status::ok);
    ASSERT_TRUE(record->second.time);
    EXPECT_EQ(record->second.time->processes.size(), processes);
    for (const auto& process : record->second.time->processes) EXPECT_EQ(process.arm, letter);
  }
  EXPECT_TRUE(read_run(folder / "gate.jsonl").warnings.empty());
  EXPECT_TRUE(read_run(folder / "gate.jsonl").unfinished.empty());
}

TEST_F(Gate, TimesOfDifferentUnitsAreNotCompared) {
  const Outcome outcome = gate("", "--per solve");
  EXPECT_EQ(outcome.code, 6) << outcome.out;
  EXPECT_THAT(outcome.out,
              HasSubstr("the baseline is timed per iteration by the clock steady, the candidate per solve"));
}

// Without them nobody can tell a method that needs few from one that is fast.
TEST_F(Gate, SolvesTellHowManyIterationsTheyTake) {
  const Outcome untold = gate("--per solve", "--per solve --iterations null");
  EXPECT_EQ(untold.code, 5) << untold.out;
  EXPECT_THAT(untold.out, HasSubstr("timed solves and does not say how many iterations one takes"));
  for (const char* none : {"0", "2.5"})
    EXPECT_THAT(
        gate("--per solve", std::string("--per solve --iterations ") + none).out,
        HasSubstr(
            std::string("/time/iterations: expected an integer from 1 to 1e9 (iterations of a solve), got ") +
            none));
}

TEST_F(Gate, SamplesOfDifferentLengthAreWarnedOf) {
  const Outcome outcome = gate("", "--own-inner 7");
  EXPECT_EQ(outcome.code, 0) << outcome.out;
  EXPECT_THAT(outcome.out, HasSubstr("a sample was 1 iterations of the baseline and 7 of the candidate"));
}

TEST_F(Gate, ABudgetThatIsTooSmallSaysWhatItWouldNeed) {
  const Outcome outcome = gate("", "", {"--budget", "10ms"});
  EXPECT_EQ(outcome.code, 4) << outcome.err;
  EXPECT_THAT(outcome.out,
              ContainsRegex("too small for any verdict on time: 1 case with [0-9]+ pairs of .* need about"));
}

// A process costs the budget all that it takes, until it has left.
TEST_F(Gate, ABudgetCountsTheEndOfAProcess) {
  const Outcome outcome = gate("--slow-end 0.4", "--slow-end 0.4", {"--budget", "10ms"});
  EXPECT_EQ(outcome.code, 4) << outcome.err;
  std::smatch needs;
  ASSERT_TRUE(std::regex_search(outcome.out, needs, std::regex("pairs of ([0-9.]+) (m?s) each need about")))
      << outcome.out;
  EXPECT_GE(std::stod(needs[1]) * (needs[2] == "ms" ? 1e-3 : 1), 0.4);
}

// The first timed process only sets the pace. With one pair a look, the next is all that its arm has.
TEST_F(Gate, AnArmsOnlyProcessThatIsUnsteadyIsFollowedByAnother) {
  const auto of = [&](const std::string& unsteady) { return gate("", unsteady, {"--pairs", "1"}); };
  const Outcome once = of("--state once --unsteady-at 2");
  EXPECT_EQ(once.code, 4) << once.out;
  EXPECT_THAT(once.out, Not(HasSubstr("FAILED")));
  const Outcome always = of("--state always --unsteady-after 2");
  EXPECT_EQ(always.code, 5) << always.out;
  EXPECT_THAT(always.out, HasSubstr("it has no steady iteration"));
}

// The first process of the look takes all of the budget, however long it took to find the pace.
TEST_F(Gate, ALookIsCutWhereTheBudgetEnds) {
  GateReport report;
  const auto cut =
      testing::Contains(ContainsRegex("the budget of .*s cut a look short: [0-9]+ of its processes w.* "
                                      "not begun; the pairs that were measured until then count"));
  // On a machine so busy that the fewest pairs do not fit into the budget, nothing is begun: a larger one.
  for (const char* seconds : {"4", "8", "16", "32", "50"}) {
    fs::remove(folder / "state");
    const Outcome outcome = gate("", std::string("--state state --slow-from 2 --slow-by ") + seconds,
                                 {"--budget", std::string(seconds) + "s", "--json"});
    EXPECT_THAT(outcome.code, testing::AnyOf(0, 4)) << outcome.err << outcome.out;
    report = report_of(outcome);
    if (testing::Value(report.warnings, cut)) break;
  }
  EXPECT_THAT(report.warnings, cut);
  EXPECT_EQ(text_of(folder / "state").size(), 2u) << "one found the pace, one was slow, and ten were planned";
}

TEST_F(Gate, SaysWhichCountersItCompared) {
  const Outcome none = gate("", "", {"--json"}), some = gate("--misses 9", "--misses 9", {"--json"}),
                unwanted = gate("--misses 9", "--misses 9", {"--counters", "none", "--json"});
  EXPECT_THAT(report_of(none).warnings,
              testing::Contains("no counters were compared: no source that simulates (callgrind, trace, "
                                "simt-trace) belongs to both builds"));
  EXPECT_THAT(report_of(some).notes, testing::Contains("compared exactly: trace (1 case)"));
  EXPECT_THAT(report_of(some).warnings, testing::IsEmpty());
  EXPECT_THAT(report_of(unwanted).notes,
              testing::Contains("no counters were compared: --counters none was given"));
}

// A sweep that counts alone: exact, on a machine of any noise, and in no time.
TEST_F(Gate, ASweepWithoutRoundsIsGatedOnCountsAlone) {
  write_text(folder / "counts.json", R"({"name": "counts", "measure": {"rounds": 0},
    "cases": [{"variants": ["uot/python_lists"], "axes": {"M,N": [[4, 3]]}}]})");
  const auto counting = [&](const std::string& a, const std::string& b, std::vector<std::string> more = {}) {
    return uotbench(folder.path(),
                    joined({"gate", "--sweep", "counts.json", "--baseline-worker", gate_worker(a),
                            "--candidate-worker", gate_worker(b), "--output", "gate.jsonl", "--force"},
                           more));
  };
  const std::string timed = " --state state";
  const Outcome equal = counting("--misses 9" + timed, "--misses 9" + timed);
  EXPECT_EQ(equal.code, 0) << equal.err << equal.out;
  const Outcome more = counting("--misses 9" + timed, "--misses 10" + timed);
  EXPECT_EQ(more.code, 3) << more.err;
  EXPECT_THAT(more.out, HasSubstr("L2.misses 9 -> 10"));
  EXPECT_FALSE(fs::exists(folder / "state")) << "no process was timed";
  EXPECT_THAT(uotbench(folder.path(), {"show", "gate.jsonl"}).out, Not(HasSubstr("not finished")));
  const Outcome nothing = counting("", "");
  EXPECT_EQ(nothing.code, 4) << nothing.out;
  EXPECT_THAT(nothing.out, HasSubstr("no counters were compared"));
  const Outcome injected = counting("--misses 9", "--misses 9", {"--inject-slowdown", "1.1"});
  EXPECT_EQ(injected.code, 2);
  EXPECT_THAT(injected.err, HasSubstr("sweep counts times nothing (\"rounds\": 0)"));
}

// A solver knows what it did only afterwards: what the timed processes did is what their times are of.
TEST_F(Gate, CountedWorkIsThatOfTheTimedProcesses) {
  const Outcome outcome = gate("--flops 100", "--flops 150", {"--json"});
  EXPECT_EQ(outcome.code, 3) << outcome.err;
  const GateReport report = report_of(outcome);
  const auto& counters = report.cases.at(0).counters;
  const auto flops = std::ranges::find(counters, "flops", &CounterVerdict::name);
  ASSERT_NE(flops, counters.end());
  EXPECT_EQ(flops->source, "run");
  EXPECT_EQ(flops->baseline, 100);
  EXPECT_EQ(flops->candidate, 150);
  EXPECT_EQ(gate("--flops 70", "--flops 70").code, 0) << "the mean of equal counts is equal";
}

// Under stored ceilings a regression is explained as `compare --explain` does it: 100 and 150 flops at 1
// Mflop/s.
TEST_F(Gate, ARegressionSaysWhichPartOfItsTimeChangedMost) {
  const Json machine = machine_facts();
  std::ifstream golden(golden_run);
  std::string line;
  std::getline(golden, line);
  Json header = Json::parse(line);
  header["machine"] = machine;
  header["ceilings"] =
      Json::array({{{"source", "measured"},
                    {"name", "made"},
                    {"device", "cpu"},
                    {"fingerprint", machine.at("fingerprint")},
                    {"roofs",
                     {{{"kernel", "read"}, {"level", "DRAM"}, {"bytes_per_second", 1e9}},
                      {{"kernel", "fma"}, {"form", "vector"}, {"flops_per_second", 1e6}}}}}});
  const fs::path machines = folder / ".cache/uotbench/machines";
  fs::create_directories(machines);
  write_text(machines / (machine.at("fingerprint").get<std::string>() + ".jsonl"), header.dump() + '\n');
  const Outcome outcome = gate("--flops 100", "--factor 1.5 --flops 150", {"--json"});
  EXPECT_EQ(outcome.code, 3) << outcome.err;
  EXPECT_THAT(report_of(outcome).notes,
              testing::Contains(HasSubstr(
                  lists + ": the part of its time that changed most is flops: 100.0 us -> 150.0 us")));
}

}  // namespace
}  // namespace uotbench
