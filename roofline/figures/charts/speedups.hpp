// Speedups as figures show them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "roofline/figures/charts/chart.hpp"
#include "roofline/figures/ratio.hpp"

namespace uotbench {

struct Speedup {
  const Shown* shown;
  const CaseView* base;
  Ratio ratio;  ///< time of the base over its own
};

/// Absent: the case has no base.
std::optional<Speedup> speedup_of(const Shown& shown, const Bases& bases);

/// With number, interval and source, line by line, in its hotspot and its row.
Mark mark_of(const Speedup& speedup, double x);
/// Of the rows: id, times in seconds, ratio with interval and coverage, where from.
std::vector<std::string> speedup_columns();

/// "numpy_order, 1 thread", "itself, 1 thread": what they are over. `over`: as for Bases.
std::string base_text(const FigureSpec& spec, const std::vector<Speedup>& speedups, const Json& over);

}  // namespace uotbench
