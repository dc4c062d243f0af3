// What the program ends with.
#pragma once

namespace uotbench {

/// 3, 4, 5 and 7 are the gate's.
enum ExitCode : int {
  exit_ok = 0,
  exit_failed = 1,
  exit_usage = 2,
  exit_regressed = 3,
  exit_inconclusive = 4,
  exit_incomplete = 5,
  exit_not_comparable = 6,
  exit_not_built = 7,
  exit_interrupted = 130,
  exit_unread = 141  ///< as SIGPIPE would end it: who read its output left before the command had an end
};

}  // namespace uotbench
