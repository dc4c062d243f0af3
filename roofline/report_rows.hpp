// The table of a run as data of a page: every cell a text, the number behind it, and where that is from.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "results/json.hpp"
#include "results/view.hpp"

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

struct ReportColumn {
  const char* name;
  const char* about;  ///< what it means, for a person
  bool number;        ///< aligned and sorted as one
  bool wide = false;  ///< of the numbers
};
const std::vector<ReportColumn>& report_columns();

/// "83.1% DRAM": how near a case is to its roof, and which; "-" where that is not known.
std::string roof_text(const CaseView& member);

/// {"groups": [titles], "rows": [[group, status, best, cell…]…]}, a cell a column: [text, sentence] or, of a
/// number, [text, sentence, value in base units or null]. Texts are on one line.
Json table_data(const RunView& view, Sentences& sentences);

}  // namespace uotbench
