#include "roofline/figures/charts/line_chart.hpp"

#include <fmt/format.h>

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
        if (auto made = mark(*one)) marks.push_back(std::move(*made));
    any |= !marks.empty();
  }
  if (any) panels.push_back(std::move(panel));
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
