// An explanation, and what changed between two, as tables and as JSON.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "results/base/json.hpp"
#include "results/base/units.hpp"
#include "results/record/timing.hpp"
#include "roofline/explain/explanation.hpp"
#include "roofline/explain/in_core.hpp"
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
  // A flop rate has no place in memory.
  const bool of_memory = it.member->roof && std::ranges::any_of(it.roofs, &Roof::is_bandwidth);
  return fmt::format("{}{}{}", of_memory ? it.member->roof->where() + "; " : "", fmt::join(roofs, ", "),
                     when);
}

std::string moves_text(const Explanation& it) {
  const Work& work = *it.member->record->work;
  std::string text =
      fmt::format("{} read, {} written", format_bytes(work.bytes_read), format_bytes(work.bytes_written));
  if (work.bytes_nontemporal > 0)
    text += fmt::format(", {} of them past the caches", format_bytes(work.bytes_nontemporal));
  if (work.write_allocate > 0)
    text += fmt::format("; not added: {} of lines that stores fetch", format_bytes(work.write_allocate));
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

/// With the parts behind it.
Table::Cell predicted_cell(const Explanation& it) {
  Table::Cell cell(it.together > 0 ? format_seconds(it.together) : "-");
  if (!(it.together > 0)) return cell;
  cell.value = it.together;
  std::vector<std::string> parts;
  for (const auto& part : it.parts.all)
    parts.push_back(fmt::format("{} {} ({}: {})", part.name, format_seconds(part.seconds),
                                name_of(part.evidence), part.from));
  cell.source = fmt::format("{}", fmt::join(parts, "\n"));
  return cell;
}

/// Classes of roofline/report/page.css.
const char* class_of(TimePart::Kind kind) {
  switch (kind) {
    case TimePart::Kind::core:
      return "core";
    case TimePart::Kind::memory:
      return "memory";
    case TimePart::Kind::transfer:
      return "transfer";
    case TimePart::Kind::waiting:
      return "waiting";
  }
  return "";
}

/// The measured time, its parts as shares of the longer of it and the predicted one.
Table::Cell measured_cell(const Explanation& it) {
  Table::Cell cell(format_seconds(it.measured));
  if (!it.is_counted()) return cell;
  const auto add = [&](double seconds, const char* kind, const std::string& name, const std::string& from) {
    cell.shares.push_back({seconds / std::max(it.measured, it.together), kind,
                           fmt::format("{}: {}, {} of the measured time{}", name, format_seconds(seconds),
                                       format_percent(seconds / it.measured), from)});
  };
  for (const auto* part : it.parts.added())
    add(part->seconds, class_of(part->kind), part->name,
        fmt::format("\n{}: {}", name_of(part->evidence), part->from));
  if (it.together < it.measured) add(it.measured - it.together, "rest", "not explained", "");
  return cell;
}

}  // namespace

Table table_of(const Explanation& it) {
  Table table{.title = it.member->record->id,
              .about = headline(it),
              .columns = {{"part"}, {"time", Table::Holds::numbers}, {"evidence"}}};
  table.row({Table::Cell("measured", Style::strong), format_seconds(it.measured), measured_text(it)});
  table.row({"moves", format_bytes(it.member->record->work->bytes()), moves_text(it)});
  // Where the code was not analysed, the flops are a part of the time.
  if (it.core.known() && it.member->record->work->flops > 0)
    table.row({"computes", format_count(it.member->record->work->flops), "flops (work model)"});
  if (it.member->roof)
    table.row({fmt::format("roof ({})", format_percent(it.member->roof->fraction)),
               format_seconds(it.member->roof->floor), roof_text(it)});
  for (const auto& part : it.parts.all)
    table.row(
        {part.name, format_seconds(part.seconds), fmt::format("{}: {}", name_of(part.evidence), part.from)});
  if (it.core.known() && !it.core.hot.listing.empty())
    table.row({"hot loop", fmt::format("{} cycles", format_fixed(it.core.hot.cycles, 2)),
               "modelled: " + text_of_hot_block(it.core)});
  if (it.core.order.known())
    table.row({"in order", format_fixed(it.core.order.times(), 2) + "x",
               fmt::format("modelled: {}; more than {}x is a dependency chain", text_of(it.core.order),
                           clearly_longer)});
  if (it.clock > 0) {
    const std::string own = it.own_clock ? fmt::format("; before and after its samples {} GHz",
                                                       format_fixed(1e-9 * *it.own_clock, 2))
                                         : "";
    table.row({"clock", fmt::format("{} GHz", format_fixed(1e-9 * it.clock, 2)), it.clock_from + own});
  }
  if (it.imbalance)
    table.row({"busiest thread", format_fixed(*it.imbalance, 2) + "x",
               "counted: its accesses between barriers, over an even share"});
  if (it.together > 0)
    table.row({"together", format_seconds(it.together),
               fmt::format("max(core, loads and stores + transfers) + waiting; measured/predicted {}",
                           format_fixed(it.ratio(), 2))});
  if (it.together > 0 && it.together < it.measured)
    table.row({"not explained", format_seconds(it.measured - it.together),
               fmt::format("{} of the measured time", format_percent(1 - it.together / it.measured))});
  if (const auto& element = it.member->prediction)
    table.row({fmt::format("Eq. {}", element->equation), format_seconds(it.measured * element->ratio()),
               fmt::format("modelled: He 2023, ceilings of copies: {}; measured/predicted {}",
                           element->equation == 11 ? "memory, then flops" : "memory, then the level inside",
                           format_fixed(1 / element->ratio(), 2))});
  if (!it.made_for.empty()) table.row({"made for", "", it.made_for});
  if (!it.saturation.empty()) table.row({"saturates", "", it.saturation});
  if (!it.next.empty()) table.row({"next", "", it.next});
  for (const auto& text : it.faster) table.row({"faster", "", text});
  table.notes = it.trust;
  if (it.core.tools_disagree())
    table.notes.push_back(
        fmt::format("of the hot loop {} says {} cycles and {} says {}: at least one of them "
                    "models this CPU wrongly",
                    it.core.tool, format_fixed(it.core.hot.cycles, 2), it.core.other.tool,
                    format_fixed(it.core.other.cycles, 2)));
  return table;
}

Table summary_of(const std::vector<Explanation>& explanations) {
  Table table{
      .title = "What bounds each case",
      .about = "The measured time over the predicted one: 0.8 to 1.25 explains it.",
      .columns = {{"case"},
                  {"time", Table::Holds::numbers,
                   "bar: the core (blue), or loads and stores (light blue) and transfers (orange), then "
                   "waiting (pink), and what is not explained (grey)"},
                  {"predicted", Table::Holds::numbers},
                  {"measured/predicted", Table::Holds::numbers},
                  {"bottleneck"},
                  {"evidence"},
                  {"next"}}};
  const bool any_made =
      std::ranges::any_of(explanations, [](const Explanation& it) { return !it.made_for.empty(); });
  if (any_made) table.columns.insert(table.columns.end() - 2, Table::Column{"made for"});
  std::size_t predicted = 0, near = 0, made = 0, right = 0;
  for (const auto& it : explanations) {
    const std::string name = name_of(it.bottleneck);
    Table::Row row{it.member->record->id, measured_cell(it), predicted_cell(it),
                   it.together > 0 ? format_fixed(it.ratio(), 2) : "-", name};
    if (any_made) row.emplace_back(it.made_for.empty() ? "-" : it.made_for);
    row.emplace_back(it.verdict);
    row.emplace_back(it.next.empty() ? "-" : it.next);
    table.row(std::move(row));
    if (it.together > 0) ++predicted;
    if (it.ratio() >= least_explained && it.ratio() <= most_explained) ++near;
    if (!it.made_for.empty()) ++made;
    if (it.made_for == name) ++right;
  }
  if (predicted > 1)
    table.notes.push_back(fmt::format(
        "measured/predicted is between {} and {} for {} of {} cases ({})", least_explained, most_explained,
        near, predicted, format_percent(static_cast<double>(near) / static_cast<double>(predicted))));
  if (made > 0)
    table.notes.push_back(fmt::format("{} of {} cases that were made for a bottleneck have it", right, made));
  return table;
}

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
