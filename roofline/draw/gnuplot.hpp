// Drawings become files, by gnuplot.
#pragma once

#include <filesystem>
#include <string>

#include "roofline/draw/drawing.hpp"

namespace uotbench {

struct DrawOptions {
  /// The script next to the figure, FIGURE.gp: run alone, it makes the same figure, but a PDF of whole
  /// points.
  bool keep = false;
  bool data = false;     ///< the numbers beside the figure, FIGURE.csv
  bool caption = false;  ///< a LaTeX caption beside the figure, FIGURE.tex
};

/// Writes `path` (.pdf, .svg or .png) whole or not at all, the same bytes for the same drawing; fonts are
/// embedded. Throws UsageError: another ending, no gnuplot (with what to install), a folder that cannot be
/// written; Error with gnuplot's own words where it fails.
void draw(const Drawing& drawing, const std::filesystem::path& path, const DrawOptions& options = {});

/// The figure as an <svg> element to stand in a page, with a <title> for each hotspot; no scripts, no ids
/// that two figures of a page would share (`prefix` begins each). Throws as `draw` does.
std::string svg_of(const Drawing& drawing, const std::string& prefix);

}  // namespace uotbench
