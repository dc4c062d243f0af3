#include "results/view/quantity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "results/base/document.hpp"
#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/base/text.hpp"
#include "results/base/units.hpp"
#include "results/record/timing.hpp"
#include "results/view/metrics.hpp"

namespace uotbench {
namespace {

std::vector<const Quantity*> named_in(const char* Quantity::*name, Quantity::Order Quantity::*order) {
  std::vector<const Quantity*> named;
  for (const auto& quantity : quantities())
    if (quantity.*name) named.push_back(&quantity);
  std::ranges::stable_sort(named, {}, [&](const Quantity* quantity) { return quantity->*order; });
  return named;
}

std::string text_in_base_unit(const Value& value, std::string_view unit) {
  if (!value.real()) return value_text(value);
  if (unit == "s") return format_seconds(*value.real());
  if (unit == "B") return format_bytes(*value.real());
  if (unit == "B/s") return format_bandwidth(*value.real());
  return fmt::format("{:.4g}", *value.real());
}

}  // namespace

std::vector<const Quantity*> csv_quantities() { return named_in(&Quantity::csv, &Quantity::csv_order); }

std::vector<const Quantity*> shown_quantities() { return named_in(&Quantity::title, &Quantity::title_order); }

const Quantity* quantity_titled(std::string_view title) {
  const auto found = std::ranges::find_if(
      quantities(), [&](const Quantity& quantity) { return quantity.title && quantity.title == title; });
  return found == quantities().end() ? nullptr : &*found;
}

std::string text_of(const Quantity& quantity, const CaseView& member, double usual_tolerance) {
  const Value value = quantity.value(member);
  if (value.is_none()) return "";
  return quantity.text ? quantity.text(value, member, usual_tolerance)
                       : text_in_base_unit(value, quantity.unit);
}

Json json_of(const Quantity& quantity, const CaseView& member) {
  if (quantity.json) return quantity.json(member);
  const Value value = quantity.value(member);
  return value.real() && !std::isfinite(*value.real()) ? Json(nullptr) : to_json(value);
}

// A run as a table.

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

namespace uotbench::quantity_sources {
namespace {

/// Whole bytes in groups of three digits, so that a reader can do the division.
std::string exact_bytes(double bytes) {
  if (!(bytes < 1e15)) return fmt::format("{:.3e}", bytes);  // no double tells these to the byte
  std::string digits = fmt::format("{:.0f}", bytes);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
  return digits;
}

}  // namespace

std::string median(const CaseView& member, const RunView& view) {
  if (!member.time) return "not timed";
  const Timing& time = *member.record->time;
  const std::size_t processes = process_medians(time).size(), samples = member.time->samples;
  std::string text =
      processes == 1 ? "median of one process" : fmt::format("median of {} processes' medians", processes);
  text += fmt::format(", {} sample{}", samples, samples == 1 ? "" : "s");
  if (time.inner > 1) text += fmt::format(" of {} {}s each", time.inner, name_of(time.per));
  text += fmt::format(", {} clock, per {}, stopped by {}; {}", time.clock, name_of(time.per), time.stopped_by,
                      view.run->path.filename().string());
  return on_one_line(text);
}

std::string iterations(const CaseView& member, const RunView&) {
  if (!member.time) return "";
  return member.record->time->iterations ? "as the worker counted them; the most, where processes differ"
                                         : fmt::format("timed per {}", name_of(member.record->time->per));
}

std::string per_iteration(const CaseView& member, const RunView&) {
  if (!member.per_iteration) return member.time ? "timed per part" : "";
  return member.record->time->iterations
             ? fmt::format("{} over {} iterations", format_seconds(member.time->median),
                           *member.record->time->iterations)
             : "the median";
}

std::string spread(const CaseView& member, const RunView&) {
  if (!member.time) return "";
  if (!member.time->noise) return "too few samples";
  return process_medians(*member.record->time).size() > 1
             ? "half the range of the processes' medians, over the median: no confidence interval"
             : "half the 95% interval of the process's median, over it";
}

std::string bandwidth(const CaseView& member, const RunView&) {
  const auto& work = member.record->work;
  if (!member.bandwidth) return member.time && !work ? "the variant declares no work model" : "";
  return fmt::format("{} bytes of the work model ({} read, {} written) over the median",
                     exact_bytes(work->bytes()), exact_bytes(work->bytes_read),
                     exact_bytes(work->bytes_written));
}

std::string predicted(const CaseView& member, const RunView&) {
  const auto& record = *member.record;
  if (!member.prediction) return "";
  const ElementWork& element = *record.work->element;
  return fmt::format(
      "Eq. {} of X. He, PLOS ONE 2023, with alpha {:g}, beta_lo {:g}, beta_hi {:g} of the work model and "
      "measured ceilings",
      member.prediction->equation, element.flops, element.memory, element.cached);
}

std::string of_predicted(const CaseView& member, const RunView&) {
  if (!member.prediction) return "";
  return fmt::format("{} measured: beta_lo elements over the median",
                     format_bandwidth(member.prediction->measured));
}

std::string speedup(const CaseView& member, const RunView& view) {
  if (!member.speedup || !member.time) return member.time ? "its reference was not timed" : "";
  const bool each = member.speedup_of_iterations;
  const double own = each ? *member.per_iteration : member.time->median;
  return fmt::format(
      "{}{} of {}, over {}", format_seconds(*member.speedup * own), each ? " an iteration" : "",
      view.reference.given() ? on_one_line(view.reference.text()) : "the group's first variant",
      each ? "that of its own iterations" : "the median");
}

std::string error(const CaseView& member, const RunView&) {
  if (!member.record->check) return "not verified";
  const Check& check = *member.record->check;
  if (check.kind == "command") return on_one_line("verified by " + check.oracle);
  return on_one_line(fmt::format("verified by {}, {} check, tolerance {:.1e}{}", check.oracle, check.kind,
                                 check.tolerance, check.worst.empty() ? "" : ", largest in " + check.worst) +
                     (check.found.empty() ? "" : ", found " + check.found.line()));
}

}  // namespace uotbench::quantity_sources
