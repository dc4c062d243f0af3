// What other programs are given: golden files, and Google Benchmark's own reader.
#include "results/export/export.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <regex>
#include <set>
#include <sstream>

#include "roofline/tables/tables.hpp"
#include "tools/tests/printed.hpp"
#include "tools/tests/program.hpp"

namespace uotbench {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

using ExportGolden = Golden;

TEST_F(ExportGolden, EveryFormat) {
  const uotbench::Run run = read_run("small.jsonl");
  const RunView view = view_of(run);
  expect_golden("export.gbench.json", to_gbench(view));
  expect_golden("export.csv", to_csv(view));
  expect_golden("export.md", to_markdown(view));
  expect_golden("export.tex", to_tex(view));
}

// Values are in base units, an absent one is an empty field, and each has its source beside it.
TEST_F(ExportGolden, CountersAreColumnsOfTheCsv) {
  const uotbench::Run run = read_run("counted.jsonl");
  expect_golden("counted.csv", to_csv(view_of(run)));
}

// The tables that `show --counters` prints, with base units and sources where a format has room for them.
TEST_F(ExportGolden, TablesOfCounters) {
  const uotbench::Run run = read_run("counted.jsonl");
  const auto tables = counters_tables(view_of(run));
  expect_golden("counters.csv", csv_of(tables));
  expect_golden("counters.md", markdown_of(tables));
  expect_golden("counters.tex", tex_of(tables));
}

// A command that is defined twice ends a LaTeX run; ids that differ in digits or separators must not meet.
TEST_F(ExportGolden, TexCommandsAreLettersAndDifferForEveryCase) {
  uotbench::Run run = read_run("workers.jsonl");
  Record twin = run.records.back();
  twin.id.replace(twin.id.find('_'), 1, "-");
  run.records.push_back(twin);
  const std::string tex = to_tex(view_of(run));
  std::set<std::string> names;
  const std::regex command(R"(\\newcommand\{\\([^}]*)\})");
  for (std::sregex_iterator match(tex.begin(), tex.end(), command), end; match != end; ++match) {
    EXPECT_TRUE(names.insert((*match)[1]).second) << (*match)[1];
    EXPECT_TRUE(std::regex_match((*match)[1].str(), std::regex("[A-Za-z]+"))) << (*match)[1];
  }
  EXPECT_EQ(names.size(), 3u * 7);
}

TEST(ExportCommand, IsReadByGoogleBenchmarksCompare) {
  const std::string compare = "/usr/share/benchmark/compare.py", python = "/usr/bin/python3";
  if (!fs::exists(compare) || !fs::exists(python)) GTEST_SKIP() << "no libbenchmark-tools, or no python3";
  Folder folder;
  const std::string golden = std::string(UOTBENCH_SOURCE_DIR) + "/tools/tests/golden/";
  for (const std::string name : {"small", "after"})
    EXPECT_EQ(
        uotbench(folder.path(), {"export", golden + name + ".jsonl", "--format", "gbench", "-o", name}).code,
        0);
  const Outcome outcome =
      Program({python, compare, "--no-color", "benchmarks", "small", "after"}, folder.path()).wait();
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("uot/map_uot/M:1024/N:1024@native-v4_pvalue"));
  EXPECT_THAT(
      outcome.out,
      testing::ContainsRegex(
          "uot/map_uot/M:1024/N:1024@native-v4_median +-0.1000 +-0.1000 +1000000 +900000 +948100 +853290"));
}

// CPU time is what the process's thread had, not its wall time again; what was not recorded is not there.
TEST_F(ExportGolden, CpuTimeIsThatOfEachProcess) {
  uotbench::Run run = read_run("small.jsonl");
  const auto rows_of = [&](const std::string& variant) {
    std::vector<Json> rows;
    const RunView view = view_of(run);
    const Json exported = Json::parse(to_gbench(view));
    for (const auto& row : exported.at("benchmarks"))
      if (row.at("run_name").get<std::string>().starts_with("uot/" + variant + "/M:1024/N:1024@"))
        rows.push_back(row);
    return rows;
  };
  const auto rows = rows_of("map_uot");
  ASSERT_EQ(rows.size(), 3u + 4);
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_DOUBLE_EQ(rows[i].at("cpu_time").get<double>() / rows[i].at("real_time").get<double>(),
                     i == 1   ? 0.5
                     : i == 0 ? 0.998
                              : 0.999);
  EXPECT_LT(rows[3].at("cpu_time"), 0.9 * rows[3].at("real_time").get<double>()) << "the mean of all three";
  for (auto& record : run.records)
    if (record.time) record.time->processes[0].busy.reset();
  for (std::size_t i = 0; i < 7; ++i)
    EXPECT_EQ(rows_of("map_uot")[i].contains("cpu_time"), i == 1 || i == 2)
        << "aggregates are of all processes";
  for (auto& record : run.records)
    if (record.time) record.time->clock = "cpu";
  for (const auto& row : rows_of("map_uot")) EXPECT_EQ(row.at("cpu_time"), row.at("real_time"));
}

// What is piped into a file is the tables alone; what is to be doubted goes elsewhere.
TEST(ShowCommand, WritesTablesOfCountersInOtherFormats) {
  Folder folder;
  const std::string golden = std::string(UOTBENCH_SOURCE_DIR) + "/tools/tests/golden/";
  fs::copy_file(golden + "counted.jsonl", folder / "counted.jsonl");
  std::ofstream(folder / "counted.jsonl", std::ios::app) << "{\"kind\": \"case\"}\n";
  const auto show = [&](const std::string& format) {
    return uotbench(folder.path(), {"show", "counted.jsonl", "--counters", "--format", format});
  };
  const Outcome csv = show("csv");
  EXPECT_EQ(csv.code, 0);
  EXPECT_EQ(csv.out, text_of(golden + "counters.csv"));
  EXPECT_THAT(csv.err, HasSubstr("warning: "));
  EXPECT_EQ(show("markdown").out, text_of(golden + "counters.md"));
  EXPECT_EQ(show("tex").out, text_of(golden + "counters.tex"));
}

TEST(ExportCommand, WritesAFileOrStdout) {
  Folder folder;
  const std::string run = std::string(UOTBENCH_SOURCE_DIR) + "/tools/tests/golden/small.jsonl";
  const Outcome printed = uotbench(folder.path(), {"export", run, "--format", "csv"});
  EXPECT_EQ(printed.code, 0);
  EXPECT_EQ(uotbench(folder.path(), {"export", run, "--format", "csv", "-o", "out.csv"}).out, "");
  EXPECT_EQ(text_of(folder / "out.csv"), printed.out);
}

TEST(ExportCommand, ChoosesCasesAndColumns) {
  Folder folder;
  const std::string run = std::string(UOTBENCH_SOURCE_DIR) + "/tools/tests/golden/small.jsonl";
  const auto exported = [&](std::vector<std::string> flags) {
    flags.insert(flags.begin(), {"export", run, "--format"});
    return uotbench(folder.path(), flags);
  };
  const std::string table =
      exported({"markdown", "--filter", "1024.*threads:2", "--columns", "speedup,median"}).out;
  EXPECT_THAT(
      table,
      HasSubstr("\n| case | speedup | median |\n|:---|---:|---:|\n| numpy\\_order threads:2 | 1.00x | "));
  EXPECT_THAT(table, Not(HasSubstr("gemv")));
  EXPECT_THAT(table, Not(HasSubstr("20480")));
  const std::string wide =
      exported({"markdown", "--filter", "uot/(map_uot|numpy_order)/", "--columns", "median", "--wide"}).out;
  EXPECT_THAT(wide, HasSubstr("| case | M:1024 N:1024 | M:20480 N:20480 |\n|:---|---:|---:|\n"));
  EXPECT_THAT(wide, ContainsRegex("\n\\| numpy._order threads:2 \\| [0-9.]+ [mu]s \\|  \\|\n"))
      << "none is that large";
  EXPECT_THAT(wide, HasSubstr("\n| map\\_uot | "));
  EXPECT_EQ(exported({"csv", "--wide"}).code, 2);
  const std::string rows = exported({"csv", "--filter", "one_read"}).out;
  EXPECT_EQ(std::ranges::count(rows, '\n'), 3);
  const Outcome none = exported({"csv", "--filter", "nothing"});
  EXPECT_EQ(none.code, 2);
  EXPECT_THAT(none.err, HasSubstr("--filter nothing: no case of "));
  const Outcome unknown = exported({"markdown", "--columns", "speedups"});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("no column \"speedups\"; there are: median, "));
  const Outcome ignored = exported({"csv", "--columns", "median"});
  EXPECT_EQ(ignored.code, 2);
  EXPECT_THAT(ignored.err, HasSubstr("--columns is for --format markdown and tex, not csv\n"));
}

TEST(ExportCommand, SaysWhatHasNoTimeAndWhy) {
  Folder folder;
  std::string text;
  std::istringstream lines(text_of(std::string(UOTBENCH_SOURCE_DIR) + "/tools/tests/golden/small.jsonl"));
  std::size_t cases = 0;
  for (std::string line; std::getline(lines, line);) {
    Json json = parse_shallow(line).value_or(nullptr);
    if (!json.is_object()) continue;  // its last line is torn
    if (json["kind"] == "case") {
      ++cases;
      json["status"] = "crashed";
      json["reason"] = "it ended by signal 11";
      json.erase("time");
    }
    text += to_line(json) + "\n";
  }
  ASSERT_GT(cases, 0u);
  write_text(folder / "crashed.jsonl", text);
  for (const char* format : {"csv", "tex", "markdown", "gbench"}) {
    const Outcome outcome = uotbench(folder.path(), {"export", "crashed.jsonl", "--format", format});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.err,
                HasSubstr(fmt::format("note: {0} of {0} cases have no time: {0} crashed: it ended "
                                      "by signal 11\n",
                                      cases)))
        << format;
  }
}

}  // namespace
}  // namespace uotbench
