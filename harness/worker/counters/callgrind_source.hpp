// Counting by callgrind: the source, what its files say, and the difference of two runs of a whole program.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "harness/protocol/messages.hpp"
#include "harness/worker/counters/counters.hpp"
#include "results/record/counter.hpp"

namespace uotbench {

// Callgrind as a source of counts: this process runs under it, and reads what it dumps.

/// What a dump of callgrind says (its manual, "Callgrind Format Specification").
struct CallgrindDump {
  std::map<std::string, double> totals;       ///< by event: Ir, Dr, D1mr, …
  std::map<std::string, std::string> caches;  ///< by name: D1 -> "32768 B, 64 B, 8-way associative"
};
/// Throws Error naming the file and what it lacks.
CallgrindDump read_callgrind_dump(const std::filesystem::path& file);

/// Null where this process does not run under valgrind, or the build has no headers of it. Reads of the
/// environment: UOTBENCH_CALLGRIND_OUT, the file that callgrind writes, and
/// UOTBENCH_CALLGRIND_LL, the cache that it simulates as the last level (L3, or L2).
std::unique_ptr<CounterSource> callgrind_source();

// Where callgrind counted: what its dump says of functions and source lines.

/// What each counted itself, without what it called.
struct CallgrindCosts {
  std::map<std::string, double> functions;  ///< by name, as the linker or the debug information has it
  std::map<std::string, double> lines;      ///< by FILE:LINE; of code without debug information nothing
};

/// Of these events together, such as D1mr and D1mw. Throws Error naming the file, and what it lacks or which
/// line makes no sense.
CallgrindCosts read_callgrind_costs(const std::filesystem::path& file,
                                    const std::vector<std::string>& events);

/// The largest first, then by name; those that count most, `most` of them.
std::vector<CounterLine> largest(const std::map<std::string, double>& costs, std::size_t most);

// A worker that cannot count, in whatever language, counted from outside: callgrind runs it as it is.

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
