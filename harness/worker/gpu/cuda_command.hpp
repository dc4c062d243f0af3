// A program that is run to its end, for what it says and how it ends.
#pragma once

#include <string>
#include <vector>

namespace uotbench {

struct Ended {
  int code = 0;         ///< its exit code; 128 and the signal's number where one ended it
  bool in_time = true;  ///< false: it was killed, and what it had started with it
  std::string said;     ///< stdout and stderr, as they came
};

/// Runs it, looked up on PATH, in the locale C, without input, in this process' group, and not longer than
/// this process lives. Throws Error where it cannot be started.
Ended run_command(const std::vector<std::string>& command, double seconds);

}  // namespace uotbench
