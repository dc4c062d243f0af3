#include "tools/uotbench/compare_view.hpp"

#include <fmt/format.h>

#include <cmath>

#include "results/units.hpp"
#include "tools/uotbench/text_table.hpp"

namespace uotbench {
namespace {

/// Four digits, so that 1% and 100x are both seen.
std::string ratio_text(double ratio) {
  const int decimals = ratio >= 999.95 ? 0 : ratio >= 99.995 ? 1 : ratio >= 9.9995 ? 2 : 3;
  return fmt::format("{:.{}f}", ratio, decimals);
}

std::string interval_text(const std::optional<SureInterval>& interval) {
  return interval ? fmt::format("{} - {}", ratio_text(interval->low), ratio_text(interval->high)) : "-";
}

/// Rounded down: what is not certain is not called 100%.
std::string coverage_text(const std::optional<SureInterval>& interval) {
  return interval ? fmt::format("{:.0f}%", std::floor(interval->coverage * 100 + 1e-9)) : "-";
}

std::string speedup_text(const std::optional<double>& speedup) {
  return speedup ? fmt::format("{:.2f}x", *speedup) : "-";
}

bool has_value_column(const Comparison& comparison) {
  return !comparison.varied.empty() && comparison.varied != "variant";  // a variant is the label already
}

std::string table_of(const Comparison& comparison, const CompareText& options) {
  using Align = TextTable::Align;
  std::vector<TextTable::Column> columns{{"case"}};
  if (has_value_column(comparison)) columns.push_back({comparison.varied});
  columns.insert(columns.end(), {{options.a, Align::right},
                                 {options.b, Align::right},
                                 {"ratio", Align::right},
                                 {"interval", Align::right},
                                 {"covers", Align::right}});
  if (options.speedups)
    columns.insert(columns.end(), {{"speedup " + options.a, Align::right},
                                   {"speedup " + options.b, Align::right},
                                   {"ratio", Align::right}});
  TextTable table(std::move(columns));
  const std::string* group = nullptr;
  for (const auto& row : comparison.rows) {
    if (!group || *group != row.group) table.heading(row.group);
    group = &row.group;
    std::vector<std::string> cells{"  " + row.label};
    if (has_value_column(comparison)) cells.push_back(row.value);
    for (std::string cell : {format_seconds(row.a->time->median), format_seconds(row.b->time->median),
                             ratio_text(row.ratio), interval_text(row.interval), coverage_text(row.interval)})
      cells.push_back(std::move(cell));
    if (options.speedups) {
      const auto &of_a = row.a->speedup, &of_b = row.b->speedup;
      cells.push_back(speedup_text(of_a));
      cells.push_back(speedup_text(of_b));
      cells.push_back(of_a && of_b ? ratio_text(*of_b / *of_a) : "-");
    }
    table.row(std::move(cells));
  }
  return table.text();
}

}  // namespace

std::string text_of(const Comparison& comparison, const CompareText& options) {
  const std::string of = comparison.varied.empty() ? "" : comparison.varied + " ";
  const std::string of_b = comparison.means.size() > 1 ? "" : of;
  std::string text =
      fmt::format("{}: {}{}\n{}: {}{}\n", options.a, of, comparison.a, options.b, of_b, comparison.b);
  for (const auto& note : comparison.notes) text += note + '\n';
  for (const auto& warning : comparison.warnings) text += "warning: " + warning + '\n';
  text += fmt::format(
      "ratio: time of {1} over time of {0}; below 1, {1} is faster\n"
      "interval: holds the true ratio as often as \"covers\" says; processes are the unit\n\n",
      options.a, options.b);
  text += table_of(comparison, options) + '\n';
  for (const auto& mean : comparison.means)
    text += fmt::format("geometric mean of {} ratio{}: {}{}\n", mean.rows, mean.rows == 1 ? "" : "s",
                        ratio_text(mean.ratio), mean.value.empty() ? "" : "  " + of + mean.value);
  for (const auto& cases : comparison.unmatched) {
    text += fmt::format("{}: {} case{}\n", cases.why, cases.cases.size(), cases.cases.size() == 1 ? "" : "s");
    for (std::size_t i = 0; i < std::min<std::size_t>(3, cases.cases.size()); ++i)
      text += "  " + cases.cases[i] + '\n';
    if (cases.cases.size() > 3) text += fmt::format("  and {} more\n", cases.cases.size() - 3);
  }
  return text;
}

}  // namespace uotbench
