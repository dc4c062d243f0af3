// Charts of lines of cases, a series each: what figures of speedups, sizes, solves and misses have in common.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "roofline/figures/charts/chart.hpp"
#include "roofline/figures/lines.hpp"

namespace uotbench {

struct LineChart : Chart {
  /// `columns`: of the table.
  LineChart(std::vector<Line> of, std::vector<std::string> columns);

  /// A plot of those of `cases` that `mark` has a place for; where it has none for any, there is no plot.
  void add_panel(const std::string& title, const std::vector<const Shown*>& cases,
                 const std::function<std::optional<Mark>(const Shown&)>& mark);

  /// Takes out panels whose marks have one x, those within a factor `apart` counted as one, unless all have:
  /// their cases go to `left_out` with `why`. Whether panels with several are left.
  bool drop_single_points(const std::string& why, std::vector<std::pair<std::string, std::string>>& left_out,
                          double apart = 1);

  std::vector<Line> lines;
  bool of_times = true;  ///< what is doubtful about a case's time is doubtful about its mark
};

/// The cases of every plot: those for which `key` says the same. Throws UsageError: more plots than anybody
/// would look at.
CaseGroups plots_of(const FigureSpec& spec, const std::vector<const RunView*>& views,
                    const std::vector<Shown>& shown, const std::function<std::string(const Shown&)>& key);

/// Throws UsageError where an axis that a figure is drawn over has fewer than two numbers.
void require_several_numbers(const FigureSpec& spec, const std::vector<const RunView*>& views,
                             const CaseAxes& axes, const std::string& axis);

}  // namespace uotbench
