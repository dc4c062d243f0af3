// What stands around the plots of a figure, as commands: places are centimetres from the lower left corner.
#pragma once

#include <optional>
#include <string>

#include "roofline/draw/drawing.hpp"
#include "roofline/draw/text_size.hpp"

namespace uotbench {

struct Stroke {
  double width = 1;
  std::string colour;
  int dash = 1;  ///< gnuplot's dash type
};

struct Marker {
  int shape = 7;    ///< gnuplot's point type
  double size = 1;  ///< gnuplot's
  std::string colour;
};

/// Around a mark whose time is doubtful.
inline const Marker doubt_ring{.shape = 6, .size = 1.7, .colour = doubt_colour};

/// Adds commands to a drawing whose width and height are known.
class Canvas {
 public:
  /// Everything stands `lift` above the places given.
  explicit Canvas(Drawing& drawing, double lift = 0) : drawing_(drawing), lift_(lift) {}

  /// `how`: "right rotate by 90".
  void label(const std::string& text, double x, double y, const std::string& how = "",
             double points = text_size);
  /// `how`: "back".
  void line(const Segment& line, const Stroke& stroke, const std::string& how = "");
  void mark(double x, double y, const Marker& marker);
  /// `fill`: "solid 1 noborder".
  void box(const Box& box, const std::string& colour, const std::string& fill);

  /// The head of a figure; returns where what follows below it begins.
  double title(const std::optional<std::string>& text);
  /// A small line at the left, `bottom` above the lower edge.
  void footnote(const std::string& text, double bottom);

 private:
  /// "screen 0.1, screen 0.2"
  std::string at(double x, double y) const;

  Drawing& drawing_;
  double lift_;
};

/// What a title takes of a figure's height; 0 without one.
double title_height(const std::optional<std::string>& title);

}  // namespace uotbench
