#include "roofline/explain/hot_lines.hpp"

#include <fmt/format.h>

#include "results/base/json.hpp"
#include "results/base/units.hpp"
#include "results/record/counters.hpp"
#include "roofline/explain/blocks.hpp"

namespace uotbench {

HotLines hot_lines_of(const Record& record) {
  const auto counter = counter_of(record, counter_names::by_line);
  if (!counter) return {.reason = "its instructions were not counted by line (--counters functions)"};
  if (!counter->value) return {.reason = counter->reason};
  if (counter->lines.empty() || *counter->value <= 0) return {.reason = "the counter has no lines"};
  return {.lines = counter->lines, .instructions = *counter->value, .source = text_of(counter->origin)};
}

Table table_of(const HotLines& hot) {
  constexpr double shown_share = 0.95;
  constexpr std::size_t most = 20;
  Table table{
      .title = "Source lines",
      .about = hot.known() ? fmt::format("Of {} instructions, without what a line calls ({}).",
                                         format_count(hot.instructions), hot.source)
                           : "Not known: " + hot.reason,
      .columns = {{"line"}, {"share", Table::Holds::numbers}, {"instructions", Table::Holds::numbers}}};
  if (!hot.counted_of.empty()) table.notes.push_back("lines are those of " + hot.counted_of);
  double known = 0;
  for (const auto& line : hot.lines) {
    if (known >= shown_share * hot.instructions || table.rows.size() == most) break;
    known += line.value;
    table.row({line.at, format_percent(line.value / hot.instructions), format_count(line.value)});
  }
  return table;
}

Json json_of(const HotLines& hot) {
  if (!hot.known()) return {{"reason", hot.reason}};
  Json lines = Json::array();
  for (const auto& line : hot.lines)
    lines.push_back(
        {{"at", line.at}, {"instructions", line.value}, {"share", line.value / hot.instructions}});
  return {{"source", hot.source}, {"instructions", hot.instructions}, {"lines", lines}};
}

}  // namespace uotbench
