#include "harness/sweep/workers/outside.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>

namespace uotbench {
namespace {

constexpr double long_enough = 0.03;  // messages and interrupts take less than a hundredth of that
constexpr double doubtful_at = 1.5, impossible_at = 5;
constexpr int attempts = 6;
// Of units that are nothing at all no more are asked for.
constexpr std::int64_t most_units = std::int64_t{1} << 40;

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Seconds that a process's threads have stood in line for a CPU, of the one that waited longest (the second
/// number of /proc/PID/task/TID/schedstat, nanoseconds); 0 where the kernel does not tell.
double seconds_in_line(pid_t process) {
  double longest = 0;
  std::error_code none;
  for (const auto& thread : std::filesystem::directory_iterator(
           std::filesystem::path("/proc") / std::to_string(process) / "task", none)) {
    std::ifstream in(thread.path() / "schedstat");
    double running = 0, waiting = 0;
    if (in >> running >> waiting) longest = std::max(longest, waiting * 1e-9);
  }
  return longest;
}

/// On a busy machine most of the time is others'; the median of short samples hardly sees that.
double seconds_to_answer(const WorkerProcess& process, const AskUnits& ask, std::int64_t units) {
  const pid_t pid = process.pid();
  const double start = now(), in_line = seconds_in_line(pid);
  ask(units);
  return now() - start - (seconds_in_line(pid) - in_line);
}

}  // namespace

std::optional<double> seconds_outside(WorkerProcess& process, const AskUnits& ask, std::int64_t steps,
                                      std::int64_t zero) {
  const auto answered = [&](std::int64_t units) { return seconds_to_answer(process, ask, units); };
  const double base = std::min(answered(zero), answered(zero));
  for (std::int64_t units = zero + steps; units <= most_units; units = zero + 4 * (units - zero)) {
    double more = answered(units) - base;
    // What took so long once may have been an interrupt; a long one it was not.
    if (more >= long_enough && more < 10 * long_enough) more = std::min(more, answered(units) - base);
    if (more >= long_enough) return more / static_cast<double>(units - zero);
  }
  return std::nullopt;
}

SeenOutside held_against(double told, WorkerProcess& process, const AskUnits& ask, std::int64_t steps,
                         std::int64_t zero) {
  SeenOutside seen;
  for (int attempt = 0; attempt < attempts; ++attempt) {
    const auto seconds = seconds_outside(process, ask, steps, zero);
    if (!seconds) return {};
    seen.seconds = std::min(seen.seconds.value_or(*seconds), *seconds);
    if (*seen.seconds <= doubtful_at * told) return seen;
  }
  seen.plausible = *seen.seconds > impossible_at * told ? Plausible::no : Plausible::doubtful;
  return seen;
}

}  // namespace uotbench
