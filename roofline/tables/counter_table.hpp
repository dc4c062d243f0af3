// Tables of counters: which cases they show, their columns, and the notes around them.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "results/base/document.hpp"
#include "results/record/counters.hpp"
#include "results/view/metrics.hpp"
#include "results/view/table.hpp"
#include "results/view/view.hpp"
#include "roofline/model/traffic.hpp"

namespace uotbench {

// What stands around a table of counters: reasons, each said once, and sources.

/// Texts, each once, in the order in which they come, with what they are said of.
class Reasons {
 public:
  void add(const std::string& of, const std::string& reason);
  /// "no value of L2 misses, L3 misses: no such event", where `before` is "no value of ". What several
  /// sources said ("papi: no such event; callgrind: …") is a line each, with the first of what that source
  /// said.
  std::vector<std::string> texts(const char* before) const;
  /// Which command tells or counts what is missing.
  std::vector<std::string> helps() const;

 private:
  std::map<std::string, std::size_t> known_;
  std::vector<std::pair<std::string, std::vector<std::string>>> all_;
};

/// The sources of a case, or of a table.
class Origins {
 public:
  void add(const std::string& counter, const CounterOrigin& origin);
  void add(const Origins& other);
  /// "callgrind, simulated"; of several: "L1D, L2 papi; DRAM perf, socket-wide"; of none "-".
  std::string text() const;
  /// Without what each counted, and in which share of the time.
  std::string alone() const;

 private:
  struct Origin {
    CounterOrigin origin;
    std::vector<std::string> subjects;
  };
  Origin& at(const CounterOrigin& origin);

  std::vector<Origin> all_;
};

/// "L1D 32.0 KiB 8-way, L2 1.0 MiB, L3 32.0 MiB" of a first line's "caches"; empty where it does not tell.
std::string geometry_of(const Document& caches);

// A table of counters, made column by column: what each case's value is, and how it reads. On the way it
// collects what is to be said around it: sources, reasons, remarks.

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

// What the tables of counters have in common: which cases they show, in groups, and of which counters.

inline constexpr const char* counted_caches[]{"L1D", "L2", "L3"};

inline bool was_counted(const Record& record) { return !record.counters.empty(); }
/// What failed or was skipped has no counters: `show` tells of it.
inline bool has_row(const Record& record) { return record.status == Status::ok || was_counted(record); }

/// The counters of a run: those that every source names alike, those of GPUs, and others.
struct CountersOf {
  explicit CountersOf(const RunView& run);
  bool has(const std::string& name) const;
  /// Of its misses, in some row; one that is shown.
  bool has_rate(const std::string& cache) const;
  /// Whether rates of a cache are left out for what `hides` says.
  bool hides_rate(const std::string& cache) const;
  /// A rate over accesses counted element by element does not compare with the rates of other variants, so
  /// that a table of several variants does not show it.
  bool hides(const Counter& rate) const { return several_variants && counts_elements(rate.origin); }
  bool has_traffic() const;

  const RunView& view;
  Metrics metrics;
  bool has_gpu(const std::string& name) const { return std::ranges::find(gpu, name) != gpu.end(); }

  std::vector<std::string> known, gpu, others;
  bool several_variants = false;  ///< have counted accesses of L1D
};

/// Counters and metrics of GPUs, which have a table of their own.
inline bool is_of_gpu(const std::string& name) { return name.starts_with("GPU."); }

inline void add_notes(Table& table, const std::vector<std::string>& texts) {
  table.notes.insert(table.notes.end(), texts.begin(), texts.end());
}

/// What a file put into names and reasons breaks no line and drives no terminal.
void put_on_one_line(Table& table);

Table caches_table(const CountersOf& run);
Table reductions_table(const CountersOf& run, const Baselines& bases);
Table others_table(const CountersOf& run);
Table gpu_table(const CountersOf& run);
/// A row a source line and kind of access, under their kernels.
Table gpu_lines_table(const CountersOf& run);
/// Whether a source told the lines of its kernels.
bool has_lines(const Record& record);

}  // namespace uotbench
