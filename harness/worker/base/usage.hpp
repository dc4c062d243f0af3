// What the operating system saw of this process, always on and cheap: getrusage and /proc.
#pragma once

#include <map>
#include <optional>

#include "results/base/json_fwd.hpp"

namespace uotbench {

/// What the system has counted of this process until now, all its threads together.
struct SystemCounts {
  long minor_faults = 0, major_faults = 0;
  long voluntary_switches = 0, involuntary_switches = 0;
  /// Moves to another CPU, by thread; a thread that has ended is not there. None where the kernel reports
  /// none
  /// (/proc/self/task/…/sched, CONFIG_SCHED_DEBUG).
  std::map<int, long> migrations = {};
  /// Seconds that the hypervisor took from all CPUs since boot, in ticks of 10 ms.
  std::optional<double> steal = {};
};

SystemCounts system_counts();
/// Brings faults and switches up to date, which takes less than a microsecond; the rest needs /proc.
void update_faults_and_switches(SystemCounts& counts);
/// Moves since `before` of the threads that are there; absent where the kernel reports none.
std::optional<long> migrations_since(const SystemCounts& before, const SystemCounts& now);
/// The most memory that the process has had since the last Usage was made, in bytes; null where the system
/// does not report.
Json peak_rss();

/// Counts from its construction on.
class Usage {
 public:
  /// Forgets the process's peak of memory: one process may serve a large case, then a small one.
  Usage();
  /// {"peak_rss" bytes, "page_faults", "context_switches", "migrations" (to another
  /// CPU) and "steal" (seconds of CPU taken by the hypervisor, all CPUs) since construction, "page_size"
  /// bytes}; of a case that was timed also "huge_bytes" in transparent huge pages, for which the
  /// system walks through all pages. What the system does not report is null.
  Json since(bool timed) const;

 private:
  SystemCounts before_;
};

}  // namespace uotbench
