#include "roofline/figures/roofline/key.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "roofline/draw/text_size.hpp"

namespace uotbench {
namespace {

constexpr double left = 0.3, key_line = 0.36;  // cm

}  // namespace

Stroke stroke_of(PlotLine::Style style) {
  switch (style) {
    case PlotLine::Style::level:
    case PlotLine::Style::peak:
      return {2, "black", 1};
    case PlotLine::Style::mix:
    case PlotLine::Style::lower_peak:
      return {1.2, "#777777", 2};
    case PlotLine::Style::intensity:
      return {1.5, "#009e73", 3};
  }
  return {1, "black", 1};
}

void Sheet::label(const std::string& text, double x, double y, double points, const std::string& how) {
  drawing_.commands += fmt::format("set label {} at screen {:.5f},{:.5f} {} font ',{}'\n", gnuplot_text(text),
                                   x / drawing_.width, (y + lift_) / drawing_.height, how, points);
}

void Sheet::line(const Segment& line, const Stroke& stroke) {
  drawing_.commands += fmt::format(
      "set arrow from screen {:.5f},{:.5f} to screen {:.5f},{:.5f} nohead lw {} dt {} lc rgb '{}'\n",
      line.x1 / drawing_.width, (line.y1 + lift_) / drawing_.height, line.x2 / drawing_.width,
      (line.y2 + lift_) / drawing_.height, stroke.width, stroke.dash, stroke.colour);
}

void Sheet::mark(double x, double y, int shape, const std::string& colour) {
  drawing_.commands +=
      fmt::format("set label '' at screen {:.5f},{:.5f} point pt {} ps {} lc rgb {}\n", x / drawing_.width,
                  (y + lift_) / drawing_.height, shape, point_scale(), gnuplot_text(colour));
}

Key::Key(const std::vector<RooflinePlot>& plots, bool open_marks, double width) {
  for (const auto& plot : plots)
    for (const auto& entry : plot.key)
      if (std::ranges::none_of(entries_, [&](const KeyEntry& other) { return other.text == entry.text; }))
        entries_.push_back(entry);
  if (open_marks) {
    entries_.push_back({"from DRAM", look(0).shape, "black", {}});
    entries_.push_back({"in a cache", open_shape(look(0).shape), "black", {}});
  }
  for (auto& entry : entries_) entry.text = fitted(entry.text, width - left - 0.75, label_size);
  double widest = 1;
  for (const auto& entry : entries_) widest = std::max(widest, text_width(entry.text, label_size) + 0.75);
  columns_ = std::max<std::size_t>(1, static_cast<std::size_t>((width - left) / widest));
  column_ = (width - left) / static_cast<double>(columns_);
}

double Key::height() const {
  const double rows = std::ceil(static_cast<double>(entries_.size()) / static_cast<double>(columns_));
  return entries_.empty() ? 0 : key_line * rows + 0.1;
}

void Key::draw(Sheet& sheet) const {
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const double x = left + column_ * static_cast<double>(i % columns_);
    const double y = -key_line * (static_cast<double>(i / columns_) + 0.5);
    if (entries_[i].shape > 0)
      sheet.mark(x + 0.2, y, entries_[i].shape, entries_[i].colour);
    else
      sheet.line({x, y, x + 0.4, y}, stroke_of(entries_[i].style));
    sheet.label(entries_[i].text, x + 0.5, y, label_size, "left");
  }
}

}  // namespace uotbench
