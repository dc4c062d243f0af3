// Why a case takes the time that it takes: its components, what bounds it, and what removing that would gain.
// Derived on reading, from records, counters and ceilings.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "results/base/json_fwd.hpp"
#include "results/view/table.hpp"
#include "results/view/view.hpp"
#include "roofline/explain/counted_code.hpp"
#include "roofline/explain/hot_code.hpp"
#include "roofline/explain/in_core.hpp"
#include "roofline/explain/parts.hpp"
#include "roofline/model/model.hpp"

namespace uotbench {

/// All that can be found to bound a case.
enum class Bottleneck {
  memory_bandwidth,
  latency,
  core_throughput,
  dependency_chain,
  overhead,
  imbalance,
  pages,
  mispredictions,
  frequency,
  other_processes,
  unexplained
};
/// "memory bandwidth", "in-core throughput", …
const char* name_of(Bottleneck bottleneck);

/// A prediction between these shares of the measured time explains it.
inline constexpr double least_explained = 0.8, most_explained = 1.25;

struct Explanation {
  const CaseView* member = nullptr;
  Setting setting = {};
  double measured = 0;             ///< seconds of a unit
  std::vector<Roof> roofs = {};    ///< what the case is held against, the largest stream first
  std::string ceilings_made = {};  ///< when, UTC; empty: specified
  InCore core = {};
  /// Mispredicted branches of its code, of all threads together; absent: not counted.
  std::optional<CountedBranches> branches = {};
  /// The case whose misses of caches are taken, where its own were not counted; else empty.
  std::string missed_by = {};
  HotLines lines = {};
  double clock = 0;  ///< Hz of a core; 0: not known
  std::string clock_from = {};
  /// Hz while the case was timed, the median of what its processes measured; absent: they did not.
  std::optional<double> own_clock = {};
  /// How many times its even share of the accesses the busiest thread makes, between barriers; absent: not
  /// counted, or of one thread.
  std::optional<double> imbalance = {};
  TimeParts parts = {};
  double together = 0;              ///< what the parts come to; 0: none is known
  std::string saturation = {};      ///< of one thread: how many fill the bandwidth; empty: not known
  std::optional<double> busy = {};  ///< share of their time that the processes had their CPUs, the median
  Bottleneck bottleneck = Bottleneck::unexplained;
  std::string verdict = {};  ///< a sentence with its numbers
  std::string next =
      {};  ///< what removing the bottleneck gains at most, and what bounds then; empty: not known
  /// The verdict that its kernel was made for (the fact made_for); empty: it does not say.
  std::string made_for = {};
  std::vector<std::string> faster = {};  ///< cases of the same problem that take less time
  std::vector<std::string> trust = {};   ///< what makes numbers doubtful, and components that are not known

  double ratio() const { return together > 0 ? measured / together : 0; }
  /// Its parts are known, and by more than the work model, whose parts are those of the roofline.
  bool is_counted() const;
};

/// Of the cases of a view that have a time and a work model, those of the family `ceiling` left out.
std::vector<Explanation> explain_all(const RunView& view, const AnalyseCode& analyse);

/// One screen: what it takes, its parts, verdict, next limit.
Table table_of(const Explanation& explanation);
/// Several cases: a row each.
Table summary_of(const std::vector<Explanation>& explanations);
Json json_of(const Explanation& explanation);

/// Sets `bottleneck`, `verdict` and `next` from all else.
void decide(Explanation& it, const Run& run);

/// The part of a case's time that changed most, with both of its times; empty: the parts of one of them are
/// not known, or what changed most is explained by none.
std::string changed_part(const Explanation& a, const Explanation& b);

/// Of a case that two runs have.
struct Change {
  std::string id;
  double before = 0, after = 0;  ///< its times, in seconds
  std::string part;              ///< the part that changed most, with both of its times; empty: not known
};

/// By their ids; what no part explains counts as one.
std::vector<Change> changes_of(const std::vector<Explanation>& a, const std::vector<Explanation>& b);

Table table_of(const std::vector<Change>& changes);
Json json_of(const std::vector<Change>& changes);

}  // namespace uotbench
