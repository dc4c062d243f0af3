// Time as the parent's clock sees it, which no worker can bend.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "harness/sweep/workers/worker_process.hpp"

namespace uotbench {

/// Asks for so many units of work, and waits for the answer.
using AskUnits = std::function<void(std::int64_t units)>;

/// Seconds of a unit: how much later the worker answers the more units are asked for, without the time in
/// which its threads stood in line for a CPU. `steps` units are the fewest that it makes at a time, and none
/// (`zero`) are what only a question costs. Absent where units are too fast to be seen, or where the machine
/// is so busy that nothing but waiting is.
std::optional<double> seconds_outside(WorkerProcess& process, const AskUnits& ask, std::int64_t steps,
                                      std::int64_t zero);

/// Between what a worker told of a unit and what was seen outside.
enum class Plausible {
  yes,
  doubtful,  ///< it told less than 1/1.5
  no         ///< it told less than 1/5
};

struct SeenOutside {
  std::optional<double> seconds;  ///< of a unit; absent: it cannot be seen
  Plausible plausible = Plausible::yes;
};

/// Holds a told time of a unit against what is seen. A busy machine makes a unit look slower than it was, but
/// not each of several times: a doubt is looked at again, and the least is believed.
SeenOutside held_against(double told, WorkerProcess& process, const AskUnits& ask, std::int64_t steps,
                         std::int64_t zero);

}  // namespace uotbench
