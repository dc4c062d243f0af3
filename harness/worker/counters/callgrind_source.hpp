// Callgrind as a source of counts: this process runs under it, and reads what it dumps.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "harness/worker/counters/counters.hpp"

namespace uotbench {

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

}  // namespace uotbench
