#include <fmt/format.h>

#include "results/base/error.hpp"
#include "results/base/text.hpp"
#include "results/export/export.hpp"
#include "results/view/quantity.hpp"

namespace uotbench {
namespace {

constexpr std::size_t longest_cell = 200;

std::string head_of(const Table& table) {
  std::string titles, alignment;
  for (const auto& column : table.columns) {
    titles += "| " + markdown_escaped(column.title) + ' ';
    alignment += column.is_number() ? "|---:" : "|:---";
  }
  return titles + "|\n" + alignment + "|\n";
}

std::string line_of(const Table& table, const Table::Row& row, const MarkdownCell& text_of) {
  std::string line;
  for (std::size_t i = 0; i < row.size(); ++i) line += "| " + text_of(row[i], i) + ' ';
  for (std::size_t i = row.size(); i < table.columns.size(); ++i) line += "| ";
  return line + "|\n";
}

}  // namespace

std::string markdown_name(const std::string& text) {
  return markdown_code(cut_middle(on_one_line(text), longest_cell));
}

std::string markdown_text(const std::string& text) { return markdown_escaped(cut(text, longest_cell)); }

std::string markdown_rows(const Table& table, const MarkdownCell& text_of) {
  std::string text = head_of(table);
  for (const auto& row : table.rows) text += line_of(table, row, text_of);
  return text;
}

std::string markdown_of(const Table& table, std::size_t space) {
  std::string text =
      fmt::format("### {}\n\n{}\n\n", markdown_escaped(table.title), markdown_escaped(table.about));
  if (table.rows.empty()) return text;
  text += head_of(table);
  std::size_t shown = 0;
  for (const auto& row : table.rows) {
    if (text.size() >= space) break;
    ++shown;
    text += line_of(table, row, [](const Table::Cell& cell, std::size_t column) {
      return column == 0 ? markdown_name(cell.text) : markdown_text(cell.text);
    });
  }
  text += '\n';
  if (shown < table.rows.size()) text += fmt::format("And {} more rows.\n\n", table.rows.size() - shown);
  std::size_t notes = 0;
  for (const auto& note : table.notes) {
    if (text.size() >= space) break;
    ++notes;
    text += "- " + markdown_escaped(note) + '\n';
  }
  if (notes < table.notes.size()) text += fmt::format("- and {} more notes\n", table.notes.size() - notes);
  return table.notes.empty() ? text : text + '\n';
}

std::string markdown_of(const std::vector<Table>& tables) {
  std::string text;
  for (const auto& table : tables) text += markdown_of(table);
  return text;
}

std::string to_markdown(const RunView& view, const MarkdownOptions& options) {
  std::string text;
  for (const auto& warning : view.warnings) text += "- warning: " + markdown_escaped(warning) + '\n';
  if (!view.warnings.empty()) text += '\n';
  Table table = run_table(view);
  if (!options.columns.empty()) {
    Table chosen = with_columns(table, options.columns);
    chosen.notes = std::move(table.notes);
    table = std::move(chosen);
  }
  const auto whole = [](const Table::Cell& cell, std::size_t) { return markdown_escaped(cell.whole()); };
  if (options.wide) {
    table = wide(table);
    text += markdown_rows(table, whole) + '\n';
  } else {
    for (const auto& group : by_heading(table))
      text += fmt::format("### {}\n\n{}\n", markdown_escaped(group.title), markdown_rows(group, whole));
  }
  for (const auto& note : table.notes) text += "- " + markdown_escaped(note) + '\n';
  if (!table.notes.empty() && view.reference.names_axes()) text += '\n';
  if (view.reference.names_axes())
    text += fmt::format("Speedups are over {}.\n", markdown_escaped(view.reference.text()));
  return text;
}

}  // namespace uotbench
