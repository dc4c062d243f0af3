#include "results/view/run_table.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "results/base/error.hpp"
#include "results/base/text.hpp"
#include "results/base/units.hpp"
#include "results/view/metrics.hpp"

namespace uotbench {
namespace {

/// Without a plus-minus sign: a range of three processes is no confidence interval. Above the median itself
/// the size says nothing.
std::string spread_text(double spread) { return spread > told_noise ? "> 100%" : format_percent(spread); }

/// The tolerance that most of a group is held to: its smallest.
double usual_tolerance(const GroupView& group) {
  double usual = HUGE_VAL;
  for (const auto& member : group.cases)
    if (member.record->check) usual = std::min(usual, member.record->check->tolerance);
  return usual;
}

/// The error; and the tolerance where a variant asked for a larger one, and that not every cell was compared.
std::string error_text(const Check& check, double usual) {
  std::vector<std::string> notes;
  if (check.tolerance > usual) notes.push_back(fmt::format("tol {:.0e}", check.tolerance));
  if (check.kind != "full") notes.push_back(check.kind);
  const std::string text = std::isfinite(check.error) ? fmt::format("{:.1e}", check.error) : "inf";
  return notes.empty() ? text : fmt::format("{} ({})", text, fmt::join(notes, ", "));
}

Style style_of(Status status) {
  if (status == Status::interrupted) return Style::warning;
  if (is_bad(status)) return Style::bad;
  return status == Status::ok ? Style::good : Style::faint;
}

/// A number of a case, in its base unit and as a person reads it.
struct NumberColumn {
  const char* title;
  const char* about;
  std::optional<double> (*value)(const CaseView& member);
  std::string (*text)(double value, const CaseView& member, double usual_tolerance);
  bool (*is_rare)(const CaseView& member) = nullptr;  ///< the column is there only if a case has this
};

bool is_solve(const CaseView& member) { return member.time && member.record->time->iterations; }

bool is_predicted(const CaseView& member) { return member.prediction.has_value(); }

const NumberColumn number_columns[] = {
    {"median", "seconds of one unit (iteration, solve or part): the median of the processes' medians",
     [](const CaseView& m) { return m.time ? std::optional(m.time->median) : std::nullopt; },
     [](double value, const CaseView&, double) { return format_seconds(value); }},
    {"iterations", "of a solve: how many it took",
     [](const CaseView& m) {
       return is_solve(m) ? std::optional(static_cast<double>(*m.record->time->iterations)) : std::nullopt;
     },
     [](double, const CaseView& m, double) { return std::to_string(*m.record->time->iterations); }, is_solve},
    {"time/iter",
     "seconds per iteration; of a solve: its time, including its begin and end, over its iterations",
     [](const CaseView& m) { return m.per_iteration; },
     [](double value, const CaseView&, double) { return format_seconds(value); }, is_solve},
    {"spread",
     "half the range of the processes' medians over the median; a range, not a confidence interval (of one "
     "process: half the 95% interval of its median)",
     [](const CaseView& m) { return m.time ? m.time->noise : std::nullopt; },
     [](double value, const CaseView&, double) { return spread_text(value); }},
    {"bandwidth", "bytes that the variant's work model says a unit moves, over the median",
     [](const CaseView& m) { return m.bandwidth; },
     [](double value, const CaseView&, double) { return format_bandwidth(value); }},
    {"roof",
     "the least time that the machine's limits allow over the median; the ceiling that limits it, and where "
     "the "
     "working set lives",
     [](const CaseView& m) { return m.roof ? std::optional(m.roof->fraction) : std::nullopt; },
     [](double value, const CaseView& m, double) {
       return fmt::format("{}% {}", format_fixed(100 * value, 0), m.roof->name());
     },
     [](const CaseView& m) { return m.roof.has_value(); }},
    {"predicted",
     "the effective bandwidth that Eq. 11 (element-wise) or Eq. 12 (stencils) promises from the machine's "
     "ceilings: beta_lo elements, each once",
     [](const CaseView& m) { return m.prediction ? std::optional(m.prediction->predicted) : std::nullopt; },
     [](double value, const CaseView& m, double) {
       return fmt::format("{} Eq. {}", format_bandwidth(value), m.prediction->equation);
     },
     is_predicted},
    {"vs model", "measured over predicted effective bandwidth",
     [](const CaseView& m) { return m.prediction ? std::optional(m.prediction->ratio()) : std::nullopt; },
     [](double value, const CaseView&, double) { return format_fixed(value, 2); }, is_predicted},
    {"speedup", "the time of its reference over its own; an iteration's where one of the two is a solve",
     [](const CaseView& m) { return m.speedup; },
     [](double value, const CaseView&, double) { return format_fixed(value, 2) + 'x'; }},
    {"efficiency",
     "over the fewest CPUs that the variant was timed with: of one problem their CPU seconds over its own; "
     "of "
     "a problem that grows with the CPUs, their seconds over its own",
     [](const CaseView& m) { return m.efficiency; },
     [](double value, const CaseView&, double) { return format_fixed(100 * value, 0) + '%'; },
     [](const CaseView& m) { return m.efficiency.has_value(); }},
    {"error", "relative, as reported by the oracle; with the tolerance where that is larger than usual",
     [](const CaseView& m) {
       const auto& check = m.record->check;
       return check && check->kind != "command" ? std::optional(check->error) : std::nullopt;
     },
     [](double, const CaseView& m, double usual) { return error_text(*m.record->check, usual); }}};

std::vector<NumberColumn> numbers_of(const RunView& view) {
  std::vector<NumberColumn> columns;
  for (const auto& column : number_columns)
    if (!column.is_rare || std::ranges::any_of(view.groups, [&](const GroupView& group) {
          return std::ranges::any_of(group.cases, column.is_rare);
        }))
      columns.push_back(column);
  return columns;
}

Table::Cell cell_of(const NumberColumn& column, const CaseView& member, double usual_tolerance) {
  const auto value = column.value(member);
  Table::Cell cell(value ? column.text(*value, member, usual_tolerance) : "-");
  cell.value = value;
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
  const auto columns = numbers_of(view);
  const Metrics all_metrics(view.run->header, view.run->records);
  Table table{.notes = view.notes};
  const auto metrics = metrics_of(view, all_metrics, table.notes);
  for (const auto& warning : all_metrics.warnings()) table.notes.push_back(warning);
  table.columns.push_back(
      {"case", Table::Holds::words, "variant, the axes that distinguish it in its group, worker"});
  for (const auto& column : columns)
    table.columns.push_back({column.title, Table::Holds::numbers, column.about});
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
      for (const auto& column : columns) row.push_back(cell_of(column, member, usual));
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
