// Tables in other programs' formats: one renderer a format, whatever a table shows.
#pragma once

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "results/view/table.hpp"

namespace uotbench {

/// A cell's text as Markdown shows it, by what it is and in which column.
using MarkdownCell = std::function<std::string(const Table::Cell& cell, std::size_t column)>;

/// The lines of a table in GitHub's Markdown, without its title and notes; a heading is a row of its own.
std::string markdown_rows(const Table& table, const MarkdownCell& text_of);
/// What names a case, as a code span; and other texts. Both cut to what a page has room for.
std::string markdown_name(const std::string& text);
std::string markdown_text(const std::string& text);
/// Title, what the table shows, its rows and notes: those that fit into `space` characters, the others
/// counted.
std::string markdown_of(const Table& table, std::size_t space = std::numeric_limits<std::size_t>::max());
/// One after the other.
std::string markdown_of(const std::vector<Table>& tables);

/// The first column and those wanted, by title, in this order. Throws UsageError for a title that no column
/// has.
Table with_columns(const Table& table, const std::vector<std::string>& wanted);

/// One table of a table with headings: a row for each first cell, the columns of each heading next to each
/// other.
Table wide(const Table& table);

/// A tabular of the package booktabs.
std::string tex_rows(const Table& table);
/// Tabulars, with what they show and their notes as comments.
std::string tex_of(const std::vector<Table>& tables);

/// A section of an HTML page: title, what the table shows, rows, notes. Of a very long table the first rows.
std::string html_of(const Table& table);

/// A line of CSV (RFC 4180), ended.
std::string csv_line(const std::vector<std::string>& fields);
/// A line a cell, so that tables of any columns are one: table, group, row, column, value in its base unit,
/// text, source. What is absent is an empty field.
std::string csv_of(const std::vector<Table>& tables);

}  // namespace uotbench
