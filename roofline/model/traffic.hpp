// What was counted of memory, held against what a work model says and against what a baseline has.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>

#include "results/record/counters.hpp"
#include "results/record/run_file/run_file.hpp"
#include "results/view/speedup.hpp"
#include "results/view/view.hpp"

namespace uotbench {

// Modelled against counted: whether a variant moves the bytes that its work model says.

/// Of the bytes between memory and the last cache, write-backs counted.
struct Traffic {
  double counted = 0;           ///< bytes: DRAM.read_bytes + DRAM.write_bytes; 0 where they have no values
  double modelled = 0;          ///< bytes read, written, and fetched only to be overwritten
  std::optional<double> ratio;  ///< counted over modelled
  std::string reason;           ///< why there is none, one line
  CounterOrigin origin;         ///< of the counts
  std::string doubt;            ///< what the ratio says where it is not about 1, in words; else empty
};

/// The ratio is told only of working sets of at least 4x the last cache, as a Work is that of a stream: of
/// the caches that were simulated (the first line's "caches") where the counts are, else of the machine's.
Traffic traffic_of(const Run& run, const Record& record);

/// Which simulated caches have the size that the system reports, where that is doubtful and was not measured,
/// by the first line of a run; and the command that measures it. Empty: none.
std::string doubtful_simulated_caches(const RunHeader& header);

// How many fewer misses a case has than its baseline, as Fig. 11 of the MAP-UOT paper shows them.

/// Which case each case of a run is held against: cases with counters alone, found as speedups' references
/// are.
class Baselines {
 public:
  /// `over`: as a sweep's speedup_over; null: the run's own, else each group's first variant.
  Baselines(const RunView& view, const Document& over);

  /// Null: it has none. A baseline is its own.
  const Record* of(const CaseView& member) const;
  /// For a person: "uot/numpy_order", "the first variant of each group".
  const std::string& text() const { return text_; }

 private:
  std::unordered_map<const CaseView*, const Record*> of_;
  std::string text_;
};

/// 1 - own/base: 0.574 is 57.4% fewer, a negative one is more. No value where one has none, across sources,
/// or where the baseline is 0. Kind and sources are those of both.
Counter reduction(const Counter& own, const Counter& base);
/// The same of a cache's misses per access: no value either where accesses of two variants were counted
/// element by element.
Counter rate_reduction(const Record& own, const Record& base, const std::string& cache);

}  // namespace uotbench
