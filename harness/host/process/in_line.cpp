#include "harness/host/process/in_line.hpp"

#include <algorithm>
#include <fstream>
#include <string>

namespace uotbench {
namespace fs = std::filesystem;

ThreadTimes thread_times(const std::vector<pid_t>& processes, const fs::path& proc) {
  ThreadTimes times;
  std::error_code none;
  for (const pid_t process : processes)
    for (fs::directory_iterator thread(proc / std::to_string(process) / "task", none), last;
         !none && thread != last; thread.increment(none)) {
      std::ifstream in(thread->path() / "schedstat");
      double running = 0, in_line = 0;  // nanoseconds
      if (in >> running >> in_line)
        times[std::stoi(thread->path().filename())] = {.running = running * 1e-9, .in_line = in_line * 1e-9};
    }
  return times;
}

double seconds_in_line(const ThreadTimes& before, const ThreadTimes& after, double seconds,
                       std::size_t cpus) {
  double running = 0, in_line = 0;
  for (const auto& [thread, time] : after) {
    const auto earlier = before.find(thread);
    const ThreadTime from = earlier == before.end() ? ThreadTime{} : earlier->second;
    running += time.running - from.running;
    in_line += time.in_line - from.in_line;
  }
  return std::clamp(in_line, 0.0, std::max(0.0, static_cast<double>(cpus) * seconds - running));
}

}  // namespace uotbench
