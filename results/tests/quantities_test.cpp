// The list of a case's numbers is the only one: Python's columns are written from it, and the page of columns
// explains each. UOTBENCH_UPDATE_GOLDEN=1 rewrites Python's: read the diff.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cstdlib>
#include <set>

#include "results/base/whole_file.hpp"
#include "results/view/quantity.hpp"

namespace uotbench {
namespace {

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
