// Texts, lines and marks of a roofline figure as commands, and the key below its plots.
#pragma once

#include <string>
#include <vector>

#include "roofline/figures/roofline/plot.hpp"

namespace uotbench {

struct Stroke {
  double width;
  const char* colour;
  int dash;
};
Stroke stroke_of(PlotLine::Style style);

/// The figure's commands, written from texts and lines whose places are known: centimetres, `lift` above
/// those given.
class Sheet {
 public:
  Sheet(Drawing& drawing, double lift) : drawing_(drawing), lift_(lift) {}

  void label(const std::string& text, double x, double y, double points, const std::string& how);
  void line(const Segment& line, const Stroke& stroke);
  void mark(double x, double y, int shape, const std::string& colour);
  /// gnuplot's size of marks.
  static double point_scale() { return mark_radius() / (point_radius * cm_per_point); }

 private:
  Drawing& drawing_;
  double lift_;
};

/// Rows of marks with what they stand for, in columns, below the plots.
class Key {
 public:
  /// `open_marks`: there are open and filled ones, to be explained.
  Key(const std::vector<RooflinePlot>& plots, bool open_marks, double width);

  double height() const;
  void draw(Sheet& sheet) const;

 private:
  std::vector<KeyEntry> entries_;
  std::size_t columns_ = 1;
  double column_ = 1;
};

}  // namespace uotbench
