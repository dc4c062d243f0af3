// A run as a table: a case's row as a person reads it, scaled and rounded, the same in every format.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "results/view/table.hpp"
#include "results/view/view.hpp"

namespace uotbench {

/// The texts of a row. "-" where nothing is known. `status` is the name alone.
struct Cells {
  std::string label, median, iterations, per_iteration, noise, bandwidth, roof, speedup, error, status;
};

/// The tolerance is shown where it is larger than the group's usual one.
Cells cells_of(const CaseView& view, double usual_tolerance);

/// A column of a run's table.
struct CellColumn {
  const char* title;
  std::string Cells::*text;
  const char* about;                                       ///< what it means
  std::optional<double> (*value)(const CaseView& member);  ///< in its base unit; null: it holds words
};

/// Those that the table of this run has: one of roofs only where there are any, iterations only beside
/// solves.
std::vector<CellColumn> columns_of(const RunView& view);

/// Where a case's number in the column of this title is from, in words.
using SourceOf = std::function<std::string(const CaseView& member, std::string_view column)>;

/// Cases of a worker that cannot run here at all, of which a note tells.
enum class AbsentWorkers { shown, left_out };

/// Cases below their groups' titles; the view's notes. The fastest of a group is strong, in label and median.
/// The last column is the status, with the reason as its detail.
Table run_table(const RunView& view, AbsentWorkers absent = AbsentWorkers::shown,
                const SourceOf& source_of = {});

/// The tolerance that most of a group is held to: its smallest.
double usual_tolerance(const GroupView& group);

/// The group's fastest, where it was faster than another; null where there is none, or some were timed per
/// part and others not. Iterations and solves together are compared by the iteration.
const CaseView* fastest(const GroupView& group);

}  // namespace uotbench
