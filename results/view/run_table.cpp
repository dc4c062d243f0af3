#include "results/view/run_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "results/base/error.hpp"
#include "results/base/text.hpp"
#include "results/view/metrics.hpp"
#include "results/view/quantity.hpp"

namespace uotbench {
namespace {

/// The tolerance that most of a group is held to: its smallest.
double usual_tolerance(const GroupView& group) {
  double usual = HUGE_VAL;
  for (const auto& member : group.cases)
    if (member.record->check) usual = std::min(usual, member.record->check->tolerance);
  return usual;
}

Style style_of(Status status) {
  if (status == Status::interrupted) return Style::warning;
  if (is_bad(status)) return Style::bad;
  return status == Status::ok ? Style::good : Style::faint;
}

std::vector<const Quantity*> columns_of(const RunView& view) {
  std::vector<const Quantity*> columns = shown_quantities();
  std::erase_if(columns, [&](const Quantity* quantity) {
    return quantity->is_rare && std::ranges::none_of(view.groups, [&](const GroupView& group) {
             return std::ranges::any_of(group.cases, quantity->is_rare);
           });
  });
  return columns;
}

Table::Cell cell_of(const Quantity& quantity, const CaseView& member, double usual_tolerance) {
  const std::string text = text_of(quantity, member, usual_tolerance);
  if (text.empty()) return "-";
  Table::Cell cell(text);
  if (const Value value = quantity.value(member); value.is_number()) cell.value = value.number();
  return cell;
}

/// Of the numbers that benchmarks report: more of them are columns of a CSV file only.
constexpr std::ptrdiff_t most_reported = 6;

/// What the clock, the work and the benchmarks give: metrics that want no counter, and have a value in some
/// case.
std::vector<Metric> metrics_of(const RunView& view, const Metrics& all, std::vector<std::string>& notes) {
  std::vector<Metric> columns;
  std::vector<std::string> left_out;
  for (const auto& metric : all.all()) {
    const auto has_value = [&](const CaseView& m) { return value_of(metric, *m.record).value.has_value(); };
    if (!needs_no_counter(metric) || std::ranges::none_of(view.groups, [&](const GroupView& group) {
          return std::ranges::any_of(group.cases, has_value);
        }))
      continue;
    const bool full = std::ranges::count(columns, true, &Metric::is_reported) >= most_reported;
    if (metric.is_reported && full)
      left_out.push_back(metric.name);
    else
      columns.push_back(metric);
  }
  if (!left_out.empty())
    notes.push_back(fmt::format(
        "{} more reported by the benchmarks, which export --format csv has: {}",
        left_out.size() == 1 ? "1 number" : fmt::format("{} numbers", left_out.size()), shortened(left_out)));
  return columns;
}

Table::Cell cell_of(const Metric& metric, const CaseView& member) {
  const Counter counter = value_of(metric, *member.record);
  Table::Cell cell(counter.value ? text_in_unit(*counter.value, metric.unit) : "-");
  cell.value = counter.value;
  return cell;
}

Table::Cell status_cell(const Record& record) {
  return {outcome_of(record), style_of(record.status), on_one_line(record.reason.value_or(""))};
}

}  // namespace

const CaseView* fastest(const GroupView& group) {
  std::vector<const CaseView*> timed;
  for (const auto& member : group.cases)
    if (member.time) timed.push_back(&member);
  if (timed.size() < 2) return nullptr;
  const auto unit = [](const CaseView* member) { return member->record->time->per; };
  const bool alike =
      std::ranges::all_of(timed, [&](const CaseView* member) { return unit(member) == unit(timed.front()); });
  if (!alike && !std::ranges::all_of(timed, [](const CaseView* m) { return m->per_iteration.has_value(); }))
    return nullptr;
  return *std::ranges::min_element(
      timed, {}, [&](const CaseView* m) { return alike ? m->time->median : *m->per_iteration; });
}

Table run_table(const RunView& view, AbsentWorkers absent, const SourceOf& source_of) {
  const auto columns = columns_of(view);
  const Metrics all_metrics(view.run->header, view.run->records);
  Table table{.notes = view.notes};
  const auto metrics = metrics_of(view, all_metrics, table.notes);
  for (const auto& warning : all_metrics.warnings()) table.notes.push_back(warning);
  table.columns.push_back(
      {"case", Table::Holds::words, "variant, the axes that distinguish it in its group, worker"});
  for (const auto* column : columns)
    table.columns.push_back({column->title, Table::Holds::numbers, column->about});
  for (const auto& metric : metrics)
    table.columns.push_back({metric.title(), Table::Holds::numbers,
                             fmt::format("{} = {}{}{}", metric.name, metric.formula.text(),
                                         metric.about.empty() ? "" : ": ", metric.about)});
  table.columns.push_back(
      {"status", Table::Holds::words,
       "ok, not verified (no oracle knows it), skipped (cannot run here), failed (wrong), crashed, "
       "timeout or interrupted"});
  const auto is_left_out = [&](const CaseView& member) {
    return absent == AbsentWorkers::left_out && member.worker_absent;
  };
  for (const auto& group : view.groups) {
    if (std::ranges::all_of(group.cases, is_left_out)) continue;
    table.heading(group.title);
    const double usual = usual_tolerance(group);
    const CaseView* const best = fastest(group);
    for (const auto& member : group.cases) {
      if (is_left_out(member)) continue;
      Table::Row row{member.label};
      for (const auto* column : columns) row.push_back(cell_of(*column, member, usual));
      for (const auto& metric : metrics) row.push_back(cell_of(metric, member));
      row.push_back(status_cell(*member.record));
      if (&member == best) row[0].style = row[1].style = Style::strong;  // its label, its median
      for (std::size_t i = 0; source_of && i < row.size(); ++i)
        row[i].source = source_of(member, table.columns[i].title);
      table.row(std::move(row));
    }
  }
  return table;
}

}  // namespace uotbench
