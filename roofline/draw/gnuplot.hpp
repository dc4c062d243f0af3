// gnuplot as a program that draws: its process, and what it makes of a drawing.
#pragma once

#include <filesystem>
#include <string>

#include "roofline/draw/drawing.hpp"

namespace uotbench {

// Drawings become files, by gnuplot.

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

// gnuplot, started for one script.

/// What gnuplot writes to its standard output for `script`, which sets a terminal and no output. Neither the
/// user's own settings nor the environment change it. Throws UsageError where there is no gnuplot (with what
/// to install), Error with its own words where it fails.
std::string gnuplot_output(const std::string& script);

// gnuplot's PDF, with the exact size of the figure and without the time at which it was drawn.

/// gnuplot cuts a page to whole points (1/72 inch), so a figure would be up to 0.35 mm narrower than asked.
/// Writes the size (cm) to a hundredth of a point, and blanks the date of creation, so that equal figures are
/// equal bytes. Only where the file has both as plain text, as cairo 1.16 writes it (Debian 12); else the PDF
/// stays as it is.
std::string exact_pdf(std::string pdf, double width, double height);

// gnuplot's SVG, made a part of a page.

/// Pixels of SVG are 1/96 inch (CSS Values and Units 3, section 6.2).
inline constexpr double svg_dots_per_inch = 96;

/// `svg` (a whole file) as an <svg> element: ids begin with `prefix`, black is the text's colour around it,
/// no scripts and handlers, no titles but those of the drawing's hotspots, each on a transparent rectangle
/// (class "hotspot").
std::string svg_element(const std::string& svg, const Drawing& drawing, const std::string& prefix);

}  // namespace uotbench
