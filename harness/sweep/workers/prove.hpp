// What was timed is what was verified: the timed process itself is verified, and its times are held against
// the parent's clock and against its first iterations.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/sweep/workers/problem_files.hpp"
#include "harness/sweep/workers/validation.hpp"
#include "harness/sweep/workers/worker_pool.hpp"
#include "harness/sweep/workers/worker_process.hpp"
#include "results/base/document.hpp"
#include "results/record/record.hpp"

namespace uotbench {

/// A process that has just answered `time`, and what it said.
struct TimedProcess {
  WorkerProcess& process;
  RunRequest request;               ///< the one that it answered
  ObjectDocument point = {};        ///< of the case, as the oracle takes it
  std::optional<double> tolerance;  ///< the variant's own
  int steps = 1;                    ///< iterations that it makes at a time
  std::vector<int> judged_after;    ///< iterations, as the oracle says of this problem
  bool memoryless = false;          ///< likewise of its family
  Unit per = Unit::iteration;
  std::optional<std::int64_t> iterations = {};        ///< that it reported of a solve
  std::optional<std::int64_t> asked_iterations = {};  ///< likewise, where the point counts them
  ReportedUnit reported = {};
  /// Seconds of the first iterations, as the process reported them in which the result was verified: it had
  /// not seen these inputs before.
  std::vector<double> verified = {};
  /// Verifies in a new process: its seconds likewise. Null: it is not asked.
  std::function<std::vector<double>()> verify_again = {};
};

struct ProvedProcess {
  Proof proof;
  std::optional<Work> work = {};  ///< as its answer with a result tells it
  std::vector<std::string> warnings;
};

/// Verifies the process's own result after a number of iterations that it could not know, and holds its
/// median against the parent's clock and against iterations made soon after the inputs: a kernel that stops
/// working once it has converged is as fast as nothing. Throws WorkerFailure where the result is wrong or the
/// median cannot be true.
ProvedProcess prove(const TimedProcess& timed, ProblemFiles& files, double timeout);

/// Seconds of the first iterations that a process makes for its answer to `request`, a verification. A new
/// process has no results to keep.
std::vector<double> first_verified(WorkerProcess& process, const RunRequest& request, ProblemFiles& files,
                                   double timeout);

/// Seconds of a unit in a process more, by the parent's clock; absent: not seen.
using OutsideAgain = std::function<std::optional<double>()>;

/// Holds every process of a case against the one that was proved: what it takes by the parent's clock no
/// process can beat by far. The proved one may have been disturbed: before a process is doubted, `again` is
/// asked up to three times, and the least counts (and is kept in timing.proof). Throws WorkerFailure for a
/// process that reported less than a fifth of it; returns warnings.
std::vector<std::string> contradictions(Timing& timing, const OutsideAgain& again = {});

}  // namespace uotbench
