// How wide a text will be, before it is drawn.
#pragma once

#include <string>

#include "roofline/draw/style.hpp"

namespace uotbench {

/// A line of text with its leading, in cm.
double line_height(double points = text_size);

/// Centimetres of a text (UTF-8) in Helvetica, or a font made to its widths (Liberation Sans, Arial), of
/// `points`. Letters beyond ASCII are taken for as wide as they are at most in their script.
double text_width(const std::string& text, double points);

/// A text of `points`, shortened to fit into `width` centimetres, with an ellipsis.
std::string fitted(const std::string& text, double width, double points);

/// Centimetres from the top of its capitals to the bottom of its descenders; gnuplot centres this.
double text_height(double points);

}  // namespace uotbench
