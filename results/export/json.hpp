// A table as data of a page: every cell a text, the number behind it, and where that is from.
#pragma once

#include <map>
#include <string>

#include "results/base/json.hpp"
#include "results/view/table.hpp"

namespace uotbench {

/// Sentences, each kept once: thousands of cells are from the same few places.
class Sentences {
 public:
  /// The number of a sentence; the empty one is 0.
  std::size_t number_of(const std::string& sentence);
  /// In the order of their numbers.
  const Json& all() const { return all_; }

 private:
  std::map<std::string, std::size_t> numbers_{{"", 0}};
  Json all_ = Json::array({""});
};

/// Of a table whose last column names a status: {"columns": [{"number": …}…], "groups": [headings], "rows":
/// [[group, status, whether its name is strong, cell…]…]}. A cell is [text, sentence] or, of a number, [text,
/// sentence, value in base units or null]. Texts are on one line.
Json page_data(const Table& table, Sentences& sentences);

}  // namespace uotbench
