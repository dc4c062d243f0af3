// Time as the parent's clock sees it, which no worker can bend.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "harness/sweep/workers/worker_process.hpp"

namespace uotbench {

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

}  // namespace uotbench
