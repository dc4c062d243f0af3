#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "roofline/draw/style.hpp"
#include "roofline/figures/roofline/plot.hpp"

namespace uotbench {
namespace {

/// Three digits, all of those before the point; no zeros at the end.
std::string three_digits(double value) {
  const int decimals = value >= 99.95 ? 0 : value >= 9.995 ? 1 : value >= 0.9995 ? 2 : 3;
  std::string text = fmt::format("{:.{}f}", value, decimals);
  if (decimals > 0) {
    text.erase(text.find_last_not_of('0') + 1);
    if (text.ends_with('.')) text.pop_back();
  }
  return text;
}

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

/// The smallest and largest of some values.
struct Span {
  double low = std::numeric_limits<double>::infinity(), high = 0;
  void add(double value) {
    if (value > 0) low = std::min(low, value), high = std::max(high, value);
  }
};

}  // namespace

std::string bandwidth_text(double bytes_per_second) { return three_digits(bytes_per_second / 1e9) + " GB/s"; }

std::string flop_rate_text(double flops_per_second) {
  if (flops_per_second >= 9.9995e12) return three_digits(flops_per_second / 1e12) + " TFLOP/s";
  return three_digits(flops_per_second / 1e9) + " GFLOP/s";
}

std::string intensity_text(double intensity) {
  const double parts = 1 / intensity;
  if (parts > 1.5 && std::abs(parts - std::round(parts)) < 0.02) return fmt::format("1/{:.0f}", parts);
  return three_digits(intensity);
}

std::string tics_of(const Frame& frame, bool values, bool corner) {
  return tics_of_x(frame, corner) + tics_of_y(frame, values);
}

RooflineScales scales_for(const std::vector<RoofPanel>& panels, double width, double height) {
  Span x, y;
  for (const auto& panel : panels) {
    for (const auto& point : panel.points) {
      x.add(point.intensity), x.add(point.counted.value_or(0));
      y.add(point.low / 1.5), y.add(point.high);
    }
    for (const double intensity : panel.intensities)
      x.add(intensity / 1.4), y.add(panel.allowed(intensity) / 2);
    for (const auto& slope : panel.slopes)
      if (panel.peak()) x.add(ridge(slope.bandwidth, *panel.peak()));
    for (const auto& flat : panel.flats) y.add(flat.flops);
  }
  if (x.high == 0) x.add(1);
  // An octave beside what is drawn, and seven at least.
  int first = static_cast<int>(std::floor(std::log2(x.low) - 0.6));
  const int last = std::max(static_cast<int>(std::ceil(std::log2(x.high) + 0.8)), first + 5);
  first = std::min(first, last - 7);
  RooflineScales scales{.x = {std::exp2(first), std::exp2(last), true}, .y = {}, .degrees = 45};

  for (const auto& panel : panels)
    if (panel.slowest()) {
      y.add(*panel.slowest() * scales.x.low * 1.2);
      if (!panel.peak()) y.add(*panel.slowest() * scales.x.high);
    }
  // Above the highest roof its name has room.
  const double room = 0.42 / height;
  const double least = std::log10(y.high / y.low) / (1 - room);
  const double across = std::log10(scales.x.high / scales.x.low) / width;
  const double steepest = std::atan(height / least * across) * 180 / std::numbers::pi;
  scales.degrees = std::max(1, static_cast<int>(std::floor(steepest)));
  const double decades = height * across / std::tan(scales.degrees * std::numbers::pi / 180);
  scales.y = {y.low, y.low * std::pow(10, decades), true};
  return scales;
}

}  // namespace uotbench
