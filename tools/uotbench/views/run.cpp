#include "tools/uotbench/views/run.hpp"

#include <fmt/format.h>

#include <cmath>

#include "results/base/error.hpp"
#include "results/base/units.hpp"
#include "results/view/metrics.hpp"
#include "results/view/quantity.hpp"
#include "results/view/view.hpp"
#include "tools/uotbench/views/text_layout.hpp"

namespace uotbench {
namespace {

/// Four digits, so that 1% and 100x are both seen.
std::string ratio_text(double ratio) {
  const int decimals = ratio >= 999.95 ? 0 : ratio >= 99.995 ? 1 : ratio >= 9.9995 ? 2 : 3;
  return format_fixed(ratio, decimals);
}

std::string interval_text(const std::optional<Interval>& interval) {
  return interval ? fmt::format("{} - {}", ratio_text(interval->low), ratio_text(interval->high)) : "-";
}

/// Rounded down: what is not certain is not called 100%.
std::string coverage_text(const std::optional<double>& coverage) {
  return coverage ? fmt::format("{:.0f}%", std::floor(*coverage * 100 + 1e-9)) : "-";
}

std::string speedup_text(const std::optional<double>& speedup) {
  return speedup ? format_fixed(*speedup, 2) + 'x' : "-";
}

bool has_value_column(const Comparison& comparison) {
  return !comparison.varied.empty() && comparison.varied != "variant";  // a variant is the label already
}

/// Between runs the interval is a range: each run has a level of its own, so no share of such ranges contains
/// the true ratio.
bool is_range(const Comparison& comparison) { return comparison.varied.empty(); }

/// Coloured only where the interval says that it is no accident.
Style style_of(const Comparison& comparison, const std::optional<Interval>& interval) {
  if (is_range(comparison)) return Style::plain;
  if (interval && interval->high < 1) return Style::good;
  return interval && interval->low > 1 ? Style::bad : Style::plain;
}

std::string table_of(const Comparison& comparison, const CompareText& options, const Terminal& terminal) {
  using enum Table::Holds;
  std::vector<Table::Column> columns{{"case"}};
  if (has_value_column(comparison)) columns.push_back({comparison.varied});
  columns.insert(columns.end(), {{options.a, numbers},
                                 {options.b, numbers},
                                 {"ratio", numbers},
                                 {is_range(comparison) ? "range" : "interval", numbers}});
  if (!is_range(comparison)) columns.push_back({"covers", numbers});
  if (options.speedups)
    columns.insert(columns.end(), {{"speedup " + options.a, numbers},
                                   {"speedup " + options.b, numbers},
                                   {fmt::format("speedup {}/{}", options.b, options.a), numbers}});
  Table table{.columns = std::move(columns)};
  const std::string* group = nullptr;
  for (const auto& row : comparison.rows) {
    if (!group || *group != row.group) table.heading(row.group);
    group = &row.group;
    Table::Row cells{row.label};
    if (has_value_column(comparison)) cells.push_back(row.value);
    cells.insert(cells.end(), {format_seconds(row.times.a),
                               format_seconds(row.times.b),
                               {ratio_text(row.ratio()), style_of(comparison, row.interval)},
                               interval_text(row.interval)});
    if (!is_range(comparison)) cells.push_back(coverage_text(row.coverage));
    if (options.speedups) {
      const auto &of_a = row.a->speedup, &of_b = row.b->speedup;
      cells.push_back(speedup_text(of_a));
      cells.push_back(speedup_text(of_b));
      cells.push_back(of_a && of_b ? ratio_text(*of_b / *of_a) : "-");
    }
    table.row(std::move(cells));
  }
  return text_rows(std::move(table), terminal);
}

/// What the benchmarks report besides their times; empty: nothing.
std::string reported_table(const Comparison& comparison, const CompareText& options,
                           const Terminal& terminal) {
  using enum Table::Holds;
  Table table{.columns = {{"reported by the benchmark"},
                          {"number"},
                          {options.a, numbers},
                          {options.b, numbers},
                          {"ratio", numbers}}};
  for (const auto& row : comparison.rows)
    for (const auto& number : row.reported)
      table.row({row.value.empty() ? row.label : fmt::format("{} {}", row.label, row.value), number.name,
                 text_in_unit(number.a, number.unit), text_in_unit(number.b, number.unit),
                 number.a == 0 ? "-" : ratio_text(number.b / number.a)});
  return table.rows.empty() ? "" : text_rows(std::move(table), terminal) + '\n';
}

}  // namespace

std::string table_of(const RunView& view, const Terminal& terminal) {
  Table table = run_table(view, AbsentWorkers::left_out);
  const std::vector<std::string> notes = std::move(table.notes);
  const bool any = !table.rows.empty();
  std::string text = warnings(view.warnings, terminal);
  if (!text.empty()) text += '\n';
  if (any) text += text_rows(std::move(table), terminal);
  if (any && !notes.empty()) text += '\n';
  for (const auto& note : notes) text += paragraph("", on_one_line(note), terminal, Style::plain, 2);
  if (view.reference.names_axes())
    text += '\n' + paragraph("", fmt::format("speedups are over {}", view.reference.text()), terminal);
  return text;
}

namespace {

/// Whether gdb shows its kernel: one whose compiler is told was built, others are interpreted.
bool is_built(const Run& run, const std::string& worker) {
  const WorkerBuild* const build = run.header.workers.find(worker);
  return build && !build->compiler().empty();
}

}  // namespace

std::string mending(const Run& run) {
  std::string text;
  for (const Status status : {Status::crashed, Status::failed, Status::timeout}) {
    const Record* first = nullptr;
    std::size_t count = 0;
    for (const auto& record : run.records) {
      if (record.status != status || record.repeat.value_or("").empty()) continue;
      if (count++ == 0) first = &record;
    }
    if (!first) continue;
    const std::string command = on_one_line(*first->repeat);
    text += fmt::format("{}: {}{}\n  again:    {}\n", name_of(status), on_one_line(first->id),
                        count > 1 ? fmt::format(", and {} more", count - 1) : "", command);
    if (is_built(run, first->worker)) text += fmt::format("  debugger: {} --under 'gdb --args'\n", command);
  }
  return text;
}

std::string signpost(const Run& run, const std::string& command) {
  const std::string next = is_unfinished(run) ? finishing_command(run) : command;
  return mending(run) +
         fmt::format("run file: {}\nnext:     {}\n", on_one_line(run.path.string()), on_one_line(next));
}

std::string text_of(const Comparison& comparison, const CompareText& options, const Terminal& terminal) {
  const std::string of = comparison.varied.empty() ? "" : comparison.varied + " ";
  const std::string of_b = comparison.means.size() > 1 ? "" : of;
  std::string text = paragraph(options.a + ": ", of + comparison.a, terminal) +
                     paragraph(options.b + ": ", of_b + comparison.b, terminal);
  for (const auto& note : comparison.notes) text += paragraph("", note, terminal, Style::plain, 2);
  text += warnings(comparison.warnings, terminal);
  text += paragraph(
      "ratio: ", fmt::format("time of {1} over time of {0}; below 1, {1} is faster", options.a, options.b),
      terminal);
  text += is_range(comparison)
              ? paragraph("range: ",
                          "the smallest and the largest ratio between a process of each run. "
                          "It is no confidence interval: each run has a level of its own "
                          "(machine load, memory layout), so even equal builds often differ "
                          "by more. uotbench gate measures two builds side by side",
                          terminal)
              : paragraph("interval: ",
                          "confidence interval of the ratio in this run, at the level in \"covers\": 75% "
                          "for 3 rounds, 97% for --rounds 6",
                          terminal);
  text += '\n' + table_of(comparison, options, terminal) + '\n';
  text += reported_table(comparison, options, terminal);
  for (const auto& mean : comparison.means)
    text += fmt::format("geometric mean of {}: {}{}\n", counted(mean.rows, "ratio"), ratio_text(mean.ratio),
                        mean.value.empty() ? "" : "  " + of + mean.value);
  for (const auto& cases : comparison.unmatched) {
    text += fmt::format("{}: {}\n", cases.why, counted(cases.cases.size(), "case"));
    for (std::size_t i = 0; i < std::min<std::size_t>(3, cases.cases.size()); ++i)
      text += paragraph("  ", cases.cases[i], terminal, Style::plain, 4);
    if (cases.cases.size() > 3) text += fmt::format("  and {} more\n", cases.cases.size() - 3);
  }
  return text;
}

}  // namespace uotbench
