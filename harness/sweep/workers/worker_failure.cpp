#include "harness/sweep/workers/worker_failure.hpp"

namespace uotbench {

WorkerFailure at_place(const std::string& place, const WorkerFailure& failure) {
  WorkerFailure placed = failure.violation
                             ? WorkerFailure{failure.status, at_place(place, *failure.violation)}
                             : WorkerFailure{failure.status, place + failure.reason};
  placed.signal = failure.signal;
  return placed;
}

}  // namespace uotbench
