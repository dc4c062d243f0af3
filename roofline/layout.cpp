#include "roofline/layout.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string_view>

namespace uotbench {

double text_width(const std::string& text, double points) {
  // Widths of Arial in em, by class of letter.
  double em = 0;
  for (const unsigned char c : text) {
    if ((c & 0xC0) == 0x80) continue;  // the rest of a UTF-8 character
    const std::string_view narrow = "iIjl.,:;'|! /()[]ft", wide = "mMWw%@";
    if (narrow.find(static_cast<char>(c)) != narrow.npos)
      em += 0.28;
    else if (wide.find(static_cast<char>(c)) != wide.npos)
      em += 0.85;
    else
      em += c >= 'A' && c <= 'Z' ? 0.68 : 0.556;
  }
  return em * points * 2.54 / 72;
}

double line_height(double points) { return 1.25 * points * 2.54 / 72; }

std::string Screen::at(double x, double y) const {
  return fmt::format("screen {:.5f}, screen {:.5f}", x / width_, y / height_);
}

std::string Screen::label(const std::string& text, double x, double y, const std::string& how,
                          double points) const {
  return fmt::format("set label {} at {} {} font ',{:g}'\n", quoted(text), at(x, y), how, points);
}

}  // namespace uotbench
