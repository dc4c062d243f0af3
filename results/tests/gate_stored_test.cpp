// A stored run gives advice on times and verdicts on counts, and says what it could not compare.
#include <gmock/gmock.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>

#include "results/base/error.hpp"
#include "results/gate/decide/baselines.hpp"
#include "results/record/counters.hpp"
#include "results/record/record.hpp"
#include "results/tests/made_record.hpp"

namespace uotbench {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

Record made_record(const std::string& id, double seconds, double misses) {
  Record record;
  record.id = id;
  record.variant = id.substr(0, id.find("/M:"));
  record.worker = id.substr(id.rfind('@') + 1);
  record.arm = arm_of(id);
  record.point = {{"M", 64}};
  record.time = Timing{};
  for (int i = 0; i < 6; ++i)
    record.time->processes.push_back(
        {.start = 0, .first_sample = {}, .arm = {}, .samples = {seconds * (1 + 0.001 * i)}});
  const Counter counter{.value = misses, .origin = {.source = "trace", .kind = "simulated"}};
  record.counters["L1D.misses"] = counter;
  return record;
}

uotbench::Run made_run(const std::string& path, const std::vector<Record>& records) {
  Run run{.path = path,
          .header = made_header({{"kind", "run"},
                                 {"schema", 1},
                                 {"uotbench", "0.1.0"},
                                 {"started", "2026-11-22T05:00:00Z"},
                                 {"sweep", {{"name", "gate"}}},
                                 {"machine", {{"fingerprint", "f1"}, {"hashed", {{"flags_hash", "h1"}}}}},
                                 {"caches", {{"L1D", {{"bytes", 32768}}}}},
                                 {"workers", {{"w", {{"hash", "a"}}}}}}),
          .records = records,
          .resumes = {},
          .end = RunEnd(Json{{"kind", "end"}, {"status", "complete"}, {"elapsed", 2.5}}),
          .unfinished = {},
          .warnings = {}};
  return run;
}

const std::string id = "uot/x/M:64@w";

uotbench::Run before(double seconds = 1e-3, double misses = 100) {
  return made_run("before.jsonl", {made_record(id, seconds, misses)});
}
uotbench::Run after(double seconds = 1e-3, double misses = 100) {
  return made_run("after.jsonl", {made_record(id, seconds, misses)});
}

GateReport gate(const uotbench::Run& stored, const uotbench::Run& now) {
  return gate_against(stored, now, GateRules{});
}

TEST(StoredBaseline, GivesAdviceOnTimes) {
  const GateReport equal = gate(before(), after());
  ASSERT_EQ(equal.cases.size(), 1u);
  const GateCase& one = equal.cases[0];
  EXPECT_EQ(one.verdict, Verdict::ok);
  EXPECT_EQ(one.reason,
            "advice: nothing slower than 1.030x seen: 1.000x (0.997 to 1.003) of 6 and 6 processes in two "
            "sessions; 1 counter "
            "unchanged");
  EXPECT_NEAR(*one.baseline_seconds, 1.0025e-3, 1e-9);
  EXPECT_THAT(equal.warnings, IsEmpty());
  EXPECT_THAT(equal.notes, Contains("times are advice only: the baseline was measured in a separate "
                                    "run, and two runs of the same code differ"));
  EXPECT_EQ(equal.elapsed, 2.5);
  EXPECT_EQ(equal.baseline.about, "before.jsonl (2026-11-22T05:00:00Z)");
}

TEST(StoredBaseline, NeverCallsATimeRegressed) {
  const GateReport slower = gate(before(), after(2e-3));
  EXPECT_EQ(slower.cases[0].verdict, Verdict::inconclusive);
  EXPECT_THAT(slower.cases[0].reason,
              HasSubstr("advice: looks slower than 1.030x: 2.000x (1.994 to 2.006) of 6 and 6 processes"));
  EXPECT_THAT(slower.warnings, ElementsAre("uot/x/M:64@w looks slower: 2.000x (1.994 to 2.006); "
                                           "--baseline-ref measures both in one session"));
  EXPECT_EQ(exit_code_of(slower, false), 0);
}

TEST(StoredBaseline, SaysWhereTimesAreTooFewOrTooNoisy) {
  uotbench::Run few = after();
  few.records[0].time->processes.resize(1);
  uotbench::Run one = before();
  one.records[0].time->processes.resize(1);
  const GateReport report = gate(one, few);
  EXPECT_THAT(report.cases[0].reason,
              HasSubstr("advice: 1.000x: too few processes for an interval (1 and 1)"));
  EXPECT_EQ(report.cases[0].verdict, Verdict::inconclusive);
  uotbench::Run noisy = after();
  for (std::size_t i = 0; i < 6; i += 2) noisy.records[0].time->processes[i].samples[0] *= 1.5;
  EXPECT_THAT(gate(before(), noisy).cases[0].reason, HasSubstr("advice: too noisy to say"));
}

TEST(StoredBaseline, GatesCounters) {
  const GateReport report = gate(before(), after(1e-3, 101));
  EXPECT_EQ(report.cases[0].verdict, Verdict::regressed);
  EXPECT_EQ(exit_code_of(report, false), 3);
}

TEST(StoredBaseline, ComparesCountersOfRunsWithoutTimes) {
  uotbench::Run a = before(), b = after();
  edited(a.header)["machine"]["fingerprint"] = "f2";
  a.records[0].time.reset();
  b.records[0].time.reset();
  const GateReport report = gate(a, b);
  EXPECT_EQ(report.cases[0].verdict, Verdict::ok);
  EXPECT_EQ(report.cases[0].reason, "no time was measured; 1 counter unchanged");
  EXPECT_EQ(exit_code_of(report, true), 0) << "simulated counts are the same on any machine";
}

TEST(StoredBaseline, OfAnotherMachineHasNoTimes) {
  uotbench::Run stored = before();
  edited(stored.header)["machine"]["fingerprint"] = "f2";
  const GateReport report = gate(stored, after(2e-3));
  EXPECT_EQ(report.cases[0].verdict, Verdict::incomparable);
  EXPECT_THAT(report.cases[0].reason, HasSubstr("its time: the baseline was measured on another machine"));
  EXPECT_EQ(exit_code_of(report, false), 6);
  EXPECT_EQ(gate(stored, after(1e-3, 101)).cases[0].verdict, Verdict::regressed) << "counters still are";
}

TEST(StoredBaseline, TellsMachinesOfAMergedRunApart) {
  uotbench::Run stored = before();
  stored.records[0].machine = "f2";
  EXPECT_EQ(gate(stored, after()).cases[0].verdict, Verdict::incomparable);
  uotbench::Run both = after();
  both.records[0].machine = "f2";
  EXPECT_EQ(gate(stored, both).cases[0].verdict, Verdict::ok);
}

TEST(StoredBaseline, ComparesNoCountersOfOtherCachesOrCpus) {
  uotbench::Run stored = before();
  edited(stored.header)["caches"]["L1D"]["bytes"] = 65536;
  GateReport report = gate(stored, after(1e-3, 101));
  EXPECT_EQ(report.cases[0].verdict, Verdict::ok);
  EXPECT_THAT(report.notes, Contains("uot/x/M:64@w: L1D.misses: not compared: other caches were simulated"));
  stored = before();
  uotbench::Run now = after(1e-3, 101);
  edited(stored.header)["machine"]["hashed"]["flags_hash"] = "h2";
  EXPECT_EQ(gate(stored, now).cases[0].verdict, Verdict::regressed) << "of trace, CPUs do not matter";
  stored.records[0].counters["L1D.misses"].origin.source = "callgrind";
  now.records[0].counters["L1D.misses"].origin.source = "callgrind";
  report = gate(stored, now);
  EXPECT_EQ(report.cases[0].verdict, Verdict::ok);
  EXPECT_THAT(report.notes, Contains("uot/x/M:64@w: L1D.misses: not compared: the CPUs offer other features, "
                                     "by which libraries choose their code"));
}

TEST(StoredBaseline, ComparesNoTimesOfOtherThings) {
  uotbench::Run now = after();
  now.records[0].time->per = Unit::solve;
  const GateReport report = gate(before(), now);
  EXPECT_EQ(report.cases[0].verdict, Verdict::incomparable);
  EXPECT_THAT(report.cases[0].reason, HasSubstr("its time is per iteration by the clock steady in the "
                                                "baseline, per solve by steady here"));
}

std::map<std::string, std::string> verdicts(const GateReport& report) {
  std::map<std::string, std::string> all;
  for (const auto& one : report.cases) all[one.id] = std::string(name_of(one.verdict)) + ": " + one.reason;
  return all;
}

TEST(StoredBaseline, TellsWhatIsMissingNewAndFailed) {
  uotbench::Run stored = made_run("before.jsonl", {});
  uotbench::Run now = made_run("after.jsonl", {});
  const auto add = [](uotbench::Run& run, const std::string& name, Status status,
                      const char* reason = nullptr) {
    run.records.push_back(made_record("uot/" + name + "/M:64@w", 1e-3, 100));
    run.records.back().status = status;
    if (reason) run.records.back().reason = reason;
  };
  add(stored, "gone", Status::ok);
  add(now, "fresh", Status::ok);
  for (const char* name : {"crashing", "skipping", "stopped"}) add(stored, name, Status::ok);
  add(now, "crashing", Status::crashed, "SIGSEGV");
  add(now, "skipping", Status::skipped, "too large");
  add(now, "stopped", Status::interrupted);
  add(stored, "mended", Status::failed, "was wrong");
  add(now, "mended", Status::ok);
  add(stored, "never", Status::skipped, "no GPU");
  add(now, "never", Status::skipped, "no GPU");
  const GateReport report = gate(stored, now);
  const auto all = verdicts(report);
  EXPECT_EQ(all.size(), 6u);
  EXPECT_EQ(all.at("uot/gone/M:64@w"), "missing: the baseline has it, this run does not");
  EXPECT_EQ(all.at("uot/fresh/M:64@w"), "new: the baseline does not have it");
  EXPECT_EQ(all.at("uot/crashing/M:64@w"), "failed: crashed: SIGSEGV");
  EXPECT_EQ(all.at("uot/skipping/M:64@w"), "missing: skipped: too large");
  EXPECT_EQ(all.at("uot/stopped/M:64@w"), "missing: interrupted");
  EXPECT_EQ(all.at("uot/mended/M:64@w"), "new: in the baseline it was failed: was wrong");
  EXPECT_THAT(report.notes, Contains("1 case skipped in both runs"));
  EXPECT_EQ(exit_code_of(report, false), 5);
}

TEST(StoredBaseline, WhoseRecordIsLostMakesNoCaseNew) {
  const uotbench::Run now = made_run("after.jsonl", {made_record("uot/x/M:64@w", 1e-3, 100)});
  uotbench::Run torn = made_run("before.jsonl", {made_record("uot/x/M:64@w", 1e-3, 100)});
  torn.records.clear();
  torn.unfinished = {"uot/x/M:64@w"};
  EXPECT_EQ(verdicts(gate(torn, now)).at("uot/x/M:64@w"),
            "inconclusive: the baseline planned it and holds no whole record of it");
}

TEST(StoredBaseline, JoinsCasesOfOtherWorkersWhereThatIsPlain) {
  const uotbench::Run now = made_run("after.jsonl", {made_record("uot/x/M:64@mine", 1e-3, 100)});
  EXPECT_EQ(gate(before(), now).cases[0].verdict, Verdict::ok);
  const uotbench::Run two = made_run(
      "before.jsonl", {made_record("uot/x/M:64@w", 1e-3, 100), made_record("uot/x/M:64@v", 1e-3, 100)});
  EXPECT_EQ(gate(two, now).cases[0].verdict, Verdict::added);
  const uotbench::Run both = made_run(
      "after.jsonl", {made_record("uot/x/M:64@w", 1e-3, 100), made_record("uot/x/M:64@mine", 1e-3, 100)});
  EXPECT_EQ(verdicts(gate(before(), both)).at("uot/x/M:64@mine").substr(0, 3), "new");
}

TEST(StoredBaseline, TakesTheCandidatesCasesOfAGatesRun) {
  const uotbench::Run now = made_run("after.jsonl", {made_record("uot/x/M:64@w.baseline", 1e-3, 7),
                                                     made_record("uot/x/M:64@w.candidate", 1e-3, 100),
                                                     made_record("uot/x/M:64@w.control", 1e-3, 7)});
  const GateReport report = gate(before(), now);
  ASSERT_EQ(report.cases.size(), 1u);
  EXPECT_EQ(report.cases[0].id, id);
  EXPECT_EQ(report.cases[0].verdict, Verdict::ok);
}

TEST(StoredBaseline, WithNothingInCommonIsNoPass) {
  const GateReport report = gate(before(), made_run("after.jsonl", {made_record("uot/y/M:64@w", 1e-3, 100)}));
  EXPECT_EQ(exit_code_of(report, false), 5);
  EXPECT_THAT(report.warnings, Contains("no case of before.jsonl was measured: 1 there, 1 here"));
}

TEST(StoredBaseline, OfAnotherSweepOrSchemaIsRefused) {
  const auto refusal = [](const uotbench::Run& stored) -> std::string {
    try {
      gate(stored, after());
    } catch (const UsageError& error) {
      return error.what();
    }
    return "not refused";
  };
  uotbench::Run stored = before();
  edited(stored.header)["sweep"]["name"] = "other";
  EXPECT_EQ(refusal(stored), "before.jsonl: a baseline of the sweep \"other\"; measured was \"gate\"");
  stored = before();
  edited(stored.header)["schema"] = 2;
  EXPECT_EQ(refusal(stored), "before.jsonl: a baseline of schema 2; this uotbench reads up to 1: update it");
}

TEST(StoredBaseline, SaysWhatElseDiffers) {
  uotbench::Run stored = before();
  edited(stored.header)["uotbench"] = "0.0.9";
  stored.warnings = {"line 3 is torn"};
  EXPECT_THAT(gate(stored, after()).warnings,
              ElementsAre("baseline: line 3 is torn",
                          "the baseline was measured by uotbench 0.0.9, the candidate by 0.1.0"));
  edited(stored.header).erase("uotbench");
  EXPECT_THAT(gate(stored, after()).warnings,
              Contains(HasSubstr("by uotbench of an unknown version, the candidate by 0.1.0")));
}

TEST(StoredBaseline, SaysWhatItAccepted) {
  std::string name = (std::filesystem::temp_directory_path() / "stored-XXXXXX").string();
  ASSERT_GE(::mkstemp(name.data()), 0);
  std::ofstream(name) << R"({"kind":"run"})"
                         "\n"
                         R"({"kind":"accepted","what":"uot/x","reason":"exact now","by":"me",)"
                         R"("at":"2026-11-01T00:00:00Z","from":"r.jsonl"})"
                         "\n";
  uotbench::Run stored = before();
  stored.path = name;
  const GateReport report = gate(stored, after());
  std::filesystem::remove(name);
  EXPECT_THAT(report.notes,
              Contains("the baseline accepted \"uot/x\" on 2026-11-01T00:00:00Z: exact now (me, "
                       "from r.jsonl)"));
  EXPECT_FALSE(report.cases[0].accepted) << "what was accepted is the baseline now";
}

TEST(StoredBaseline, KnowsThatTheRunWasStopped) {
  uotbench::Run now = after();
  now.end = RunEnd(Json{{"kind", "end"}, {"status", "interrupted"}});
  EXPECT_EQ(exit_code_of(gate(before(), now), false), 130);
}

TEST(StoredBaseline, OfOtherInputFilesIsNotCompared) {
  auto stored = before(), now = after(2e-3, 200);
  stored.records[0].input_files = {{"p/K.npy", "1"}};
  now.records[0].input_files = {{"p/K.npy", "2"}};
  const GateReport report = gate(stored, now);
  EXPECT_EQ(report.cases.at(0).verdict, Verdict::incomparable);
  EXPECT_EQ(report.cases[0].reason, "its input p/K.npy is not the baseline's");
  EXPECT_THAT(report.cases[0].counters, IsEmpty());
}

}  // namespace
}  // namespace uotbench
