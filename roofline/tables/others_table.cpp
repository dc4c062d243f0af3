// Counters that not every source has, and metrics.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <set>

#include "results/base/text.hpp"
#include "results/base/units.hpp"
#include "roofline/tables/counter_notes.hpp"
#include "roofline/tables/counter_rows.hpp"

namespace uotbench {
namespace {

constexpr std::size_t lines_shown = 8;

std::string text_in_unit(double value, const std::string& unit) {
  if (unit == "bytes") return format_bytes(value);
  if (unit == "seconds") return format_seconds(value);
  if (unit == "bytes/seconds") return format_bandwidth(value);
  if (unit == "flops/seconds") return format_flops(value);
  return unit == "1" && value < 1000 ? fmt::format("{:.4g}", value) : format_count(value);
}

/// Whether `text_in_unit` writes the unit itself, or there is none to write.
bool is_written(const std::string& unit) {
  for (const char* known : {"1", "bytes", "seconds", "bytes/seconds", "flops/seconds"})
    if (unit == known) return true;
  return false;
}

/// "a.cpp:12 (3072), a.cpp:40 (12) and 3 more".
std::string lines_text(const Counter& counter) {
  std::vector<std::string> texts;
  for (const auto& line : counter.lines)
    texts.push_back(fmt::format("{} ({})", line.at, format_count(line.value)));
  return shortened(texts, lines_shown);
}

class OthersTable {
 public:
  explicit OthersTable(const CountersOf& run) : run_(run) {
    for (const auto& metric : run.metrics.all())
      if (!is_of_gpu(metric.name)) metrics_.push_back(metric);
    for (const auto& record : run.view.run->records)
      for (const auto& name : run.others)
        if (const auto counter = counter_of(record, name)) units_.try_emplace(name, counter->unit);
    for (const auto& name : run.others) units_.try_emplace(name, "1");
  }

  ReportTable made() {
    ReportTable table{.title = "Other counters and metrics", .about = {}, .columns = {"case"}, .rows = {}};
    for (const auto& name : run_.others) table.columns.push_back(title_of(name, units_.at(name)));
    for (const auto& metric : metrics_) table.columns.push_back(title_of(metric.name, metric.unit));
    table.columns.push_back("source");
    add_rows(table, run_.view, [&](const CaseView& member) { return row_of(member); });
    leave_out_empty_columns(table);
    const std::string only = take_only_source(table);
    if (only.empty()) table.words.push_back(table.columns.size() - 1);
    table.about = fmt::format("{}Source: {}.", units_counted(), only.empty() ? sources_.alone() : only);
    for (const auto& metric : metrics_)
      if (has_value_.contains(metric.name))
        table.about += fmt::format(" {} = {}{}.", metric.name, metric.formula.text(),
                                   metric.about.empty() ? "" : ": " + metric.about);
    add_notes(table, reasons_.texts("no value of "));
    add_notes(table, remarks_.texts(""));
    if (elements_) table.notes.push_back(of_elements);
    add_notes(table, lines_);
    return table;
  }

 private:
  /// "Counted per iteration." Where nothing has a value: nothing.
  std::string units_counted() const {
    std::set<std::string> units;
    for (const auto& record : run_.view.run->records)
      for (const auto& name : run_.others)
        if (const auto counter = counter_of(record, name); counter && counter->value)
          units.insert(name_of(counter->per));
    return units.empty() ? "" : fmt::format("Counted per {}. ", fmt::join(units, " or "));
  }

  /// What nobody has a value of is told below with its reason, and needs no column.
  void leave_out_empty_columns(ReportTable& table) const {
    std::vector<std::string> names{"case"};
    for (const auto& name : run_.others) names.push_back(name);
    for (const auto& metric : metrics_) names.push_back(metric.name);
    for (std::size_t i = names.size() - 1; i > 0; --i) {
      if (has_value_.contains(names[i])) continue;
      const auto at = static_cast<std::ptrdiff_t>(i);
      table.columns.erase(table.columns.begin() + at);
      for (auto& row : table.rows)
        if (row.size() > 1) row.erase(row.begin() + at);
    }
  }

  static std::string title_of(const std::string& name, const std::string& unit) {
    const bool said = is_written(unit) || name.find(unit) != std::string::npos;
    return said ? name : fmt::format("{} ({})", name, unit);
  }

  std::vector<std::string> row_of(const CaseView& member) {
    const Record& record = *member.record;
    std::vector<std::string> row{member.label};
    own_ = Origins();
    for (const auto& name : run_.others) {
      const Counter counter = counter_or_why(record, name);
      row.push_back(cell(name, counter, units_.at(name)));
      // Which lines of code write what other threads use is what such a count is for.
      if (!counter.lines.empty() && name.find("sharing") != std::string::npos)
        lines_.push_back(fmt::format("{} of {}: {}", name, record.id, lines_text(counter)));
    }
    for (const auto& metric : metrics_) row.push_back(cell(metric, record));
    row.push_back(own_.text());
    sources_.add(own_);
    return row;
  }

  std::string cell(const std::string& name, const Counter& counter, const std::string& unit_of_column) {
    if (counter.value) own_.add(name, counter.origin);
    if (!counter.note.empty()) remarks_.add(name, counter.note);
    if (!counter.value) {
      reasons_.add(name, counter.reason);
      return "-";
    }
    has_value_.insert(name);
    const bool said = counter.unit == unit_of_column || is_written(counter.unit);
    return text_in_unit(*counter.value, counter.unit) + (said ? "" : " " + counter.unit);
  }

  /// Its sources are those of its counters; what else is in it, the formula tells.
  std::string cell(const Metric& metric, const Record& record) {
    Counter value = value_of(metric, record);
    for (const auto& name : metric.formula.names()) {
      const Counter part = counter_or_why(record, name);
      if (part.value) own_.add(name, part.origin);
      elements_ |= value.value && name.ends_with(".accesses") && counts_elements(part.origin);
      // The reason of a counter is told once.
      if (!value.value && !part.value && value.reason == fmt::format("{}: {}", name, part.reason))
        value.reason = part.reason;
    }
    value.origin = {};
    return cell(metric.name, value, metric.unit);
  }

  const CountersOf& run_;
  std::vector<Metric> metrics_;
  std::map<std::string, std::string> units_;  ///< of others' columns
  Reasons reasons_, remarks_;
  Origins own_, sources_;  ///< of the row that is being made; of the table
  std::vector<std::string> lines_;
  std::set<std::string> has_value_;  ///< counters and metrics, in some row
  bool elements_ = false;
};

}  // namespace

ReportTable others_table(const CountersOf& run) { return OthersTable(run).made(); }

}  // namespace uotbench
