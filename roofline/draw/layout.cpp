#include "roofline/draw/layout.hpp"

#include <fmt/format.h>

namespace uotbench {

double line_height(double points) { return 1.25 * points * 2.54 / 72; }

std::string Screen::at(double x, double y) const {
  return fmt::format("screen {:.5f}, screen {:.5f}", x / width_, y / height_);
}

std::string Screen::label(const std::string& text, double x, double y, const std::string& how,
                          double points) const {
  return fmt::format("set label {} at {} {} font ',{:g}'\n", gnuplot_text(text), at(x, y), how, points);
}

}  // namespace uotbench
