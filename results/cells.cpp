#include "results/cells.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "results/error.hpp"
#include "results/units.hpp"

namespace uotbench {
namespace {

std::string noise_text(double noise) {
  const std::string percent = format_percent(noise);
  return percent.starts_with('<') ? percent : "±" + percent;
}

/// The error, and the tolerance where a variant asked for a larger one.
std::string error_text(const Record& record, double usual) {
  if (!record.check) return "-";
  const std::string text =
      std::isfinite(record.check->error) ? fmt::format("{:.1e}", record.check->error) : "inf";
  return record.check->tolerance > usual ? fmt::format("{} (tol {:.0e})", text, record.check->tolerance)
                                         : text;
}

}  // namespace

double usual_tolerance(const GroupView& group) {
  double usual = HUGE_VAL;
  for (const auto& member : group.cases)
    if (member.record->check) usual = std::min(usual, member.record->check->tolerance);
  return usual;
}

const CaseView* fastest(const GroupView& group) {
  const CaseView* best = nullptr;
  std::size_t timed = 0;
  for (const auto& member : group.cases) {
    if (!member.time) continue;
    if (best && best->record->time->per != member.record->time->per) return nullptr;
    ++timed;
    if (!best || member.time->median < best->time->median) best = &member;
  }
  return timed > 1 ? best : nullptr;
}

Cells cells_of(const CaseView& view, double usual_tolerance) {
  const Record& record = *view.record;
  return {.label = view.label,
          .median = view.time ? format_seconds(view.time->median) : "-",
          .noise = view.time && view.time->noise ? noise_text(*view.time->noise) : "-",
          .bandwidth = view.bandwidth ? format_bandwidth(*view.bandwidth) : "-",
          .roof = view.roof ? fmt::format("{:.0f}% {}", 100 * view.roof->fraction, view.roof->level) : "-",
          .speedup = view.speedup ? fmt::format("{:.2f}x", *view.speedup) : "-",
          .error = error_text(record, usual_tolerance),
          .status = record.reason ? fmt::format("{}: {}", name_of(record.status), on_one_line(*record.reason))
                                  : name_of(record.status)};
}

std::vector<CellColumn> columns_of(const RunView& view) {
  const bool roofs = std::ranges::any_of(view.groups, [](const GroupView& group) {
    return std::ranges::any_of(group.cases, [](const CaseView& member) { return member.roof.has_value(); });
  });
  std::vector<CellColumn> columns{{"case", &Cells::label, false},
                                  {"median", &Cells::median},
                                  {"noise", &Cells::noise},
                                  {"bandwidth", &Cells::bandwidth}};
  // What fraction of its time floor a case reaches, and on which level of memory.
  if (roofs) columns.push_back({"roof", &Cells::roof});
  columns.insert(columns.end(),
                 {{"speedup", &Cells::speedup}, {"error", &Cells::error}, {"status", &Cells::status, false}});
  return columns;
}

}  // namespace uotbench
