#include "roofline/draw/style.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "results/base/text.hpp"
#include "roofline/draw/drawing.hpp"

namespace uotbench {
namespace {

/// IEC 61966-2-1: linear light to what a file holds, 0..255.
int encoded(double linear) {
  const double value = linear <= 0.0031308 ? 12.92 * linear : 1.055 * std::pow(linear, 1 / 2.4) - 0.055;
  return static_cast<int>(std::lround(255 * std::clamp(value, 0., 1.)));
}

/// CIELAB under D65 as lightness, chroma and hue (degrees) to 0xRRGGBB.
int rgb_of(double lightness, double chroma, double hue) {
  const double angle = hue * std::numbers::pi / 180;
  const double fy = (lightness + 16) / 116;
  const double fx = fy + chroma * std::cos(angle) / 500, fz = fy - chroma * std::sin(angle) / 200;
  const auto back = [](double f) { return f > 6. / 29 ? f * f * f : 3 * 36. / 841 * (f - 4. / 29); };
  const double X = 0.95047 * back(fx), Y = back(fy), Z = 1.08883 * back(fz);
  const int red = encoded(3.2406 * X - 1.5372 * Y - 0.4986 * Z);
  const int green = encoded(-0.9689 * X + 1.8758 * Y + 0.0415 * Z);
  const int blue = encoded(0.0557 * X - 0.2040 * Y + 1.0570 * Z);
  return red * 0x10000 + green * 0x100 + blue;
}

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

// By ITU-R BT.601 luma.
const char* text_on(const std::string& colour) {
  const auto rgb = std::stoul(colour.substr(1), nullptr, 16);
  const double light = 0.299 * static_cast<double>(rgb >> 16 & 255) +
                       0.587 * static_cast<double>(rgb >> 8 & 255) + 0.114 * static_cast<double>(rgb & 255);
  return light > 130 ? "#000000" : "#ffffff";
}

std::string tinted(const std::string& colour, double part) {
  const auto rgb = std::stoul(colour.substr(1), nullptr, 16);
  const auto mixed = [&](int shift) {
    const auto channel = static_cast<double>(rgb >> shift & 255);
    return static_cast<int>(std::lround(255 + (channel - 255) * std::clamp(part, 0., 1.)));
  };
  return fmt::format("#{:02x}{:02x}{:02x}", mixed(16), mixed(8), mixed(0));
}

Shade shade(double amount) {
  constexpr double lightest = 95, darkest = 34, hue = 262;
  const double part = std::clamp(amount, 0., 1.), lightness = lightest + (darkest - lightest) * part;
  // Paler where light: sRGB has no strong light blue.
  return {.rgb = rgb_of(lightness, 4 + 32 * part, hue), .text = lightness > 50 ? "#010101" : "#ffffff"};
}

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
