// A worker that cannot count, in whatever language, counted from outside: callgrind runs it as it is.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/protocol/messages.hpp"
#include "harness/worker/counters/callgrind_source.hpp"

namespace uotbench {

/// How it is run.
struct CallgrindOutside {
  std::vector<std::string> command;  ///< valgrind, its flags, the worker
  std::filesystem::path out;         ///< each process of it leaves a dump: this, a dot, and a number
};

/// The marginal cost of one of this many iterations: from a process that made them, and one that made
/// twice their number. What both do alike (the start, the inputs, an interpreter's own doing) falls out. An
/// event that became fewer is lost in what differs from process to process.
EventCounts counts_of_difference(const CallgrindDump& once, const CallgrindDump& twice,
                                 const std::vector<std::string>& events, double iterations);

/// The answer to `run` with the step `count`: the worker is asked to `verify` the number of iterations that
/// the request names, then in another process twice that number. Throws Error for a case that this cannot
/// count, and for a worker that does not answer.
RunReply reply_from_outside(const CallgrindOutside& how, const RunRequest& request);

}  // namespace uotbench
