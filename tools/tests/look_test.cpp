// What a person sees on terminals of 80 and 200 columns: no line is wider, colours change nothing but
// colours, and every word and number of the unwrapped text is there. golden/look/NAME.WIDTH.txt are the
// pictures, with .colour those in colours; UOTBENCH_UPDATE_GOLDEN=1 rewrites them: read the diff.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <regex>
#include <sstream>

#include "roofline/tables/tables.hpp"
#include "tools/tests/printed.hpp"
#include "tools/tests/program.hpp"
#include "tools/uotbench/views/machine.hpp"
#include "tools/uotbench/views/run.hpp"
#include "tools/uotbench/views/text_layout.hpp"

namespace uotbench {
namespace {

using Look = Golden;

std::string without_colours(const std::string& text) {
  return std::regex_replace(text, std::regex("\033\\[[0-9;]*m"), "");
}

/// Commands to paste are left whole.
bool is_to_be_pasted(const std::string& line) {
  return line.find("mend:  ") != std::string::npos || line.starts_with("  uotbench ");
}

void expect_no_line_over(std::size_t width, const std::string& text) {
  std::istringstream lines(without_colours(text));
  for (std::string line; std::getline(lines, line);)
    EXPECT_TRUE(columns_of(line) <= width || is_to_be_pasted(line)) << line;
}

/// In any order, as a row's cells are wrapped beside one another; letters only, as words may be broken.
std::string sorted_letters(std::string text) {
  std::erase_if(text, [](char c) { return c == ' ' || c == '\n' || c == ':'; });
  std::ranges::sort(text);
  return text;
}

/// `text_on` is a text function with its data. `repeats`: a table that is split shows its first column twice.
void expect_look(const std::string& name, const std::function<std::string(const Terminal&)>& text_on,
                 bool repeats = false) {
  for (const std::size_t width : {80, 200}) {
    const std::string plain = text_on({.width = width}), coloured = text_on({.width = width, .colour = true});
    const std::string file = fmt::format("look/{}.{}", name, width);
    expect_golden(file + ".txt", plain);
    if (width == 80) expect_golden(file + ".colour.txt", coloured);
    expect_no_line_over(width, plain);
    EXPECT_NE(coloured, plain);
    EXPECT_EQ(without_colours(coloured), plain);
    EXPECT_TRUE(repeats || sorted_letters(plain) == sorted_letters(text_on({})));
  }
}

TEST_F(Look, Show) {
  const auto run = read_run("small.jsonl");
  const RunView view = view_of(run);
  expect_look(
      "show", [&](const Terminal& terminal) { return table_of(view, terminal); }, true);
}

TEST_F(Look, ShowCounters) {
  const auto run = read_run("counted.jsonl");
  const RunView view = view_of(run);
  const auto tables = counters_tables(view);
  expect_look(
      "counters", [&](const Terminal& terminal) { return text_of(tables, terminal); }, true);
}

TEST_F(Look, Compare) {
  const auto a = read_run("small.jsonl"), b = read_run("after.jsonl");
  const RunView view_a = view_of(a), view_b = view_of(b);
  const auto runs = compare_runs(view_a, view_b);
  expect_look("compare", [&](const Terminal& terminal) { return text_of(runs, {}, terminal); });
  expect_look(
      "speedups", [&](const Terminal& terminal) { return text_of(runs, {.speedups = true}, terminal); },
      true);
  const auto variants = compare_within(view_a, "variant", "uot/map_uot");
  expect_look("compare_variants", [&](const Terminal& terminal) { return text_of(variants, {}, terminal); });
}

TEST_F(Look, List) {
  std::map<std::string, ListedVariant> variants;
  const auto add = [&](const std::string& name, std::vector<std::string> workers, const std::string& about) {
    VariantInfo info;
    info.name = name;
    info.summary = about;
    variants[name] = {.info = info, .workers = std::move(workers)};
  };
  add("uot/gemv", {"native-v3", "native-v4"},
      "two GEMVs of a BLAS a step, as POT does (2 MN elements moved)");
  add("uot/one_read", {"native-v3", "native-v4", "mine", "simt"},
      "one pass over K an iteration, row and column sums of the same element (MN elements moved)");
  add("match/x", {"cuda"}, "from another worker, with \033[31mcolours\nand lines of its own");
  expect_look("list", [&](const Terminal& terminal) { return table_of(variants, terminal); });

  const std::vector<Axis> axes{
      {.name = "M", .role = Role::size, .about = "rows of K"},
      {.name = "data",
       .kind = Axis::Kind::text,
       .standard = "uniform",
       .values = {"uniform", "colors", "npy", "grid"},
       .about = "where the problem is from: random, the pixels of two images, a folder of .npy, a grid"},
      {.name = "reg",
       .kind = Axis::Kind::number,
       .standard = 0.05,
       .least = 0.,
       .about = "entropy's weight"}};
  expect_look("axes",
              [&](const Terminal& terminal) { return axes_of(variants.at("uot/one_read"), axes, terminal); });
}

TEST_F(Look, Doctor) {
  using Level = Finding::Level;
  const std::vector<Finding> findings{
      {Level::ok, "worker oracle", "", ""},
      {Level::note, "worker cuda is not built: no program /opt/uotbench/bin/uotbench-worker-cuda",
       "its cases are skipped", ""},
      {Level::warning, "the CPU frequency governor is powersave on 8 of 8 CPUs",
       "the first samples of a process are slow, and noise is several times what it could be",
       "sudo cpupower frequency-set --governor performance && cat /sys/devices/system/cpu/cpu0/cpufreq/*"},
      {Level::error, "no worker can run here", "no kernel can be measured", "tools/quickstart --build-only"}};
  expect_look("doctor", [&](const Terminal& terminal) { return text_of(findings, terminal); });
}

/// The commands that `uotbench --help` lists.
std::vector<std::string> commands_in(const std::string& help) {
  std::vector<std::string> commands;
  std::istringstream lines(help.substr(help.find("\nCommands:\n") + 11));
  for (std::string line; std::getline(lines, line) && !line.empty();)
    if (line.size() > 2 && line[2] != ' ') commands.push_back(line.substr(2, line.find(' ', 2) - 2));
  return commands;
}

TEST_F(Look, HelpOfEveryCommand) {
  ::setenv("COLUMNS", "80", 1);
  ::setenv("NO_COLOR", "1", 1);
  Folder folder;
  std::string all = uotbench(folder.path(), {"--help"}).out;
  const auto commands = commands_in(all);
  ASSERT_GE(commands.size(), 8u) << all;
  all = "$ uotbench --help\n" + all;
  for (const auto& command : commands)
    all +=
        fmt::format("\n$ uotbench {} --help\n{}", command, uotbench(folder.path(), {command, "--help"}).out);
  for (const char* name : {"COLUMNS", "NO_COLOR"}) ::unsetenv(name);
  expect_golden("look/help.txt", all);
  expect_no_line_over(80, all);
  EXPECT_EQ(all.find("TEXT"), std::string::npos);  // CLI11's word for what nobody named
}

TEST(TextTable, LinesUpCharactersNotBytes) {
  using Holds = Table::Holds;
  Table table{.columns = {{"name"}, {"value", Holds::numbers}, {"note"}}};
  table.row({"a", "±1.0%", "x"});
  table.row({"größer", "10%", ""});
  EXPECT_EQ(text_rows(table),
            "name    value  note\n"
            "a       ±1.0%  x\n"
            "größer    10%\n");
  table.heading("below");
  table.row({"b", "1", "y"});
  EXPECT_EQ(text_rows(table),
            "name      value  note\n"
            "  a       ±1.0%  x\n"
            "  größer    10%\n"
            "\nbelow\n"
            "  b           1  y\n");
}

// Down to widths where labels are broken and columns go into further tables: nothing is lost, no number cut.
TEST(TextTable, KeepsEverythingAtAnyWidth) {
  using Holds = Table::Holds;
  Table table{.columns = {{"case"}, {"median", Holds::numbers}, {"error", Holds::numbers}, {"status"}}};
  table.heading("uot");
  table.row(
      {"numpy_order threads:2", "161.0 ms", "3.1e-05 (tol 1e-03)",
       Table::Cell("failed", Style::bad, "wrong: 96 of 10,000 cells; /a/path/that/is/longer/than/all/else")});
  table.row({"x", "1.000 ms", "-", "ok"});
  for (std::size_t width = 26; width < 120; ++width) {
    const std::string text = text_rows(table, {.width = width});
    expect_no_line_over(width, text);
    for (const char* number : {"161.0 ms", "3.1e-05", "(tol 1e-03)", "1.000 ms", "10,000", "failed"})
      EXPECT_NE(text.find(number), std::string::npos) << number << " at " << width << ":\n" << text;
  }
}

TEST(Wrapped, BreaksAtWordsAndLongWordsAtSlashes) {
  using Lines = std::vector<std::string>;
  EXPECT_EQ(wrapped("one two  three", 8, LongWords::broken), (Lines{"one two", "three"}));
  EXPECT_EQ(wrapped("  one two", 7, LongWords::broken, 4), (Lines{"  one", "    two"}));
  EXPECT_EQ(wrapped("/some/where/else", 12, LongWords::broken), (Lines{"/some/where/", "else"}));
  EXPECT_EQ(wrapped("größergrößer", 6, LongWords::broken), (Lines{"größer", "größer"}));
  EXPECT_EQ(wrapped("a verylongcommand b", 4, LongWords::whole), (Lines{"a", "verylongcommand", "b"}));
  EXPECT_EQ(wrapped("", 4, LongWords::broken), (Lines{""}));
}

}  // namespace
}  // namespace uotbench
