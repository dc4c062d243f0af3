// The source lines that a case executes, as the counter instructions.by_line has them.
#pragma once

#include <string>
#include <vector>

#include "results/record/record.hpp"
#include "results/view/table.hpp"

namespace uotbench {

struct HotLines {
  std::vector<CounterLine> lines = {};  ///< the most instructions first
  double instructions = 0;              ///< per unit, all of them
  std::string source = {};              ///< "callgrind, by native-v3-nofma"
  std::string counted_of = {};          ///< the case that was counted, where it is another one's threads
  std::string reason = {};              ///< why there are none, one line

  bool known() const { return !lines.empty(); }
};

HotLines hot_lines_of(const Record& record);

/// Lines with their share of the instructions, up to 95% of all or 20 lines.
Table table_of(const HotLines& lines);
Json json_of(const HotLines& lines);

}  // namespace uotbench
