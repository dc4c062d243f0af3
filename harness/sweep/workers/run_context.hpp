// What all processes of a run have in common.
#pragma once

#include <csignal>
#include <optional>
#include <vector>

#include "harness/host/facts/memory.hpp"

namespace uotbench {

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

}  // namespace uotbench
