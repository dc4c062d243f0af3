// A stored run as tables, figures and comparisons see it: groups, medians, speedups, warnings. Derived on
// reading, never stored.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "results/base/json_fwd.hpp"
#include "results/record/run_file/run_file.hpp"
#include "results/record/timing.hpp"
#include "results/statistics/statistics.hpp"
#include "results/view/speedup.hpp"

namespace uotbench {

/// A case held against what its machine can do (roofline/model/model.hpp). All from the work model, none
/// counted.
struct RoofView {
  /// Where its working set lives: L1, L2, L3, DRAM; empty: between two, or not clear.
  std::string level;
  /// Which limit is the nearest one: "memory", "compute", or the operation whose ceiling it is ("exp").
  std::string bound;
  std::optional<double> intensity;  ///< flops per byte moved; absent: nothing moves
  double floor = 0;                 ///< seconds that the work takes at least
  double fraction = 0;              ///< floor over median: 1 is at the roof
  std::string cause;                ///< why it is above 1; empty where it is not
  /// Bytes: its bandwidths were read off curves at this working set; absent: they are of the level.
  std::optional<double> working_set = {};
  /// Bytes: the nearest working set that was measured, where its own is beyond all of them.
  std::optional<double> nearest = {};
  /// The ceiling kernel of the nearest limit: "read", "fma"; of several kinds of access "rmw+read", the one
  /// that moves the most bytes first. Empty: a specification, which has one bandwidth for all.
  std::string kernel = {};

  std::string where() const;  ///< "DRAM"; without a level "at 40.0 MiB", that of the ceiling
  std::string name() const;   ///< the limit: "rmw DRAM", "read at 40.0 MiB", "fma"
};

/// A case's effective bandwidth (each element that a unit has to read or write counts once) and the one
/// that a model of its work predicts from the machine's ceilings (roofline/model/model.hpp).
struct PredictionView {
  double measured = 0, predicted = 0;  ///< bytes per second
  int equation = 11;                   ///< of the model's publication
  double ratio() const { return measured / predicted; }
};

struct CaseView {
  const Record* record;
  std::string label;  ///< what distinguishes it in its group: variant, other axes, worker
  std::optional<Summary> time;
  std::optional<double> bandwidth;  ///< bytes of the work model over the median, bytes per second
  /// Seconds of an iteration: of a solve, its time over its iterations; absent: timed per part.
  std::optional<double> per_iteration = {};
  /// A case of its group was timed per iteration: solves next to it run a given number of iterations.
  bool among_iterations = false;
  std::optional<double> speedup;  ///< time of its reference over its own
  /// One of the two was timed per iteration, the other per solve: the speedup is that of an iteration.
  bool speedup_of_iterations = false;
  /// Of several CPUs, over that of the fewest (compare.hpp); absent: timed with one number of them.
  std::optional<double> efficiency = {};
  std::string no_speedup = {};   ///< of a timed case: why; a note says it once for all
  std::optional<RoofView> roof;  ///< absent: no ceilings for its threads and place, or no work model
  /// How many times as fast it is as the fastest ceiling of any level allows; absent: not clearly faster.
  std::optional<double> beyond_ceilings = {};
  std::optional<PredictionView> prediction = {};  ///< absent: no ceilings, or no work of an element
  std::vector<std::string> warnings;              ///< about its times
  std::vector<PhaseShare> phases = {};            ///< of its time, where its kernel reports them
  bool worker_absent = false;  ///< skipped because its worker cannot run at all: a note says so once
  /// Of `warnings`, those that name a measurement or a ceiling which contradicts its times.
  std::vector<std::string> doubts = {};

  std::string ceilings_doubt() const;  ///< the warning about `beyond_ceilings`; empty where that is absent
};

/// Whether it can be held against others: a clock too coarse for the kernel says 0.
inline bool has_time(const CaseView& member) { return member.time && member.time->median > 0; }

/// Timed by the solve, which ran until a test of the solution stopped it, not for a given number of
/// iterations.
bool ends_by_a_test(const CaseView& member);

struct GroupView {
  std::string title;  ///< family and problem, e.g. "uot  M:4096 N:4096 data:colors"
  std::vector<CaseView> cases;
};

/// Points into the Run that it was made from.
struct RunView {
  const Run* run;
  Reference reference;  ///< what speedups are over; not given: each group's first variant
  std::vector<GroupView> groups;
  std::vector<std::string> warnings;
  std::vector<std::string> notes;  ///< what a reader of the table should know, and need not doubt
  std::string next = {};           ///< the command that answers what the table leaves open; empty: none
};

/// `over`: what speedups are over, as a sweep's speedup_over; null: the run's own. Throws UsageError where
/// the run file's header is unsound.
RunView view_of(const Run& run, const Json& over);
RunView view_of(const Run& run);
RunView view_of(Run&&, const Json&) = delete;
RunView view_of(Run&&) = delete;

/// The rows as JSON, in base units.
Json json_of(const RunView& view);

// What a reader of a run must know before believing its numbers.

/// Lines with numbers, ready to print; many of one kind are a few and their count.
std::vector<std::string> warnings_of(const RunView& view);

/// Workers that could not run and how many cases that left out, workers that judge and do not time, and what
/// times are of where that is no iteration.
std::vector<std::string> notes_of(const RunView& view);

/// Why the run's workers could not run at all, by name.
std::map<std::string, std::string> absent_workers(const RunHeader& header);

/// Whether it was interrupted or killed before it had all it planned; a gate, before it had its verdict.
bool is_unfinished(const Run& run);
/// What such a run lacks. A gate's session cannot be continued: its pairs were taken together.
std::string unfinished_text(const Run& run);
/// The command that goes on with it, or repeats a gate, in words where it is not known.
std::string finishing_command(const Run& run);

/// A line for each cause of the warnings about the cases' times, how many cases have it included: a busy
/// machine first, then as they come. Texts that differ in numbers alone have one cause.
std::vector<std::string> warnings_by_cause(const RunView& view);

}  // namespace uotbench
