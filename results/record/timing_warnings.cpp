#include "results/record/timing_warnings.hpp"

#include <fmt/format.h>

#include <charconv>

namespace uotbench {
namespace {

constexpr std::string_view before_share = "had its CPU only ", after_share = "% of the time";
constexpr std::string_view before_why = "its times are doubtful: ";

}  // namespace

std::string busy_warning(int round, double share) {
  return fmt::format("round {}: {}{:.0f}{}", round, before_share, share * 100, after_share);
}

std::optional<double> busy_share(std::string_view warning) {
  const auto at = warning.find(before_share);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view text = warning.substr(at + before_share.size());
  int percent = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), percent);
  if (error != std::errc() ||
      !text.substr(static_cast<std::size_t>(rest - text.data())).starts_with(after_share))
    return std::nullopt;
  return percent / 100.;
}

std::string doubtful_times_warning(std::string_view why) { return std::string(before_why).append(why); }

bool warns_of_doubtful_times(std::string_view warning) {
  return warning.find(before_why) != std::string_view::npos;
}

}  // namespace uotbench
