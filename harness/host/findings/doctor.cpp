#include "harness/host/findings/doctor.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <thread>

#include "harness/host/facts/machine.hpp"
#include "harness/host/facts/topology.hpp"
#include "harness/host/facts/usable.hpp"
#include "harness/host/process/cpu_use.hpp"
#include "harness/host/process/files.hpp"
#include "harness/host/process/perf_obstacle.hpp"
#include "results/base/json.hpp"

namespace uotbench {
namespace {

using enum Finding::Level;

/// That of its level; null: nobody probed it.
Json probe_of(const DoubtfulCache& cache, const Json& probed) {
  if (probed.is_array())
    for (const auto& one : probed)
      if (one.is_object() && one.value("level", Json()) == Json(cache.level)) return one;
  return nullptr;
}

Finding finding_of(const DoubtfulCache& cache, const Json& probed) {
  const std::string what = fmt::format("L{}: {}", cache.level, cache.why);
  const Json probe = probe_of(cache, probed);
  if (probe.is_null())
    return {warning, what, "ceilings take long, and roofs may be those of another level of memory",
            "uotbench machine"};
  const Json bytes = probe.value("bytes", Json());
  if (bytes.is_number())
    return {ok, fmt::format("{}; probed: {:.1f} MiB", what, bytes.get<double>() / (1 << 20)), "", ""};
  return {warning, what + "; probed, without a result", "roofs may be those of another level of memory",
          "uotbench machine --probe"};
}

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

using enum Finding::Level;

/// Of the memory there is. Inputs and outputs live in shared memory beside a kernel's own copy.
constexpr double enough = 0.25;
constexpr double gibi = 1024.0 * 1024 * 1024;

using enum Finding::Level;

Finding about_governor(const std::filesystem::path& root) {
  const auto seen = governor(root);
  if (!seen)
    return {note, "frequency governor: not reported here", "the CPU's clock may change while measuring", ""};
  if (*seen == "performance") return {ok, "frequency governor: performance", "", ""};
  return {warning, "frequency governor: " + *seen, "the clock rises and falls with the load",
          fmt::format("echo performance | {}tee /sys/devices/system/cpu/cpufreq/policy*/scaling_governor",
                      sudo())};
}

Finding about_turbo(const std::filesystem::path& root) {
  const auto seen = turbo(root);
  if (!seen)
    return {note, "turbo: not reported here", "the clock may depend on temperature and neighbours", ""};
  if (!*seen) return {ok, "turbo: off", "", ""};
  std::error_code none;
  const bool intel = std::filesystem::exists(root / "sys/devices/system/cpu/intel_pstate/no_turbo", none);
  return {warning, "turbo: on", "the clock depends on temperature and on how many cores are busy",
          intel ? fmt::format("echo 1 | {}tee /sys/devices/system/cpu/intel_pstate/no_turbo", sudo())
                : fmt::format("echo 0 | {}tee /sys/devices/system/cpu/cpufreq/boost", sudo())};
}

Finding about_huge_pages(const std::filesystem::path& root) {
  const auto seen = huge_pages(root);
  if (!seen) return {note, "transparent huge pages: not reported here", "", ""};
  if (*seen != "never") return {ok, "transparent huge pages: " + *seen, "", ""};
  return {warning, "transparent huge pages: never", "large arrays pay for TLB misses",
          fmt::format("echo madvise | {}tee /sys/kernel/mm/transparent_hugepage/enabled", sudo())};
}

Finding about_randomization(const std::filesystem::path& root) {
  const auto seen = address_randomization(root);
  if (!seen) return {note, "address randomization: not reported here", "", ""};
  if (*seen == 0) return {ok, "address randomization: off", "", ""};
  return {note, "address randomization: on", "every process has another memory layout; rounds sample them",
          ""};
}

Finding about_smt(const std::filesystem::path& root) {
  const auto seen = smt(root);
  if (!seen) return {note, "SMT: not reported here", "", ""};
  if (!*seen) return {ok, "SMT: off, or none", "", ""};
  return {note, "SMT: on; threads take distinct cores first", "other processes may share the cores measured",
          fmt::format("echo off | {}tee /sys/devices/system/cpu/smt/control", sudo())};
}

Finding about_hypervisor(const std::filesystem::path& root) {
  const auto seen = hypervisor(root);
  if (!seen) return {ok, "virtual machine: no sign of one", "", ""};
  return {warning, "virtual machine: " + *seen,
          "neighbours make times noisy, more so from one day to another", ""};
}

}  // namespace

std::vector<Finding> examine_host(const std::filesystem::path& root) {
  std::vector<Finding> all;
  for (const auto examine :
       {settings_findings, load_findings, memory_findings, counter_findings, software_findings}) {
    std::vector<Finding> part = examine(root);
    std::move(part.begin(), part.end(), std::back_inserter(all));
  }
  return all;
}

std::vector<Finding> cache_findings(const Json& hashed, const Json& probed) {
  std::vector<Finding> findings;
  for (const auto& cache : doubtful_caches(hashed)) findings.push_back(finding_of(cache, probed));
  return findings;
}

std::vector<Finding> counter_findings(const std::filesystem::path& root) {
  const int error = try_cycles();
  if (error == 0) return {{Finding::Level::ok, "hardware counters: cycles can be counted", "", ""}};
  const PerfObstacle obstacle = perf_obstacle(error, PerfReach::user, root);
  return {{Finding::Level::warning, "hardware counters: " + obstacle.reason,
           "no hardware counters; the system's (page faults, switches) and simulated caches are left",
           obstacle.mend}};
}

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

std::vector<Finding> memory_findings(const std::filesystem::path& root) {
  const std::string cost = "large arrays go to TMPDIR, which may be a disk";
  struct statvfs space {};
  if (::statvfs((root / "dev/shm").c_str(), &space) != 0)
    return {{warning, "shared memory: there is no /dev/shm", cost, ""}};
  const double memory = available_memory(root).bytes;
  const double size = static_cast<double>(space.f_blocks) * static_cast<double>(space.f_frsize);
  if (size == 0) return {{ok, "shared memory: /dev/shm has no limit of its own", "", ""}};
  const std::string what = fmt::format(
      "shared memory: /dev/shm holds {:.1f} GiB, available memory is {:.1f} GiB", size / gibi, memory / gibi);
  if (size >= enough * memory) return {{ok, what, "", ""}};
  return {{warning, what, cost, sudo() + "mount -o remount,size=50% /dev/shm"}};
}

std::vector<Finding> settings_findings(const std::filesystem::path& root) {
  return {about_governor(root),      about_turbo(root), about_huge_pages(root),
          about_randomization(root), about_smt(root),   about_hypervisor(root)};
}

}  // namespace uotbench
