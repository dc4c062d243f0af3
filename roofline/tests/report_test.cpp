// A report shows what is in a run and nothing else happens: names are texts wherever they stand, numbers have
// a source, absent values are absent, and a summary fits a pull request however long the run is.
#include "roofline/report/report.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <set>

#include "results/base/json.hpp"
#include "results/base/text.hpp"
#include "results/export/export.hpp"
#include "results/tests/made_record.hpp"

namespace uotbench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

const std::string hostile = "</script><script>alert(1)</script><!-- \"'`|]]>--!>&amp;\033[31m\n@all";

Record record_named(const std::string& variant, double seconds) {
  Record record;
  record.id = variant + "/M:8/N:8@w";
  record.variant = variant;
  record.worker = "w";
  record.point = {{"M", 8}, {"N", 8}, {"threads", 1}};
  record.check = Check{.error = 1e-7, .tolerance = 1e-5, .oracle = "eigen-f64", .worst = "plan"};
  record.time.emplace();
  record.time->inner = 12;
  record.time->processes.resize(2);
  record.time->processes[0].samples = {seconds, seconds};
  record.time->processes[1].samples = {seconds};
  record.work = Work{.flops = 256, .bytes_read = 2000, .bytes_written = 1000};
  return record;
}

Record refused(const std::string& variant, Status status, const std::string& reason) {
  Record record = record_named(variant, 1);
  record.status = status;
  record.reason = reason;
  record.check.reset();
  record.time.reset();
  return record;
}

Run run_to_report(std::vector<Record> records) {
  Run run;
  run.path = "results/runs/small.jsonl";
  run.header =
      made_header({{"sweep", {{"name", "small"}, {"about", "two kernels"}}},
                   {"started", "2026-01-31T12:00:00Z"},
                   {"options", {{"max_noise", 0.02}}},
                   {"machine",
                    {{"fingerprint", "430b"},
                     {"hashed", {{"cpu", "AMD EPYC"}, {"physical_cores", 2}}},
                     {"recorded", {{"governor", nullptr}, {"memory", 25769803776.0}}}}},
                   {"workers", {{"w", {{"compiler", "g++ 12.2.0"}, {"commit", "abc"}, {"dirty", true}}}}},
                   {"problem_axes", {{"uot", {"M", "N"}}}}});
  run.records = std::move(records);
  return run;
}

std::string page_of(const Run& run) {
  const RunView view = view_of(run);
  return html_of({.runs = {&view}});
}

std::string summary_of(const Run& run) {
  const RunView view = view_of(run);
  return markdown_of({.runs = {&view}});
}

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t found = 0;
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++found;
  return found;
}

Json data_in(const std::string& page) {
  const std::string start = "<script type=\"application/json\" id=\"data\">";
  const auto begin = page.find(start) + start.size();
  return Json::parse(page.substr(begin, page.find("</script>", begin) - begin));
}

TEST(Html, TextIsNeverMarkup) {
  EXPECT_EQ(html_escaped("a<b>&\"'\033\n"), "a&lt;b&gt;&amp;&quot;&#39;\\x1b\\n");
  const std::string json = json_in_script({{"<!--", hostile}});
  EXPECT_EQ(json.find_first_of("<>&\n\033"), std::string::npos) << json;
  EXPECT_EQ(Json::parse(json), Json({{"<!--", hostile}}));
}

TEST(Html, PolicyHashIsBase64) {
  EXPECT_EQ(policy_hash("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),  // of ""
            "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
  EXPECT_EQ(policy_hash("00"), "sha256-AA==");
  EXPECT_EQ(policy_hash("ffff"), "sha256-//8=");
}

TEST(ReportPage, NamesAreTextsWhereverTheyStand) {
  auto small =
      run_to_report({record_named("uot/" + hostile, 1e-3), refused(hostile, Status::failed, hostile)});
  const auto clean = page_of(run_to_report({record_named("uot/a", 1e-3), refused("b", Status::failed, "c")}));
  small.path = "x<script>.jsonl";
  edited(small.header)["sweep"]["name"] = hostile;
  edited(small.header)["sweep"]["about"] = hostile;
  edited(small.header)["started"] = hostile;
  edited(small.header)["machine"]["hashed"]["cpu"] = hostile;
  edited(small.header)["machine"]["recorded"][hostile] = hostile;
  edited(small.header)["workers"] = {{hostile, {{hostile, hostile}}}};
  small.warnings = {hostile};
  const RunView view = view_of(small);
  const std::string page = html_of({.runs = {&view, &view},
                                    .figures = {{hostile, hostile, "", hostile}},
                                    .tables = {{hostile, hostile, {{hostile}}, {{hostile}}}}});
  EXPECT_EQ(count(page, "<script"), count(clean, "<script"));
  EXPECT_EQ(count(page, "</script"), count(clean, "</script"));
  EXPECT_THAT(page, Not(HasSubstr("<!--")));
  EXPECT_THAT(page, Not(HasSubstr("]]>")));
  EXPECT_THAT(page, Not(HasSubstr("\033")));
  EXPECT_THAT(page, HasSubstr("&lt;/script&gt;&lt;script&gt;alert(1)"));
  const Json rows = data_in(page)["runs"][0]["rows"];
  EXPECT_THAT(rows[1].back()[0].get<std::string>(),
              HasSubstr("</script><script>alert(1)</script><!-- \"'`|]]>--!>"));
}

// What could load something: the page is to be opened from a mail, anywhere.
TEST(ReportPage, RefersToNothingOutsideItself) {
  const std::string page = page_of(run_to_report({record_named("uot/a", 1e-3)}));
  for (const char* word :
       {"http:", "https:", "src=", "@import", "url(", "eval(", "innerHTML", "<link", "<iframe"})
    EXPECT_THAT(page, Not(HasSubstr(word)));
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));
}

// What formats C++ breaks it: names with hyphens fall apart.
TEST(ReportPage, HasAStyleSheetThatABrowserReads) {
  const std::string page = page_of(run_to_report({record_named("uot/a", 1e-3)}));
  EXPECT_THAT(page, HasSubstr("max-width: 84rem;"));
  EXPECT_THAT(page, HasSubstr("@media (prefers-color-scheme: dark)"));
}

TEST(ReportPage, WarningsComeBeforeNumbersAndFacts) {
  auto small = run_to_report({record_named("uot/a", 1e-3)});
  edited(small.header)["workers"]["w"]["build_type"] = "Debug";
  const std::string page = page_of(small);
  const auto warning = page.find("worker w is a Debug build: its times mean nothing");
  ASSERT_NE(warning, std::string::npos);
  EXPECT_LT(warning, page.find("<dt>"));
  EXPECT_LT(warning, page.find("<table"));
}

TEST(ReportPage, SaysWhyAFigureIsMissing) {
  const auto run = run_to_report({record_named("uot/a", 1e-3)});
  const RunView view = view_of(run);
  const std::string page =
      html_of({.runs = {&view},
               .figures = {{"Roofline", "Of a.", "", "no ceilings: uotbench machine measures them"},
                           {"Sizes", "Of b.", "<svg></svg>", ""}}});
  EXPECT_THAT(page, HasSubstr("Not drawn:\n<ul>\n<li><b>Roofline</b>: no ceilings: uotbench machine measures "
                              "them</li>\n</ul>"));
  EXPECT_THAT(page, HasSubstr("<svg></svg>"));
  // What is not there is no card among the figures.
  const auto figures = page.find("<figure>"), missing = page.find("Not drawn:");
  EXPECT_LT(figures, missing);
  EXPECT_EQ(page.find("<figure>", figures + 1), std::string::npos);
}

TEST(ReportPage, SaysOnceWhyFiguresAreMissing) {
  auto run = run_to_report({record_named("uot/a", 1e-3)});
  run.records[0].time.reset();
  const RunView view = view_of(run);
  std::set<std::string> reasons;
  std::size_t untimed = 0;
  for (const auto& figure : report_figures({&view})) {
    EXPECT_TRUE(figure.svg.empty()) << figure.title;
    EXPECT_TRUE(reasons.insert(figure.missing).second) << figure.missing;
    if (figure.missing.find("no case is ok and timed") == std::string::npos) continue;
    ++untimed;
    EXPECT_THAT(figure.title, HasSubstr("Roofline, "));
    EXPECT_THAT(figure.title, HasSubstr("Speedups"));
  }
  EXPECT_EQ(untimed, 1u);
}

TEST(ReportRows, EveryNumberHasASourceAndItsBaseValue) {
  auto small = run_to_report({record_named("uot/a", 2e-3), record_named("uot/b", 1e-3)});
  RunView view = view_of(small);
  view.groups[0].cases[1].roof = RoofView{
      .level = "DRAM", .bound = "memory", .intensity = .25, .floor = 5e-4, .fraction = .5, .cause = ""};
  PageData page;
  page.add(cases_table(view));
  const Json sentences = page.document().json()["sentences"], data = page.document().json()["runs"][0];
  const Json row = data["rows"][1];
  EXPECT_THAT(data["groups"], ElementsAre("uot  M:8 N:8  @w"));
  EXPECT_EQ(row[0], 0);
  EXPECT_EQ(row[1], "ok");
  EXPECT_EQ(row[2], true) << "the fastest of its group";
  const auto expect_cell = [&](std::size_t column, const std::string& text, const Json& value,
                               const std::string& source) {
    const Json& cell = row[3 + column];
    EXPECT_EQ(cell[0], text);
    EXPECT_EQ(cell.size() > 2 ? cell[2] : Json(), value) << text;
    EXPECT_THAT(sentences[cell[1].get<std::size_t>()].get<std::string>(), HasSubstr(source));
  };
  expect_cell(0, "b", nullptr, "uot/b/M:8/N:8@w");
  expect_cell(1, "1.000 ms", 1e-3,
              "median of 2 processes' medians, 3 samples of 12 iterations each, steady clock, per iteration, "
              "stopped by noise; small.jsonl");
  expect_cell(2, "<0.1%", 0.0, "half the range of the processes' medians");
  expect_cell(3, "3.0 MB/s", 3e6,
              "3,000 bytes of the work model (2,000 read, 1,000 written) over the median");
  expect_cell(4, "50% DRAM", .5,
              "500.0 us at least, over the median; memory is the limit, data in DRAM; 0.25 flops a byte");
  expect_cell(5, "2.00x", 2., "2.000 ms of the group's first variant, over the median");
  expect_cell(6, "1.0e-07", 1e-7, "verified by eigen-f64, full check, tolerance 1.0e-05, largest in plan");
  expect_cell(7, "ok", nullptr, "");
}

TEST(ReportRows, WhatIsAbsentIsNoNumber) {
  const auto run = run_to_report({refused("uot/a", Status::skipped, "needs 4 threads")});
  PageData page;
  page.add(cases_table(view_of(run)));
  const Json row = page.document().json()["runs"][0]["rows"][0];
  for (std::size_t column = 1; column <= 5; ++column) {
    EXPECT_EQ(row[3 + column][0], "-");
    EXPECT_EQ(row[3 + column][2], nullptr);
  }
  EXPECT_EQ(row.back()[0], "skipped: needs 4 threads");
}

TEST(ReportFacts, AreAllThatTheFirstLineTells) {
  auto run = run_to_report({record_named("uot/a", 1e-3), refused("uot/b", Status::failed, "wrong")});
  run.header.options->counters = {"cache", "traffic"};
  std::map<std::string, std::string> facts;
  for (const auto& group : facts_of(view_of(run)))
    for (const auto& fact : group.facts) facts[group.title + "." + fact.name] = fact.value;
  EXPECT_EQ(facts["Run.cases"], "2 cases: 1 ok, 1 failed");
  EXPECT_EQ(facts["Run.started"], "2026-01-31 12:00:00 UTC");
  EXPECT_EQ(facts["Options.max noise"], "2.0%");
  EXPECT_EQ(facts["Options.counters"], "cache, traffic");
  EXPECT_EQ(facts["Machine.fingerprint"], "430b");
  EXPECT_EQ(facts["Machine.governor"], "-");
  EXPECT_EQ(facts["Machine.memory"], "24.0 GiB");
  EXPECT_EQ(facts["Worker w.commit"], "abc, with changes that were not committed");
}

TEST(ReportMarkdown, ShowsFailuresWithReasonsAndTables) {
  const std::string text = summary_of(run_to_report({record_named("uot/a", 2e-3), record_named("uot/b", 1e-3),
                                                     refused("uot/c", Status::failed, "wrong: 3 of 64 cells"),
                                                     refused("uot/d", Status::skipped, "needs 4 threads")}));
  EXPECT_THAT(text, HasSubstr("two kernels. 4 cases: 2 ok, 1 skipped, 1 failed on AMD EPYC, 2 cores"));
  EXPECT_THAT(text, HasSubstr("- `uot/c/M:8/N:8@w` failed: wrong: 3 of 64 cells\n"));
  EXPECT_THAT(text, HasSubstr("- 1 case: needs 4 threads\n"));
  EXPECT_THAT(text, HasSubstr("| `b` | **1.000 ms** | <0.1% | 3.0 MB/s | 2.00x | 1.0e-07 | ok |\n"));
}

TEST(ReportMarkdown, OfALongGroupTheFastestAreShown) {
  std::vector<Record> records;
  for (int i = 0; i < 50; ++i) records.push_back(record_named(fmt::format("uot/v{}", i), 1e-3 * (50 - i)));
  const std::string text = summary_of(run_to_report(records));
  EXPECT_THAT(text, HasSubstr("The fastest 20 of 50 cases."));
  EXPECT_THAT(text, HasSubstr("| `v49` |"));
  EXPECT_THAT(text, HasSubstr("| `v30` |"));
  EXPECT_THAT(text, Not(HasSubstr("| `v29` |")));
}

// GitHub refuses a comment of more than 65,536 characters.
TEST(ReportMarkdown, FitsAPullRequestWhateverTheRunHolds) {
  std::vector<Record> records;
  for (int i = 0; i < 5000; ++i) {
    Record record = i % 3 ? record_named(std::string(90, 'v') + std::to_string(i), 1e-3)
                          : refused("uot/bad" + std::to_string(i), i % 2 ? Status::failed : Status::skipped,
                                    std::to_string(i) + std::string(5000, '|'));
    record.point.set("M", i / 2);
    records.push_back(record);
  }
  const std::string text = summary_of(run_to_report(std::move(records)));
  EXPECT_LT(text.size(), 65536u);
  EXPECT_THAT(text, HasSubstr("more groups"));
}

TEST(ReportMarkdown, NamesAreCode) {
  const std::string text =
      summary_of(run_to_report({record_named("uot/`` | @all <b>", 1e-3), record_named("uot/b", 1e-3)}));
  EXPECT_THAT(text, HasSubstr("| ``` `` \\| @all <b> ``` |"));
}

}  // namespace
}  // namespace uotbench
