// Counters that not every source has, and metrics.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "results/base/text.hpp"
#include "results/base/units.hpp"
#include "roofline/tables/counter_table.hpp"

namespace uotbench {
namespace {

constexpr std::size_t lines_shown = 8;

/// "a.cpp:12 (3072), a.cpp:40 (12) and 3 more".
std::string lines_text(const Counter& counter) {
  std::vector<std::string> texts;
  for (const auto& line : counter.lines)
    texts.push_back(fmt::format("{} ({})", line.at, format_count(line.value)));
  return shortened(texts, lines_shown);
}

/// With its unit where that is not the column's.
std::string text_of(const Counter& counter, const std::string& unit_of_column) {
  const bool said = counter.unit == unit_of_column || writes_unit(counter.unit);
  return text_in_unit(*counter.value, counter.unit) + (said ? "" : " " + counter.unit);
}

/// Units of counters, as the first record that has them says.
std::map<std::string, std::string> units_of(const CountersOf& run) {
  std::map<std::string, std::string> units;
  for (const auto& record : run.view.run->records)
    for (const auto& name : run.others)
      if (const auto counter = counter_of(record, name)) units.try_emplace(name, counter->unit);
  for (const auto& name : run.others) units.try_emplace(name, "1");
  return units;
}

/// "Counted per iteration. " Where nothing has a value: nothing.
std::string units_counted(const CountersOf& run) {
  std::set<std::string> units;
  for (const auto& record : run.view.run->records)
    for (const auto& name : run.others)
      if (const auto counter = counter_of(record, name); counter && counter->value)
        units.insert(name_of(counter->per));
  return units.empty() ? "" : fmt::format("Counted per {}. ", fmt::join(units, " or "));
}

/// Its sources are those of its counters; what else is in it, the formula tells.
Counter told_value_of(const Metric& metric, const Record& record, CounterTable& table) {
  Counter value = value_of(metric, record);
  for (const auto& name : metric.formula.names()) {
    const Counter part = counter_or_why(record, name);
    if (part.value) table.tell_source(name, part.origin);
    if (value.value && name.ends_with(".accesses") && counts_elements(part.origin)) table.tell_elements();
    // The reason of a counter is told once.
    if (!value.value && !part.value && value.reason == fmt::format("{}: {}", name, part.reason))
      value.reason = part.reason;
  }
  if (!value.value) table.tell_reason(metric.name, value.reason);
  if (!value.note.empty()) table.tell_remark(metric.name, value.note);
  return value;
}

/// What of this name the work of a record's variant is modelled to have.
std::optional<double> modelled_count(const Record& record, const std::string& name) {
  if (!record.work || record.work->counted) return std::nullopt;
  for (const auto& [operation, count] : record.work->operations)
    if (operation == name) return count;
  return std::nullopt;
}

/// Counted over modelled, of a counter that is called as operations of the work are: messages, bytes_sent.
void add_counted_over_modelled(CounterTable& table, const CountersOf& run, const std::string& name) {
  if (std::ranges::none_of(run.view.run->records,
                           [&](const Record& record) { return modelled_count(record, name).has_value(); }))
    return;
  const std::string title = name + ", counted/ modelled";
  const auto value = [&table, name, title](const CaseView& member) {
    const Counter own = counter_or_why(*member.record, name);
    Counter ratio{.origin = own.origin};
    const auto model = modelled_count(*member.record, name);
    if (own.value && model && *model > 0)
      ratio.value = *own.value / *model;
    else if (own.value)
      table.tell_reason(title, "its work model has none");
    return ratio;
  };
  table.column({title, value, [](const Counter& ratio) { return format_fixed(*ratio.value, 3); }});
}

}  // namespace

Table others_table(const CountersOf& run) {
  CounterTable table("Other counters and metrics");
  std::vector<std::string> lines;
  std::set<std::string> has_value;  // metrics, in some row
  const auto units = units_of(run);
  for (const auto& name : run.others) {
    const std::string& unit = units.at(name);
    const auto value = [&](const CaseView& member) {
      Counter counter = table.read(*member.record, name);
      // Which lines of code write what other threads use is what such a count is for.
      const bool blames =
          name.find("sharing") != std::string::npos || name.find("races") != std::string::npos;
      if (!counter.lines.empty() && blames)
        lines.push_back(fmt::format("{} of {}: {}", name, member.record->id, lines_text(counter)));
      return counter;
    };
    table.column(
        {title_in_unit(name, unit), value, [&](const Counter& counter) { return text_of(counter, unit); }});
    add_counted_over_modelled(table, run, name);
  }
  for (const auto& metric : run.metrics.all()) {
    if (is_of_gpu(metric.name)) continue;
    const auto value = [&](const CaseView& member) {
      Counter counter = told_value_of(metric, *member.record, table);
      if (counter.value) has_value.insert(metric.name);
      return counter;
    };
    table.column(
        {metric.title(), value, [&](const Counter& counter) { return text_of(counter, metric.unit); }});
  }
  table.add_rows_with_sources(run.view, [](const CaseView&) { return true; });
  table.leave_out_needless_columns();
  std::string about = fmt::format("{}Source: {}.", units_counted(run), table.sources());
  for (const auto& metric : run.metrics.all())
    if (has_value.contains(metric.name))
      about += fmt::format(" {} = {}{}.", metric.name, metric.formula.text(),
                           metric.about.empty() ? "" : ": " + metric.about);
  Table made = table.made(std::move(about));
  add_notes(made, lines);
  return made;
}

}  // namespace uotbench
