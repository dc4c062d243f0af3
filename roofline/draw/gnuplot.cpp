#include "roofline/draw/gnuplot.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string_view>
#include <utility>

#include "results/base/error.hpp"
#include "results/base/text.hpp"
#include "results/base/whole_file.hpp"
#include "roofline/draw/gnuplot_process.hpp"
#include "roofline/draw/pdf_page.hpp"
#include "roofline/draw/svg_element.hpp"

namespace uotbench {
namespace fs = std::filesystem;

namespace {

int dots(double cm, double dots_per_inch) {
  return static_cast<int>(std::lround(cm / cm_per_inch * dots_per_inch));
}

/// The terminals have units of their own for texts, lines, points and dashes; the factors make pictures of
/// the same look of them all, with the sizes of drawing.hpp. Their scale of texts is 4/3 for a point in
/// pixels of 1/96 inch, and half of that by nature in PDF. `noenhanced`: texts are drawn as they are.
std::string terminal(const Drawing& drawing, const std::string& ending) {
  const std::string font = fmt::format("noenhanced font '{},{}'", font_family, font_size);
  if (ending == ".pdf")
    return fmt::format("set terminal pdfcairo {} size {}cm,{}cm fontscale 0.75 pointscale 0.75\n", font,
                       drawing.width, drawing.height);
  if (ending == ".png")
    return fmt::format(
        "set terminal pngcairo {} size {},{} fontscale 3.125 linewidth 2.0833 pointscale 3.125 "
        "dashlength 0.5\n",
        font, dots(drawing.width, 300), dots(drawing.height, 300));
  return fmt::format("set terminal svg {} size {},{} fontscale 1.3333 linewidth 0.6667\n", font,
                     dots(drawing.width, svg_dots_per_inch), dots(drawing.height, svg_dots_per_inch));
}

std::string script_of(const Drawing& drawing, const std::string& ending, const std::string& output) {
  // Numbers in scripts have decimal points, whatever the country.
  return "set encoding utf8\nset decimalsign '.'\n" + terminal(drawing, ending) + output + drawing.commands +
         (drawing.commands.ends_with('\n') ? "" : "\n");
}

std::string csv_of(const DataTable& data) {
  std::string text;
  const auto add = [&](const std::vector<std::string>& fields) {
    for (std::size_t i = 0; i < fields.size(); ++i) text += (i ? "," : "") + csv_field(fields[i]);
    text += '\n';
  };
  add(data.columns);
  for (const auto& row : data.rows) add(row);
  return text;
}

/// cairo's name for the glyphs in a PDF.
bool has_glyphs(const std::string& pdf) { return pdf.find("/FontFile") != std::string::npos; }

/// Without any font gnuplot draws everything but the letters, ends well and says nothing. Of a PNG a small
/// PDF tells it.
void require_letters(const std::string& picture, const std::string& ending) {
  if (ending == ".svg" || (ending == ".pdf" && has_glyphs(picture)))
    return;  // an SVG holds texts, not letters
  Drawing probe;
  probe.commands = "set label 'a' at 1,1\nunset tics\nplot [0:2] [0:2] 0 notitle\n";
  if (!has_glyphs(gnuplot_output(script_of(probe, ".pdf", ""))))
    throw UsageError(
        "gnuplot found no font, so the figure would have no letters: apt-get install fonts-liberation "
        "(Debian/Ubuntu), dnf install liberation-sans-fonts (Fedora/RHEL); uotbench doctor checks it");
}

/// What gnuplot draws. It leaves "]]>" as it is in the texts of an SVG, where XML wants its last character
/// escaped (XML 1.0, section 2.4).
std::string picture_of(const Drawing& drawing, const std::string& ending) {
  // Drawn to gnuplot's standard output: a path is no part of what it runs.
  std::string picture = gnuplot_output(script_of(drawing, ending, ""));
  constexpr std::string_view end = "]]>", escaped = "]]&gt;";
  if (ending == ".svg")
    for (std::size_t at = 0; (at = picture.find(end, at)) != std::string::npos; at += escaped.size())
      picture.replace(at, end.size(), escaped);
  require_letters(picture, ending);
  if (ending == ".pdf") return exact_pdf(std::move(picture), drawing.width, drawing.height);
  return picture;
}

}  // namespace

void draw(const Drawing& drawing, const fs::path& path, const DrawOptions& options) {
  const std::string ending = path.extension().string();
  if (ending != ".pdf" && ending != ".svg" && ending != ".png")
    throw UsageError(fmt::format("{}: {}; a figure's format is that of its ending: .pdf, .svg or .png",
                                 path.string(),
                                 ending.empty() ? "has no ending" : fmt::format("no format \"{}\"", ending)));
  const std::string picture = picture_of(drawing, ending);
  const auto beside = [&](const char* other) { return fs::path(path).replace_extension(other); };
  if (options.keep)
    write_whole(beside(".gp"),
                "# gnuplot -d, with this file, draws the figure into the current folder.\n" +
                    script_of(drawing, ending,
                              fmt::format("set output {}\n", gnuplot_text("./" + path.filename().string()))));
  if (options.data) write_whole(beside(".csv"), csv_of(drawing.data));
  if (options.caption)
    write_whole(beside(".tex"), fmt::format("\\caption{{{}}}\n", tex_escaped(drawing.caption)));
  write_whole(path, picture);  // last: where what goes beside it is refused, there is no figure either
}

std::string svg_of(const Drawing& drawing, const std::string& prefix) {
  return svg_element(picture_of(drawing, ".svg"), drawing, prefix);
}

}  // namespace uotbench
