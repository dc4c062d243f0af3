// Columns of text that line up, on a terminal of any width.
#pragma once

#include <concepts>
#include <string>
#include <utility>
#include <vector>

#include "tools/uotbench/views/text_layout.hpp"

namespace uotbench {

class TextTable {
 public:
  enum class Align { left, right };
  struct Column {
    std::string title;
    Align align = Align::left;
  };
  struct Cell {
    template <std::convertible_to<std::string> Text>
    Cell(Text&& words, Style look = Style::plain, std::string more = "")
        : text(std::forward<Text>(words)), style(look), detail(std::move(more)) {}

    std::string text;
    Style style;
    std::string detail;  ///< of a row's last cell: "text: detail", or below the row where that is too long
  };
  using Row = std::vector<Cell>;

  explicit TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {}

  void row(Row cells) { rows_.push_back(std::move(cells)); }
  /// A line across all columns, between rows.
  void heading(std::string text) { rows_.push_back({Cell(std::move(text), Style::strong)}); }

  /// Two blanks between columns, nothing after the last. On a terminal no line is wider than it: text columns
  /// (those aligned left) are wrapped at words, titles too, details go below their rows; where that is not
  /// enough, the columns that do not fit follow in a second table, beside the first column again. Nothing is
  /// left out, and numbers are not cut.
  std::string text(const Terminal& terminal = {}) const;

 private:
  std::vector<Column> columns_;
  std::vector<Row> rows_;
};

}  // namespace uotbench
