// One table in every format: each shows what it can, and whatever a text holds stays a text.

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cstdlib>
#include <set>

#include "results/base/error.hpp"
#include "results/base/whole_file.hpp"
#include "results/export/export.hpp"
#include "results/tests/made_record.hpp"
#include "results/tests/table_texts.hpp"
#include "results/view/quantity.hpp"

namespace uotbench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Table made_table() {
  Table table{.title = "Misses & co",
              .about = "100% made up.",
              .columns = {{"case"}, {"rate", Table::Holds::numbers}, {"source"}},
              .notes = {"no value of y: not counted"}};
  table.heading("uot  M:8 N:8");
  Table::Cell rate("2.50%");
  rate.value = 0.025;
  rate.source = "callgrind, simulated";
  table.row({"a_b threads:1", rate, "callgrind, simulated"});
  table.row({"c", "-", Table::Cell("failed", Style::bad, "wrong, \"by far\"")});
  return table;
}

TEST(Table, FallsApartByItsHeadings) {
  Table table = made_table();
  table.heading("second");
  table.row({"d", "1", "-"});
  const auto parts = by_heading(table);
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(parts[0].title, "uot  M:8 N:8");
  EXPECT_EQ(parts[0].rows.size(), 2u);
  EXPECT_EQ(parts[1].title, "second");
  EXPECT_THAT(texts_of(parts[1]), ElementsAre(ElementsAre("d", "1", "-")));
  EXPECT_THAT(titles_of(parts[1]), ElementsAre("case", "rate", "source"));
}

TEST(Table, LosesAColumnButNoHeading) {
  Table table = made_table();
  table.remove_column(1);
  EXPECT_THAT(texts_of(table),
              ElementsAre(ElementsAre("uot  M:8 N:8"), ElementsAre("a_b threads:1", "callgrind, simulated"),
                          ElementsAre("c", "failed")));
}

TEST(Tables, AsMarkdown) {
  EXPECT_EQ(markdown_of(made_table()),
            "### Misses \\& co\n\n100% made up.\n\n"
            "| case | rate | source |\n"
            "|:---|---:|:---|\n"
            "| `uot  M:8 N:8` | | |\n"
            "| `a_b threads:1` | 2.50% | callgrind, simulated |\n"
            "| `c` | - | failed |\n\n"
            "- no value of y: not counted\n\n");
}

// While the pointer is on a cell its source has the lines that it has.
TEST(Tables, KeepTheLinesOfASource) {
  Table table = made_table();
  table.rows[1][1].source = "counted\nby callgrind";
  EXPECT_THAT(html_of(table), HasSubstr("title=\"counted&#10;by callgrind\""));
}

TEST(Tables, DrawWhatANumberIsMadeOf) {
  Table table = made_table();
  table.rows[1][1].shares = {{0.75, "core", "core: 3 s\ncounted"}, {0.25, "rest", ""}};
  EXPECT_THAT(html_of(table),
              HasSubstr(">2.50%<span class=\"bar\">"
                        "<span class=\"core\" style=\"width:75.0%\" title=\"core: 3 s&#10;counted\"></span>"
                        "<span class=\"rest\" style=\"width:25.0%\"></span></span></td>"));
}

TEST(Tables, AsTex) {
  EXPECT_EQ(tex_of({made_table()}),
            "% \\usepackage{booktabs}\n"
            "\n% Misses & co\n% 100% made up.\n"
            "\\begin{tabular}{lrl}\n\\toprule\nCase & Rate & Source \\\\\n"
            "\\midrule\n\\multicolumn{3}{l}{uot  M:8 N:8} \\\\\n"
            "\\quad a\\_b threads:1 & 2.50\\% & callgrind, simulated \\\\\n"
            "\\quad c & -- & failed \\\\\n"
            "\\bottomrule\n\\end{tabular}\n"
            "% no value of y: not counted\n");
  Table plain{.columns = {{"case"}, {"ratio", Table::Holds::numbers}}};
  for (const char* number : {"1.0%", "<0.01%", "4.66x", "60.0% fewer", "1.05 !", "5 max"})
    plain.row({"", number});
  EXPECT_EQ(tex_rows(plain),
            "\\begin{tabular}{lr}\n\\toprule\nCase & Ratio \\\\\n\\midrule\n"
            " & 1.0\\% \\\\\n & $<$0.01\\% \\\\\n & 4.66$\\times$ \\\\\n & 60.0\\%\\,fewer \\\\\n"
            " & 1.05\\,! \\\\\n & 5\\,max \\\\\n"
            "\\bottomrule\n\\end{tabular}\n");
}

TEST(Tables, AsCsvALineACell) {
  EXPECT_EQ(csv_of({made_table()}),
            "table,group,row,column,value,text,source\n"
            "Misses & co,uot  M:8 N:8,a_b threads:1,rate,0.025,2.50%,\"callgrind, simulated\"\n"
            "Misses & co,uot  M:8 N:8,a_b threads:1,source,,\"callgrind, simulated\",\n"
            "Misses & co,uot  M:8 N:8,c,rate,,,\n"
            "Misses & co,uot  M:8 N:8,c,source,,\"failed: wrong, \"\"by far\"\"\",\n");
}

TEST(Tables, AsHtml) {
  const std::string html = html_of(made_table());
  EXPECT_THAT(html, HasSubstr("<h2>Misses &amp; co</h2>\n<p>100% made up.</p>"));
  EXPECT_THAT(html, HasSubstr("<th class=\"number\">rate</th><th class=\"words\">source</th>"));
  EXPECT_THAT(html, HasSubstr("<tr class=\"group\"><th colspan=\"3\" scope=\"colgroup\">uot  M:8 N:8</th>"));
  EXPECT_THAT(html, HasSubstr("<td class=\"words\">failed: wrong, &quot;by far&quot;</td>"));
  EXPECT_THAT(html, HasSubstr("<p class=\"soft\">no value of y: not counted</p>"));
}

// What a paper gets: columns that were chosen, headings in words, and no wild number without a mark.

using testing::Not;

Record timed_in(const std::string& variant, const std::vector<double>& seconds) {
  Record record;
  record.variant = variant;
  record.worker = "w";
  record.point = {{"M", 8}};
  record.id = variant + "/M:8@w";
  record.time = Timing{};
  for (const double second : seconds)
    record.time->processes.push_back(
        {.start = 1, .first_sample = {}, .arm = {}, .samples = {second, second}});
  return record;
}

Run run_for_paper() {
  Record wild = timed_in("uot/wild", {1e-3, 1e-3, 4e-3}), calm = timed_in("uot/calm", {2e-3, 2e-3, 2e-3});
  calm.work = Work{.flops = 5, .bytes_read = 6};
  calm.work->operations = {{.name = "exp", .count = 64}};
  return {.path = "x.jsonl",
          .header = made_header({{"kind", "run"}, {"problem_axes", {{"uot", {"M"}}}}}),
          .records = {calm, wild},
          .resumes = {},
          .end = {},
          .unfinished = {},
          .warnings = {}};
}

TEST(Tex, HasTheColumnsThatAreChosen) {
  const uotbench::Run run = run_for_paper();
  const RunView view = view_of(run);
  const std::string chosen = to_tex(view, {.columns = {"speedup", "median"}, .macros = false});
  EXPECT_THAT(chosen, HasSubstr("Variant & Speedup & Time \\\\\n"));
  EXPECT_THAT(chosen, HasSubstr("calm & 1.00$\\times$ & 2.000\\,ms \\\\\n"));
  EXPECT_THAT(chosen, Not(HasSubstr("newcommand")));
  EXPECT_THAT(to_tex(view), HasSubstr("\\newcommand{\\uotCalmMEightWMedian}{2.000\\,ms}\n"));
  EXPECT_THAT(to_tex(view), Not(HasSubstr("Status"))) << "ok, all of them";
  const std::string medians = to_tex(view, {.columns = {"median"}});
  EXPECT_THAT(medians, HasSubstr("\\newcommand{\\uotCalmMEightWMedian}{2.000\\,ms}\n"));
  EXPECT_THAT(medians, Not(HasSubstr("Speedup}"))) << "no command of a column that was not chosen";
  EXPECT_THROW(to_tex(view, {.columns = {"speedups"}}), UsageError);
}

TEST(Tex, MarksWhatIsMostlyNoise) {
  const uotbench::Run run = run_for_paper();
  const std::string tex = to_tex(view_of(run));
  EXPECT_THAT(tex, HasSubstr("wild & 1.000\\,ms$^\\dagger$ & $>$\\,100\\% & "));
  EXPECT_THAT(tex, HasSubstr("2.00$\\times$$^\\dagger$"));
  EXPECT_THAT(tex, HasSubstr("WildMEightWMedian}{1.000\\,ms$^\\dagger$}"));
  EXPECT_THAT(tex, HasSubstr("$^\\dagger$The processes of this case differ by more than their median."));
  uotbench::Run calm = run_for_paper();
  calm.records.pop_back();
  EXPECT_THAT(to_tex(view_of(calm)), Not(HasSubstr("dagger")));
}

TEST(Csv, HasIntervalsAndOperations) {
  const uotbench::Run run = run_for_paper();
  const std::string csv = to_csv(view_of(run));
  EXPECT_THAT(csv, HasSubstr(",median_seconds,low_seconds,high_seconds,"));
  EXPECT_THAT(csv, HasSubstr(",0.001,0.001,0.004,")) << "the fastest and the slowest process";
  EXPECT_THAT(csv, HasSubstr(",operations_exp\n"));
  EXPECT_THAT(csv, HasSubstr(",64\n"));
}

TEST(Csv, OfSamplesHasALineEach) {
  const uotbench::Run run = run_for_paper();
  const std::string csv = to_csv_of_samples(view_of(run));
  EXPECT_THAT(csv, testing::StartsWith("id,variant,worker,per,round,process_start,arm,sample,seconds\n"
                                       "uot/calm/M:8@w,uot/calm,w,iteration,1,1,,1,0.002\n"
                                       "uot/calm/M:8@w,uot/calm,w,iteration,1,1,,2,0.002\n"));
  EXPECT_EQ(std::ranges::count(csv, '\n'), 1 + 2 * 3 * 2);
  EXPECT_THAT(csv, HasSubstr("uot/wild/M:8@w,uot/wild,w,iteration,3,1,,2,0.004\n"));
}

// The list of a case's numbers is the only one: Python's columns are written from it, and the page of columns
// explains each. UOTBENCH_UPDATE_GOLDEN=1 rewrites Python's: read the diff.

const std::string project_folder = UOTBENCH_SOURCE_DIR;

std::string python_columns() {
  std::string units, of_program;
  for (const auto* quantity : csv_quantities())
    if (quantity->in_python)
      units += fmt::format("    \"{}\": \"{}\",\n", quantity->csv, quantity->unit);
    else
      of_program += fmt::format("    \"{}\",\n", quantity->csv);
  return fmt::format(
      R"("""The columns that `uotbench export --format csv` has between axes and counters. Written from the program's list
(results/view/quantities.cpp) by its test, with UOTBENCH_UPDATE_GOLDEN=1; not by hand."""

# Base units by column; empty: words.
UNITS = {{
{}}}

# What a record does not give alone: only the program makes these.
PROGRAMS = (
{})
)",
      units, of_program);
}

TEST(Quantities, PythonHasTheirNamesAndUnits) {
  const std::string path = project_folder + "/results/python/uotbench_runs/quantities.py";
  const std::string columns = python_columns();
  if (std::getenv("UOTBENCH_UPDATE_GOLDEN")) write_whole(path, columns);
  EXPECT_EQ(read_whole(path), columns);
}

TEST(Quantities, EachHasANameAndAValueForWhatItIsShownIn) {
  std::set<std::string> columns, keys, titles;
  for (const auto& quantity : quantities()) {
    ASSERT_TRUE(quantity.csv || quantity.key || quantity.title);
    if (quantity.csv) EXPECT_TRUE(columns.insert(quantity.csv).second) << quantity.csv;
    if (quantity.key) EXPECT_TRUE(keys.insert(quantity.key).second) << quantity.key;
    if (quantity.title) EXPECT_TRUE(titles.insert(quantity.title).second) << quantity.title;
    if (quantity.csv || quantity.title) EXPECT_NE(quantity.value, nullptr);
    if (quantity.key) EXPECT_TRUE(quantity.value || quantity.json) << quantity.key;
  }
}

TEST(Quantities, ThePageOfColumnsExplainsEach) {
  const std::string page = read_whole(project_folder + "/docs/reference/columns.md");
  for (const auto* quantity : shown_quantities()) {
    EXPECT_THAT(page, testing::HasSubstr(quantity->title));
    EXPECT_NE(std::string(quantity->about), "") << quantity->title;
  }
}

}  // namespace
}  // namespace uotbench
