// Accepted changes, and the baselines that hold them.
#include "results/gate/decide/baselines.hpp"

#include <gmock/gmock.h>
#include <sys/file.h>

#include <fstream>

#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/base/whole_file.hpp"
#include "results/record/record.hpp"
#include "results/record/run_file/line_json.hpp"
#include "results/tests/folder.hpp"
#include "results/tests/made_gate.hpp"

namespace uotbench {
namespace {

// What somebody intended and said so is no regression; what is only named like it still is.

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string acceptance_refusal(const std::string& text) {
  try {
    acceptance_from_trailer(text, "commit 1a2b3c4d");
  } catch (const UsageError& error) {
    return error.what();
  }
  return "not refused";
}

TEST(Trailer, IsACaseAndAReason) {
  const Acceptance acceptance =
      acceptance_from_trailer("  uot/map_uot/M:64/N:64\t the judge found it wrong before \n", "commit 1");
  EXPECT_EQ(acceptance.what, "uot/map_uot/M:64/N:64");
  EXPECT_EQ(acceptance.reason, "the judge found it wrong before");
  EXPECT_EQ(acceptance.by, "commit 1");
}

TEST(Trailer, NeedsBoth) {
  EXPECT_EQ(acceptance_refusal("uot/x "),
            "Perf-Accept: \"uot/x\" (commit 1a2b3c4d): the reason is missing; expected a case or a pattern, "
            "a blank, the reason");
  EXPECT_EQ(acceptance_refusal(" \n"),
            "Perf-Accept: \"\" (commit 1a2b3c4d): the case is missing; expected a case or a pattern, a "
            "blank, the reason");
}

TEST(Acceptance, NamesCasesWholeOrInPart) {
  const std::string id = "uot/map_uot/M:64/N:64/path:%2Fa@native-v4";
  const auto accepted = [&](const std::string& what) { return accepts({.what = what}, id); };
  for (const char* what : {"uot/map_uot/M:64/N:64/path:%2Fa@native-v4", "uot/map_uot/M:64/N:64/path:%2Fa",
                           "uot/map_uot", "uot/*", "*", "*_uot", "uot/*/M:64/*", "*@native-v4", "**/N:64/*"})
    EXPECT_TRUE(accepted(what)) << what;
  for (const char* what : {"", "uot/map", "uot", "uot/map_uot/M:64", "match/*", "*@native-v3", "uot/map_uot/",
                           "*M:6", "uot/map_uot@native-v4", "UOT/*"})
    EXPECT_FALSE(accepted(what)) << what;
  EXPECT_TRUE(accepts({.what = "uot/map_uot"}, "uot/map_uot@native-v4")) << "a case without axes";
}

GateReport two_regressions() {
  GateReport report;
  report.cases.push_back(made_case("a/M:1", made_time(Verdict::regressed, 1.2, "slower")));
  report.cases.push_back(made_case("b/M:1", made_time(Verdict::regressed, 1.2, "slower")));
  report.cases.push_back(made_case("c/M:1", made_time(Verdict::ok, 1.0, "equal")));
  for (auto& one : report.cases) settle(one);
  return report;
}

TEST(Acceptance, MakesARegressionOkAndSaysWhy) {
  GateReport report = two_regressions();
  apply({{.what = "uot/a", .reason = "exact now", .by = "commit 1"},
         {.what = "uot/a", .reason = "again", .by = "commit 2"}},
        report);
  EXPECT_EQ(report.cases[0].verdict, Verdict::ok);
  EXPECT_EQ(report.cases[0].accepted, "exact now (commit 1)");
  EXPECT_EQ(report.cases[0].reason, "accepted: exact now (commit 1); slower");
  EXPECT_EQ(report.cases[1].verdict, Verdict::regressed);
  EXPECT_EQ(exit_code_of(report, true), 3);
  EXPECT_THAT(report.notes, IsEmpty());
  apply({{.what = "uot/b", .reason = "too", .by = "commit 1"}}, report);
  EXPECT_EQ(exit_code_of(report, true), 0);
}

TEST(Acceptance, DoesNotCoverWhatIsMissingOrFailed) {
  GateReport report;
  report.cases.push_back({.id = "uot/a@w", .verdict = Verdict::failed, .reason = "wrong"});
  apply({{.what = "uot/a", .reason = "intended", .by = "me"}}, report);
  EXPECT_EQ(report.cases[0].verdict, Verdict::failed);
  EXPECT_THAT(report.notes, ElementsAre("accepted by me, \"uot/a\": nothing of it regressed"));
}

TEST(Acceptance, IsANoteWhereItIsOfNoUse) {
  GateReport report = two_regressions();
  apply({{.what = "uot/typo", .reason = "x", .by = "commit 1"},
         {.what = "uot/c", .reason = "x", .by = "commit 2"}},
        report);
  EXPECT_THAT(report.notes, ElementsAre("accepted by commit 1, \"uot/typo\": no case is named like that",
                                        "accepted by commit 2, \"uot/c\": nothing of it regressed"));
  EXPECT_FALSE(report.cases[2].accepted);
}

// A baseline is a run file that others can review: stored whole, changed only where somebody says why.

namespace fs = std::filesystem;

class Baselines : public testing::Test {
 protected:
  static std::string line(const std::string& id, double seconds, const std::string& status = "ok") {
    return R"({"kind":"case","id":")" + id + R"(","variant":"uot/x","worker":")" +
           id.substr(id.rfind('@') + 1) + R"(","point":{"M":1},"status":")" + status +
           R"(","time":{"per":"iteration","clock":"steady","stopped_by":"noise","inner":1,)" +
           R"("processes":[{"start":0,"samples":[)" + std::to_string(seconds) + "]}]}}";
  }
  uotbench::Run write(const std::string& name, const std::vector<std::string>& plan,
                      const std::vector<std::string>& lines, const std::string& fingerprint = "f1") const {
    const Json header{{"kind", "run"},
                      {"schema", 1},
                      {"sweep", {{"name", "gate"}}},
                      {"machine", {{"fingerprint", fingerprint}}},
                      {"workers", {{"w.candidate", {{"hash", "b"}}}, {"w.baseline", {{"hash", "a"}}}}},
                      {"plan", plan}};
    std::string text = to_line(header) + '\n';
    for (const auto& line : lines) text += line + '\n';
    text += R"({"kind":"end","status":"complete"})"
            "\n";
    write_whole(folder_ / name, text, true);
    return read_run(folder_ / name);
  }
  /// What is thrown, without the folder's name.
  template <class Do>
  std::string refusal(Do what) const {
    try {
      what();
    } catch (const UsageError& error) {
      return own_.without_its_name(error.what());
    }
    return "not refused";
  }
  static double seconds(const uotbench::Run& run, std::size_t which) {
    return run.records.at(which).time->processes.at(0).samples.at(0);
  }
  static AcceptedLine because(const std::string& what) {
    return {.what = what, .reason = "exact now", .by = "me", .at = "2026-11-22T05:00:00Z", .from = "r.jsonl"};
  }

  const Folder own_;
  const fs::path folder_ = own_.path();
};

TEST_F(Baselines, AreMeantByPathOrName) {
  write("gate.jsonl", {"a@w"}, {line("a@w", 1)});
  EXPECT_EQ(find_baseline("gate", folder_), folder_ / "gate.jsonl");
  EXPECT_EQ(find_baseline((folder_ / "gate.jsonl").string()), folder_ / "gate.jsonl");
  EXPECT_THAT(baselines_in(folder_), ElementsAre("gate"));
  EXPECT_EQ(refusal([&] { find_baseline("other", folder_); }),
            "no baseline \"other\": give a run file, or the name of one in (there: gate); uotbench baseline "
            "save makes one");
  EXPECT_THAT(refusal([&] { find_baseline("other", folder_ / "none"); }), HasSubstr("(there: none)"));
}

TEST_F(Baselines, HaveNamesThatAreFileNames) {
  EXPECT_EQ(baseline_path("gate-v1.2", "b"), fs::path("b/gate-v1.2.jsonl"));
  for (const char* name : {"", ".x", "a/b", "../x", "a b"})
    EXPECT_THAT(refusal([&] { baseline_path(name); }), HasSubstr("a baseline's name has letters, digits"))
        << name;
}

TEST_F(Baselines, AreStoredWhole) {
  const auto run = write("run.jsonl", {"a@w", "b@w"}, {line("b@w", 2), line("a@w", 1)});
  save_baseline(run, folder_ / "kept.jsonl", false);
  const auto kept = read_run(folder_ / "kept.jsonl");
  ASSERT_EQ(kept.records.size(), 2u);
  EXPECT_EQ(seconds(kept, 1), 2);
  EXPECT_THAT(kept.unfinished, IsEmpty());
  EXPECT_THAT(kept.warnings, IsEmpty());
  EXPECT_TRUE(kept.end);
  EXPECT_EQ(to_json(kept.header)["machine"], to_json(run.header)["machine"]);
  EXPECT_EQ(refusal([&] { save_baseline(run, folder_ / "kept.jsonl", false); }),
            "kept.jsonl: there is a baseline already; give another --name, or replace it with --force");
  save_baseline(run, folder_ / "kept.jsonl", true);
}

TEST_F(Baselines, HoldTheCandidatesCasesOfAGatesRun) {
  const auto run = write("run.jsonl", {"a@w.baseline", "a@w.candidate"},
                         {line("a@w.baseline", 1), line("a@w.candidate", 2)});
  save_baseline(run, folder_ / "kept.jsonl", false);
  const auto kept = read_run(folder_ / "kept.jsonl");
  ASSERT_EQ(kept.records.size(), 1u);
  EXPECT_EQ(kept.records[0].id, "a@w");
  EXPECT_EQ(kept.records[0].worker, "w");
  EXPECT_EQ(seconds(kept, 0), 2);
  EXPECT_EQ(to_json(kept.header)["workers"], (Json{{"w", {{"hash", "b"}}}}));
}

TEST_F(Baselines, HoldNothingBadUnlessTold) {
  const auto bad = write("bad.jsonl", {"a@w", "b@w", "c@w"}, {line("a@w", 1), line("b@w", 1, "failed")});
  EXPECT_THAT(faults_of(bad), ElementsAre("b@w is failed", "c@w was never finished"));
  EXPECT_EQ(refusal([&] { save_baseline(bad, folder_ / "kept.jsonl", false); }),
            "bad.jsonl: no good baseline: b@w is failed (and 1 more); --force stores it as it is");
  EXPECT_FALSE(fs::exists(folder_ / "kept.jsonl"));
  save_baseline(bad, folder_ / "kept.jsonl", true);
  EXPECT_THAT(read_run(folder_ / "kept.jsonl").unfinished, ElementsAre("c@w"));
  EXPECT_THAT(refusal([&] { save_baseline(write("no.jsonl", {}, {}), folder_ / "x.jsonl", false); }),
              HasSubstr("no good baseline: it holds no case"));
}

TEST_F(Baselines, AcceptWithAReason) {
  write("kept.jsonl", {"uot/x/M:1@w", "uot/y/M:1@w"}, {line("uot/x/M:1@w", 1), line("uot/y/M:1@w", 1)});
  const auto run = write("run.jsonl", {"uot/x/M:1@w.candidate", "uot/y/M:1@w.candidate"},
                         {line("uot/x/M:1@w.candidate", 2), line("uot/y/M:1@w.candidate", 2)});
  const fs::path place = folder_ / "kept.jsonl";
  EXPECT_THAT(accept_into(place, run, because("uot/x"), false), ElementsAre("uot/x/M:1@w"));
  const auto kept = read_run(place);
  EXPECT_EQ(seconds(kept, 0), 2);
  EXPECT_EQ(seconds(kept, 1), 1);
  EXPECT_TRUE(kept.end);
  EXPECT_THAT(kept.warnings, IsEmpty()) << "readers of runs take no notice";
  const auto accepted = accepted_in(place);
  ASSERT_EQ(accepted.size(), 1u);
  EXPECT_EQ(accepted[0].reason, "exact now");
  EXPECT_EQ(accepted[0].from, "r.jsonl");
  save_baseline(kept, folder_ / "copy.jsonl", false);
  EXPECT_EQ(accepted_in(folder_ / "copy.jsonl").size(), 1u) << "reasons go where the records go";
}

TEST_F(Baselines, AcceptCasesThatTheyDidNotHave) {
  write("kept.jsonl", {"uot/x/M:1@w"}, {line("uot/x/M:1@w", 1)});
  const auto run = write("run.jsonl", {"uot/y/M:1@w"}, {line("uot/y/M:1@w", 2)});
  accept_into(folder_ / "kept.jsonl", run, because("*"), false);
  const auto kept = read_run(folder_ / "kept.jsonl");
  ASSERT_EQ(kept.records.size(), 2u);
  EXPECT_EQ(seconds(kept, 1), 2);
  EXPECT_THAT(kept.warnings, IsEmpty());
}

TEST_F(Baselines, AcceptNothingThatIsNotThereOrNotMeasured) {
  write("kept.jsonl", {"uot/x/M:1@w"}, {line("uot/x/M:1@w", 1)});
  const auto run = write("run.jsonl", {"uot/x/M:1@w", "uot/y/M:1@w"},
                         {line("uot/x/M:1@w", 2), line("uot/y/M:1@w", 2, "failed")});
  const fs::path place = folder_ / "kept.jsonl";
  const auto before = fs::file_size(place);
  EXPECT_EQ(refusal([&] { accept_into(place, run, because("uot/z"), false); }),
            "run.jsonl: no case is named \"uot/z\"; there are 2: uot/x/M:1@w, uot/y/M:1@w");
  EXPECT_EQ(refusal([&] { accept_into(place, run, because("uot/*"), true); }),
            "run.jsonl: uot/y/M:1@w is failed there: only what was measured can be accepted");
  EXPECT_EQ(fs::file_size(place), before);
}

TEST_F(Baselines, KeepWhatWasSkippedElsewhere) {
  write("kept.jsonl", {"uot/x/M:1@w", "uot/y/M:1@w"}, {line("uot/x/M:1@w", 1), line("uot/y/M:1@w", 1)});
  const auto run = write("run.jsonl", {"uot/x/M:1@w", "uot/y/M:1@w"},
                         {line("uot/x/M:1@w", 2), line("uot/y/M:1@w", 2, "skipped")});
  const fs::path place = folder_ / "kept.jsonl";
  EXPECT_THAT(accept_into(place, run, because("uot/*"), false), ElementsAre("uot/x/M:1@w"));
  EXPECT_EQ(seconds(read_run(place), 1), 1);
  EXPECT_EQ(refusal([&] { accept_into(place, run, because("uot/y"), false); }),
            "run.jsonl: what is named \"uot/y\" was skipped there");
}

TEST_F(Baselines, AcceptNothingOfAnotherMachineUnlessTold) {
  write("kept.jsonl", {"uot/x/M:1@w"}, {line("uot/x/M:1@w", 1)});
  const auto run = write("run.jsonl", {"uot/x/M:1@w"}, {line("uot/x/M:1@w", 2)}, "f2");
  const fs::path place = folder_ / "kept.jsonl";
  EXPECT_EQ(refusal([&] { accept_into(place, run, because("uot/x"), false); }),
            "run.jsonl and kept.jsonl: another machine: \"f1\" in the baseline, \"f2\" in the run; save a "
            "baseline anew, or insist with --force");
  accept_into(place, run, because("uot/x"), true);
  EXPECT_EQ(read_run(place).records[0].machine, "f2");
}

TEST_F(Baselines, AreWrittenByOneAtATime) {
  const auto run = write("kept.jsonl", {"uot/x/M:1@w"}, {line("uot/x/M:1@w", 1)});
  const RunFile other(folder_ / "kept.jsonl", RunFile::Mode::continue_);
  EXPECT_THAT(refusal([&] { accept_into(folder_ / "kept.jsonl", run, because("*"), false); }),
              HasSubstr("kept.jsonl: another uotbench is writing this file"));
}

TEST(Arms, AreTheEndOfAWorkersName) {
  EXPECT_EQ(without_arm("uot/x/tol:0.5@w.candidate"), "uot/x/tol:0.5@w");
  EXPECT_EQ(arm_of("uot/x@w.control"), "control");
  EXPECT_EQ(without_arm("uot/x/tol:0.5@w"), "uot/x/tol:0.5@w");
  EXPECT_EQ(arm_of("uot/x/tol:0.baseline@w"), "");
  EXPECT_EQ(without_arm("uot/x@my.worker"), "uot/x@my.worker");
}

}  // namespace
}  // namespace uotbench
