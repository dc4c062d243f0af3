#include <fmt/format.h>
#include <fmt/ranges.h>

#include "results/base/json.hpp"
#include "results/base/json_parts.hpp"
#include "results/base/units.hpp"
#include "results/record/rounds.hpp"
#include "roofline/explain/explanation.hpp"
#include "roofline/model/traffic.hpp"

namespace uotbench {
namespace {

std::string headline(const Explanation& it) {
  const std::string name = name_of(it.bottleneck);
  return it.verdict.starts_with(name) ? it.verdict : fmt::format("{}: {}", name, it.verdict);
}

std::string roof_text(const Explanation& it) {
  std::vector<std::string> roofs;
  for (const auto& roof : it.roofs) {
    std::string text =
        fmt::format("{} ({}): {}", name_of(roof), text_of(it.setting),
                    roof.is_bandwidth() ? format_bandwidth(roof.value)
                    : roof.is_flops()   ? format_flops(roof.value)
                                        : format_count(roof.value) + " " + roof.operation + "/s");
    if (roof.noise) text += fmt::format(" (spread {})", format_percent(*roof.noise));
    roofs.push_back(std::move(text));
  }
  const std::string when = it.ceilings_made.empty() ? "" : ", measured " + it.ceilings_made;
  return fmt::format("{}{}{}", it.member->roof ? it.member->roof->where() + "; " : "", fmt::join(roofs, ", "),
                     when);
}

std::string moves_text(const Explanation& it) {
  const Work& work = *it.member->record->work;
  std::string text =
      fmt::format("{} read, {} written", format_bytes(work.bytes_read), format_bytes(work.bytes_written));
  if (work.write_allocate > 0)
    text += fmt::format(", {} fetched to be overwritten", format_bytes(work.write_allocate));
  if (work.bytes_nontemporal > 0)
    text += fmt::format(", {} stored past the caches", format_bytes(work.bytes_nontemporal));
  return text + (work.counted ? " (counted by the run)" : " (work model)");
}

std::string measured_text(const Explanation& it) {
  const Record& record = *it.member->record;
  std::string text =
      fmt::format("per {}, {} process{}", name_of(record.time->per), record.time->processes.size(),
                  record.time->processes.size() == 1 ? "" : "es");
  if (const auto range = time_interval(record))
    text += fmt::format(", {} to {}", format_seconds(range->low), format_seconds(range->high));
  if (it.busy) text += fmt::format("; had its CPUs {} of the time", format_percent(*it.busy));
  return text;
}

}  // namespace

Table table_of(const Explanation& it) {
  Table table{.title = it.member->record->id,
              .about = headline(it),
              .columns = {{"part"}, {"time", Table::Holds::numbers}, {"evidence"}}};
  table.row({Table::Cell("measured", Style::strong), format_seconds(it.measured), measured_text(it)});
  table.row({"moves", format_bytes(it.member->record->work->bytes()), moves_text(it)});
  if (it.member->roof)
    table.row({fmt::format("roof ({})", format_percent(it.member->roof->fraction)),
               format_seconds(it.member->roof->floor), roof_text(it)});
  for (const auto& part : it.parts.all)
    table.row(
        {part.name, format_seconds(part.seconds), fmt::format("{}: {}", name_of(part.evidence), part.from)});
  if (it.clock > 0) {
    const std::string own =
        it.own_clock ? fmt::format("; while it was timed {} GHz", format_fixed(1e-9 * *it.own_clock, 2)) : "";
    table.row({"clock", fmt::format("{} GHz", format_fixed(1e-9 * it.clock, 2)), it.clock_from + own});
  }
  if (it.imbalance)
    table.row({"busiest thread", format_fixed(*it.imbalance, 2) + "x",
               "counted: its accesses between barriers, over an even share"});
  if (it.together > 0)
    table.row({"together", format_seconds(it.together),
               fmt::format("the longer of core, and loads, stores and transfers; measured/predicted {}",
                           format_fixed(it.ratio(), 2))});
  if (!it.saturation.empty()) table.row({"saturates", "", it.saturation});
  if (!it.next.empty()) table.row({"next", "", it.next});
  for (const auto& text : it.faster) table.row({"faster", "", text});
  table.notes = it.trust;
  return table;
}

Table summary_of(const std::vector<Explanation>& explanations) {
  Table table{.title = "What bounds each case",
              .about = "The time that components add up to over the measured time: 0.8 to 1.25 explains it.",
              .columns = {{"case"},
                          {"time", Table::Holds::numbers},
                          {"predicted", Table::Holds::numbers},
                          {"measured/predicted", Table::Holds::numbers},
                          {"bottleneck"},
                          {"evidence"},
                          {"next"}}};
  for (const auto& it : explanations)
    table.row({it.member->record->id, format_seconds(it.measured),
               it.together > 0 ? format_seconds(it.together) : "-",
               it.together > 0 ? format_fixed(it.ratio(), 2) : "-", name_of(it.bottleneck), it.verdict,
               it.next.empty() ? "-" : it.next});
  return table;
}

Json json_of(const Explanation& it) {
  Json parts = Json::array();
  for (const auto& part : it.parts.all)
    parts.push_back({{"name", part.name},
                     {"seconds", part.seconds},
                     {"evidence", name_of(part.evidence)},
                     {"from", part.from}});
  Json roofs = Json::array();
  for (const auto& roof : it.roofs)
    roofs.push_back({{"kernel", roof.kernel},
                     {"value", roof.value},
                     {"working_set", or_null(roof.working_set)},
                     {"noise", or_null(roof.noise)},
                     {"worker", or_null(roof.worker)}});
  const Work& work = *it.member->record->work;
  return {{"case", it.member->record->id},
          {"seconds", it.measured},
          {"per", name_of(it.member->record->time->per)},
          {"bytes_read", work.bytes_read},
          {"bytes_written", work.bytes_written},
          {"write_allocate", work.write_allocate},
          {"bytes_nontemporal", work.bytes_nontemporal},
          {"flops", work.flops},
          {"roof_seconds", it.member->roof ? Json(it.member->roof->floor) : Json()},
          {"roofs", roofs},
          {"ceilings_made", it.ceilings_made.empty() ? Json() : Json(it.ceilings_made)},
          {"busy", or_null(it.busy)},
          {"clock_hz", it.clock > 0 ? Json(it.clock) : Json()},
          {"own_clock_hz", or_null(it.own_clock)},
          {"imbalance", or_null(it.imbalance)},
          {"parts", parts},
          {"predicted_seconds", it.together > 0 ? Json(it.together) : Json()},
          {"in_core", it.core.known() ? Json{{"tool", it.core.tool},
                                             {"cycles", it.core.cycles},
                                             {"overlapping_cycles", it.core.overlapping},
                                             {"load_store_cycles", it.core.memory},
                                             {"bound", it.core.bound},
                                             {"share_of_instructions", it.core.share}}
                                      : Json{{"tool", nullptr}, {"reason", it.core.reason}}},
          {"source_lines", json_of(it.lines)},
          {"saturation", it.saturation.empty() ? Json() : Json(it.saturation)},
          {"bottleneck", name_of(it.bottleneck)},
          {"verdict", it.verdict},
          {"next", it.next.empty() ? Json() : Json(it.next)},
          {"faster", it.faster},
          {"trust", it.trust}};
}

}  // namespace uotbench
