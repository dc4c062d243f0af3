// A page of a history: a chart a case, with its steps.
#pragma once

#include <string>
#include <vector>

#include "results/history/history.hpp"

namespace uotbench {

/// An <svg> element: the times of one case's lines over the history's commits (counts, where it was never
/// timed), the levels between steps, a numbered mark a step, a dotted line where another machine or build
/// begins.
std::string history_chart(const History& history, const std::vector<const HistoryLine*>& lines);

/// One page that needs nothing beside itself, cases with open steps first.
std::string html_of(const History& history);

}  // namespace uotbench
