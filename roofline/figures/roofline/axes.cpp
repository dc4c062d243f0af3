#include "roofline/figures/roofline/axes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "roofline/draw/text_size.hpp"

namespace uotbench {
namespace {

std::string power_of_two(int exponent) {
  return exponent < 0 ? fmt::format("1/{:.0f}", std::exp2(-exponent))
                      : fmt::format("{:.0f}", std::exp2(exponent));
}

std::string tic(const std::string& text, double value, int level = 0) {
  return fmt::format("{} {:.10g}{}", gnuplot_tic(text), value, level ? " 1" : "");
}

std::string tics_of_x(const Frame& frame, bool corner) {
  const int first = static_cast<int>(std::ceil(std::log2(frame.x.low) - 1e-9));
  const int last = static_cast<int>(std::floor(std::log2(frame.x.high) + 1e-9));
  double widest = 0;
  for (int i = first; i <= last; ++i) widest = std::max(widest, text_width(power_of_two(i), font_size));
  const double octave = frame.box.width() / std::log2(frame.x.high / frame.x.low);
  const int step = std::max(1, static_cast<int>(std::ceil((widest + 0.12) / octave)));
  std::string tics;
  for (int i = first; i <= last; ++i) {
    const bool named = i % step == 0 && (corner || std::exp2(i) < frame.x.high * 0.99);
    tics += (tics.empty() ? "" : ", ") + tic(named ? power_of_two(i) : "", std::exp2(i), named ? 0 : 1);
  }
  return fmt::format("set xtics ({}) font ',{}' offset 0,0.35\n", tics, font_size);
}

std::string tics_of_y(const Frame& frame, bool values) {
  std::string tics;
  const bool fine = std::log10(frame.y.high / frame.y.low) < 1.7;
  for (int decade = static_cast<int>(std::floor(std::log10(frame.y.low)));
       decade <= static_cast<int>(std::ceil(std::log10(frame.y.high))); ++decade)
    for (int digit = 1; digit < 10; ++digit) {
      const double value = digit * std::pow(10, decade);
      if (value < frame.y.low * (1 - 1e-9) || value > frame.y.high * (1 + 1e-9)) continue;
      const bool major = digit == 1 || (fine && (digit == 2 || digit == 5));
      tics += (tics.empty() ? "" : ", ") +
              tic(major && values ? fmt::format("{:.10g}", value) : "", value, major ? 0 : 1);
    }
  return fmt::format("set ytics ({}) font ',{}' offset 0.4,0\n", tics, font_size);
}

}  // namespace

std::string tics_of(const Frame& frame, bool values, bool corner) {
  return tics_of_x(frame, corner) + tics_of_y(frame, values);
}

}  // namespace uotbench
