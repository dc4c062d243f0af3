#include "roofline/draw/canvas.hpp"

#include <fmt/format.h>

namespace uotbench {
namespace {

constexpr double margin = 0.1, head_margin = 0.08;  // cm

}  // namespace

std::string Canvas::at(double x, double y) const {
  return fmt::format("screen {:.5f}, screen {:.5f}", x / drawing_.width, (y + lift_) / drawing_.height);
}

void Canvas::label(const std::string& text, double x, double y, const std::string& how, double points) {
  drawing_.commands +=
      fmt::format("set label {} at {} {} font ',{:g}'\n", gnuplot_text(text), at(x, y), how, points);
}

void Canvas::line(const Segment& line, const Stroke& stroke, const std::string& how) {
  drawing_.commands +=
      fmt::format("set arrow from {} to {} nohead lw {} dt {} lc rgb {} {}\n", at(line.x1, line.y1),
                  at(line.x2, line.y2), stroke.width, stroke.dash, gnuplot_text(stroke.colour), how);
}

void Canvas::mark(double x, double y, const Marker& marker) {
  drawing_.commands += fmt::format("set label '' at {} point pt {} ps {} lc rgb {}\n", at(x, y), marker.shape,
                                   marker.size, gnuplot_text(marker.colour));
}

void Canvas::box(const Box& box, const std::string& colour, const std::string& fill) {
  drawing_.commands +=
      fmt::format("set object rectangle from {} to {} fc rgb {} fs {}\n", at(box.left, box.bottom),
                  at(box.right, box.top), gnuplot_text(colour), fill);
}

double Canvas::title(const std::optional<std::string>& text) {
  const double top = drawing_.height - head_margin;
  if (text)
    label(fitted(*text, drawing_.width - 2 * margin, title_size), margin, top - line_height(title_size) / 2,
          "", title_size);
  return top - title_height(text);
}

void Canvas::footnote(const std::string& text, double bottom) {
  label(text, margin, bottom + line_height(small_size) / 2, "", small_size);
}

double title_height(const std::optional<std::string>& title) {
  return title ? line_height(title_size) + 0.05 : 0;
}

}  // namespace uotbench
