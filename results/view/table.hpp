// A table as a person reads it: texts, and behind them numbers and where those are from. Made once, of a run,
// of its counters or of whatever else; one renderer a format (results/export; on a terminal
// tools/uotbench/views).
#pragma once

#include <concepts>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace uotbench {

/// What a piece of text is; a format shows it as it can, or not at all.
enum class Style { plain, good, bad, warning, faint, strong };

struct Table {
  /// A part of what a cell's number is made of.
  struct Share {
    double of;          ///< of the bar's length
    std::string kind;   ///< equal ones look equal: a class of the page's style sheet
    std::string about;  ///< in words
  };
  struct Cell {
    template <std::convertible_to<std::string> Text>
    Cell(Text&& words, Style look = Style::plain, std::string more = "")
        : text(std::forward<Text>(words)), style(look), detail(std::move(more)) {}

    std::string text;  ///< "-" where nothing is known
    Style style;
    std::string detail;                ///< of a row's last cell, where there is room: why a case failed
    std::optional<double> value = {};  ///< the number behind the text, in its base unit
    std::string source = {};           ///< where that is from, in words
    std::vector<Share> shares = {};    ///< a bar, in formats that draw; empty: none

    /// "failed: wrong".
    std::string whole() const { return detail.empty() ? text : text + ": " + detail; }
  };
  /// Numbers are aligned right.
  enum class Holds { words, numbers };
  struct Column {
    std::string title;
    Holds holds = Holds::words;
    std::string about = {};  ///< what it means, where its title does not say it all

    bool is_number() const { return holds == Holds::numbers; }
  };
  /// A single cell, in a table of several columns, is a heading of the rows below it.
  using Row = std::vector<Cell>;

  std::string title = {};
  std::string about = {};            ///< what it shows, and where that is from
  std::vector<Column> columns = {};  ///< the first names the row
  std::vector<Row> rows = {};
  std::vector<std::string> notes = {};  ///< below it

  void row(Row cells) { rows.push_back(std::move(cells)); }
  void heading(std::string text) { rows.push_back({Cell(std::move(text), Style::strong)}); }
  bool is_heading(const Row& row) const { return row.size() == 1 && columns.size() > 1; }
  bool has_headings() const;
  /// With all its cells; headings stay.
  void remove_column(std::size_t at);
};

/// A table a heading, which is its title; rows above the first heading are one without. Notes are left out.
std::vector<Table> by_heading(const Table& table);

}  // namespace uotbench
