// What a specified machine would make of cases that were timed with one thread here.
#pragma once

#include <string>
#include <vector>

#include "roofline/figures/charts/line_chart.hpp"

namespace uotbench {

/// Adds, for each machine that tells of its cores and each problem, a plot of speedups over `base` from one
/// thread to all cores as threads_model.hpp has them, a mark where what bounds a line changes, and a line of
/// `notes` for each. `base`: a variant; empty: each line's own. `shown`: the timed cases; `counted`: all, of
/// which some counted Cores.bytes. Throws UsageError: no machine tells of cores; no case was timed with one
/// thread.
void add_modelled(LineChart& chart, const FigureSpec& spec, const CaseGroups& problems,
                  const std::string& base, const std::vector<Shown>& counted,
                  const std::vector<Ceilings>& machines, std::vector<std::string>& notes);

}  // namespace uotbench
