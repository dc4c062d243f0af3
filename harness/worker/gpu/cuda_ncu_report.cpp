#include "harness/worker/gpu/cuda_ncu_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "results/base/error.hpp"

namespace uotbench {
namespace {

constexpr const char* kernel_column = "Kernel Name";
constexpr const char* table_start = "\"ID\",";

using Row = std::vector<std::string>;

/// The fields of the row at `at` (RFC 4180: quoted, a quote within is two), which moves behind it.
Row row_at(const std::string& text, std::size_t& at) {
  Row row(1);
  bool quoted = false;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '"' && quoted && at + 1 < text.size() && text[at + 1] == '"')
      row.back() += text[++at];
    else if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      row.emplace_back();
    else if (c == '\n' && !quoted)
      break;
    else if (c != '\r')
      row.back() += c;
  }
  if (quoted) throw Error("ncu's table is cut short: a quote is not closed");
  ++at;
  return row;
}

/// Where the line begins that the table begins with; npos: there is none.
std::size_t start_of_table(const std::string& text) {
  if (text.starts_with(table_start)) return 0;
  const auto found = text.find(std::string("\n") + table_start);
  return found == std::string::npos ? found : found + 1;
}

/// "1,234.5", as ncu prints it in the locale C and in English. None for n/a and the like.
std::optional<double> number(std::string text) {
  std::erase(text, ',');
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, wrong] = std::from_chars(text.data(), end, value);
  if (wrong != std::errc() || rest != end || !std::isfinite(value)) return std::nullopt;
  return value;
}

enum class Merge { add, average, agree };

/// By the metric's roll-up, as "Metrics Structure" in the Nsight Compute Profiling Guide has them.
Merge merge_of(const std::string& metric, const std::string& unit) {
  const auto dot = metric.find('.');
  const std::string rollup = dot == std::string::npos ? "" : metric.substr(dot + 1);
  if ((rollup == "sum" || rollup == "avg") && unit != "%") return Merge::add;
  const bool rate = unit == "%" || rollup == "pct" || rollup == "ratio" || rollup.starts_with("sum.") ||
                    rollup.starts_with("avg.");
  return rate ? Merge::average : Merge::agree;
}

struct Part {
  double value = 0, weight = 0;
  void add(Merge merge, double more, double duration) {
    value += merge == Merge::average ? more * duration : more;
    weight += duration;
  }
  double total(Merge merge) const { return merge == Merge::average ? value / weight : value; }
};

EventCount merged(const NcuReport& report, const std::string& metric, Merge merge) {
  Part all;
  std::vector<std::pair<std::string, Part>> kernels;
  for (const auto& launch : report.launches) {
    const double value = *launch.values.at(metric);
    double duration = 1;
    if (merge == Merge::average) {
      const auto found = launch.values.find(ncu_duration);
      if (found == launch.values.end() || !found->second || *found->second <= 0)
        return {.reason =
                    fmt::format("ncu gave no duration of {}, by which averages are weighted", launch.kernel)};
      duration = *found->second;
    }
    all.add(merge, value, duration);
    auto kernel = std::ranges::find(kernels, launch.kernel, &std::pair<std::string, Part>::first);
    if (kernel == kernels.end()) kernel = kernels.insert(kernels.end(), {launch.kernel, {}});
    kernel->second.add(merge, value, duration);
  }
  EventCount count{.value = all.total(merge)};
  for (const auto& [kernel, part] : kernels) count.lines.push_back({kernel, part.total(merge)});
  if (merge == Merge::average && report.launches.size() > 1)
    count.note = fmt::format("mean of {} launches, each weighted by its duration", report.launches.size());
  return count;
}

EventCount agreed(const NcuReport& report, const std::string& metric) {
  EventCount count;
  for (const auto& launch : report.launches) {
    const double value = *launch.values.at(metric);
    if (count.value && *count.value != value)
      return {.reason = fmt::format("it differs between launches ({} and {}) and does not add up",
                                    *count.value, value)};
    count.value = value;
  }
  return count;
}

}  // namespace

NcuReport read_ncu_report(const std::string& text) {
  NcuReport report;
  std::size_t at = start_of_table(text);
  if (at == std::string::npos) return report;
  const Row names = row_at(text, at);
  const auto kernel = std::ranges::find(names, kernel_column) - names.begin();
  if (static_cast<std::size_t>(kernel) == names.size())
    throw Error(fmt::format("ncu's table has no column \"{}\"", kernel_column));
  if (at >= text.size()) throw Error("ncu's table is cut short: no units");
  const Row units = row_at(text, at);
  for (std::size_t i = 0; i < std::min(names.size(), units.size()); ++i) report.units[names[i]] = units[i];
  while (at < text.size()) {
    if (text[at] != '"') {  // what ncu says at its end
      row_at(text, at);
      continue;
    }
    const Row row = row_at(text, at);
    if (row.size() != names.size())
      throw Error(
          fmt::format("ncu's table is cut short: a row has {} fields, not {}", row.size(), names.size()));
    auto& launch = report.launches.emplace_back();
    launch.kernel = row[static_cast<std::size_t>(kernel)];
    for (std::size_t i = 0; i < names.size(); ++i) launch.values[names[i]] = number(row[i]);
  }
  return report;
}

std::vector<std::string> ncu_errors(const std::string& text) {
  constexpr std::string_view mark = "==ERROR== ";
  std::vector<std::string> errors;
  for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at)) {
    at += mark.size();
    errors.push_back(text.substr(at, text.find_first_of("\r\n", at) - at));
  }
  return errors;
}

EventCount ncu_count(const NcuReport& report, const std::string& metric) {
  const auto unit = report.units.find(metric);
  if (unit == report.units.end()) return {.reason = fmt::format("ncu's table has no \"{}\"", metric)};
  // Asked for in base units; of those, only bytes could be mistaken for what they are not.
  if (unit->second.size() > 4 && unit->second.find("byte") == 1)
    return {.reason = fmt::format("ncu gave it in {}, not in bytes", unit->second)};
  if (report.launches.empty()) return {.reason = "ncu saw no kernel in the iteration"};
  for (const auto& launch : report.launches)
    if (!launch.values.at(metric))
      return {.reason = fmt::format("ncu gave no value of it for {}", launch.kernel)};
  const Merge merge = merge_of(metric, unit->second);
  return merge == Merge::agree ? agreed(report, metric) : merged(report, metric, merge);
}

}  // namespace uotbench
