#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "results/base/error.hpp"
#include "roofline/draw/style.hpp"
#include "roofline/figures/charts/chart.hpp"

namespace uotbench {
namespace {

double widest(const std::vector<Tick>& ticks) {
  double width = 0;
  for (const auto& tick : ticks) width = std::max(width, text_width(tick.text, text_size));
  return width;
}

/// From x to cm from the left of a plot so wide.
auto across(const ChartAxis& x, double width) {
  return [scale = Scale{x.low, x.high, x.log}, width](double at) { return scale.fraction(at) * width; };
}

bool too_dense(const ChartAxis& x, double width) {
  if (x.ticks.size() < 2) return false;
  const auto place = across(x, width);
  double gap = width;
  for (std::size_t i = 1; i < x.ticks.size(); ++i)
    gap = std::min(gap, place(x.ticks[i].at) - place(x.ticks[i - 1].at));
  return widest(x.ticks) + 0.1 > gap;
}

/// Of powers, every second or third is enough where all would not fit.
void thin_out(ChartAxis& x, double width) {
  const auto all = x.ticks;
  for (std::size_t step = 2; too_dense(x, width) && step < all.size(); ++step) {
    x.ticks.clear();
    for (std::size_t i = 0; i < all.size(); i += step) x.ticks.push_back(all[i]);
  }
}

/// Names that would meet go up one row.
std::vector<std::size_t> rows_of(const Panel& panel, double width) {
  const auto place = across(panel.x, width);
  std::vector<double> ends;  // of every row, its last name's right end
  std::vector<std::size_t> rows;
  for (const auto& upright : panel.uprights) {
    const double half = text_width(upright.text, small_size) / 2, middle = place(upright.at);
    std::size_t row = 0;
    while (row < ends.size() && ends[row] + 0.1 > middle - half) ++row;
    if (row == ends.size()) ends.push_back(0);
    ends[row] = middle + half;
    rows.push_back(row);
  }
  return rows;
}

}  // namespace

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

PanelSpace::PanelSpace(Panel& panel, double width) {
  const auto title = [](const std::string& text) { return text.empty() ? 0 : line_height(); };
  left = 0.25 + widest(panel.y.ticks) + title(panel.y.title);
  const double plot = width - left - right;
  if (panel.x.log) thin_out(panel.x, plot);
  turned = too_dense(panel.x, plot);
  upright_rows = rows_of(panel, plot);
  std::size_t rows = 0;
  for (const auto row : upright_rows) rows = std::max(rows, row + 1);
  above = 0.12 + title(panel.title) + static_cast<double>(rows) * line_height(small_size);
  below = 0.15 + (turned ? widest(panel.x.ticks) * 0.71 + 0.2 : line_height()) + title(panel.x.title);
}

}  // namespace uotbench
