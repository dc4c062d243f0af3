// A batch judged item by item: how many are wrong, which, and the worst of them. One wrong item is a wrong
// result, however right the others are.
#pragma once

#include <functional>
#include <string>

#include "harness/worker/oracle/family.hpp"

namespace uotbench {

/// What was found of one item.
struct ItemJudged {
  double error = 0;        ///< relative, as the family defines it; not finite: wrong
  std::string fault = {};  ///< what is wrong with it, in one line; empty: it is right
};

/// Judges items 0 to `count` - 1, which OpenMP threads share. The check's error is that of the worst item,
/// and the reason has the first wrong item's fault: "3 of 4096 items are wrong: 7, 12, 4001; item 7: …".
Judgement judge_items(std::int64_t count, double tolerance, const std::string& oracle,
                      const std::function<ItemJudged(std::int64_t index)>& judge);

}  // namespace uotbench
