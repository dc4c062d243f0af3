#include "roofline/figures/charts/line_chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "results/base/error.hpp"

namespace uotbench {

LineChart::LineChart(std::vector<Line> of, std::vector<std::string> columns) : lines(std::move(of)) {
  this->columns = std::move(columns);
  for (const auto& line : lines)
    series.push_back({.label = line.label, .note = {}, .colour = line.colour, .look = line.look});
}

void LineChart::add_panel(const std::string& title, const std::vector<const Shown*>& cases,
                          const std::function<std::optional<Mark>(const Shown&)>& mark) {
  Panel panel{.title = title, .x = {}, .y = {}, .marks = {}};
  const std::unordered_set<const Shown*> wanted(cases.begin(), cases.end());
  bool any = false;
  for (const auto& line : lines) {
    auto& marks = panel.marks.emplace_back();
    for (const auto* one : line.cases)
      if (wanted.contains(one))
        if (auto made = mark(*one)) {
          made->doubtful |= of_times && !one->member->warnings.empty();
          marks.push_back(std::move(*made));
        }
    any |= !marks.empty();
  }
  if (any) panels.push_back(std::move(panel));
}

bool LineChart::drop_single_points(const std::string& why,
                                   std::vector<std::pair<std::string, std::string>>& left_out, double apart) {
  const auto is_single = [&](const Panel& panel) {
    double least = HUGE_VAL, most = -HUGE_VAL;
    for (const auto& marks : panel.marks)
      for (const auto& mark : marks) least = std::min(least, mark.x), most = std::max(most, mark.x);
    return most <= apart * least;
  };
  if (std::ranges::all_of(panels, is_single)) return false;
  for (const auto& panel : panels)
    if (is_single(panel))
      for (const auto& marks : panel.marks)
        for (const auto& mark : marks) left_out.emplace_back(mark.row.front(), why);
  std::erase_if(panels, is_single);
  return true;
}

CaseGroups plots_of(const FigureSpec& spec, const std::vector<const RunView*>& views,
                    const std::vector<Shown>& shown, const std::function<std::string(const Shown&)>& key) {
  constexpr std::size_t most = 12;
  auto plots = grouped(pointers(shown), key);
  if (plots.size() > most)
    throw UsageError(
        fmt::format("{} draws a plot for each problem, at most {}; {} has {}: a filter would choose",
                    spec.kind, most, files_of(views), plots.size()));
  return plots;
}

void require_several_numbers(const FigureSpec& spec, const std::vector<const RunView*>& views,
                             const CaseAxes& axes, const std::string& axis) {
  const auto numbers = axes.numbers(axis);
  if (numbers.size() < 2)
    throw UsageError(fmt::format(
        "{} needs several values of {}; {} has {}", spec.kind, axis, files_of(views),
        numbers.empty() ? "no such axis with numbers" : plain_number(numbers.front()) + " alone"));
}

}  // namespace uotbench
