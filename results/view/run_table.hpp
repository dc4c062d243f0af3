// A run as a table: a case's row as a person reads it, scaled and rounded, the same in every format.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "results/view/table.hpp"
#include "results/view/view.hpp"

namespace uotbench {

/// Where a case's number in the column of this title is from, in words.
using SourceOf = std::function<std::string(const CaseView& member, std::string_view column)>;

/// Cases of a worker that cannot run here at all, which a note names.
enum class AbsentWorkers { shown, left_out };

/// Cases below their groups' titles; the view's notes. A column of roofs only where there are any, iterations
/// only with solves. The fastest of a group is strong, in label and median; an error has its tolerance
/// where that is larger than the group's usual one; the last column is the status, with the reason as its
/// detail.
Table run_table(const RunView& view, AbsentWorkers absent = AbsentWorkers::shown,
                const SourceOf& source_of = {});

/// The group's fastest, where it was faster than another; null where there is none, or some were timed per
/// part and others not. Iterations and solves together are compared by the iteration.
const CaseView* fastest(const GroupView& group);

}  // namespace uotbench
