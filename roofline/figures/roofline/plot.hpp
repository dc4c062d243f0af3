// A roofline panel, laid out: which lines, marks and texts stand where.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "roofline/draw/drawing.hpp"
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

// The axes of a roofline figure: their scales, tics and numbers.

// Rates as a figure writes them: short.

/// "412 GB/s", "76.8 GB/s", "1008 GB/s".
std::string bandwidth_text(double bytes_per_second);
/// "794 GFLOP/s", "40 TFLOP/s".
std::string flop_rate_text(double flops_per_second);
/// Flops per byte: "1/4" where it is one over a whole number, else "0.3".
std::string intensity_text(double intensity);

// What stands at a roofline's axes.

/// The commands for both axes: powers of two below, of ten at the left, as many as have room. `values`: the
/// left axis has them written, else ticks alone. `corner`: the value at the right end is written, too; the
/// next plot's first stands there otherwise.
std::string tics_of(const Frame& frame, bool values, bool corner);

}  // namespace uotbench
