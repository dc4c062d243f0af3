// Centimetres: where texts and boxes of a figure go, known before gnuplot draws them.
#pragma once

#include <string>

#include "roofline/draw/drawing.hpp"
#include "roofline/draw/text_size.hpp"

namespace uotbench {

/// Sizes of text in a figure, points; a column's figure stands in a paper as it is.
inline constexpr double text_size = 7, title_size = 8, small_size = 6;

/// A line of text with its leading, in cm.
double line_height(double points = text_size);

/// What stands in gnuplot's screen coordinates for centimetres of a figure of this size.
class Screen {
 public:
  Screen(double width, double height) : width_(width), height_(height) {}
  /// "screen 0.1, screen 0.2"
  std::string at(double x, double y) const;
  /// "set label 'text' at screen …" with `how` ("right rotate by 90"); a line.
  std::string label(const std::string& text, double x, double y, const std::string& how = "",
                    double points = text_size) const;

 private:
  double width_, height_;
};

}  // namespace uotbench
