// What a worker sends is checked once, here, before anybody reads it: against configs/protocol.schema.json,
// against what was asked, and its times against what is seen from outside.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/protocol/messages.hpp"
#include "harness/sweep/workers/worker_process.hpp"
#include "results/base/json_fwd.hpp"
#include "results/base/violation.hpp"

namespace uotbench {

/// What is wrong with a message: "/time/busy: expected a number from 0, got \"no\"". Absent: nothing.
std::optional<Violation> validate_hello(const Json& message);
/// Likewise, of a message that came after `request`: a progress message, an error, or the answer, which is of
/// the type `reply`. One that judges describes families, where others describe variants.
std::optional<Violation> validate_answer(const Json& message, const Json& request, const std::string& reply,
                                         bool judges);

/// How errors call the answer to a request: "answer to run (time)".
std::string answer_to(const Json& request);

/// What the protocol's schema accepts of a part of a message, such as "outputs".
std::string accepted_of(const std::string& part);

// Whether what workers say of their variants makes sense. A run and check-worker have the same rules.

/// Why the description cannot be true, of whatever family the variant is; `others`: the names before it.
/// Absent: it may be.
std::optional<Violation> validate_description(const VariantInfo& variant,
                                              const std::set<std::string>& others);
/// Why it cannot be a variant of this family.
std::optional<Violation> validate_description(const VariantInfo& variant, const FamilyInfo& family);
/// A tolerance with which the family judges nothing.
std::optional<Violation> loose_tolerance(const VariantInfo& variant, const FamilyInfo& family);

// Times that are seen from outside a worker: whole steps, the first iterations, and what contradicts a
// report.

// Variants that make several of their family's iterations at a time.

/// The least number of iterations that such a variant can make and that is no less than `iterations`.
inline int whole_steps(int iterations, int steps) { return (iterations + steps - 1) / steps * steps; }

// Time as the parent's clock sees it, which no worker can bend.

/// Asks for so many units of work, and waits for the answer.
using AskUnits = std::function<void(std::int64_t units)>;

/// A unit, by the parent's clock.
struct UnitOutside {
  double seconds = 0;
  /// The worker answered at once, however many units were asked for: a unit takes less than `seconds`.
  bool below = false;
};

/// How much later the worker answers for each further unit, without the time in which its threads waited for
/// a CPU or were throttled. `steps` units are the fewest that it makes at a time; `zero` units cost no more
/// than a question does. Absent where the machine is so busy that only waiting is seen.
std::optional<UnitOutside> seconds_outside(WorkerProcess& process, const AskUnits& ask, std::int64_t steps,
                                           std::int64_t zero);

/// What a worker reported of a unit, in seconds.
struct ReportedUnit {
  double median = 0;
  /// The least of its samples; 0 where samples cost more than a unit asked for here (cold caches, an injected
  /// slowdown), so that a report cannot be found too long.
  double least = 0;
};

enum class Plausible {
  yes,
  doubtful,  ///< reported less than 1/1.5 of what is seen
  no,        ///< reported less than 1/5 of it
  too_long   ///< reported more than 5 times of it
};

struct SeenOutside {
  std::optional<UnitOutside> unit;  ///< absent: it cannot be seen
  Plausible plausible = Plausible::yes;
};

/// How far a reported time may be from `seen` seconds.
Plausible plausible(const ReportedUnit& reported, double seen);

/// Holds a reported time against what is seen. A busy machine can make a unit look slower than it was, but
/// not in each of several attempts: a doubt is looked at again, and the attempt in the worker's favour
/// counts.
SeenOutside held_against(const ReportedUnit& reported, WorkerProcess& process, const AskUnits& ask,
                         std::int64_t steps, std::int64_t zero);

// How long the first iterations after the inputs take, by the worker's own clock.

/// Seconds of iterations as an answer reports them. Throws WorkerFailure where they are more than the
/// `passed` seconds until that answer.
std::vector<double> possible_seconds(const std::vector<double>& seconds, double passed);

/// A kernel may stop working once it has converged, and an honest clock then measures nothing. Its first
/// iterations it has to make. Each is taken as its shortest of several proofs, so that no interrupt counts.
class FirstIterations {
 public:
  explicit FirstIterations(int steps) : steps_(steps) {}

  void add(const std::vector<double>& seconds);
  /// Seconds of the slowest iteration; the first is left out, as it wakes threads and fills caches. Absent:
  /// not reported.
  std::optional<double> slowest() const;
  /// Their median, likewise.
  std::optional<double> typical() const;
  /// No by the slowest. Doubtful by their median: caches, and a large L3 of many guests most of all, may take
  /// some iterations to fill.
  Plausible plausible(double reported) const;

 private:
  int steps_;                     ///< iterations a call
  std::vector<double> shortest_;  ///< seconds of a call
};

}  // namespace uotbench
