// The look of all figures: fonts, sizes and the colours that mean the same everywhere. Variants have theirs
// from look() (drawing.hpp), amounts from shade() (palette.hpp), doubtful times from doubt_ring (canvas.hpp).
#pragma once

namespace uotbench {

/// Embedded in a PDF. An SVG also names fonts with the same widths, because readers may not have it.
inline constexpr const char* font_family = "Liberation Sans";
inline constexpr const char* fonts_of_same_widths = "Arial, Helvetica, sans-serif";

/// Points (1/72 inch): names of axes and their values, other text, titles, footnotes. A figure of a column's
/// width is printed at this size.
inline constexpr double font_size = 7.5, text_size = 7, title_size = 8, small_size = 6;
/// A line of width 1 and a point of size 1 (from its centre to its edge): points.
inline constexpr double line_width = 0.5, point_radius = 2.25;

/// Colours, #rrggbb. Pure black is the page's text colour in a report (svg_element.hpp); near_black stays as
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

}  // namespace uotbench
