// gnuplot's SVG, made a part of a page.
#pragma once

#include <string>

#include "roofline/draw/drawing.hpp"

namespace uotbench {

/// Pixels of SVG are 1/96 inch (CSS Values and Units 3, section 6.2).
inline constexpr double svg_dots_per_inch = 96;

/// `svg` (a whole file) as an <svg> element: ids begin with `prefix`, black is the text's colour around it,
/// no scripts and handlers, no titles but those of the drawing's hotspots, each on a transparent rectangle
/// (class "hotspot").
std::string svg_element(const std::string& svg, const Drawing& drawing, const std::string& prefix);

}  // namespace uotbench
