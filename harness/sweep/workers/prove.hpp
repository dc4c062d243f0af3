// What was timed is what was judged: the timed process itself is judged, and held to the parent's clock.
#pragma once

#include <string>
#include <vector>

#include "harness/sweep/workers/crew.hpp"
#include "harness/sweep/workers/problem_files.hpp"
#include "harness/sweep/workers/worker_process.hpp"
#include "results/record/record.hpp"

namespace uotbench {

/// A process that has just answered `time`, and what it said.
struct TimedProcess {
  WorkerProcess& process;
  Json request;  ///< the one that it answered
  std::string variant;
  std::optional<double> tolerance;  ///< the variant's own
  int steps = 1;                    ///< iterations that it makes at a time
  std::vector<int> judged_after;    ///< iterations, as the oracle says of this problem
  bool memoryless = false;          ///< likewise of its family
  Unit per = Unit::iteration;
  double median = 0;  ///< seconds of a unit
};

struct ProvedProcess {
  Proof proof;
  std::optional<Work> work = {};  ///< as its answer with a result tells it
  std::vector<std::string> warnings;
};

/// Has the process show that it does what it was timed for: its result is judged after a number of iterations
/// that it could not know, and its median held against the parent's clock. Throws WorkerFailure where the
/// result is wrong or the median cannot be.
ProvedProcess prove(const TimedProcess& timed, ProblemFiles& files, double timeout);

}  // namespace uotbench
