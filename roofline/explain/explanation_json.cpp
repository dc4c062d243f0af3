// What is known of a case's time, and what changed between two, as JSON.
#include "results/base/json.hpp"
#include "roofline/explain/changes.hpp"
#include "roofline/explain/explanation.hpp"

namespace uotbench {
namespace {

Json json_of(const InCore& core) {
  if (!core.known()) return {{"tool", nullptr}, {"reason", core.reason}};
  Json instructions = Json::array();
  for (const auto& one : core.hot.listing) instructions.push_back({{"text", one.text}, {"units", one.unit}});
  return {{"tool", core.tool},
          {"cycles", core.cycles},
          {"overlapping_cycles", core.overlapping},
          {"load_store_cycles", core.memory},
          {"bound", core.bound},
          {"share_of_instructions", core.share},
          {"in_order", core.order.known() ? Json{{"instructions", core.order.instructions},
                                                 {"cycles", core.order.cycles},
                                                 {"block_by_block_cycles", core.order.block_by_block}}
                                          : Json()},
          {"hot_block",
           {{"at", core.hot.at},
            {"passes", core.hot.passes},
            {"cycles", core.hot.cycles},
            {"bound", core.hot.bound},
            {"issue_cycles", core.hot.front_end},
            {"units", core.hot.unit},
            {"instructions", instructions}}},
          {"other_tool",
           core.other.known()
               ? Json{{"tool", core.other.tool}, {"cycles", core.other.cycles}, {"bound", core.other.bound}}
               : Json{{"tool", nullptr}, {"reason", core.other.reason}}}};
}

}  // namespace

Json json_of(const HotLines& hot) {
  if (!hot.known()) return {{"reason", hot.reason}};
  Json lines = Json::array();
  for (const auto& line : hot.lines)
    lines.push_back(
        {{"at", line.at},
         {"instructions", line.value},
         {"share", line.value / hot.instructions},
         {"share_of_l1_misses", hot.misses.empty() ? Json() : Json(share_in(hot.misses, line.at))},
         {"share_of_lines_from_memory",
          hot.fetched.empty() ? Json() : Json(share_in(hot.fetched, line.at))}});
  return {{"source", hot.source}, {"instructions", hot.instructions}, {"lines", lines}};
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
          {"mispredicted_branches", it.branches ? Json(it.branches->mispredicted) : Json()},
          {"parts", parts},
          {"predicted_seconds", it.together > 0 ? Json(it.together) : Json()},
          {"in_core", json_of(it.core)},
          {"source_lines", json_of(it.lines)},
          {"saturation", it.saturation.empty() ? Json() : Json(it.saturation)},
          {"bottleneck", name_of(it.bottleneck)},
          {"verdict", it.verdict},
          {"next", it.next.empty() ? Json() : Json(it.next)},
          {"made_for", it.made_for.empty() ? Json() : Json(it.made_for)},
          {"faster", it.faster},
          {"trust", it.trust}};
}

Json json_of(const std::vector<Change>& changes) {
  Json all = Json::array();
  for (const auto& one : changes)
    all.push_back({{"id", one.id},
                   {"a", one.before},
                   {"b", one.after},
                   {"part", one.part.empty() ? Json() : Json(one.part)}});
  return all;
}

}  // namespace uotbench
