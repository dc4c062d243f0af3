// Which part of a time changed between two runs.
#pragma once

#include <vector>

#include "roofline/explain/explanation.hpp"

namespace uotbench {

/// A row for each case that both have, by its id: both times, and the part that changed most with both of its
/// times; what no part explains counts as one.
Table changes_of(const std::vector<Explanation>& a, const std::vector<Explanation>& b);

}  // namespace uotbench
