#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "results/base/document.hpp"
#include "results/base/parallel.hpp"
#include "results/base/text.hpp"
#include "results/export/export.hpp"
#include "results/record/axes/case_parts.hpp"
#include "results/record/counters.hpp"
#include "results/view/metrics.hpp"
#include "results/view/quantity.hpp"

namespace uotbench {

namespace {

std::string number(double value) { return std::isfinite(value) ? fmt::format("{}", value) : ""; }
std::string number(const std::optional<double>& value) { return value ? number(*value) : ""; }

struct Column {
  const char* name;
  std::string (*value)(const CaseView& view);
};

const Column before_axes[] = {
    {"id", [](const CaseView& view) { return view.record->id; }},
    {"variant", [](const CaseView& view) { return view.record->variant; }},
    {"worker", [](const CaseView& view) { return view.record->worker; }},
    {"machine", [](const CaseView& view) { return view.record->machine.value_or(""); }},
    {"status", [](const CaseView& view) { return std::string(outcome_of(*view.record)); }},
    {"reason", [](const CaseView& view) { return view.record->reason.value_or(""); }},
};

std::string field_of(const Quantity& quantity, const CaseView& view) {
  const Value value = quantity.value(view);
  if (value.real()) return number(*value.real());
  return value.is_none() ? "" : value_text(value);
}

/// In the order in which the records name them.
std::vector<std::string> axes_of(const Run& run) {
  std::vector<std::string> axes;
  std::set<std::string> known;
  for (const auto& record : run.records)
    for (const auto& axis : record.point.names())
      if (known.insert(axis).second) axes.push_back(axis);
  return axes;
}

/// The operations that some work model counts besides flops, in the order of the records.
std::vector<std::string> operations_of(const Run& run) {
  std::vector<std::string> names;
  for (const auto& record : run.records)
    if (record.work)
      for (const auto& operation : record.work->operations)
        if (std::ranges::find(names, operation.name) == names.end()) names.push_back(operation.name);
  return names;
}

std::string of_operation(const CaseView& view, const std::string& name) {
  if (view.record->work)
    for (const auto& operation : view.record->work->operations)
      if (operation.name == name) return number(operation.count);
  return "";
}

/// A counter or a metric: its value per iteration in its base unit, and its source.
struct CounterColumn {
  std::string name;
  std::function<Counter(const Record& record)> value;
};

std::vector<CounterColumn> counters_of(const Run& run) {
  std::vector<CounterColumn> columns;
  std::set<std::string> known;
  for (const auto& name : counter_names_in(run.records)) {
    known.insert(name);
    columns.push_back({name, [name](const Record& record) { return counter_or_why(record, name); }});
  }
  const Metrics metrics(run.header, run.records);
  for (const auto& metric : metrics.all())
    if (!known.contains(metric.name))
      columns.push_back({metric.name, [metric](const Record& record) { return value_of(metric, record); }});
  return columns;
}

}  // namespace

std::string csv_line(const std::vector<std::string>& fields) {
  std::string line;
  for (std::size_t i = 0; i < fields.size(); ++i) line += (i ? "," : "") + csv_field(fields[i]);
  return line + '\n';
}

std::string csv_of(const std::vector<Table>& tables) {
  std::string text = csv_line({"table", "group", "row", "column", "value", "text", "source"});
  for (const auto& table : tables) {
    std::string group;
    for (const auto& row : table.rows) {
      if (table.is_heading(row)) {
        group = row.front().text;
        continue;
      }
      for (std::size_t i = 1; i < row.size(); ++i)
        text += csv_line({table.title, group, row.front().text, table.columns[i].title, number(row[i].value),
                          row[i].whole() == "-" ? "" : row[i].whole(), row[i].source});
    }
  }
  return text;
}

// Not a Table: of thousands of cases with dozens of counters each it would fill the memory.
std::string to_csv(const RunView& view) {
  const auto axes = axes_of(*view.run);
  const auto operations = operations_of(*view.run);
  const auto counters = counters_of(*view.run);
  const auto after_axes = csv_quantities();
  std::vector<std::string> fields;
  for (const auto& column : before_axes) fields.push_back(column.name);
  std::set<std::string> taken(fields.begin(), fields.end());
  for (const auto* column : after_axes) taken.insert(column->csv);
  for (const auto& axis : axes) fields.push_back(taken.contains(axis) ? "axis_" + axis : axis);
  for (const auto* column : after_axes) fields.push_back(column->csv);
  for (const auto& name : operations) fields.push_back("operations_" + name);
  taken.insert(axes.begin(), axes.end());
  for (const auto& counter : counters) {
    fields.push_back(taken.contains(counter.name) ? "reported_" + counter.name : counter.name);
    fields.push_back(fields.back() + "_source");
  }
  std::vector<const CaseView*> members;
  for (const auto& group : view.groups)
    for (const auto& member : group.cases) members.push_back(&member);
  const auto line_of = [&](const CaseView& member) {
    std::vector<std::string> cells;
    for (const auto& column : before_axes) cells.push_back(column.value(member));
    for (const auto& axis : axes) cells.push_back(member.record->point.text(axis));
    for (const auto* column : after_axes) cells.push_back(field_of(*column, member));
    for (const auto& name : operations) cells.push_back(of_operation(member, name));
    for (const auto& counter : counters) {
      const Counter value = counter.value(*member.record);
      cells.push_back(number(value.value));
      cells.push_back(text_of(value.origin));
    }
    return csv_line(cells);
  };
  return csv_line(fields) + text_in_parts(members.size(), 500, [&](std::size_t begin, std::size_t end) {
           std::string text;
           for (std::size_t i = begin; i < end; ++i) text += line_of(*members[i]);
           return text;
         });
}

std::string to_csv_of_samples(const RunView& view) {
  std::string text =
      csv_line({"id", "variant", "worker", "per", "round", "process_start", "arm", "sample", "seconds"});
  for (const auto& group : view.groups)
    for (const auto& member : group.cases) {
      const Record& record = *member.record;
      if (!record.time) continue;
      const auto& processes = record.time->processes;
      for (std::size_t p = 0; p < processes.size(); ++p) {
        // What all samples of a process share, made once: there are many.
        std::string shared =
            csv_line({record.id, record.variant, record.worker, name_of(record.time->per),
                      std::to_string(p + 1), number(processes[p].start), processes[p].arm.value_or("")});
        shared.back() = ',';
        for (std::size_t i = 0; i < processes[p].samples.size(); ++i)
          text += fmt::format("{}{},{}\n", shared, i + 1, number(processes[p].samples[i]));
      }
    }
  return text;
}

}  // namespace uotbench
