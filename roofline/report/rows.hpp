// The table of a run as data of a page: every cell a text, the number behind it, and where that is from.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "results/base/json.hpp"
#include "results/view/cells.hpp"
#include "results/view/view.hpp"

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

/// What a column holds, for a person; empty where there is nothing to add to its title.
std::string meaning_of(const CellColumn& column);

/// {"columns": [{"number": …}…], "groups": [titles], "rows": [[group, status, best, cell…]…]}, a cell for
/// each of columns_of(view): [text, sentence], or, of a number, [text, sentence, value in base units or
/// null]. Texts are on one line.
Json table_data(const RunView& view, Sentences& sentences);

}  // namespace uotbench
