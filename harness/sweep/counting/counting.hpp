// What a run counts besides times: from the words of a sweep to counters with their sources. Here is the
// choice between sources; asking a worker is the runner's.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "harness/host/facts/topology.hpp"
#include "harness/protocol/messages.hpp"
#include "harness/sweep/counting/counter_groups.hpp"
#include "harness/sweep/workers/manifest.hpp"
#include "harness/sweep/workers/worker_pool.hpp"
#include "results/base/document.hpp"
#include "results/record/counters.hpp"

namespace uotbench {

/// One thing to be counted: a group, or an event as a source calls it.
struct CounterRequest {
  std::string name;                      ///< of the group, or SOURCE:EVENT
  const CounterGroup* group = nullptr;   ///< null: an event
  std::vector<const GroupSource*> from;  ///< the best first, on this machine's CPU
  std::string source, event;             ///< of an event
  std::string obstacle;                  ///< why `from` is empty
};

struct CounterPlan {
  std::vector<std::string> words;  ///< what was asked for
  CounterGroups groups;            ///< what the requests point into
  std::vector<CounterRequest> requests;
  CacheShapes caches;  ///< of simulated sources

  CounterPlan() = default;
  CounterPlan(CounterPlan&&) = default;
  CounterPlan& operator=(CounterPlan&&) = default;
  /// Those of the groups requested, for the run file's first line.
  Json metrics() const;
};

/// Of `requests` those for groups with a counter that must be something.
std::vector<CounterRequest> required(const std::vector<CounterRequest>& requests);
/// The first such counter of the case that is something else, with its note: why the case fails. Empty: there
/// is none.
std::string broken_requirement(const std::vector<CounterRequest>& requests, const Counters& counters);

/// What a run counts: what it asks for, of all cases but those of workers of which it means something else;
/// where it asks for nothing, what the manifests of its workers name, each of its own cases.
struct CounterPlans {
  CounterPlan asked;
  std::map<std::string, CounterPlan> by_worker;
  Document of_sweep = {};  ///< metrics that the sweep itself defines

  bool empty() const;
  /// Null: nothing is counted of this worker's cases.
  const CounterPlan* of(const std::string& worker) const;
  /// Those of the sweep, then those of the groups that are counted; each once.
  Json metrics() const;
  /// What simulated sources are given. Null: nothing is counted.
  const CacheShapes* caches() const;
};

/// {"L1D": {"bytes", "ways", "line"}, "L2": …, "L3": …}
Document document_of(const CacheShapes& caches);

/// What a comma-joined list says: commas between slashes are an event's own (perf:cpu/event=1,umask=2/).
std::vector<std::string> split_counters(const std::string& list);

/// `words`: "auto" (the groups cache, traffic and instructions: those of a CPU), groups, SOURCE:GROUP,
/// SOURCE:EVENT. `cpu`: as GroupSource::is_for wants it. `workers`: those whose cases are counted; they are
/// asked for sources and events in their own process. Throws UsageError "WHERE: …" naming the nearest for
/// what nobody knows.
CounterPlan plan_counters(const std::vector<std::string>& words, CounterGroups groups, const std::string& cpu,
                          const CacheShapes& caches, WorkerPool& pool, const std::set<std::string>& workers,
                          const std::string& where);

/// Asks one source for events of the case. Throws WorkerFailure where it gives none.
using AskSource =
    std::function<EventCounts(const std::string& source, const std::vector<std::string>& events)>;

/// The counters of one case, by name. A group comes from the first of its sources that gives a value; where
/// none does, the counters are null with what each said. `worker_of`: who counts for a source, where that is
/// not the case's own worker. Throws what `ask` throws besides WorkerFailure.
Counters count(const CounterPlan& plan, const AskSource& ask,
               const std::function<std::string(const std::string& source)>& worker_of);

// Sources of counters that are workers: which process counts the cases of which worker.

/// The manifest that is this source; null: workers have it in their own processes, if at all.
const Manifest* source_named(const std::vector<Manifest>& manifests, const std::string& source);

/// Whether the worker says who counts its cases by this source: its manifest names a build, or is the source
/// itself.
bool names_build(const Manifest& worker, const Manifest& source);

/// What counted is called in records: the source's manifest, or the build, where that alone is the source.
std::string counting_name(const Manifest& source, const Manifest& worker);

/// What is launched to count cases of `worker` by `source`: the source's command with the worker's build in
/// the place of {worker}, or where it says no {worker}, that build alone. A worker that names no build is
/// counted from outside, where the source can do that, else by the source's own command, unless the worker
/// was given on the command line. Throws WorkerFailure, skipped, where there is no such process, or it cannot
/// be started here.
Manifest counting_worker(const Manifest& source, const Manifest& worker);

}  // namespace uotbench
