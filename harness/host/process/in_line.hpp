// How long threads stood in line for a CPU: time that a clock sees, and that they could not use.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <map>
#include <vector>

namespace uotbench {

struct ThreadTime {
  double running = 0;  ///< seconds since the thread began
  double in_line = 0;  ///< likewise: ready to run, while its CPU did something else
};

/// Of all threads of some processes, by their numbers, at one moment.
using ThreadTimes = std::map<pid_t, ThreadTime>;

/// As PROC/PID/task/TID/schedstat tells it; empty where the kernel does not tell.
ThreadTimes thread_times(const std::vector<pid_t>& processes, const std::filesystem::path& proc = "/proc");

/// The longest time for which others may have held up these processes between two moments, `seconds` apart,
/// on `cpus` CPUs. Threads that wait for each other are held up one after the other, so it is the sum over
/// all threads; but of more time than the processes themselves left unused, others had no part.
double seconds_in_line(const ThreadTimes& before, const ThreadTimes& after, double seconds, std::size_t cpus);

}  // namespace uotbench
