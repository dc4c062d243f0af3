// A figure, ready to be drawn: what gnuplot is told, whatever the file's format.
#pragma once

#include <string>
#include <vector>

namespace uotbench {

/// A part of the figure that tells more when pointed at (SVG only). Centimetres from the lower left corner.
struct Hotspot {
  double left = 0, bottom = 0, right = 0, top = 0;
  std::string text;  ///< lines; escaped when written
};

/// A table that the figure shows: written by --data, one row a drawn thing.
struct DataTable {
  std::vector<std::string> columns;  ///< with units: median_s, attainable_flops
  std::vector<std::vector<std::string>> rows;
};

struct Drawing {
  double width = 8.8, height = 6.2;  ///< cm; 8.8 is a column of a two-column paper
  /// gnuplot commands without terminal and output. Data stand in them as here-documents ($name << EOD), so
  /// that the script alone is the figure. Texts only through `quoted`.
  std::string commands;
  std::vector<Hotspot> hotspots;
  DataTable data;
};

/// A text as a gnuplot string that is drawn as it is: no markup, no commands, no line ends.
std::string quoted(const std::string& text);

/// Okabe and Ito's colours (safe for colour-blind readers), ordered so that neighbours differ in grey, too;
/// shapes and dashes go along with them. Repeats after 8.
struct Look {
  std::string colour;  ///< #rrggbb
  int shape;           ///< gnuplot's point type
  int dash;            ///< gnuplot's dash type
};
Look look(std::size_t index);

}  // namespace uotbench
