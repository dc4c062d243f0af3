// Which part of a time changed between two runs.
#pragma once

#include <string>
#include <vector>

#include "results/base/json_fwd.hpp"
#include "roofline/explain/explanation.hpp"

namespace uotbench {

/// The part of a case's time that changed most, with both of its times; empty: the parts of one of them are
/// not known, or what changed most is explained by none.
std::string changed_part(const Explanation& a, const Explanation& b);

/// Of a case that two runs have.
struct Change {
  std::string id;
  double before = 0, after = 0;  ///< its times, in seconds
  std::string part;              ///< the part that changed most, with both of its times; empty: not known
};

/// By their ids; what no part explains counts as one.
std::vector<Change> changes_of(const std::vector<Explanation>& a, const std::vector<Explanation>& b);

Table table_of(const std::vector<Change>& changes);
Json json_of(const std::vector<Change>& changes);

}  // namespace uotbench
