// Two builds that a gate cannot compare as they are: broken, different, or of another revision.
#include "harness/sweep/tests/made_repository.hpp"
#include "tools/tests/fixtures.hpp"
#include "tools/tests/program.hpp"

namespace uotbench {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::Not;

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
  EXPECT_THAT(report.cases[0].reason, HasSubstr("crashed: in its process 3 of this gate: killed by SIGABRT"));
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

// Of a different session: what looks slower there is no verdict.
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

// main became faster after the branch began: that is no slowdown of the branch.
TEST_F(Gate, ABranchIsComparedWithWhereItBegan) {
  const MadeRepository made;
  const auto write_worker = [&](const std::string& flags) {
    made.write("worker.sh", "exec " + gate_worker(flags) + "\n");
  };
  made.write("uotbench.project.json", R"({"build": "", "worker": "sh {checkout}/worker.sh"})");
  write_worker("--factor 1.5");
  const std::string first = made.commit("As slow as ever");
  made.sh("git checkout -q -b feature");
  made.write("README", "hi");
  const std::string notes = made.commit("Notes");
  made.sh("git checkout -q main");
  write_worker("");
  const std::string faster = made.commit("Faster");
  made.sh("git checkout -q feature");
  const auto gate = [&](const std::vector<std::string>& more) {
    return uotbench(made.path(),
                    joined({"gate", "--baseline-ref", "main", "uot/python_lists", "-a", "M,N=4,3", "--pairs",
                            "10", "--json", "--output", made.beside("gate.jsonl"), "--force"},
                           more),
                    200);
  };
  const Outcome own = gate({});
  EXPECT_EQ(own.code, 0) << own.err << own.out;
  const GateReport report = report_of(own);
  EXPECT_EQ(report.baseline.commit, first);
  EXPECT_EQ(report.baseline.about, "merge base with main (" + first.substr(0, 8) + ")");
  EXPECT_THAT(report.baseline.why, testing::StartsWith("the merge base of main ("));
  EXPECT_EQ(report.candidate.commit, notes);
  EXPECT_THAT(report.notes, testing::Contains(HasSubstr("has moved on by 1 commit since")));
  EXPECT_THAT(report.commits->newest, testing::ElementsAre(notes.substr(0, 8) + " Notes"));
  // The run knows the candidate's commit: a history takes it without being told.
  const Outcome added = uotbench(made.path(), {"history", "add", made.beside("gate.jsonl")});
  EXPECT_EQ(added.code, 0) << added.err;
  EXPECT_THAT(added.out, HasSubstr(notes.substr(0, 8) + " Notes"));
  const Outcome exact = gate({"--exact-ref"});
  EXPECT_EQ(exact.code, 3) << exact.err << exact.out;
  EXPECT_EQ(report_of(exact).baseline.commit, faster);
}

TEST_F(Gate, ATimeThatCannotBeIsTheCandidatesFailure) {
  const Outcome outcome = gate("", "--factor 1e300");
  EXPECT_EQ(outcome.code, 5) << outcome.err;
  EXPECT_THAT(outcome.out,
              ContainsRegex("/time/samples/0: expected seconds, from 1e-11 to 1e6, got 1[.0-9]*e\\+296"));
}

}  // namespace
}  // namespace uotbench
