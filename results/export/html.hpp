// Tables as sections of an HTML page, and as the data of its script.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "results/base/document.hpp"
#include "results/view/table.hpp"

namespace uotbench {

// Tables as the data of a page: every cell a text, the number behind it, and where that is from.

/// {"runs": [a table…], "sentences": […]}. Sentences are kept once: thousands of cells are from the same few
/// places.
class PageData {
 public:
  /// A table whose last column names a status: {"columns": [{"number": …}…], "groups": [headings], "rows":
  /// [[group, status, whether its name is strong, cell…]…]}. A cell is [text, the number of its sentence] or,
  /// of a number, [text, sentence, value in base units or null]. Texts are on one line.
  void add(const Table& table);
  Document document() const;

 private:
  std::size_t number_of(const std::string& sentence);

  std::vector<Document> tables_;
  std::map<std::string, std::size_t> numbers_{{"", 0}};
  std::vector<std::string> sentences_{""};
};

}  // namespace uotbench
