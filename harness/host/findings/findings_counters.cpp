#include "harness/host/findings/findings.hpp"
#include "harness/host/process/perf_obstacle.hpp"

namespace uotbench {

std::vector<Finding> counter_findings(const std::filesystem::path& root) {
  const int error = try_cycles();
  if (error == 0) return {{Finding::Level::ok, "hardware counters: cycles can be counted", "", ""}};
  const PerfObstacle obstacle = perf_obstacle(error, PerfReach::user, root);
  return {{Finding::Level::warning, "hardware counters: " + obstacle.reason,
           "no hardware counters; the system's (page faults, switches) and simulated caches are left",
           obstacle.mend}};
}

}  // namespace uotbench
