// Whose instructions and source lines a case is explained with: its own, or those of another case of the same
// code in its run.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "results/record/axes/case_parts.hpp"
#include "results/record/run_file/run_file.hpp"
#include "roofline/explain/hot_code.hpp"
#include "roofline/explain/in_core.hpp"

namespace uotbench {

/// Analyses the code of a run's record (hot_code_of); reasons are in the result.
using AnalyseCode = std::function<InCore(const Run& run, const Record& record)>;

/// Branches that a simulated predictor gets wrong, per unit: in a call that is repeated, or, of code that was
/// counted at a smaller size, in the first call. What is learnt by heart of the smaller one's data says
/// nothing of the larger one's.
struct CountedBranches {
  double mispredicted = 0;
  std::string source;  ///< "step, simulated"
};

class CountedCode {
 public:
  CountedCode(const Run& run, const AnalyseCode& analyse);

  /// Its own; else that of the same case on other threads, as instructions are counted on one; else that of
  /// the nearest size of the same variant, times the ratio of their work, or of the memory accesses counted
  /// in two solves or parts (InCore::times). Not known: why.
  InCore core_of(const Record& record);
  /// Of the same code, as often. Absent: not counted.
  std::optional<CountedBranches> branches_of(const Record& record) const;
  /// Its own; else those of the same case on other threads.
  HotLines lines_of(const Record& record) const;
  /// The record whose accesses and misses of caches are its: itself; else, where none were counted, the
  /// same case on the fewest threads; else itself.
  const Record& with_accesses(const Record& record) const;

 private:
  /// A record with code, and how often a unit of another one passes through it.
  struct Source {
    const Record* record = nullptr;  ///< null: there is none
    double times = 1;
    const char* times_from = "";  ///< what `times` is a ratio of
  };

  const InCore& analysed(const Record& record);
  Source source_of(const Record& record) const;
  Source of_another_size(const Record& record) const;

  const Run& run_;
  const AnalyseCode& analyse_;
  AxisRoles roles_;
  std::vector<const Record*> coded_, lined_, accessed_;  ///< few, of thousands
  std::map<const Record*, InCore> known_;
};

}  // namespace uotbench
