#include "tools/uotbench/views/counters.hpp"

#include "tools/uotbench/views/text_table.hpp"

namespace uotbench {

std::string text_of(const ReportTable& table, const Terminal& terminal) {
  std::vector<TextTable::Column> columns;
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    columns.push_back(
        {table.columns[i], table.holds_words(i) ? TextTable::Align::left : TextTable::Align::right});
  TextTable rows(std::move(columns));
  for (const auto& row : table.rows) {
    if (table.is_heading(row)) {
      rows.heading(row.front());
      continue;
    }
    TextTable::Row cells;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const bool doubtful = row[i].ends_with(" !");
      cells.push_back({i == 0 ? "  " + row[i] : row[i], doubtful ? Style::warning : Style::plain});
    }
    rows.row(std::move(cells));
  }
  std::string text =
      styled(table.title, Style::strong, terminal) + '\n' + paragraph("", table.about, terminal);
  if (!table.rows.empty()) text += '\n' + rows.text(terminal);
  if (!table.notes.empty()) text += '\n';
  for (const auto& note : table.notes) text += paragraph("", note, terminal, Style::plain, 2);
  return text;
}

std::string text_of(const std::vector<ReportTable>& tables, const Terminal& terminal) {
  std::string text;
  for (const auto& table : tables) text += (text.empty() ? "" : "\n\n") + text_of(table, terminal);
  return text;
}

}  // namespace uotbench
