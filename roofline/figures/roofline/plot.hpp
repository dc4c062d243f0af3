// A roofline panel, laid out: which lines, marks and texts stand where.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "roofline/draw/label_layout.hpp"
#include "roofline/figures/roofline/panels.hpp"

namespace uotbench {

/// What texts in the plot are written with, points.
inline constexpr double label_size = 7;

struct PlotText {
  std::string text;
  TextBox box;
};

/// A line in the plot's values.
struct PlotLine {
  enum class Style { level, mix, peak, lower_peak, intensity };
  Style style;
  double x1 = 0, y1 = 0, x2 = 0, y2 = 0;
};

/// What had no room beside its mark or line.
struct KeyEntry {
  std::string text;
  int shape = 0;  ///< gnuplot's point type; 0: a line
  std::string colour;
  PlotLine::Style style = PlotLine::Style::level;
};

struct RooflinePlot {
  Frame frame;
  std::vector<PlotLine> lines;
  std::vector<PlotText> texts;
  std::vector<Segment> leaders;
  std::vector<std::pair<double, double>> ridges;      ///< values
  std::vector<std::pair<double, double>> attainable;  ///< values
  std::vector<KeyEntry> key;
};

/// Ranges that show all panels at the same scale in a box of this size, chosen so that roofs rise at a whole
/// number of degrees: gnuplot turns texts by no other.
struct RooflineScales {
  Scale x, y;
  int degrees = 45;
};
RooflineScales scales_for(const std::vector<RoofPanel>& panels, double width, double height);

/// A point's shape and how far it reaches from its centre, cm. What a cache holds is drawn open.
int shape_of(const RoofPoint& point);
double mark_radius();

RooflinePlot plot_of(const RoofPanel& panel, const Box& box, const RooflineScales& scales);

}  // namespace uotbench
