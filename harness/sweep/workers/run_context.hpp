// What a worker's process is started with, the same for all workers of a run.
#pragma once

#include <csignal>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/host/facts/memory.hpp"

namespace uotbench {

// What all processes of a run have in common.

/// What a run may use, and whom it obeys. The command makes it, once; pools and processes refer to it.
struct RunContext {
  std::vector<int> cpus = {};         ///< in the order threads take them; empty: processes are not confined
  std::vector<int> spread_cpus = {};  ///< likewise, for place=spread
  Memory memory = {};                 ///< more is not planned, and killed; 0 bytes: nothing is killed
  double timeout = 60;                ///< seconds until a process says hello, and tells what it holds
  const volatile sig_atomic_t* stop = nullptr;  ///< set by a signal handler
  /// Likewise, when it is to end soon. Whoever asked for that may have asked the workers, too.
  const volatile sig_atomic_t* stop_soon = nullptr;
  bool times = true;               ///< false: results are judged only, so threads that wait may sleep
  std::optional<int> device = {};  ///< the GPU, where one was chosen
};

// Variables of the environment that change what is measured.

/// Whether workers do not get NAME=VALUE: a shell would silently change how many threads there are and where,
/// and how often the timing loop runs. A manifest may still set it.
bool is_kept_from_workers(std::string_view variable);

/// By name: what workers do get, and by which libraries choose their code, their threads or their memory
/// (OPENBLAS_*, MKL_*, XLA_FLAGS, MALLOC_*, GLIBC_TUNABLES, LD_PRELOAD and others). Values can be shown, and
/// are cut after 1000 bytes.
std::map<std::string, std::string> telling_variables();

}  // namespace uotbench
