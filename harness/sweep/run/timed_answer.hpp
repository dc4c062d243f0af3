// What a worker's answer to `time` says of one process: read, and found possible.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "harness/sweep/workers/worker_process.hpp"
#include "results/record/record.hpp"

namespace uotbench {

struct TimedAnswer {
  ProcessSamples samples;  ///< without an arm
  std::int64_t inner = 1;  ///< iterations a sample
  double busy = 1;         ///< CPU time over wall time
  Unit per = Unit::iteration;
  std::string clock, stopped_by;
  std::optional<std::int64_t> iterations = {};  ///< of a solve
};

/// Of the part `time` of its record. Throws WorkerFailure for samples or an inner that cannot be,
/// Json::exception for what is missing or of another type.
TimedAnswer timed_answer(const Json& time, const WorkerProcess& process);

/// One process more of a case. Throws WorkerFailure where its unit or its clock is not that of the others.
void add_to(std::optional<Timing>& timing, const TimedAnswer& answer);

}  // namespace uotbench
