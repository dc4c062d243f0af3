#include "results/base/units.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <initializer_list>
#include <utility>

#include "results/base/error.hpp"

namespace uotbench {
namespace {

/// Beyond this nobody counts the digits, and a number may have three hundred.
constexpr double written_out = 1e7;

/// Four significant digits, trailing zeros kept so that columns line up.
std::string four_digits(double value) {
  // What is rounded up to 10, 100 or 1000 has a digit more before the point.
  const double magnitude = std::fabs(value);
  return format_fixed(value, magnitude >= 999.95 ? 0 : magnitude >= 99.995 ? 1 : magnitude >= 9.9995 ? 2 : 3);
}

/// A number followed by one of `units`; the number times the unit's value.
double parse(const std::string& text, std::initializer_list<std::pair<const char*, double>> units,
             const char* wanted) {
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  const std::string unit(rest, end);
  if (error == std::errc() && number >= 0)
    for (const auto& [name, scale] : units)
      if (unit == name && std::isfinite(number * scale)) return number * scale;
  throw UsageError(fmt::format("\"{}\" is not {}", text, wanted));
}

}  // namespace

std::string format_fixed(double value, int decimals) {
  return std::fabs(value) < written_out ? fmt::format("{:.{}f}", value, decimals)
                                        : fmt::format("{:.3e}", value);
}

std::string format_seconds(double seconds) {
  constexpr double rounds_up = 0.99995;  // to 1.000 of the next unit
  const double magnitude = std::fabs(seconds);
  if (magnitude >= rounds_up) return four_digits(seconds) + " s";
  if (magnitude >= rounds_up * 1e-3) return four_digits(seconds * 1e3) + " ms";
  if (magnitude >= rounds_up * 1e-6) return four_digits(seconds * 1e6) + " us";
  return four_digits(seconds * 1e9) + " ns";
}

std::string format_bytes(double bytes) {
  constexpr std::array<const char*, 5> units{"B", "KiB", "MiB", "GiB", "TiB"};
  std::size_t unit = 0;
  // 1023.95 would be printed as 1024.0.
  while (bytes >= (unit == 0 ? 1023.5 : 1023.95) && unit + 1 < units.size()) bytes /= 1024, ++unit;
  return format_fixed(bytes, unit == 0 ? 0 : 1) + ' ' + units[unit];
}

std::string format_bandwidth(double bytes_per_second) {
  // What would be printed as 1000.0 is 1.0 of the next unit.
  if (bytes_per_second >= 999.95e9) return format_fixed(bytes_per_second / 1e12, 2) + " TB/s";
  if (bytes_per_second >= 999.95e6) return fmt::format("{:.1f} GB/s", bytes_per_second / 1e9);
  return format_fixed(bytes_per_second / 1e6, 1) + " MB/s";
}

std::string format_flops(double flops_per_second) {
  if (flops_per_second >= 999.95e9) return format_fixed(flops_per_second / 1e12, 2) + " TFLOP/s";
  if (flops_per_second >= 999.95e6) return fmt::format("{:.1f} GFLOP/s", flops_per_second / 1e9);
  return format_fixed(flops_per_second / 1e6, 1) + " MFLOP/s";
}

std::string format_count(double count) {
  constexpr double rounds_up = 0.99995;
  const double magnitude = std::fabs(count);
  if (magnitude < 1e4 * rounds_up && count == std::trunc(count)) return fmt::format("{:.0f}", count);
  for (const auto& [scale, prefix] : {std::pair{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}})
    if (magnitude >= rounds_up * scale)
      return magnitude < 1e16 ? four_digits(count / scale) + prefix : fmt::format("{:.3e}", count);
  return fmt::format("{:.4g}", count);
}

std::string format_percent(double fraction) {
  return fraction < 0.0005 ? "<0.1%" : format_fixed(fraction * 100, 1) + '%';
}

std::string format_wait(double seconds) {
  if (!(std::fabs(seconds) < written_out)) return format_fixed(seconds, 0) + 's';
  const auto whole = static_cast<long long>(std::llround(seconds));
  if (whole < 60) return fmt::format("{}s", whole);
  if (whole < 3600) return fmt::format("{}m{:02}s", whole / 60, whole % 60);
  return fmt::format("{}h{:02}m", whole / 3600, whole % 3600 / 60);
}

double parse_duration(const std::string& text) {
  return parse(text, {{"ms", 1e-3}, {"s", 1}, {"m", 60}, {"h", 3600}},
               "a duration such as 500ms, 2s, 5m or 1h");
}

double parse_percent(const std::string& text) {
  return parse(text, {{"%", 0.01}}, "a percentage such as 2%");
}

double parse_bytes(const std::string& text) {
  return parse(text, {{"KiB", 1024.0}, {"MiB", 1024.0 * 1024}, {"GiB", 1024.0 * 1024 * 1024}},
               "an amount of memory such as 512MiB or 4GiB");
}

}  // namespace uotbench
