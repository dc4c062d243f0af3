#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "roofline/figures/roofline/plot.hpp"

namespace uotbench {
namespace {

/// The smallest and largest of some values.
struct Span {
  double low = std::numeric_limits<double>::infinity(), high = 0;
  void add(double value) {
    if (value > 0) low = std::min(low, value), high = std::max(high, value);
  }
};

}  // namespace

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
