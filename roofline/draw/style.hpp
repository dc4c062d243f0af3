// Colours, widths and sizes of text that all drawings share.
#pragma once

#include <string>

namespace uotbench {

// The look of all figures: fonts, sizes and the colours that mean the same everywhere. Variants have theirs
// from look() (drawing.hpp), amounts from shade() (below), doubtful times from doubt_ring (drawing.hpp).

/// Embedded in a PDF. An SVG also names fonts with the same widths, because readers may not have it.
inline constexpr const char* font_family = "Liberation Sans";
inline constexpr const char* fonts_of_same_widths = "Arial, Helvetica, sans-serif";

/// Points (1/72 inch): names of axes and their values, other text, titles, footnotes. A figure of a column's
/// width is printed at this size.
inline constexpr double font_size = 7.5, text_size = 7, title_size = 8, small_size = 6;
/// A line of width 1 and a point of size 1 (from its centre to its edge): points.
inline constexpr double line_width = 0.5, point_radius = 2.25;

/// Colours, #rrggbb. Pure black is the page's text colour in a report (gnuplot.hpp); near_black stays as
/// it is.
inline constexpr const char* near_black = "#101010";
inline constexpr const char* halo_colour = "#ffffff";  ///< around what is drawn over other things
inline constexpr const char* grid_colour = "#dddddd";
inline constexpr const char* guide_colour = "#808080";  ///< lines that help to read, signs of what is absent
inline constexpr const char* minor_colour = "#777777";  ///< roofs that are not the highest, leaders of labels
inline constexpr const char* rest_colour = "#bbbbbb";   ///< the part of a bar that has no name of its own
inline constexpr const char* model_colour = "#009e73";  ///< what a model allows where nothing was measured
inline constexpr const char* doubt_colour = "#b00020";  ///< around a doubtful time
inline constexpr const char* published_colour = "#404040";  ///< numbers of others
inline constexpr const char* absent_colour = "#909090";

// Colours for amounts.

struct Shade {
  int rgb = 0;       ///< 0xRRGGBB
  std::string text;  ///< #rrggbb that can be read on it; never black, which a page may turn around
};

/// Black or white, whichever is read better on a colour (#rrggbb).
const char* text_on(const std::string& colour);

/// A colour (#rrggbb) mixed with white: 1 is the colour itself, 0 is white.
std::string tinted(const std::string& colour, double part);

/// From light (0) to dark (1), even to the eye and so in grey, too: lightness falls linearly in CIELAB
/// (ISO/CIE 11664-4), at one hue of blue, which colour-blind readers see as well.
Shade shade(double amount);

// How wide a text will be, before it is drawn.

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
