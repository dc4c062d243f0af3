// The facts of a case that several processes ran are one set of facts, by a rule for each name.

#include <gmock/gmock.h>

#include "results/base/json.hpp"
#include "results/export/export.hpp"
#include "results/history/history.hpp"
#include "results/record/record.hpp"
#include "results/tests/made_record.hpp"
#include "results/tests/table_texts.hpp"
#include "results/view/compare.hpp"
#include "results/view/metrics.hpp"
#include "results/view/quantity.hpp"

namespace uotbench {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

CaseFacts facts_of(const std::vector<Json>& processes) {
  CaseFacts all;
  for (const auto& process : processes) all.add(CaseFacts(process));
  return all;
}

TEST(CaseFacts, AreAnEmptyObjectWhereThereAreNone) {
  const CaseFacts none;
  EXPECT_TRUE(none.empty());
  EXPECT_EQ(none.json(), Json::object());
  EXPECT_EQ(none.text("build_type"), "");
  EXPECT_FALSE(none.number("peak_rss"));
  EXPECT_FALSE(none.find("peak_rss"));
  EXPECT_THAT(none.clocks(), IsEmpty());
  EXPECT_EQ(none.reported(), Json::object());
  EXPECT_EQ(facts_of({Json::object()}).json(), Json::object());
}

TEST(CaseFacts, HaveTheMostMemoryOfAllProcesses) {
  for (const char* name : {"peak_rss", "added_bytes"}) {
    EXPECT_EQ(facts_of({{{name, 3}}, {{name, 7}}, {{name, 5}}}).number(name), 7) << name;
    EXPECT_EQ(facts_of({{{name, nullptr}}, {{name, 5}}}).number(name), 5) << name << ": unknown at first";
  }
}

TEST(CaseFacts, HaveTheSumOfEvents) {
  const CaseFacts both =
      facts_of({{{"page_faults", 3}, {"steal", 0.25}}, {{"page_faults", 4}, {"steal", 0.5}}});
  EXPECT_EQ(both.json().dump(), R"({"page_faults":7,"steal":0.75})");
}

TEST(CaseFacts, HaveTheClocksOfAllProcesses) {
  const CaseFacts both = facts_of({{{clock_fact, {2e9, 3e9}}}, {{clock_fact, {1e9, 0, "none"}}}});
  EXPECT_EQ(both.find(clock_fact)->size(), 5u);
  EXPECT_THAT(both.clocks(), ElementsAre(2e9, 3e9, 1e9)) << "those that were measured";
  EXPECT_THAT(facts_of({{{clock_fact, 2e9}}}).clocks(), IsEmpty()) << "not a list";
}

TEST(CaseFacts, HaveWhatEachProcessReported) {
  const CaseFacts all = facts_of({{{"reported", {{"hits", 5}, {"text", "none"}}}},
                                  {{"reported", "no object"}},
                                  {{"reported", {{"hits", 1}, {"misses", 2}}}}});
  EXPECT_EQ(all.reported(), Json::parse(R"({"hits": [5, 1], "misses": [2]})"));
}

TEST(CaseFacts, HaveOtherFactsOfTheLastProcess) {
  const CaseFacts both = facts_of({{{"binding", "core 0"}, {"pinned", true}}, {{"binding", "core 1"}}});
  EXPECT_EQ(both.json(), (Json{{"binding", "core 1"}, {"pinned", true}}));
  EXPECT_EQ(both.text("binding"), "core 1");
  EXPECT_EQ(both.text("pinned"), "") << "not a text";
  EXPECT_FALSE(both.number("binding"));
}

TEST(CaseFacts, OfACopyAreItsOwn) {
  const CaseFacts first(Json{{"build_type", "Release"}});
  CaseFacts copy = first;
  copy.set("build_type", "Debug");
  copy.add_counting_build("trace", {{"flags", "-O1"}});
  copy.add_counting_build("callgrind", Json::object());
  EXPECT_EQ(first.text("build_type"), "Release");
  EXPECT_EQ(copy.json(), Json::parse(
                             R"({"build_type": "Debug", "counted_by": {"trace": {"flags": "-O1"},
                             "callgrind": {}}})"));
}

// Numbers that benchmarks report in addition to their times: columns, parts of metrics, compared, and
// followed in a history.

using testing::HasSubstr;

/// A run of one case, whose three processes reported these.
uotbench::Run run_reporting(const std::vector<Json>& numbers) {
  Record record = timed_record("external/x", Json::object(), "mine", {1e-3, 1e-3, 1e-3});
  record.has_oracle = false;
  for (const auto& one : numbers) record.env.add_reported(one);
  uotbench::Run run;
  run.path = "run.jsonl";
  run.header = made_header({{"sweep", {{"name", "s"}}},
                            {"workers", {{"mine", {{"commit", "abc"}}}}},
                            {"problem_axes", {{"external", Json::array()}}}});
  run.records = {record};
  return run;
}

TEST(Reported, IsTheMedianOfTheProcesses) {
  const auto run = run_reporting({{{"hits", 5}, {"text", "no number"}}, {{"hits", 1}}, {{"hits", 2}}});
  EXPECT_EQ(run.records[0].env.reported(), Json::parse(R"({"hits": [5, 1, 2]})"));
  EXPECT_EQ(reported_of(run.records[0], "hits"), 2);
  EXPECT_EQ(reported_of(run.records[0], "text"), std::nullopt);
  EXPECT_THAT(reported_names(run.records), ElementsAre("hits"));
  Record hostile = run.records[0];
  hostile.env.set("reported", {{"hits", "many"}, {"none", Json::array()}});
  EXPECT_EQ(reported_of(hostile, "hits"), std::nullopt);
  EXPECT_EQ(reported_of(hostile, "none"), std::nullopt);
}

TEST(Reported, IsAColumnAndAPartOfMetrics) {
  auto run = run_reporting({{{"bytes_per_second", 2e9}, {"hits", 3}}});
  edited(run.header)["metrics"] = {{{"name", "twice"}, {"formula", "fact.hits * 2"}}};
  const Table table = run_table(view_of(run));
  EXPECT_THAT(column_of(table, "bytes_per_second"), ElementsAre("2.0 GB/s"));
  EXPECT_THAT(column_of(table, "hits"), ElementsAre("3"));
  EXPECT_THAT(column_of(table, "twice"), ElementsAre("6"));
  EXPECT_EQ(json_of(view_of(run))["cases"][0]["metrics"]["hits"]["value"], 3);
  const std::string csv = to_csv(view_of(run));
  EXPECT_THAT(
      csv,
      HasSubstr(
          "twice,twice_source,reported_bytes_per_second,reported_bytes_per_second_source,hits,hits_source"));
  EXPECT_THAT(csv, HasSubstr("6,the benchmark,2000000000,the benchmark,3,the benchmark"));
}

TEST(Reported, IsACounterOfGoogleBenchmarkAgain) {
  const auto run = run_reporting({{{"hits", 5}}, {{"hits", 1}}, {{"hits", 2}}});
  const Json rows = Json::parse(to_gbench(view_of(run)))["benchmarks"];
  EXPECT_EQ(rows[0]["hits"], 5);
  EXPECT_EQ(rows[2]["hits"], 2);
  EXPECT_FALSE(rows[3].contains("hits")) << "an aggregate of times";
}

TEST(Reported, DoesNotTakeTheNameOfAnotherColumn) {
  const auto run = run_reporting({{{"speedup", 3}}});
  EXPECT_THAT(to_csv(view_of(run)), HasSubstr(",reported_speedup,reported_speedup_source"));
}

TEST(Reported, BeyondSixIsInTheCsvFileOnly) {
  Json numbers = Json::object();
  for (const char name : {'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'}) numbers[std::string(1, name)] = 1;
  const auto run = run_reporting({numbers});
  const Table table = run_table(view_of(run));
  EXPECT_THAT(column_of(table, "f"), ElementsAre("1"));
  EXPECT_THAT(column_of(table, "g"), ElementsAre());
  EXPECT_THAT(
      table.notes,
      testing::Contains("2 numbers more reported by the benchmarks, which export --format csv has: g, h"));
  EXPECT_THAT(to_csv(view_of(run)), HasSubstr(",h,h_source"));
}

TEST(Reported, IsCompared) {
  const auto a = run_reporting({{{"hits", 4}, {"only", 1}}}), b = run_reporting({{{"hits", 6}}});
  const RunView of_a = view_of(a), of_b = view_of(b);
  const Comparison comparison = compare_runs(of_a, of_b);
  ASSERT_EQ(comparison.rows[0].reported.size(), 1u);
  EXPECT_EQ(comparison.rows[0].reported[0].b, 6);
  EXPECT_EQ(json_of(comparison)["rows"][0]["reported"],
            Json::parse(R"([{"name": "hits", "unit": "1", "a": 4, "b": 6}])"));
}

TEST(Reported, HasAHistoryAndStepsThatAreNoVerdict) {
  StoredHistory stored;
  for (std::size_t number = 0; number < 24; ++number) {
    const double hits = (number < 12 ? 100 : 50) + static_cast<double>(number * 7 % 5) / 10;
    const HistoryCommit commit{.hash = std::string(39, 'a') + static_cast<char>('a' + number),
                               .time = static_cast<std::int64_t>(number)};
    for (auto& entry : entries_of(run_reporting({{{"hits", hits}}}), commit))
      stored.entries.push_back(entry_from(text_of(entry)));
  }
  History history = history_of(std::move(stored), {});
  find_steps(history, {});
  ASSERT_EQ(history.lines.size(), 1u);
  ASSERT_EQ(history.lines[0].counts.size(), 1u);
  EXPECT_EQ(history.lines[0].counts[0].points.size(), 24u);
  ASSERT_EQ(history.lines[0].steps.size(), 1u) << "values that wobble are no steps";
  const HistoryStep& step = history.lines[0].steps[0];
  EXPECT_EQ(step.of, "hits");
  EXPECT_EQ(step.bad, 12u);
  EXPECT_EQ(word_of(step), "less");
  EXPECT_FALSE(step.slower());
  EXPECT_THAT(column_of(steps_table(history), "next"), ElementsAre("-"));
}

}  // namespace
}  // namespace uotbench
