// A case's row as a person reads it, one text a column, scaled and rounded: the same in every table.
#pragma once

#include <string>
#include <vector>

#include "results/view/view.hpp"

namespace uotbench {

/// "-" where nothing is known. `status` holds the reason too, on one line.
struct Cells {
  std::string label, median, iterations, per_iteration, noise, bandwidth, roof, speedup, error, status;
};

/// The tolerance is shown where it is larger than the group's usual one.
Cells cells_of(const CaseView& view, double usual_tolerance);

/// A column of a run's tables.
struct CellColumn {
  const char* title;
  std::string Cells::*text;
  bool number = true;  ///< aligned right
};

/// Those that tables of this run have: one of roofs only where there are any, iterations only beside solves.
std::vector<CellColumn> columns_of(const RunView& view);

/// The tolerance that most of a group is held to: its smallest.
double usual_tolerance(const GroupView& group);

/// The group's fastest, where it was faster than another; null where there is none, or some were timed per
/// part and others not. Iterations and solves together are compared by the iteration.
const CaseView* fastest(const GroupView& group);

}  // namespace uotbench
