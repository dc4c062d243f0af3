#include "roofline/tables/counter_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "results/base/error.hpp"
#include "results/base/text.hpp"
#include "results/base/units.hpp"
#include "results/view/view.hpp"
#include "roofline/model/caches.hpp"

namespace uotbench {
namespace {

/// A source may list all that it knows.
constexpr std::size_t longest_reason = 200;

/// Where "papi: " begins at `at`: its end; else `at`.
std::size_t end_of_source(const std::string& text, std::size_t at) {
  const std::size_t end = text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_-", at);
  return end != std::string::npos && end > at && text.compare(end, 2, ": ") == 0 ? end : at;
}

/// "papi: no such event; callgrind: not here" as sources and what they said; without a source the whole.
std::vector<std::pair<std::string, std::string>> by_source(const std::string& reason) {
  std::vector<std::pair<std::string, std::string>> parts;
  for (std::size_t at = 0; at < reason.size();) {
    const std::size_t name = end_of_source(reason, at);
    if (name == at) return {{"", reason}};
    std::size_t end = reason.find("; ", name);
    while (end != std::string::npos && end_of_source(reason, end + 2) == end + 2)
      end = reason.find("; ", end + 2);
    end = std::min(end, reason.size());
    parts.emplace_back(reason.substr(at, name - at), reason.substr(name + 2, end - name - 2));
    at = end + 2;
  }
  return parts.empty() ? decltype(parts){{"", reason}} : parts;
}

}  // namespace

void Reasons::add(const std::string& of, const std::string& reason) {
  const auto [place, fresh] = known_.try_emplace(reason, all_.size());
  if (fresh) all_.push_back({on_one_line(reason), {}});
  auto& names = all_[place->second].second;
  if (std::ranges::find(names, of) == names.end()) names.push_back(of);
}

std::vector<std::string> Reasons::texts(const char* before) const {
  struct Line {
    std::string source;
    std::vector<std::string> names, said;
  };
  std::vector<Line> lines;
  const auto add_new = [](std::vector<std::string>& all, const std::string& one) {
    if (std::ranges::find(all, one) == all.end()) all.push_back(one);
  };
  for (const auto& [reason, names] : all_)
    for (const auto& [source, said] : by_source(reason)) {
      auto line = source.empty() ? lines.end() : std::ranges::find(lines, source, &Line::source);
      if (line == lines.end()) line = lines.insert(lines.end(), {.source = source, .names = {}, .said = {}});
      for (const auto& name : names) add_new(line->names, name);
      add_new(line->said, said);
    }
  std::vector<std::string> texts;
  for (const auto& [source, names, said] : lines) {
    std::string text = fmt::format("{}{}: {}{}", before, shortened(names, 6),
                                   source.empty() ? "" : source + ": ", cut(said.front(), longest_reason));
    if (said.size() > 1) text += fmt::format(" (the first of {} reasons; --json has all)", said.size());
    texts.push_back(on_one_line(text));
  }
  return texts;
}

std::vector<std::string> Reasons::helps() const {
  bool gpu = false, hardware = false;
  for (const auto& [reason, names] : all_) {
    for (const auto& name : names) gpu |= name.starts_with("GPU.");
    for (const auto& [source, said] : by_source(reason)) hardware |= source == "papi" || source == "perf";
  }
  std::vector<std::string> texts;
  if (gpu)
    texts.push_back(
        "simt-trace counts the group gpu without a GPU: uotbench run --worker simt-trace --counters gpu");
  if (hardware) texts.push_back("uotbench doctor says what papi and perf can count here");
  return texts;
}

Origins::Origin& Origins::at(const CounterOrigin& origin) {
  const std::string text = text_of(origin);
  for (auto& one : all_)
    if (text_of(one.origin) == text) return one;
  return all_.emplace_back(Origin{origin, {}});
}

void Origins::add(const std::string& counter, const CounterOrigin& origin) {
  if (origin.source.empty()) return;
  const bool canonical = std::ranges::find(counter_names::all, counter) != std::end(counter_names::all);
  const std::string subject = canonical ? counter.substr(0, counter.find('.')) : counter;
  auto& subjects = at(origin).subjects;
  if (std::ranges::find(subjects, subject) == subjects.end()) subjects.push_back(subject);
}

void Origins::add(const Origins& other) {
  for (const auto& one : other.all_) at(without_share(one.origin));
}

std::string Origins::text() const {
  if (all_.size() == 1) return text_of(all_.front().origin);
  std::vector<std::string> texts;
  for (const auto& one : all_)
    texts.push_back(fmt::format("{} {}", fmt::join(one.subjects, ", "), text_of(one.origin)));
  return texts.empty() ? "-" : on_one_line(fmt::format("{}", fmt::join(texts, "; ")));
}

std::string Origins::alone() const {
  std::vector<std::string> texts;
  for (const auto& one : all_) texts.push_back(text_of(one.origin));
  return texts.empty() ? "none" : fmt::format("{}", fmt::join(texts, "; "));
}

std::string geometry_of(const Document& caches) {
  std::vector<std::string> texts;
  for (const char* name : {"L1D", "L2", "L3"}) {
    const double bytes = simulated_fact(caches, name, "bytes"), ways = simulated_fact(caches, name, "ways");
    if (bytes <= 0) continue;
    texts.push_back(fmt::format("{} {}", name, format_bytes(bytes)));
    if (ways > 0) texts.back() += fmt::format(" {:.0f}-way", ways);
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

void CounterTable::column(Column column) {
  table_.columns.push_back({column.title, Table::Holds::numbers});
  columns_.push_back(std::move(column));
  has_value_.push_back(false);
}

Counter CounterTable::read(const Record& record, const std::string& name, const std::string& subject) {
  Counter counter = counter_or_why(record, name);
  if (counter.value) tell_source(subject.empty() ? name : subject, counter.origin);
  if (!counter.value) tell_reason(name, counter.reason);
  if (!counter.note.empty()) tell_remark(name, counter.note);
  return counter;
}

void CounterTable::add_rows(const RunView& view, const HasRow& has_row) { add(view, has_row, false); }

void CounterTable::add_rows_with_sources(const RunView& view, const HasRow& has_row) {
  table_.columns.push_back({"source"});
  add(view, has_row, true);
}

void CounterTable::add(const RunView& view, const HasRow& has_row, bool with_sources) {
  for (const auto& group : view.groups) {
    bool titled = false;
    for (const auto& member : group.cases) {
      if (!uotbench::has_row(*member.record) || !has_row(member)) continue;
      if (!titled) table_.heading(group.title);
      titled = true;
      row_ = Origins();
      Table::Row row = row_of(member);
      if (with_sources) row.push_back(row_.text());
      sources_.add(row_);
      table_.row(std::move(row));
    }
  }
}

Table::Row CounterTable::row_of(const CaseView& member) {
  Table::Row row{member.label};
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const Counter counter = columns_[i].value(member);
    Table::Cell cell = counter.value ? columns_[i].cell(counter) : Table::Cell("-");
    if (counter.value) {
      has_value_[i] = true;
      cell.value = counter.value;
      cell.source = text_of(counter.origin);
    }
    row.push_back(std::move(cell));
  }
  return row;
}

void CounterTable::leave_out_needless_columns() {
  for (std::size_t i = columns_.size(); i-- > 0;)
    if (!has_value_[i]) table_.remove_column(i + 1);
  if (table_.columns.back().is_number()) return;
  std::set<std::string> sources;
  for (const auto& row : table_.rows)
    if (!table_.is_heading(row)) sources.insert(row.back().text);
  if (sources.size() != 1) return;
  only_source_ = *sources.begin();
  table_.remove_column(table_.columns.size() - 1);
}

Table CounterTable::made(std::string about) {
  Table table = table_;
  table.about = std::move(about);
  add_notes(table, reasons_.texts("no value of "));
  add_notes(table, reasons_.helps());
  add_notes(table, remarks_.texts(""));
  if (elements_) table.notes.push_back(of_elements);
  return table;
}

}  // namespace uotbench
