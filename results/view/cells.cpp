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
          .status = record.reason ? fmt::format("{}: {}", name_of(record.status), on_one_line(*record.reason))
                                  : name_of(record.status)};
}

std::vector<CellColumn> columns_of(const RunView& view) {
  const auto any = [&](bool (*is)(const CaseView&)) {
    return std::ranges::any_of(view.groups,
                               [&](const GroupView& group) { return std::ranges::any_of(group.cases, is); });
  };
  const bool roofs = any([](const CaseView& member) { return member.roof.has_value(); });
  const bool solves =
      any([](const CaseView& member) { return member.time && member.record->time->iterations; });
  std::vector<CellColumn> columns{{"case", &Cells::label, false}, {"median", &Cells::median}};
  if (solves) {
    columns.push_back({"iterations", &Cells::iterations});
    columns.push_back({"each", &Cells::per_iteration});
  }
  columns.insert(columns.end(), {{"noise", &Cells::noise}, {"bandwidth", &Cells::bandwidth}});
  // What fraction of its time floor a case reaches, and on which level of memory.
  if (roofs) columns.push_back({"roof", &Cells::roof});
  columns.insert(columns.end(),
                 {{"speedup", &Cells::speedup}, {"error", &Cells::error}, {"status", &Cells::status, false}});
  return columns;
}

}  // namespace uotbench
