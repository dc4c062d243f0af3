#include "results/view/table.hpp"

#include <algorithm>

namespace uotbench {

bool Table::has_headings() const {
  return std::ranges::any_of(rows, [&](const Row& row) { return is_heading(row); });
}

void Table::remove_column(std::size_t at) {
  const auto place = static_cast<std::ptrdiff_t>(at);
  for (auto& row : rows)
    if (!is_heading(row)) row.erase(row.begin() + place);
  columns.erase(columns.begin() + place);
}

std::vector<Table> by_heading(const Table& table) {
  std::vector<Table> parts;
  for (const auto& row : table.rows) {
    const bool heading = table.is_heading(row);
    if (parts.empty() || heading)
      parts.push_back({.title = heading ? row.front().text : "", .columns = table.columns});
    if (!heading) parts.back().row(row);
  }
  return parts;
}

}  // namespace uotbench
