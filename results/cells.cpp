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
          .speedup = view.speedup ? fmt::format("{:.2f}x", *view.speedup) : "-",
          .error = error_text(record, usual_tolerance),
          .status = record.reason ? fmt::format("{}: {}", name_of(record.status), on_one_line(*record.reason))
                                  : name_of(record.status)};
}

}  // namespace uotbench
