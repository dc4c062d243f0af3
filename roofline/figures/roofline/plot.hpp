// A roofline panel, laid out: which lines, marks and texts stand where.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "roofline/draw/key.hpp"
#include "roofline/draw/label_layout.hpp"
#include "roofline/figures/roofline/panels.hpp"

namespace uotbench {

struct PlotText {
  std::string text;
  TextBox box;
};

/// A line in the plot's values.
struct PlotLine {
  enum class Style { level, mix, peak, lower_peak, intensity };
  Style style;
  double x1 = 0, y1 = 0, x2 = 0, y2 = 0;
  std::string colour = {};  ///< empty: that of the style
};

Stroke stroke_of(const PlotLine& line);

struct RooflinePlot {
  Frame frame;
  std::vector<PlotLine> lines;
  std::vector<PlotText> texts;
  std::vector<Segment> leaders;
  std::vector<std::pair<double, double>> ridges;      ///< values
  std::vector<std::pair<double, double>> attainable;  ///< values
  std::vector<KeyEntry> key;                          ///< what had no room beside its mark or line
};

/// Ranges that show all panels at the same scale in a box of this size, chosen so that roofs rise at a whole
/// number of degrees: gnuplot turns texts by no other.
struct RooflineScales {
  Scale x, y;
  int degrees = 45;
};
RooflineScales scales_for(const std::vector<RoofPanel>& panels, double width, double height);

/// gnuplot's size of marks, and how far they reach from their centres, cm.
inline constexpr double mark_size = 0.85, mark_radius = mark_size * point_radius * cm_per_point;
/// Of the ring around a doubtful one.
inline const double ring_radius = doubt_ring.size * point_radius * cm_per_point;
/// A point's shape. What a cache holds is drawn open.
int shape_of(const RoofPoint& point);

RooflinePlot plot_of(const RoofPanel& panel, const Box& box, const RooflineScales& scales);

}  // namespace uotbench
