// A case's row as a person reads it, one text a column, scaled and rounded: the same in every table.
#pragma once

#include <string>

#include "results/view.hpp"

namespace uotbench {

/// "-" where nothing is known. `status` holds the reason too, on one line.
struct Cells {
  std::string label, median, noise, bandwidth, speedup, error, status;
};

/// The tolerance is shown where it is larger than the group's usual one.
Cells cells_of(const CaseView& view, double usual_tolerance);

/// The tolerance that most of a group is held to: its smallest.
double usual_tolerance(const GroupView& group);

/// The group's fastest, where it was faster than another; null where there is none.
const CaseView* fastest(const GroupView& group);

}  // namespace uotbench
