#include "roofline/draw/text_size.hpp"

#include <array>

#include "results/base/text.hpp"
#include "roofline/draw/drawing.hpp"

namespace uotbench {
namespace {

/// From ' ' to '~' in thousandths of the font's size: Adobe Core 14 AFM files, Helvetica.afm (WX).
constexpr std::array<int, 95> widths{
    278,  278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278,  // ' ' to /
    556,  556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556,  // 0 to ?
    1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778,  // @ to O
    667,  778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556,  // P to _
    333,  556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556,  // ` to o
    556,  556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584};      // p to ~
constexpr int latin = 778;    // two bytes: as wide as O
constexpr int others = 1000;  // ideographs

}  // namespace

double line_height(double points) { return 1.25 * points * cm_per_inch / 72; }

double text_width(const std::string& text, double points) {
  int thousandths = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= ' ' && byte <= '~')
      thousandths += widths[byte - ' '];
    else if (byte >= 0xe0)
      thousandths += others;
    else if (byte >= 0xc0)
      thousandths += latin;
  }
  return thousandths / 1000. * points * cm_per_point;
}

// Helvetica.afm: CapHeight 718, Descender -207.
double text_height(double points) { return 0.925 * points * cm_per_point; }

std::string fitted(const std::string& text, double width, double points) {
  if (text_width(text, points) <= width) return text;
  std::string start = text;
  while (!start.empty() && text_width(start + "...", points) > width)
    start.resize(character_start(start, start.size() - 1));
  return start + "...";
}

}  // namespace uotbench
