#include "roofline/explain/hot_lines.hpp"

#include <fmt/format.h>

#include "results/base/units.hpp"
#include "results/record/counters.hpp"
#include "roofline/explain/blocks.hpp"

namespace uotbench {

namespace {

std::map<std::string, double> shares_of(const Record& record, const char* name) {
  std::map<std::string, double> shares;
  const auto counter = counter_of(record, name);
  if (!counter || !counter->value || *counter->value <= 0) return shares;
  for (const auto& line : counter->lines) shares[line.at] = line.value / *counter->value;
  return shares;
}

}  // namespace

double share_in(const std::map<std::string, double>& shares, const std::string& at) {
  const auto found = shares.find(at);
  return found == shares.end() ? 0 : found->second;
}

HotLines hot_lines_of(const Record& record) {
  const auto counter = counter_of(record, counter_names::by_line);
  if (!counter) return {.reason = "its instructions were not counted by line (--counters functions)"};
  if (!counter->value) return {.reason = counter->reason};
  if (counter->lines.empty() || *counter->value <= 0) return {.reason = "the counter has no lines"};
  return {.lines = counter->lines,
          .instructions = *counter->value,
          .misses = shares_of(record, counter_names::misses_by_line),
          .fetched = shares_of(record, counter_names::reads_by_line),
          .source = text_of(counter->origin)};
}

Table table_of(const HotLines& hot) {
  constexpr double shown_share = 0.95, many_misses = 0.05;
  constexpr std::size_t most = 20;
  Table table{
      .title = "Source lines",
      .about = hot.known() ? fmt::format("Of {} instructions, without what a line calls ({}).",
                                         format_count(hot.instructions), hot.source)
                           : "Not known: " + hot.reason,
      .columns = {{"line"}, {"share", Table::Holds::numbers}, {"instructions", Table::Holds::numbers}}};
  if (!hot.misses.empty()) table.columns.push_back({"of L1 misses", Table::Holds::numbers});
  if (!hot.fetched.empty()) table.columns.push_back({"of lines from memory", Table::Holds::numbers});
  if (!hot.counted_of.empty()) table.notes.push_back("lines are those of " + hot.counted_of);
  double known = 0;
  for (const auto& line : hot.lines) {
    const double misses = share_in(hot.misses, line.at), fetched = share_in(hot.fetched, line.at);
    const bool enough = known >= shown_share * hot.instructions || table.rows.size() >= most;
    if (enough && misses < many_misses && fetched < many_misses) continue;
    known += line.value;
    Table::Row row{line.at, format_percent(line.value / hot.instructions), format_count(line.value)};
    if (!hot.misses.empty()) row.emplace_back(format_percent(misses));
    if (!hot.fetched.empty()) row.emplace_back(format_percent(fetched));
    table.row(std::move(row));
  }
  return table;
}

}  // namespace uotbench
