#include "roofline/figures/charts/panel_space.hpp"

#include <algorithm>

#include "roofline/draw/style.hpp"

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
