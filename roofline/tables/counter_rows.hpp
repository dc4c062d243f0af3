// What the tables of counters have in common: which cases they show, in groups, and of which counters.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "results/record/counters.hpp"
#include "results/view/metrics.hpp"
#include "results/view/table.hpp"
#include "results/view/view.hpp"
#include "roofline/model/reductions.hpp"

namespace uotbench {

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
