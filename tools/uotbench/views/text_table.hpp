// Tables on a terminal of any width: columns that line up.
#pragma once

#include <string>
#include <vector>

#include "results/view/table.hpp"
#include "tools/uotbench/views/text_layout.hpp"

namespace uotbench {

/// Titles and rows; those below headings are indented. Two blanks between columns, nothing after the last. On
/// a terminal no line is wider than it: columns of words are wrapped at words, titles too, details go below
/// their rows; where that is not enough, the columns that do not fit follow in a second table, beside the
/// first column again. Nothing is left out, and numbers are not cut.
std::string text_rows(Table table, const Terminal& terminal = {});

/// Title, what the table shows, its rows, and what is to be said below them.
std::string text_of(const Table& table, const Terminal& terminal = {});
/// One after the other.
std::string text_of(const std::vector<Table>& tables, const Terminal& terminal = {});

}  // namespace uotbench
