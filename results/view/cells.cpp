#include "results/view/cells.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "results/base/error.hpp"
#include "results/base/units.hpp"

namespace uotbench {
namespace {

std::string noise_text(double noise) {
  const std::string percent = format_percent(noise);
  return percent.starts_with('<') ? percent : "±" + percent;
}

/// The error; and the tolerance where a variant asked for a larger one, and that not every cell was compared.
std::string error_text(const Record& record, double usual) {
  if (!record.check) return "-";
  const Check& check = *record.check;
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

const CellColumn all_columns[] = {
    {"case", &Cells::label, "variant, the axes that tell it from its group, worker", nullptr},
    {"median", &Cells::median,
     "seconds of one unit (iteration, solve or part): the median of the processes' medians",
     [](const CaseView& m) { return m.time ? std::optional(m.time->median) : std::nullopt; }},
    {"iterations", &Cells::iterations, "of a solve: how many it took",
     [](const CaseView& m) {
       const bool told = m.time && m.record->time->iterations;
       return told ? std::optional(static_cast<double>(*m.record->time->iterations)) : std::nullopt;
     }},
    {"each", &Cells::per_iteration,
     "seconds of an iteration; of a solve, its time, what it begins and ends with included, over its "
     "iterations",
     [](const CaseView& m) { return m.per_iteration; }},
    {"noise", &Cells::noise,
     "half the distance between the fastest and the slowest process, relative to the median",
     [](const CaseView& m) { return m.time ? m.time->noise : std::nullopt; }},
    {"bandwidth", &Cells::bandwidth, "bytes that the variant's work model says a unit moves, over the median",
     [](const CaseView& m) { return m.bandwidth; }},
    {"roof", &Cells::roof,
     "the least time that the machine's limits allow over the median; where the working set lives",
     [](const CaseView& m) { return m.roof ? std::optional(m.roof->fraction) : std::nullopt; }},
    {"speedup", &Cells::speedup,
     "the time of its reference over its own; an iteration's where one of the two is a solve",
     [](const CaseView& m) { return m.speedup; }},
    {"error", &Cells::error,
     "relative, as the judge found it; with the tolerance where that is larger than usual",
     [](const CaseView& m) {
       const auto& check = m.record->check;
       return check ? std::optional(check->error) : std::nullopt;
     }},
    {"status", &Cells::status,
     "ok, skipped (cannot run here), failed (wrong), crashed, timeout or interrupted", nullptr}};

}  // namespace

double usual_tolerance(const GroupView& group) {
  double usual = HUGE_VAL;
  for (const auto& member : group.cases)
    if (member.record->check) usual = std::min(usual, member.record->check->tolerance);
  return usual;
}

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

Cells cells_of(const CaseView& view, double usual_tolerance) {
  const Record& record = *view.record;
  return {.label = view.label,
          .median = view.time ? format_seconds(view.time->median) : "-",
          .iterations = view.time && record.time->iterations ? std::to_string(*record.time->iterations) : "-",
          .per_iteration = view.per_iteration ? format_seconds(*view.per_iteration) : "-",
          .noise = view.time && view.time->noise ? noise_text(*view.time->noise) : "-",
          .bandwidth = view.bandwidth ? format_bandwidth(*view.bandwidth) : "-",
          .roof = view.roof ? fmt::format("{:.0f}% {}", 100 * view.roof->fraction, view.roof->level) : "-",
          .speedup = view.speedup ? fmt::format("{:.2f}x", *view.speedup) : "-",
          .error = error_text(record, usual_tolerance),
          .status = name_of(record.status)};
}

std::vector<CellColumn> columns_of(const RunView& view) {
  const auto any = [&](bool (*is)(const CaseView&)) {
    return std::ranges::any_of(view.groups,
                               [&](const GroupView& group) { return std::ranges::any_of(group.cases, is); });
  };
  // What fraction of its time floor a case reaches, and on which level of memory.
  const bool roofs = any([](const CaseView& member) { return member.roof.has_value(); });
  const bool solves =
      any([](const CaseView& member) { return member.time && member.record->time->iterations; });
  std::vector<CellColumn> columns;
  for (const auto& column : all_columns) {
    const bool of_solves = column.text == &Cells::iterations || column.text == &Cells::per_iteration;
    if ((of_solves && !solves) || (column.text == &Cells::roof && !roofs)) continue;
    columns.push_back(column);
  }
  return columns;
}

Table run_table(const RunView& view, AbsentWorkers absent, const SourceOf& source_of) {
  const auto columns = columns_of(view);
  Table table{.notes = view.notes};
  for (const auto& column : columns)
    table.columns.push_back(
        {column.title, column.value ? Table::Holds::numbers : Table::Holds::words, column.about});
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
      const Cells cells = cells_of(member, usual);
      Table::Row row;
      for (const auto& column : columns) {
        Table::Cell cell(cells.*column.text);
        const bool names = column.text == &Cells::label || column.text == &Cells::median;
        if (names && &member == best) cell.style = Style::strong;
        if (column.text == &Cells::status) {
          cell.style = style_of(member.record->status);
          cell.detail = on_one_line(member.record->reason.value_or(""));
        }
        if (column.value) cell.value = column.value(member);
        if (source_of) cell.source = source_of(member, column.title);
        row.push_back(std::move(cell));
      }
      table.row(std::move(row));
    }
  }
  return table;
}

}  // namespace uotbench
