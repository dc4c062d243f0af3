// What a person, or CI, gets of a gate: with workers whose times are made up (gate_worker.py), so that what
// is found is known.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "results/gate/tell/formats.hpp"
#include "tools/tests/program.hpp"

namespace uotbench {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::Not;

std::string gate_worker(const std::string& flags = "") {
  return "python3 -S -I " + std::string(UOTBENCH_SOURCE_DIR) + "/tools/tests/gate_worker.py " + flags;
}

const std::string lists = "uot/python_lists/M:4/N:3@worker", other = "uot/python_other/M:4/N:3@worker";

/// Without the line breaks of a terminal.
std::string flat(const std::string& text) {
  std::string one;
  for (const char c : text)
    if (c != '\n' && c != ' ')
      one += c;
    else if (!one.ends_with(' '))
      one += ' ';
  return one;
}

class Gate : public testing::Test {
 protected:
  /// 10 pairs a look: the fewest that confirm anything of one or two cases.
  Outcome gate(const std::string& baseline, const std::string& candidate, std::vector<std::string> more = {},
               std::vector<std::string> variants = {"uot/python_lists"}) {
    std::vector<std::string> arguments{"gate",
                                       "--baseline-worker",
                                       gate_worker(baseline),
                                       "--candidate-worker",
                                       gate_worker(candidate),
                                       "-a",
                                       "M,N=4,3",
                                       "--seed",
                                       "1",
                                       "--output",
                                       "gate.jsonl",
                                       "--force"};
    if (std::ranges::find(more, "--pairs") == more.end()) more.insert(more.end(), {"--pairs", "10"});
    return uotbench(folder.path(), joined(joined(arguments, more), variants), 200);
  }
  GateReport report_of(const Outcome& outcome) { return gate_report_from(Json::parse(outcome.out)); }

  Folder folder;
};

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

// Where the code lies, or what else the program holds, can make it slower; its authors cannot.
TEST_F(Gate, ASlowdownOfTheSameCodeIsNotAttributedToIt) {
  const Outcome outcome = gate("--code 5", "--code 5 --factor 1.2");
  EXPECT_EQ(outcome.code, 4) << "no verdict on any case: " << outcome.out;
  EXPECT_THAT(outcome.out, HasSubstr("not attributable to code"));
  const Outcome changed = gate("--code 5", "--code 6 --factor 1.2");
  EXPECT_EQ(changed.code, 3);
  EXPECT_THAT(changed.out, HasSubstr("note: code that is not the same: uot/python_lists@worker\n"));
  EXPECT_THAT(outcome.out, Not(HasSubstr("not the same")));
}

TEST_F(Gate, AFasterCandidatePasses) {
  const Outcome outcome = gate("--factor 1.2", "");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("improved  " + lists));
}

// The same program in both arms: only what is injected can be found.
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

TEST_F(Gate, ACandidateThatIsWrongFails) {
  const Outcome outcome = gate("", "--wrong");
  EXPECT_EQ(outcome.code, 5);
  EXPECT_THAT(outcome.out, HasSubstr("FAILED  " + lists));
}

TEST_F(Gate, ACandidateThatCrashesWhileItIsTimedFails) {
  const Outcome outcome = gate("", "--state state --crash-at 4", {"--json"});
  EXPECT_EQ(outcome.code, 5);
  const GateReport report = report_of(outcome);
  EXPECT_EQ(report.cases.at(0).verdict, Verdict::failed);
  EXPECT_THAT(report.cases[0].reason,
              HasSubstr("crashed: in its process 3 of the sitting: killed by SIGABRT"));
}

TEST_F(Gate, ACandidateThatHangsFails) {
  const Outcome outcome = gate("", "--state state --hang-at 2", {"--case-timeout", "1s", "--json"});
  EXPECT_EQ(outcome.code, 5);
  EXPECT_EQ(report_of(outcome).cases.at(0).verdict, Verdict::failed);
}

TEST_F(Gate, ACandidateThatSaysNothingFails) {
  const Outcome outcome = gate("", "--mute", {"--json"});
  EXPECT_EQ(outcome.code, 5) << outcome.err;
  const GateReport report = report_of(outcome);
  EXPECT_EQ(report.cases.at(0).verdict, Verdict::failed);
  EXPECT_THAT(report.cases[0].reason, HasSubstr("it has nothing to say"));
}

// Nobody is to be blamed, and yet nothing was compared: no pass, whatever else was.
TEST_F(Gate, WhatIsBrokenInBothIsIncomplete) {
  const std::vector<std::string> both{"uot/python_lists", "uot/python_other"};
  const std::string wrong = "--wrong --noisy uot/python_other";
  const Outcome outcome = gate(wrong, wrong, {"--json", "--junit", "g.xml"}, both);
  EXPECT_EQ(outcome.code, 5) << outcome.err;
  const GateReport report = report_of(outcome);
  ASSERT_EQ(report.cases.size(), 2u);
  EXPECT_EQ(report.cases[0].verdict, Verdict::ok);
  EXPECT_EQ(report.cases[1].verdict, Verdict::failed);
  EXPECT_THAT(report.cases[1].reason,
              MatchesRegex("both builds are broken: the baseline failed: .*; the candidate failed: .*"));
  EXPECT_THAT(text_of(folder / "g.xml"), HasSubstr("<error type=\"failed\""));
}

TEST_F(Gate, WorkersThatAreBrokenInBothAreIncomplete) {
  const Outcome outcome = gate("--mute", "--mute", {"--json"});
  EXPECT_EQ(outcome.code, 5) << outcome.err;
  const GateReport report = report_of(outcome);
  EXPECT_EQ(report.cases.at(0).verdict, Verdict::failed);
  EXPECT_THAT(report.cases[0].reason, HasSubstr("both builds are broken: the baseline crashed: "));
  EXPECT_EQ(gate("--mute", "--mute", {}, {"uot/python_*"}).code, 5) << "though nobody knows its cases";
}

// Not the candidate's fault, and no verdict either: it does not pass.
TEST_F(Gate, ABaselineThatIsWrongIsNothingToCompareWith) {
  const Outcome outcome = gate("--wrong", "", {"--json"}, {"uot/python_lists", "uot/python_other"});
  EXPECT_EQ(outcome.code, 4);
  const GateReport report = report_of(outcome);
  EXPECT_EQ(report.cases.at(0).verdict, Verdict::inconclusive);
  EXPECT_THAT(report.cases[0].reason, HasSubstr("nothing to compare with: the baseline failed: "));
}

TEST_F(Gate, WhatTheCandidateLacksIsMissingUnlessAllowed) {
  const std::vector<std::string> both{"uot/python_lists", "uot/python_other"};
  const Outcome outcome = gate("", "--lacks uot/python_other", {"--json"}, both);
  EXPECT_EQ(outcome.code, 5) << outcome.err;
  const GateReport report = report_of(outcome);
  ASSERT_EQ(report.cases.size(), 2u);
  EXPECT_EQ(report.cases[0].verdict, Verdict::ok);
  EXPECT_EQ(report.cases[1].verdict, Verdict::missing);
  EXPECT_THAT(report.cases[1].reason, HasSubstr("holds no variant \"uot/python_other\""));
  EXPECT_EQ(gate("", "--lacks uot/python_other", {"--allow-missing", "python_other"}, both).code, 0);
}

TEST_F(Gate, WhatOnlyTheCandidateHasIsNew) {
  const Outcome outcome = gate("--lacks uot/python_other", "", {"--json"}, {"uot/python_*"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const GateReport report = report_of(outcome);
  ASSERT_EQ(report.cases.size(), 2u);
  EXPECT_EQ(report.cases[1].verdict, Verdict::added);
}

TEST_F(Gate, NothingInCommonNeverPasses) {
  const Outcome outcome = gate("--lacks uot/python_lists", "--lacks uot/python_other",
                               {"--allow-missing", "."}, {"uot/python_*"});
  EXPECT_EQ(outcome.code, 5) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("nothing was compared"));
}

TEST_F(Gate, WhatNeitherHasIsTheUsualError) {
  const Outcome outcome = gate("", "", {}, {"uot/python_list"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("python_lists"));
}

TEST_F(Gate, OtherProtocolsAreOneClearLine) {
  const Outcome outcome = gate("", "--protocol 7");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(
      outcome.err,
      "uotbench: --candidate-worker: worker worker speaks protocol 7, this uotbench speaks 1: rebuild it\n");
}

TEST_F(Gate, OtherCompilersAndFlagsAreWarnedOf) {
  const Outcome outcome =
      gate("--build compiler=g++-12 --build flags=-O2", "--build compiler=g++-13 --build flags=-O2");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out,
              HasSubstr("compiler differs: the baseline has \"g++-12\", the candidate \"g++-13\""));
  EXPECT_THAT(outcome.out, Not(HasSubstr("flags differs")));
  const Outcome folders = gate("--build 'flags=-O2 -ffile-prefix-map=/a/=' --build compiler=g++",
                               "--build 'flags=-O2 -ffile-prefix-map=/b/=' --build compiler=g++");
  EXPECT_THAT(folders.out, Not(HasSubstr("differs"))) << "that is where it was built";
  const Outcome levels = gate("--build 'flags=-Wall -O2'", "--build 'flags=-Wall -O3'");
  EXPECT_THAT(levels.out, HasSubstr("flags differs: the baseline has \"-O2\", the candidate \"-O3\""));
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
        HasSubstr(std::string("/time/iterations: found ") + none + "; accepted: an integer from 1 to 1e9"));
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

TEST_F(Gate, StrictMeansThatTheInconclusiveFails) {
  const std::string noisy = "--state state --noise 1 --noisy uot/python_other";
  const std::vector<std::string> both{"uot/python_lists", "uot/python_other"};
  // Noise may look like an improvement now and then, but not each time.
  const auto inconclusive = [&](const std::vector<std::string>& more) {
    Outcome outcome;
    for (int attempt = 0; attempt < 4; ++attempt) {
      outcome = gate(noisy, noisy, joined({"--pairs", "6"}, more), both);
      if (outcome.out.find("inconclusive  " + other) != std::string::npos) break;
    }
    return outcome;
  };
  const Outcome lax = inconclusive({}), strict = inconclusive({"--strict"});
  EXPECT_EQ(lax.code, 0) << lax.out;
  EXPECT_THAT(lax.out, HasSubstr("inconclusive  " + other));
  EXPECT_EQ(strict.code, 4) << strict.out;
}

TEST_F(Gate, WithoutAnyVerdictItDoesNotPass) {
  const std::string noisy = "--state state --noise 1";
  const Outcome outcome = gate(noisy, noisy, {"--pairs", "6", "--junit", "g.xml"});
  EXPECT_EQ(outcome.code, 4) << outcome.out;
  EXPECT_THAT(outcome.out, HasSubstr("no verdict on any of 1 case; 1 inconclusive"));
  EXPECT_THAT(text_of(folder / "g.xml"), HasSubstr("<error type=\"incomplete\""));
  fs::remove(folder / "state");  // the same noise again
  const Outcome counted = gate(noisy + " --misses 9", noisy + " --misses 9", {"--pairs", "6"});
  EXPECT_EQ(counted.code, 0) << counted.out;
  EXPECT_THAT(counted.out, HasSubstr("counters of 1 inconclusive case rose nowhere"));
}

// Its processes get slower once their pace is known: what was planned does not fit any more.
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

TEST_F(Gate, WritesWhatCiReads) {
  const Outcome outcome = gate("", "--factor 1.2", {"--junit", "g.xml", "--markdown", "g.md", "--github"});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_THAT(text_of(folder / "g.xml"), HasSubstr("<failure"));
  EXPECT_THAT(text_of(folder / "g.md"), HasSubstr(lists));
  EXPECT_THAT(outcome.out, HasSubstr("::error"));
}

// Who reads a report while the next one is written, or after that was killed, reads one of the two.
TEST_F(Gate, OutputsTakeThePlaceOfEarlierOnesWhole) {
  for (const char* name : {"g.xml", "g.md"}) {
    write_text(folder / name, "the last one's");
    fs::create_hard_link(folder / name, folder / (std::string("read.") + name));
  }
  ASSERT_EQ(gate("", "", {"--junit", "g.xml", "--markdown", "g.md"}).code, 0);
  for (const char* name : {"g.xml", "g.md"}) {
    EXPECT_EQ(text_of(folder / (std::string("read.") + name)), "the last one's") << "not written into";
    EXPECT_THAT(text_of(folder / name), HasSubstr("uotbench gate"));
  }
  const auto entries = std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator());
  EXPECT_EQ(entries, 5) << "the run file, two reports and the two readers': nothing half-written";
}

TEST_F(Gate, AnInterruptedGateKeepsWhatItHas) {
  Program program({uotbench_program, "gate", "--baseline-worker", gate_worker(), "--candidate-worker",
                   gate_worker("--state state --hang-after 6"), "uot/python_lists", "-a", "M,N=4,3",
                   "--output", "gate.jsonl", "--junit", "g.xml"},
                  folder.path());
  ASSERT_TRUE(eventually([&] { return text_of(folder / "state").size() >= 6; }, 60));
  program.kill(SIGINT);
  const Outcome outcome = program.wait();
  EXPECT_EQ(outcome.code, 130) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("interrupted"));
  EXPECT_THAT(text_of(folder / "g.xml"), HasSubstr("<testsuite"));
  const auto records = records_of(folder / "gate.jsonl");
  ASSERT_TRUE(records.contains(lists + ".candidate"));
  ASSERT_TRUE(records.at(lists + ".candidate").time);
  EXPECT_EQ(records.at(lists + ".candidate").time->processes.size(), 4u);  // one found the pace, one hung
  const Outcome shown = uotbench(folder.path(), {"show", "gate.jsonl"});
  EXPECT_EQ(shown.code, 0) << shown.err;
  EXPECT_THAT(flat(shown.out),
              HasSubstr("this gate was interrupted and has no verdict: of 1 case, 1 is judged in "
                        "both builds, and 1 has times of both"));
  EXPECT_THAT(shown.out, HasSubstr("--output gate.jsonl --junit g.xml --force\n")) << "what repeats it";
  EXPECT_THAT(shown.out, Not(HasSubstr("--resume")));
}

TEST_F(Gate, AKilledGateIsShownAsWhatItIs) {
  Program program({uotbench_program, "gate", "--baseline-worker", gate_worker(), "--candidate-worker",
                   gate_worker("--state state --hang-after 6"), "uot/python_lists", "-a", "M,N=4,3",
                   "--output", "gate.jsonl", "--force"},
                  folder.path());
  ASSERT_TRUE(eventually([&] { return text_of(folder / "state").size() >= 6; }, 60));
  program.kill(SIGKILL);
  program.wait();
  for (const auto& command :
       std::vector<std::vector<std::string>>{{"show"}, {"report", "--format", "markdown"}}) {
    const Outcome shown = uotbench(folder.path(), joined(command, {"gate.jsonl"}));
    EXPECT_EQ(shown.code, 0) << shown.err;
    EXPECT_THAT(flat(shown.out + shown.err),
                HasSubstr("this gate was cut off and has no verdict: of 1 case, 1 is "
                          "judged in both builds, and 0 have times of both"));
  }
}

TEST_F(Gate, APlanMeasuresNothingMore) {
  const Outcome outcome = gate("", "", {"--plan"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("10 pairs of each case take"));
  EXPECT_FALSE(fs::exists(folder / "gate.jsonl"));
}

// Of another sitting: what looks slower there is no verdict.
TEST_F(Gate, AStoredRunsTimesAreAdviceOnly) {
  const std::vector<std::string> run{"run", "uot/python_lists", "-a", "M,N=4,3", "--output", "stored.jsonl"};
  ASSERT_EQ(uotbench(folder.path(), joined(run, joined({"--worker", "worker=" + gate_worker()}, quick))).code,
            0);
  const auto against = [&](const std::string& flags) {
    return uotbench(folder.path(),
                    {"gate", "--baseline-run", "stored.jsonl", "--candidate-worker", gate_worker(flags),
                     "uot/python_lists", "-a", "M,N=4,3", "--output", "now.jsonl", "--force"});
  };
  const Outcome slower = against("--factor 3");
  EXPECT_EQ(slower.code, 4) << "advice is no verdict: " << slower.err;
  EXPECT_THAT(slower.out, HasSubstr("inconclusive  " + lists));
  EXPECT_EQ(against("--wrong").code, 5);
}

// A library's own repository: its worker at a revision against its worker as it is now.
TEST_F(Gate, ComparesTheWorkingTreeWithARevision) {
  const auto git = [&](std::vector<std::string> arguments) {
    return Program(
               joined({"git", "-c", "user.name=a", "-c", "user.email=a@b.c", "-C", folder.path().string()},
                      arguments),
               folder.path())
        .wait();
  };
  const auto write_worker = [&](const std::string& flags) {
    write_text(folder / "worker.sh", "exec " + gate_worker(flags) + "\n");
  };
  write_worker("");
  write_text(folder / "uotbench.project.json", R"({"build": "true", "worker": "sh {checkout}/worker.sh"})");
  ASSERT_EQ(git({"init", "-q"}).code, 0);
  ASSERT_EQ(git({"add", "worker.sh", "uotbench.project.json"}).code, 0);
  ASSERT_EQ(git({"commit", "-q", "-m", "first"}).code, 0);
  const auto gate_against = [&](const std::string& revision, const std::vector<std::string>& more = {}) {
    return uotbench(folder.path(),
                    joined({"gate", "--baseline-ref", revision, "uot/python_lists", "-a", "M,N=4,3",
                            "--pairs", "10", "--output", "gate.jsonl", "--force"},
                           more),
                    200);
  };
  const Outcome same = gate_against("HEAD");
  EXPECT_EQ(same.code, 0) << same.err << same.out;
  write_worker("--factor 1.5");
  const Outcome slower = gate_against("HEAD");
  EXPECT_EQ(slower.code, 3) << slower.err << slower.out;
  EXPECT_THAT(slower.out, HasSubstr("1.500x"));
  ASSERT_EQ(git({"commit", "-q", "-a", "-m", "slower\n\nPerf-Accept: uot/python_lists it is right now"}).code,
            0);
  const Outcome accepted = gate_against("HEAD~1");
  EXPECT_EQ(accepted.code, 0) << accepted.err << accepted.out;
  EXPECT_THAT(accepted.out,
              ContainsRegex("note: 1 commit that the baseline has not\nnote:   [0-9a-f]+ slower\n"));
  const Outcome nowhere = gate_against("none");
  EXPECT_EQ(nowhere.code, 2);
  EXPECT_THAT(nowhere.err, HasSubstr("none is not in this clone"));
  write_text(folder / "uotbench.project.json",
             R"({"build": "echo no luck; false", "worker": "sh {checkout}/worker.sh"})");
  const Outcome broken = gate_against("HEAD", {"--junit", "g.xml", "--markdown", "g.md", "--github"});
  EXPECT_EQ(broken.code, 7) << broken.err;
  EXPECT_THAT(broken.err, HasSubstr("no luck"));
  EXPECT_THAT(text_of(folder / "g.xml"),
              HasSubstr("<error type=\"incomplete\" message=\"nothing was compared: "));
  EXPECT_THAT(text_of(folder / "g.xml"), HasSubstr("no luck&#10;"));
  EXPECT_THAT(text_of(folder / "g.md"), HasSubstr("- `no luck`\n"));
  EXPECT_THAT(broken.out, ContainsRegex("::error title=uotbench gate::nothing was compared: .*%0Ano luck\n"));
  const Outcome as_json = gate_against("HEAD", {"--json"});
  EXPECT_EQ(as_json.code, 7);
  const GateReport report = report_of(as_json);
  ASSERT_TRUE(report.obstacle);
  EXPECT_EQ(report.obstacle->exit_code, 7);
  EXPECT_EQ(report.obstacle->said.back(), "no luck");
  EXPECT_THAT(report.cases, testing::IsEmpty());
}

// What it records is what the gate's proof replays.
TEST_F(Gate, ASelfCheckRecordsEveryValueInOrder) {
  const Outcome outcome = uotbench(folder.path(),
                                   {"gate", "--self-check", "ceiling/spin", "-a", "N=1", "-a", "ns=20000",
                                    "--pairs", "10", "--record", "trace.json", "--output", "gate.jsonl"},
                                   200);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, ContainsRegex("false alarms in 1 comparisons of this build with itself"));
  const Json trace = Json::parse(text_of(folder / "trace.json"));
  const auto& cases = trace.at("cases");
  ASSERT_EQ(cases.size(), 1u);
  EXPECT_GE(cases.begin().value().at("seconds").size(), 20u);
}

TEST_F(Gate, ATimeThatCannotBeIsTheCandidatesFailure) {
  const Outcome outcome = gate("", "--factor 1e300");
  EXPECT_EQ(outcome.code, 5) << outcome.err;
  EXPECT_THAT(outcome.out,
              ContainsRegex("/time/samples/0: found 1[.0-9]*e\\+296; accepted: seconds, from 1e-11 to 1e6"));
}

TEST_F(Gate, AnOutputThatCannotBeWrittenHidesNoVerdict) {
  const Outcome outcome = gate("", "--factor 2", {"--junit", "/dev/full", "--markdown", "gate.md"});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_EQ(outcome.err, "uotbench: --junit /dev/full: it cannot be written\n");
  write_text(folder / "run.jsonl", "{\"kind\":\"run\",\"schema\":1}\n");
  EXPECT_THAT(gate("", "--factor 2", {"--junit", "run.jsonl"}).err,
              HasSubstr("--junit run.jsonl: holds a run; give another file"));
  EXPECT_THAT(outcome.out, HasSubstr("REGRESSED"));
  EXPECT_TRUE(fs::exists(folder / "gate.md"));
}

TEST_F(Gate, FlagsThatMakeNoSenseAreOneLine) {
  const auto complaint = [&](const std::vector<std::string>& arguments) {
    const Outcome outcome = uotbench(folder.path(), joined({"gate"}, arguments));
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, MatchesRegex("uotbench: [^\n]*\n"));
    return outcome.err;
  };
  const std::vector<std::string> both{"--baseline-worker", gate_worker(), "--candidate-worker",
                                      gate_worker()};
  EXPECT_THAT(complaint({}), HasSubstr("what is the baseline?"));
  EXPECT_THAT(complaint({"--baseline-worker", "x"}), HasSubstr("--candidate-worker is missing"));
  EXPECT_THAT(complaint(joined(both, {"--baseline-ref", "main"})), HasSubstr("one of these"));
  EXPECT_THAT(complaint({"--baseline-worker", "./none", "--candidate-worker", "./none"}),
              HasSubstr("--baseline-worker: ./none is no program that can be started"));
  EXPECT_THAT(complaint(joined(both, {"--baseline-run", "x"})), HasSubstr("one of these"));
  EXPECT_THAT(complaint({"--baseline-run", "x", "--budget", "1m"}), HasSubstr("measures nothing in pairs"));
  EXPECT_THAT(complaint(joined(both, {"--delta", "3"})), HasSubstr("--delta"));
  EXPECT_THAT(complaint(joined(both, {"--delta", "10%"})), HasSubstr("--delta 10%: accepted: less than 10%"));
  EXPECT_THAT(complaint(joined(both, {"--junit", "x", "--markdown", "./x"})),
              HasSubstr("--markdown ./x: that is the file of --junit, too"));
  EXPECT_THAT(complaint(joined(both, {"--junit", "none/x"})),
              HasSubstr("--junit none/x: there is no folder"));
  EXPECT_THAT(complaint(joined(both, {"--markdown", "."})), HasSubstr("a folder; accepted: a file's name"));
  EXPECT_THAT(complaint(joined(both, {"--budget", "soon"})), HasSubstr("--budget"));
  EXPECT_THAT(complaint(joined(both, {"--inject-slowdown", "0.9"})),
              HasSubstr("--inject-slowdown: \"0.9\" is no ratio above 1"));
  EXPECT_THAT(complaint(joined(both, {"--seed", "x"})), HasSubstr("--seed: \"x\" is not an integer"));
  EXPECT_THAT(complaint(joined(both, {"--pairs", "0"})), HasSubstr("--pairs: found 0"));
  EXPECT_THAT(complaint(joined(both, {"--allow-missing", "("})), HasSubstr("not a regular expression"));
  EXPECT_THAT(complaint(joined(both, {"--record", "x"})), HasSubstr("--record is for --self-check"));
  EXPECT_THAT(complaint(joined(both, {"uot/python_lists", "-a", "M,N=4,3", "--filter", "nothing"})),
              HasSubstr("leave no case"));
}

}  // namespace
}  // namespace uotbench
