// A table of texts, made once and rendered for a terminal, a page or a summary.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

namespace uotbench {

/// A table of texts beside that of the cases, such as what models predict or what was counted.
struct ReportTable {
  std::string title;
  std::string about;                           ///< what it shows, and where that is from
  std::vector<std::string> columns;            ///< the first names the row, the others hold numbers
  std::vector<std::vector<std::string>> rows;  ///< one of a single text stands above those that follow it
  std::vector<std::size_t> words = {};         ///< columns beside the first that hold words
  std::vector<std::string> notes = {};         ///< below it

  bool is_heading(const std::vector<std::string>& row) const { return row.size() == 1 && columns.size() > 1; }
  bool holds_words(std::size_t column) const {
    return column == 0 || std::find(words.begin(), words.end(), column) != words.end();
  }
};

}  // namespace uotbench
