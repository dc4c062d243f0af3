#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "results/base/error.hpp"
#include "results/export/tables.hpp"

namespace uotbench {

Table with_columns(const Table& table, const std::vector<std::string>& wanted) {
  std::vector<std::string> known;
  for (const auto& column : table.columns) known.push_back(column.title);
  std::vector<std::size_t> chosen{0};
  for (const auto& title : wanted) {
    const auto found = std::ranges::find(known, title);
    if (found == known.end())
      throw UsageError(fmt::format("--columns: this run's table has no column \"{}\"; there are: {}", title,
                                   fmt::join(known.begin() + 1, known.end(), ", ")));
    if (found != known.begin()) chosen.push_back(static_cast<std::size_t>(found - known.begin()));
  }
  Table made;
  for (const auto i : chosen) made.columns.push_back(table.columns[i]);
  for (const auto& row : table.rows) {
    if (table.is_heading(row)) {
      made.heading(row.front().text);
      continue;
    }
    Table::Row cells;
    for (const auto i : chosen) cells.push_back(row[i]);
    made.row(std::move(cells));
  }
  return made;
}

}  // namespace uotbench
