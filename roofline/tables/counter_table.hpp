// A table of counters, made column by column: what each case's value is, and how it reads. On the way it
// collects what is to be said around it: sources, reasons, remarks.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "results/record/counters.hpp"
#include "results/view/table.hpp"
#include "results/view/view.hpp"
#include "roofline/tables/counter_notes.hpp"

namespace uotbench {

class CounterTable {
 public:
  struct Column {
    std::string title;
    /// What is to be said of it is told to the table meanwhile.
    std::function<Counter(const CaseView& member)> value;
    std::function<Table::Cell(const Counter& counter)> cell;  ///< of one with a value
  };

  using HasRow = std::function<bool(const CaseView& member)>;

  explicit CounterTable(std::string title) : table_{.title = std::move(title), .columns = {{"case"}}} {}

  void column(Column column);

  /// The record's counter of this name. Its source, remark and reason are told; `subject`: what its source is
  /// told to have counted, instead.
  Counter read(const Record& record, const std::string& name, const std::string& subject = "");
  void tell_source(const std::string& subject, const CounterOrigin& origin) { row_.add(subject, origin); }
  void tell_reason(const std::string& of, const std::string& reason) { reasons_.add(of, reason); }
  void tell_remark(const std::string& of, const std::string& remark) { remarks_.add(of, remark); }
  /// A rate is shown that compares with no other source's.
  void tell_elements() { elements_ = true; }

  /// Rows of the view's cases that were counted or went well, below their groups' titles, where `has_row`.
  void add_rows(const RunView& view, const HasRow& has_row);
  /// The same, each row with its sources in a last column.
  void add_rows_with_sources(const RunView& view, const HasRow& has_row);
  /// What nobody has a value of is told below with its reason, and needs no column; nor do sources, where
  /// they are one for all.
  void leave_out_needless_columns();

  /// The sources of all values.
  std::string sources() const { return only_source_.empty() ? sources_.alone() : only_source_; }
  /// With what was told as notes.
  Table made(std::string about);

 private:
  void add(const RunView& view, const HasRow& has_row, bool with_sources);
  Table::Row row_of(const CaseView& member);

  Table table_;
  std::vector<Column> columns_;
  std::vector<bool> has_value_;  ///< by column, in some row
  Reasons reasons_, remarks_;
  Origins row_, sources_;    ///< of the row that is being made; of the table
  std::string only_source_;  ///< where it was a column, and all its rows had the same
  bool elements_ = false;
};

}  // namespace uotbench
