#include "roofline/report/sources.hpp"

#include <fmt/format.h>

#include "results/base/error.hpp"
#include "results/base/units.hpp"
#include "results/view/quantity.hpp"
#include "roofline/model/model.hpp"

namespace uotbench {

Sources::Sources(const RunView& view) : view_(view), ceilings_(*view.run) {}

std::string Sources::of(const CaseView& member, std::string_view column) const {
  if (column == "case") return label(member);
  if (column == "roof") return roof(member);
  if (column == "status") return status(member);
  const Quantity* const quantity = quantity_titled(column);
  return quantity && quantity->source ? quantity->source(member, view_) : "";
}

std::string Sources::label(const CaseView& member) const {
  std::string text = on_one_line(member.record->id);
  for (const auto& warning : member.warnings) text += "; " + on_one_line(warning);
  return text;
}

/// "; read 78.0 GB/s, rmw 120.0 GB/s; f32, 2 threads; measured 2026-01-31T12:00:00Z"
std::string Sources::limits(const CaseView& member) const {
  const Record& record = *member.record;
  const auto* ceilings = ceilings_.of(record);
  if (!ceilings || !record.work) return "";
  const Setting setting = setting_of(record);
  std::string text;
  for (const auto& roof : limits_of(member, *ceilings, Caches(view_.run->machine_of(record))))
    text += fmt::format("{}{}", text.empty() ? "" : ", ",
                        roof.is_bandwidth() ? roof.kernel + " " + format_bandwidth(roof.value)
                        : roof.is_flops()   ? fmt::format("{:.4g} GFLOP/s", roof.value / 1e9)
                                          : fmt::format("{} {}/s", format_count(roof.value), roof.operation));
  return fmt::format("; {}; {}; {} {}", text, text_of(setting), ceilings->source,
                     ceilings->made.empty() ? ceilings->name : ceilings->made);
}

std::string Sources::roof(const CaseView& member) const {
  if (!member.roof) return "";
  const RoofView& roof = *member.roof;
  std::string text =
      fmt::format("{} at least, over the median; {} is the limit, data in {}", format_seconds(roof.floor),
                  roof.bound,
                  roof.level.empty() ? "a working set of " + format_bytes(*roof.working_set) : roof.level) +
      limits(member);
  if (roof.intensity) text += fmt::format("; {:.3g} flops a byte", *roof.intensity);
  if (!roof.cause.empty()) text += "; above 100%: " + roof.cause;
  return on_one_line(text);
}

std::string Sources::status(const CaseView& member) const {
  return member.record->repeat ? "to see it again: " + on_one_line(*member.record->repeat) : "";
}

Table cases_table(const RunView& view) {
  const Sources sources(view);
  return run_table(view, AbsentWorkers::shown, [&](const CaseView& member, std::string_view column) {
    return sources.of(member, column);
  });
}

}  // namespace uotbench
