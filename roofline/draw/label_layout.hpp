// Where labels go so that they cover neither each other nor what they tell of. Centimetres on the canvas.
#pragma once

#include <optional>
#include <vector>

#include "roofline/draw/drawing.hpp"

namespace uotbench {

/// A text's rectangle, turned about its centre, degrees counterclockwise.
struct TextBox {
  double x = 0, y = 0, width = 0, height = 0;
  double angle = 0;

  /// The smallest upright rectangle around it.
  Box bounds() const;
};

TextBox text_box(const Box& box);
bool overlap(const TextBox& a, const TextBox& b);
bool overlap(const Segment& line, const TextBox& box);
bool cross(const Segment& a, const Segment& b);

/// What is there already.
struct Scene {
  Box bounds;                  ///< labels stay inside
  std::vector<TextBox> taken;  ///< marks and other texts
  std::vector<Segment> lines;
};

/// A label that belongs to a place.
struct Wanted {
  double x = 0, y = 0;           ///< the place
  double radius = 0;             ///< of the mark around it
  double width = 0, height = 0;  ///< of the text
};

struct Placed {
  TextBox box;
  std::optional<Segment> leader;  ///< from the mark to the text, where they are not side by side
};

/// A place for each label beside its mark or, with a leader, farther away; absent where there is none: texts
/// cover nothing of the scene and no other text or leader, leaders cross no text, mark or leader. Greedy;
/// what fails goes first in another try. The same for the same arguments.
std::vector<std::optional<Placed>> place_labels(const std::vector<Wanted>& labels, const Scene& scene);

}  // namespace uotbench
