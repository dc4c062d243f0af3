// What is said once below a table: workers that could not run, that only judge, and units of times.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "results/base/error.hpp"
#include "results/base/text.hpp"
#include "results/record/timing.hpp"
#include "results/tests/made_record.hpp"
#include "results/tests/table_texts.hpp"
#include "results/view/compare.hpp"
#include "results/view/metrics.hpp"
#include "results/view/quantity.hpp"
#include "results/view/view.hpp"

namespace uotbench {
namespace {

using testing::ElementsAre;

Record record_of(const std::string& variant, const std::string& worker, double seconds,
                 Unit per = Unit::iteration) {
  Record record;
  record.id = variant + "/M:2/N:3@" + worker;
  record.variant = variant;
  record.worker = worker;
  record.point = {{"M", 2}, {"N", 3}};
  if (seconds > 0) {
    record.time = Timing{};
    record.time->per = per;
    record.time->processes = {{.start = 0, .first_sample = {}, .arm = {}, .samples = {seconds, seconds}}};
  }
  return record;
}

Run run_of(std::vector<Record> records, const Json& workers = Json::object()) {
  Json header{{"sweep", {{"name", "s"}}}, {"workers", workers}, {"problem_axes", {{"uot", {"M", "N"}}}}};
  return {.path = "run.jsonl",
          .header = made_header(std::move(header)),
          .records = std::move(records),
          .resumes = {},
          .end = {},
          .unfinished = {},
          .warnings = {}};
}

TEST(Notes, SayWhichWorkersCouldNotRunAndHowManyCasesThatLeavesOut) {
  Record first = record_of("uot/a", "cuda", 0), second = record_of("uot/b", "cuda", 0),
         third = record_of("uot/c", "cuda", 0);
  for (Record* record : {&first, &second}) record->status = Status::skipped, record->reason = "no GPU here";
  third.status = Status::skipped, third.reason = "needs more memory";
  const uotbench::Run run = run_of({first, second, third, record_of("uot/a", "native", 1)},
                                   {{"cuda", {{"unavailable", "no GPU here\nat all"}}}});
  const RunView view = view_of(run);
  EXPECT_THAT(view.notes, ElementsAre("no GPU here: 2 cases of cuda skipped"));
  EXPECT_TRUE(view.groups[0].cases[0].worker_absent);
  EXPECT_FALSE(view.groups[0].cases[2].worker_absent) << "it has a reason of its own";
}

TEST(Notes, SayWhoseTimesTheParentsClockDidNotSee) {
  Record seen = record_of("uot/a", "native", 1), unseen = record_of("uot/b", "native", 1);
  seen.time->proof = unseen.time->proof = Proof{.how = "restarted", .reason = {}, .iterations = 7};
  seen.time->proof->outside = 1;
  const uotbench::Run whole = run_of({seen});
  EXPECT_THAT(view_of(whole).notes, testing::IsEmpty());
  const uotbench::Run run = run_of({seen, unseen});
  EXPECT_THAT(view_of(run).notes, ElementsAre(testing::StartsWith("not seen from outside, 1 case: ")));
}

TEST(Notes, SayWhatIsJudgedAndNotTimed) {
  const uotbench::Run run = run_of({record_of("uot/a", "simt", 0), record_of("uot/b", "native", 0)},
                                   {{"simt", {{"steps", {"verify"}}}}, {"native", {{"compiler", "g++"}}}});
  EXPECT_THAT(view_of(run).notes, ElementsAre("simt: verified, not timed"));
}

// In every table, beside the error itself: a sample says less.
TEST(RunTable, SaysWhereAnErrorIsOfSamplesOrHeldToLess) {
  std::vector<Record> records;
  for (const char* name : {"uot/a", "uot/b", "uot/c"}) records.push_back(record_of(name, "native", 1));
  records[0].check = Check{.error = 3e-7, .tolerance = 1e-5};
  records[1].check = Check{.kind = "sampled", .error = 3e-7, .tolerance = 1e-5};
  records[2].check = Check{.kind = "sampled", .error = 3e-4, .tolerance = 1e-3};
  const uotbench::Run run = run_of(records);
  const Texts errors = column_of(run_table(view_of(run)), "error");
  EXPECT_THAT(errors, ElementsAre("3.0e-07", "3.0e-07 (sampled)", "3.0e-04 (tol 1e-03, sampled)"));
}

// A metric of the clock, the work and the axes is a column of the run itself; one of counters is theirs.
TEST(RunTable, HasTheMetricsThatWantNoCounter) {
  Record half = record_of("uot/a", "native", 0.5), untimed = record_of("uot/b", "native", 0);
  half.work = Work{.operations = {{.name = "exp", .count = 3e9}}};
  uotbench::Run run = run_of({half, untimed});
  edited(run.header)["metrics"] = {
      {{"name", "exponentials"}, {"formula", "work.exp / time.seconds"}, {"unit", "exp/seconds"}},
      {{"name", "pairs"}, {"formula", "axis.M * axis.N / time.seconds"}, {"unit", "1/seconds"}},
      {{"name", "messages"}, {"formula", "work.messages"}, {"unit", "messages"}},
      {{"name", "misses"}, {"formula", "L2.misses / time.seconds"}, {"unit", "accesses/seconds"}},
      {{"name", "broken"}, {"formula", "1 +"}}};
  const RunView view = view_of(run);
  const Table table = run_table(view);
  EXPECT_THAT(titles_of(table), ElementsAre("case", "median", "spread", "bandwidth", "speedup", "error",
                                            "exponentials (exp/seconds)", "pairs (1/seconds)", "status"));
  EXPECT_THAT(column_of(table, "exponentials (exp/seconds)"), ElementsAre("6.000G", "-"));
  EXPECT_THAT(column_of(table, "pairs (1/seconds)"), ElementsAre("12", "-"));
  EXPECT_THAT(table.notes, testing::Contains(testing::HasSubstr("metric broken")));
  const Json json = json_of(view)["cases"];
  EXPECT_EQ(json[0]["metrics"]["pairs"]["value"], 12);
  EXPECT_EQ(json[1]["metrics"]["pairs"]["reason"], "time.seconds: not timed");
  EXPECT_FALSE(json[0]["metrics"].contains("misses"));
}

// A run's first line has a metric for each target; who did not get there has no number, and the reason.
TEST(RunTable, HasSecondsToTheTargets) {
  Record soon = record_of("uot/a", "native", 0.5, Unit::solve), never = record_of("uot/b", "native", 0.25);
  soon.reach = {{.of = "gap", .target = 1e-6, .iterations = 12, .found = 8e-7, .samples = {.2, .3, .4}}};
  never.reach = {{.of = "gap", .target = 1e-6, .reason = "it stays above"}};
  uotbench::Run run = run_of({soon, never, record_of("uot/c", "native", 1)});
  edited(run.header)["metrics"] = reach_metrics({{"gap", 1e-6}});
  edited(run.header)["metrics"].push_back(
      {{"name", "steps"}, {"formula", "reach.gap.0.000001.iterations * 2"}});
  const RunView view = view_of(run);
  const Table table = run_table(view);
  EXPECT_THAT(column_of(table, "to gap 1e-06"), ElementsAre("300.0 ms", "-", "-"));
  EXPECT_THAT(column_of(table, "steps"), ElementsAre("24", "-", "-"));
  const Json json = json_of(view)["cases"];
  EXPECT_EQ(json[0]["reach"][0]["iterations"], 12);
  EXPECT_EQ(json[1]["metrics"]["to gap 1e-06"]["reason"], "reach.gap.0.000001.seconds: it stays above");
  EXPECT_EQ(json[2]["metrics"]["to gap 1e-06"]["reason"],
            "reach.gap.0.000001.seconds: the sweep gave no targets: measure.reach would");
}

TEST(Notes, SayWhatTimesAreOfWhereThatIsNoIteration) {
  const uotbench::Run run =
      run_of({record_of("uot/whole", "cuda", 4), record_of("uot/half", "cuda", 2, Unit::part)});
  const RunView view = view_of(run);
  EXPECT_THAT(
      view.notes,
      ElementsAre("times are per part, not per iteration: uot/half",
                  "no speedup of 1 case: timed per part, but their reference uot/whole per iteration"));
  EXPECT_FALSE(view.groups[0].cases[1].speedup) << "half an iteration is no faster one";
  EXPECT_EQ(fastest(view.groups[0]), nullptr);
}

TEST(Comparisons, HoldNoPartAgainstAnIteration) {
  const uotbench::Run a = run_of({record_of("uot/a", "w", 4), record_of("uot/b", "w", 4)}),
                      b = run_of({record_of("uot/a", "w", 2, Unit::part), record_of("uot/b", "w", 4)});
  const RunView view_a = view_of(a), view_b = view_of(b);
  const Comparison comparison = compare_runs(view_a, view_b);
  ASSERT_EQ(comparison.rows.size(), 1u);
  ASSERT_EQ(comparison.unmatched.size(), 1u);
  EXPECT_EQ(comparison.unmatched[0].why, "timed per iteration in A and per part in B");
  EXPECT_THAT(comparison.unmatched[0].cases, ElementsAre("uot/a/M:2/N:3@w"));
}

// Hundreds of warnings about times are a few lines, one a cause.

Run run_that_warned(const std::vector<std::vector<std::string>>& warnings) {
  Run run{.path = "x.jsonl",
          .header = made_header({{"kind", "run"}}),
          .records = {},
          .resumes = {},
          .end = {},
          .unfinished = {},
          .warnings = {}};
  for (const auto& its : warnings) {
    Record record;
    record.variant = "uot/a";
    record.worker = "w";
    record.point = {{"M", run.records.size()}};
    record.id = fmt::format("uot/a/M:{}@w", run.records.size());
    record.time = Timing{};
    for (int i = 0; i < 3; ++i)
      record.time->processes.push_back({.start = 0, .first_sample = {}, .arm = {}, .samples = {1, 1}});
    record.time->warnings = its;
    run.records.push_back(record);
  }
  return run;
}

std::vector<std::string> warned(const std::vector<std::vector<std::string>>& warnings) {
  const Run run = run_that_warned(warnings);
  return view_of(run).warnings;
}

TEST(WarningCauses, ABusyMachineIsOneLine) {
  std::vector<std::vector<std::string>> warnings;
  for (int i = 0; i < 36; ++i) warnings.push_back({busy_warning(1, .9 - .01 * i), busy_warning(2, .9)});
  warnings.resize(38);
  EXPECT_THAT(warned(warnings),
              ElementsAre("the machine was busy: 36 of 38 cases had their CPU for less than 95% of the time, "
                          "one for 55%"));
  EXPECT_THAT(warned({{}, {busy_warning(2, .5)}}),
              ElementsAre("uot/a/M:1@w: round 2: had its CPU only 50% of the time"));
}

TEST(WarningCauses, TextsThatDifferInNumbersAreOneCause) {
  EXPECT_THAT(warned({{"round 1: clock at 800 MHz", "round 2: clock at 900 MHz"},
                      {"round 3: clock at 850 MHz"},
                      {"round 1: a page was lost"},
                      {}}),
              ElementsAre("2 of 4 cases: round 1: clock at 800 MHz (uot/a/M:0@w, …)",
                          "uot/a/M:2@w: round 1: a page was lost"));
}

TEST(BusyWarning, IsReadBack) {
  EXPECT_EQ(busy_share(busy_warning(3, 0.83)), 0.83);
  EXPECT_EQ(busy_warning(3, 0.83), "round 3: had its CPU only 83% of the time");
  for (const char* other : {"", "round 1: had its CPU only", "had its CPU only x% of the time"})
    EXPECT_EQ(busy_share(other), std::nullopt) << other;
}

// Which of a case's warnings are doubts is decided where they are read, for all who show them.
TEST(DoubtfulTimes, AreKeptApartFromOtherWarnings) {
  const std::string doubt = "round 2: " + doubtful_times_warning("reported 1 ms, got 2 ms");
  EXPECT_EQ(doubt, "round 2: its times are doubtful: reported 1 ms, got 2 ms");
  const uotbench::Run run = run_that_warned({{busy_warning(1, .5), doubt}, {"round 1: a page was lost"}});
  const RunView view = view_of(run);
  std::vector<std::vector<std::string>> doubts;
  for (const auto& group : view.groups)
    for (const auto& member : group.cases) doubts.push_back(member.doubts);
  EXPECT_THAT(doubts, ElementsAre(ElementsAre(doubt), testing::IsEmpty()));
}

TEST(CutMiddle, KeepsBothEnds) {
  EXPECT_EQ(cut_middle("short", 10), "short");
  EXPECT_EQ(cut_middle("abcdefghijklmnop", 6), "abc…nop");
  EXPECT_EQ(cut_middle("ééééé", 4), "é…é") << "whole characters";
  EXPECT_EQ(cut_long_words("uot  M:8 path:/home/somebody/pictures/meadow.npy", 20),
            "uot  M:8 path:/home…meadow.npy");
}

}  // namespace
}  // namespace uotbench
