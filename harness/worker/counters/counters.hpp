// Sources of counters, and how a case is counted by one.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "harness/protocol/messages.hpp"
#include "harness/worker/variant.hpp"
#include "results/base/document.hpp"

namespace uotbench {

/// Why a source cannot count here, and the command that mends it.
struct Obstacle {
  std::string reason = {};  ///< one line; empty: it can
  std::string mend = {};    ///< empty: none is known
};

/// What is to be counted of one case.
struct CountRequest {
  std::vector<std::string> events;
  ObjectDocument caches;  ///< {"L1D": {"bytes", "ways", "line"}, "L2": …, "L3": …}: for sources that simulate
  std::string variant = {};
  std::string case_id = {};       ///< for sources that start a process of their own for it
  std::string foreign_code = {};  ///< what runs that this build's compiler did not see; empty: nothing
  bool cold = false;              ///< the axis `cache`: caches are emptied before each call
  double seconds = 0.2;           ///< hardware: iterations are repeated for about so long
  std::int64_t steps = 1;         ///< iterations that a call makes
};

class CounterSource {
 public:
  virtual ~CounterSource() = default;
  virtual std::string name() const = 0;  ///< perf, papi, os, callgrind, trace
  virtual bool simulated() const { return false; }
  /// Whether its counts depend on where in memory the data are.
  virtual bool needs_arena() const { return simulated(); }
  /// Tried for real, not looked up.
  virtual Obstacle obstacle() const = 0;
  /// Why this case cannot be counted: empty, it can.
  virtual std::string refusal(const Variant&, const Point&) const { return ""; }
  /// Why there can be no event of this name anywhere, with the nearest that there is; empty: there may be.
  virtual std::string unknown(const std::string& /*event*/) const { return ""; }
  /// The case is loaded next, then counted.
  virtual void loading() {}
  /// Counts calls of `instance`, which has begun. An entry for every event asked for; what cannot be
  /// counted says why.
  virtual EventCounts count(Instance& instance, const Team& team, const CountRequest& request) = 0;
};

/// The sources of this worker, those with obstacles included: what every worker has, then those added.
const std::vector<std::unique_ptr<CounterSource>>& counter_sources();
/// For a build that has one more. Returns true, so that a file's static object can call it.
bool add_counter_source(std::unique_ptr<CounterSource> source);

// The requests about counters, answered: which sources there are, and the step `count`.

/// Loads the case from the folder of its inputs and counts it, for simulated sources in an Arena. What goes
/// wrong on the way is thrown.
EventCounts count_case(CounterSource& source, const Variant& variant, const Point& point,
                       const std::vector<int>& cpus, const std::filesystem::path& inputs,
                       const CountRequest& request);

/// The answer to `sources`: each with its obstacle; of the events that the request names, those that no
/// source knows.
SourcesReply sources_for(const SourcesRequest& request);

/// What the step `count` is asked for. Throws Error for a source that this worker lacks, one that cannot
/// count here, and a case that it refuses.
EventCounts counts_for(const run_step::Count& count, const std::string& case_id, const Variant& variant,
                       const Point& point, const std::vector<int>& cpus, const std::filesystem::path& inputs);

}  // namespace uotbench
