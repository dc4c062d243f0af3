#include "roofline/tables/counter_table.hpp"

#include <set>

namespace uotbench {

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
