#include "roofline/figures/roofline/rate_text.hpp"

#include <fmt/format.h>

#include <cmath>

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

}  // namespace uotbench
