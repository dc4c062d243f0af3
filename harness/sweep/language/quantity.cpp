#include "harness/sweep/language/quantity.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <initializer_list>
#include <utility>

#include "results/base/error.hpp"

namespace uotbench {
namespace {

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
