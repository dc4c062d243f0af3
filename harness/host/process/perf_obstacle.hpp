// Why the kernel refuses to count (perf_event_open), and what mends it: the doctor and the workers say the
// same.
#pragma once

#include <filesystem>
#include <string>

namespace uotbench {

/// How far the counting looks; each needs more rights than the one before.
enum class PerfReach {
  user,     ///< this process in user mode
  kernel,   ///< this process, in the kernel too
  machine,  ///< all that a CPU or a socket does
};

struct PerfObstacle {
  std::string reason;  ///< one line
  std::string mend;    ///< a command to paste; empty: there is none

  /// "reason (mend)"
  std::string text() const;
};

/// What an error of perf_event_open (errno) means; `root` is where /proc and /sys are.
PerfObstacle perf_obstacle(int error, PerfReach reach, const std::filesystem::path& root = "/");

/// Counts this thread's cycles over a short loop. 0: counted something; else errno; EIO: it opened but stood
/// still, as under some hypervisors.
int try_cycles();

}  // namespace uotbench
