// The source lines that a case executes, and which of them miss the caches, as the counter group functions
// has them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "results/record/record.hpp"
#include "results/view/table.hpp"

namespace uotbench {

struct HotLines {
  std::vector<CounterLine> lines = {};  ///< the most instructions first
  double instructions = 0;              ///< per unit, all of them
  /// Shares of all misses of L1, and of all lines from memory, by line; empty: none, or not counted.
  std::map<std::string, double> misses = {}, fetched = {};
  std::string source = {};      ///< "callgrind, by native-v3-nofma"
  std::string counted_of = {};  ///< the case that was counted, where it is another one's threads
  std::string reason = {};      ///< why there are none, one line

  bool known() const { return !lines.empty(); }
};

HotLines hot_lines_of(const Record& record);
/// That of a line; 0: nothing was counted of it.
double share_in(const std::map<std::string, double>& shares, const std::string& at);

/// Lines with their shares, up to 95% of the instructions or 20 lines; and those with 5% of the misses.
Table table_of(const HotLines& lines);
Json json_of(const HotLines& lines);

}  // namespace uotbench
