// Which part of a time changed between two runs.
#pragma once

#include <string>
#include <vector>

#include "roofline/explain/explanation.hpp"

namespace uotbench {

/// The part of a case's time that changed most, with both of its times; empty: the parts of one of them are
/// not known, or what changed most is explained by none.
std::string changed_part(const Explanation& a, const Explanation& b);

/// A row for each case that both have, by its id: both times, and the part that changed most with both of its
/// times; what no part explains counts as one.
Table changes_of(const std::vector<Explanation>& a, const std::vector<Explanation>& b);

}  // namespace uotbench
