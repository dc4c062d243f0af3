// How many fewer misses a case has than its baseline, as Fig. 11 of the MAP-UOT paper shows them.
#pragma once

#include <string>
#include <unordered_map>

#include "results/record/counters.hpp"
#include "results/view/speedup.hpp"
#include "results/view/view.hpp"

namespace uotbench {

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
