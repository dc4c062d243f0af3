// A case's verdict follows from its parts, the exit code from the verdicts; and a report is never a pass
// where nothing was compared.
#include "results/gate/gate.hpp"

#include <gmock/gmock.h>

#include "results/base/error.hpp"
#include "results/gate/tell/formats.hpp"
#include "results/tests/made_gate.hpp"

namespace uotbench {
namespace {

using testing::HasSubstr;
using testing::Not;

GateCase settled(GateCase one) {
  settle(one);
  return one;
}

GateCase with(std::optional<Verdict> time, const std::vector<Verdict>& counters, bool accepted = false) {
  GateCase one{.id = "uot/x/M:1@w"};
  if (time) one.time = made_time(*time, 1.1, "what the pairs say");
  for (const Verdict verdict : counters)
    one.counters.push_back(
        made_counter("L1D.misses", 100, verdict == Verdict::regressed ? 110 : 90, verdict));
  if (accepted) one.accepted = "intended (commit 1)";
  settle(one);
  return one;
}

GateReport report_of(const std::vector<Verdict>& verdicts) {
  GateReport report;
  for (const Verdict verdict : verdicts) {
    const bool timed = verdict != Verdict::missing && verdict != Verdict::added && verdict != Verdict::failed;
    report.cases.push_back({.id = std::string("uot/") + name_of(verdict) + "@w", .verdict = verdict});
    if (timed) report.cases.back().time = made_time(verdict, 1.0, "");
  }
  return report;
}

TEST(Verdicts, HaveNamesThatReadBack) {
  for (const Verdict verdict : {Verdict::ok, Verdict::improved, Verdict::regressed, Verdict::inconclusive,
                                Verdict::missing, Verdict::added, Verdict::failed, Verdict::incomparable})
    EXPECT_EQ(verdict_from(name_of(verdict)), verdict);
  EXPECT_STREQ(name_of(Verdict::added), "new");
  try {
    verdict_from("added");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "unknown verdict \"added\"");
  }
}

TEST(Settle, TakesTheWorstPart) {
  using enum Verdict;
  EXPECT_EQ(with(ok, {ok}).verdict, ok);
  EXPECT_EQ(with(ok, {ok, improved}).verdict, improved);
  EXPECT_EQ(with(improved, {regressed}).verdict, regressed);
  EXPECT_EQ(with(regressed, {improved}).verdict, regressed);
  EXPECT_EQ(with(inconclusive, {improved}).verdict, inconclusive);
  EXPECT_EQ(with(incomparable, {ok}).verdict, incomparable);
  EXPECT_EQ(with(incomparable, {regressed}).verdict, regressed);
  EXPECT_EQ(with({}, {ok}).verdict, ok);
}

TEST(Settle, SaysWhatDecided) {
  using enum Verdict;
  EXPECT_EQ(with(regressed, {regressed, ok}).reason,
            "what the pairs say; L1D.misses 100 -> 110 accesses (+10.0%, trace)");
  EXPECT_EQ(with(ok, {ok, ok}).reason, "what the pairs say; 2 counters unchanged");
  EXPECT_EQ(with({}, {ok}).reason, "no time was measured; 1 counter unchanged");
  EXPECT_EQ(with(ok, {improved}).reason, "L1D.misses 100 -> 90 accesses (-10.0%, trace)");
  EXPECT_THAT(with({}, {regressed, regressed, regressed, regressed, regressed}).reason,
              testing::EndsWith("; and 2 more counters"));
}

TEST(Settle, LeavesAnAcceptedRegressionOutAndSaysWhy) {
  using enum Verdict;
  const GateCase one = with(regressed, {ok}, true);
  EXPECT_EQ(one.verdict, ok);
  EXPECT_EQ(one.reason, "accepted: intended (commit 1); what the pairs say");
  EXPECT_EQ(with(inconclusive, {regressed}, true).verdict, inconclusive);
  EXPECT_EQ(
      with(inconclusive, {regressed}, true).reason,
      "accepted: intended (commit 1); L1D.misses 100 -> 110 accesses (+10.0%, trace); what the pairs say");
}

TEST(Settle, CallsAChangeOfTheSameCodeInconclusive) {
  GateCase one = with(Verdict::regressed, {Verdict::ok});
  one.same_code = true;
  settle(one);
  EXPECT_EQ(one.verdict, Verdict::inconclusive);
  EXPECT_THAT(one.reason, HasSubstr("not attributable to code"));
  one.counters[0].verdict = Verdict::regressed;
  settle(one);
  EXPECT_EQ(one.verdict, Verdict::regressed) << "a counter needs no statistics";
}

TEST(Settle, ComparesNothingWhereNothingIsThere) {
  const GateCase one = settled({.id = "uot/x@w", .verdict = Verdict::ok});
  EXPECT_EQ(one.verdict, Verdict::inconclusive);
  EXPECT_EQ(one.reason, "nothing was compared: neither a time nor a counter of both");
}

TEST(Settle, TakesAWorkModelForNoComparison) {
  GateCase one{.id = "uot/x@w"};
  one.counters = {made_counter("bytes_read", 8, 8, Verdict::ok)};
  one.counters[0].source = "model";
  EXPECT_EQ(settled(one).verdict, Verdict::inconclusive);
  EXPECT_EQ(settled(one).reason, "nothing of the code was compared, only what its work model says");
  one.counters[0].verdict = Verdict::regressed;
  EXPECT_EQ(settled(one).verdict, Verdict::inconclusive) << "a change of the model is none of the code";
  one.counters.push_back(made_counter("L1D.misses", 8, 8, Verdict::ok));
  EXPECT_EQ(settled(one).verdict, Verdict::ok);
  EXPECT_THAT(settled(one).reason, Not(HasSubstr("bytes_read")));
  one.counters[1].verdict = Verdict::regressed;
  EXPECT_EQ(settled(one).verdict, Verdict::regressed);
}

TEST(Settle, KeepsWhatCannotBeCompared) {
  for (const Verdict verdict : {Verdict::failed, Verdict::missing, Verdict::added}) {
    GateCase one = with(Verdict::ok, {Verdict::regressed});
    one.verdict = verdict;
    one.reason = "as it was";
    settle(one);
    EXPECT_EQ(one.verdict, verdict);
    EXPECT_EQ(one.reason, "as it was");
  }
}

TEST(Settle, TwiceIsAsOnce) {
  GateCase one{.id = "uot/x@w", .verdict = Verdict::incomparable, .reason = "other machines"};
  one.counters = {made_counter("L1D.misses", 1, 2, Verdict::regressed)};
  settle(one);
  EXPECT_EQ(one.verdict, Verdict::regressed);
  one.accepted = "intended (me)";
  settle(one);
  EXPECT_EQ(one.verdict, Verdict::incomparable);
  EXPECT_THAT(one.reason, HasSubstr("other machines"));
  const std::string reason = one.reason;
  settle(one);
  EXPECT_EQ(one.reason, reason);
}

TEST(ExitCode, PutsARegressionFirst) {
  using enum Verdict;
  EXPECT_EQ(exit_code_of(report_of({ok, improved, added}), true), 0);
  EXPECT_EQ(exit_code_of(report_of({ok, regressed, failed, missing, incomparable, inconclusive}), true), 3);
  EXPECT_EQ(exit_code_of(report_of({ok, failed, incomparable, inconclusive}), true), 5);
  EXPECT_EQ(exit_code_of(report_of({ok, missing, incomparable}), false), 5);
  EXPECT_EQ(exit_code_of(report_of({ok, incomparable, inconclusive}), true), 6);
  EXPECT_EQ(exit_code_of(report_of({ok, inconclusive}), true), 4);
  EXPECT_EQ(exit_code_of(report_of({ok, inconclusive}), false), 0);
}

TEST(ExitCode, IsNoPassWhereNothingWasCompared) {
  using enum Verdict;
  EXPECT_EQ(exit_code_of({}, false), 5);
  EXPECT_EQ(exit_code_of(report_of({added}), false), 5);
  EXPECT_EQ(exit_code_of(report_of({missing, added}), false, "missing"), 5);
  EXPECT_EQ(exit_code_of(report_of({incomparable}), false), 6);
}

// An interval that says "too noisy" is no verdict, nor is a work model, which says the same of any code.
TEST(ExitCode, IsNoPassWhereNothingWasDecided) {
  GateReport report = report_of({Verdict::inconclusive, Verdict::added});
  EXPECT_EQ(exit_code_of(report, false), 4);
  CounterVerdict modelled = made_counter("flops", 1, 1, Verdict::ok);
  modelled.source = "model";
  report.cases[0].counters = {modelled};
  EXPECT_EQ(exit_code_of(report, false), 4);
  EXPECT_THAT(headline_of(report), HasSubstr("no verdict on any of 2 cases"));
  EXPECT_THAT(junit_of(report),
              HasSubstr("<error type=\"incomplete\" message=\"no verdict on any of 2 cases"));
  EXPECT_THAT(github_of(report), HasSubstr("::error title=uotbench gate::no verdict on any of 2 cases"));
  report.cases[0].counters.push_back(made_counter("L1D.misses", 1, 1, Verdict::ok));
  EXPECT_EQ(exit_code_of(report, false), 0) << "what its code was counted to do is equal";
  EXPECT_EQ(headline_of(report),
            "none of 2 cases regressed; 1 inconclusive, 1 new; counters of 1 inconclusive case rose nowhere");
  EXPECT_EQ(exit_code_of(report, true), 4);
}

TEST(ExitCode, IsNoPassWhereTheBudgetEndedFirst) {
  GateReport report = report_of({Verdict::ok, Verdict::inconclusive});
  report.undecided = "the budget ended";
  EXPECT_EQ(exit_code_of(report, false), 4);
  EXPECT_THAT(junit_of(report), HasSubstr("message=\"the budget ended\""));
  EXPECT_THAT(github_of(report), HasSubstr("::error title=uotbench gate::the budget ended\n"));
  EXPECT_THAT(markdown_of(report), HasSubstr("**undecided:** the budget ended"));
  report.cases[1].verdict = Verdict::incomparable;
  EXPECT_EQ(exit_code_of(report, false), 6);
  report.cases[1].verdict = Verdict::failed;
  EXPECT_EQ(exit_code_of(report, false), 5);
  report.cases[1].verdict = Verdict::regressed;
  EXPECT_EQ(exit_code_of(report, false), 3);
}

TEST(ExitCode, IsThatOfWhatStoodInTheWay) {
  GateReport report;
  report.obstacle =
      GateObstacle{.exit_code = 7, .reason = "HEAD does not build", .said = {"a.c:1: error", "b"}};
  EXPECT_EQ(exit_code_of(report, false), 7);
  EXPECT_EQ(headline_of(report), "nothing was compared: HEAD does not build");
  EXPECT_THAT(junit_of(report), HasSubstr("<error type=\"incomplete\" message=\"nothing was compared: HEAD"));
  EXPECT_THAT(junit_of(report), HasSubstr("<system-out>a.c:1: error"));
  EXPECT_THAT(github_of(report), HasSubstr("nothing was compared: HEAD does not build%0Aa.c:1: error%0Ab\n"));
  EXPECT_THAT(markdown_of(report), HasSubstr("- `a.c:1: error`\n"));
}

TEST(ExitCode, AllowsWhatMayBeMissing) {
  const GateReport report = report_of({Verdict::ok, Verdict::missing});
  EXPECT_EQ(exit_code_of(report, false, "^uot/miss"), 0);
  EXPECT_EQ(exit_code_of(report, false, "^uot/other"), 5);
  EXPECT_EQ(exit_code_of(report, false, ""), 5);
  try {
    exit_code_of(report, false, "(");
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_TRUE(std::string(error.what()).starts_with("--allow-missing (: not a regular expression: "));
  }
}

TEST(ExitCode, OfAnInterruptedGateIs130UnlessSomethingRegressed) {
  GateReport report = report_of({Verdict::ok, Verdict::missing});
  report.interrupted = true;
  EXPECT_EQ(exit_code_of(report, false), 130);
  report.cases[0].verdict = Verdict::regressed;
  EXPECT_EQ(exit_code_of(report, false), 3);
}

TEST(WhatLiesBetween, IsToldInFewLines) {
  GateReport report;
  EXPECT_THAT(lines_of(report), testing::IsEmpty());
  report.commits = GateCommits{.count = 3, .newest = {"1a2b3c4d Faster", "5e6f7a8b Right"}};
  report.changed_code = {"uot/x@w", "uot/y@w"};
  EXPECT_THAT(
      lines_of(report),
      testing::ElementsAre("3 commits that the baseline has not", "  1a2b3c4d Faster", "  5e6f7a8b Right",
                           "  and 1 before these", "code that is not the same: uot/x@w, uot/y@w"));
  EXPECT_THAT(markdown_of(report), HasSubstr("- 3 commits that the baseline has not\n  - 1a2b3c4d Faster\n"));
}

TEST(Headline, SaysTheWhole) {
  using enum Verdict;
  EXPECT_EQ(headline_of(made_gate()),
            "1 of 9 cases regressed, 1 failed, 1 missing; 2 ok, 1 improved, 1 inconclusive, 1 incomparable, "
            "1 new; 1 regression accepted");
  EXPECT_EQ(headline_of(report_of({ok})), "none of 1 case regressed; 1 ok");
  EXPECT_EQ(headline_of(report_of({incomparable, inconclusive})),
            "no verdict on any of 2 cases; 1 inconclusive, 1 incomparable");
  EXPECT_EQ(headline_of(report_of({missing, added})), "nothing was compared: 1 missing, 1 new");
  EXPECT_EQ(headline_of({}), "nothing was compared: no case");
  GateReport stopped = report_of({ok});
  stopped.interrupted = true;
  stopped.control = "A' is slower than A";
  EXPECT_EQ(headline_of(stopped), "interrupted: none of 1 case regressed; 1 ok; the control arm differed");
}

TEST(Ratio, HasItsIntervalWhereThereIsOne) {
  TimeVerdict time = made_time(Verdict::ok, 1.104, "");
  EXPECT_EQ(ratio_text(time), "1.104x (1.092 to 1.117)");
  time.interval.reset();
  EXPECT_EQ(ratio_text(time), "1.104x");
  EXPECT_EQ(ratio_text({}), "-");
  EXPECT_EQ(detectable_text(time), "1.052x");
  EXPECT_EQ(detectable_text({}), "-");
}

TEST(CounterText, ShowsWhatChanged) {
  CounterVerdict counter = made_counter("L1D.misses", 0, 3, Verdict::regressed);
  EXPECT_EQ(text_of(counter), "L1D.misses 0 -> 3 accesses (none before, trace)");
  counter.baseline = 123456789;
  counter.candidate = 123456790;
  EXPECT_EQ(text_of(counter), "L1D.misses 123456789 -> 123456790 accesses (+8.1e-07%, trace)");
  counter = {.name = "flops", .source = "callgrind", .baseline = 0.5, .candidate = 0.5, .tolerance = 0.01};
  EXPECT_EQ(text_of(counter), "flops 0.5 -> 0.5 (equal, callgrind, tolerance 1%)");
}

TEST(GateJson, ReadsBackWhole) {
  const GateReport report = made_gate();
  const Json json = to_json(report);
  EXPECT_EQ(to_json(gate_report_from(json)), json);
  EXPECT_EQ(to_json(gate_report_from(Json::parse(json.dump()))), json);
  EXPECT_EQ(json["counts"]["regressed"], 1);
  EXPECT_TRUE(json["cases"][4]["time"].is_null());
  EXPECT_EQ(to_json(gate_report_from(to_json(GateReport{}))), to_json(GateReport{}));
  GateReport whole = report;
  whole.obstacle = GateObstacle{.exit_code = 7, .reason = "HEAD does not build", .said = {"error"}};
  whole.undecided = "the budget ended";
  whole.commits = GateCommits{.count = 30, .newest = {"1a2b3c4d Faster"}};
  whole.changed_code = {"uot/x@w"};
  EXPECT_EQ(to_json(gate_report_from(to_json(whole))), to_json(whole));
  Json earlier = json;  // of a uotbench that knew none of these
  for (const char* part : {"obstacle", "undecided", "commits", "changed_code"}) earlier.erase(part);
  EXPECT_EQ(to_json(gate_report_from(earlier)), json);
}

// What was read before such a key was destroyed twice once; short texts do not show that.
TEST(GateJson, SurvivesEachKeyThatIsMissing) {
  GateReport report = made_gate();
  report.baseline =
      report.candidate = {.about = std::string(100, 'a'), .build = Json{{"hash", std::string(100, 'b')}}};
  const Json right = to_json(report);
  ASSERT_NO_THROW(gate_report_from(right));
  for (const char* key : {"sweep", "started", "run", "baseline", "candidate", "machine", "options", "cases",
                          "control", "warnings", "notes", "elapsed", "interrupted"}) {
    Json json = right;
    json.erase(key);
    EXPECT_THROW(gate_report_from(json), Error) << key;
  }
}

TEST(GateJson, NamesTheKeyThatIsWrong) {
  const Json right = to_json(made_gate());
  const auto complaint = [](const Json& json) -> std::string {
    try {
      gate_report_from(json);
    } catch (const Error& error) {
      return error.what();
    }
    return "none";
  };
  const auto changed = [&](const char* pointer, const Json& value) {
    Json json = right;
    *find_at(json, pointer) = value;
    return complaint(json);
  };
  EXPECT_EQ(changed("/sweep", 3), "not a gate's report: /sweep: expected a text, got 3");
  EXPECT_EQ(changed("/elapsed", "x"), "not a gate's report: /elapsed: expected a number, got \"x\"");
  EXPECT_EQ(changed("/kind", "run"), "not a gate's report: /kind: expected \"gate\", got \"run\"");
  EXPECT_EQ(changed("/schema", 2),
            "not a gate's report of this uotbench: /schema: expected at most 1, got 2");
  EXPECT_EQ(changed("/interrupted", 0), "not a gate's report: /interrupted: expected true or false, got 0");
  EXPECT_EQ(changed("/warnings", Json::array({1})), "not a gate's report: /warnings: expected texts, got 1");
  EXPECT_EQ(changed("/cases", nullptr), "not a gate's report: /cases: expected a list, got null");
  EXPECT_EQ(changed("/cases/0", 1), "not a gate's report: /cases/0: expected an object, got 1");
  EXPECT_EQ(changed("/cases/1/verdict", "bad"),
            "not a gate's report: /cases/1/verdict: expected a verdict, got \"bad\"");
  EXPECT_EQ(changed("/cases/1/time/pairs", -1),
            "not a gate's report: /cases/1/time/pairs: expected a whole number from 0, got -1");
  EXPECT_EQ(changed("/cases/1/counters/0/baseline", nullptr),
            "not a gate's report: /cases/1/counters/0/baseline: expected a number, got null");
  Json lacking = right;
  lacking["cases"][1]["time"]["interval"].erase("low");
  EXPECT_EQ(complaint(lacking), "not a gate's report: /cases/1/time/interval/low is missing");
  EXPECT_EQ(complaint(Json::array()), "not a gate's report: /: expected an object, got []");
  EXPECT_EQ(complaint("x"), "not a gate's report: /: expected an object, got \"x\"");
}

}  // namespace
}  // namespace uotbench
