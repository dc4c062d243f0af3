// What a worker, or the oracle, answers of the points that a plan asks about (docs/reference/protocol.md:
// "plan → planned").
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "results/base/json_fwd.hpp"
#include "results/base/value.hpp"

namespace uotbench {

struct PlannedPoint {
  std::optional<std::string> refused = {};  ///< why it cannot run; absent: it can
  double memory = 0;                        ///< bytes: a worker's own; of the oracle, of the arrays
  int steps = 1;                            ///< iterations that are made at a time
  // Of the oracle:
  Facts derived = {};                             ///< values of axes that follow from others
  std::vector<int> judged_after = {1};            ///< iterations, each
  std::map<std::string, std::string> files = {};  ///< the user's, and what each holds
};

/// In the order of the request. Of an answer that the protocol's schema accepts. Throws Error for an integer
/// above 2^63 - 1.
std::vector<PlannedPoint> planned_from(const Json& json);

}  // namespace uotbench
