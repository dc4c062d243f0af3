#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "harness/host/facts/cpu_order.hpp"
#include "harness/host/facts/cpus.hpp"
#include "harness/host/facts/tasks.hpp"
#include "harness/host/findings/findings.hpp"
#include "harness/host/process/files.hpp"
#include "harness/host/process/throttled.hpp"

namespace uotbench {
namespace {

using enum Finding::Level;
namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

/// Per core. Above it a benchmark that uses all cores has to share them.
constexpr double busy_load = 0.5;
/// Of one CPU. The kernel counts in ticks of 10 ms, so watching for less time would see only noise.
constexpr double heavy_share = 0.25;
constexpr std::chrono::milliseconds watched{200};
constexpr std::size_t most_named = 3;

Finding about_load(const fs::path& root) {
  const auto load = read_number(root / "proc/loadavg");
  if (!load) return {note, "load: not reported here", "", ""};
  const int cores = std::max(physical_cores(this_topology(), usable_cpus()), 1);
  const std::string what =
      fmt::format("load: {:.2f} over the last minute, {} usable core{}", *load, cores, cores == 1 ? "" : "s");
  if (*load <= busy_load * cores) return {ok, what, "", ""};
  return {warning, what, "the kernels measured share their cores", ""};  // who computes is named below
}

Finding about_tasks(const fs::path& root) {
  auto before = visible_tasks(root);
  before.erase(::getpid());
  if (before.empty()) return {note, "other processes: not visible here", "", ""};
  const auto start = Clock::now();
  std::this_thread::sleep_for(watched);
  const auto after = visible_tasks(root);
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();

  std::vector<std::string> named;
  std::string pids;
  for (const BusyTask& task : busy_tasks(before, after, seconds, heavy_share)) {
    pids += fmt::format(" {}", task.pid);
    named.push_back(fmt::format("{} (pid {}, {:.0f}% of a CPU)", task.name, task.pid, task.share * 100));
  }
  if (named.empty())
    return {
        ok,
        fmt::format("other processes: none that is visible used over {:.0f}% of a CPU", heavy_share * 100),
        "", ""};
  if (named.size() > most_named) {
    const std::size_t more = named.size() - most_named;
    named.resize(most_named);
    named.push_back(fmt::format("{} more", more));
  }
  // No line mends it: whose processes these are, and what they are worth, nobody here knows.
  return {
      warning, fmt::format("other processes compute: {}", fmt::join(named, ", ")),
      fmt::format("they take cores, caches and memory bandwidth. Wait until they have ended. Or, if they are "
                  "yours, let them give way: renice -n 19 -p{}",
                  pids),
      ""};
}

}  // namespace

std::vector<Finding> load_findings(const fs::path& root) {
  std::vector<Finding> found{about_load(root), about_tasks(root)};
  if (const auto quota = cpu_quota(root))
    found.push_back({warning, fmt::format("CPU quota: {:.3g} CPUs", quota->cpus),
                     fmt::format("times are of bursts: the control group is stopped when it has used its "
                                 "share of {:.3g} ms. Run without a quota (docker --cpus, Kubernetes limits)",
                                 quota->period_seconds * 1000),
                     ""});
  return found;
}

std::string busy_text(const fs::path& root) {
  const Finding tasks = about_tasks(root);
  if (tasks.level == warning) return tasks.what;
  // What ended a moment ago is in the load still: it counts only where nothing better is seen.
  const Finding load = tasks.level == note ? about_load(root) : Finding{};
  return load.level == warning ? load.what : "";
}

}  // namespace uotbench
