// Whether a worker, in any language, speaks the protocol as docs/reference/protocol.md has it, and tells the
// truth.
#pragma once

#include <functional>
#include <string>

#include "harness/sweep/workers/manifest.hpp"
#include "harness/sweep/workers/worker_pool.hpp"

namespace uotbench {

/// One thing that was checked.
struct Checked {
  enum class Level { ok, note, doubtful, wrong };
  Level level;
  std::string what;       ///< "hello", "time uot/map_uot"
  std::string found;      ///< in one line
  std::string want = {};  ///< what was expected; empty unless wrong
};
std::string name_of(Checked::Level level);

using Tell = std::function<void(const Checked&)>;

/// Tells of each check as it is made. `pool` has the oracle; `timeout` is for each answer, in seconds. Throws
/// Interrupted, UsageError where the oracle does not answer.
void check_worker(const Manifest& worker, WorkerPool& pool, double timeout, const Tell& tell);

}  // namespace uotbench
