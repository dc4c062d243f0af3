// Speedups as figures show them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "results/view/compared_times.hpp"
#include "roofline/figures/charts/chart.hpp"

namespace uotbench {

struct Speedup {
  const Shown* shown;
  const CaseView* base;
  ComparedRatio ratio;  ///< seconds of the base over its own, of the same thing
};

/// Absent: the case has no base.
std::optional<Speedup> speedup_of(const Shown& shown, const Bases& bases);

/// With number, interval and source, line by line, in its hotspot and its row.
Mark mark_of(const Speedup& speedup, double x);
/// Of the rows: id, the compared seconds and what they are per, ratio with interval and coverage, where from.
std::vector<std::string> speedup_columns();

/// "75% interval over paired rounds", what their vertical lines are.
std::string intervals_text(const std::vector<Speedup>& speedups);
/// Adds to the caption how many rounds an interval of 95% takes, where one of these has less.
void explain_intervals(Drawing& drawing, const std::vector<Speedup>& speedups);
/// "numpy_order, 1 thread", "itself, 1 thread": what they are over. `over`: as for Bases.
std::string base_text(const FigureSpec& spec, const std::vector<Speedup>& speedups, const Document& over);

}  // namespace uotbench
