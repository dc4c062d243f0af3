// The seconds by which two cases are compared. Every speedup, ratio and efficiency, in a table, a figure, an
// export or a report, takes its seconds from here.
#pragma once

#include <optional>

#include "results/statistics/statistics.hpp"
#include "results/view/view.hpp"

namespace uotbench {

/// Seconds of the same thing on both sides.
struct ComparedTimes {
  double a = 0, b = 0;
  /// Both are of one iteration, although a or b was timed per solve.
  bool of_iterations = false;

  double ratio() const { return b / a; }
};

/// Two timed cases. Equal units are compared as they were timed, and iterations with an iteration of a solve.
/// Two solves are compared per iteration where their group also holds cases timed per iteration: their number
/// of iterations is then part of the question. Absent where the units differ and a number of iterations is
/// unknown, and for parts and anything else.
std::optional<ComparedTimes> compared_times(const CaseView& a, const CaseView& b);

/// Time of b over time of a, and the interval of it over the rounds that both have.
struct ComparedRatio {
  double value = 1;
  std::optional<ConfidenceInterval> interval = {};  ///< absent below 2 rounds
  ComparedTimes times = {};
};
std::optional<ComparedRatio> compared_ratio(const CaseView& a, const CaseView& b);
/// The same of two cases of one unit as they were timed, whatever their group holds: of one variant's tiles,
/// or of one case in two runs.
std::optional<ComparedTimes> times_as_timed(const CaseView& a, const CaseView& b);
std::optional<ComparedRatio> ratio_as_timed(const CaseView& a, const CaseView& b);

/// A case's seconds next to cases of other units: of an iteration, where that is known; else of what was
/// timed.
double comparable_seconds(const CaseView& member);

}  // namespace uotbench
