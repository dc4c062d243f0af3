// Columns of text that line up.
#pragma once

#include <string>
#include <vector>

namespace uotbench {

class TextTable {
 public:
  enum class Align { left, right };
  struct Column {
    std::string title;
    Align align = Align::left;
  };

  explicit TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {}

  void row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  /// A line across all columns, between rows.
  void heading(std::string text) { rows_.push_back({"\n" + std::move(text)}); }

  /// Two blanks between columns, nothing after the last; UTF-8 is measured in characters.
  std::string text() const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace uotbench
