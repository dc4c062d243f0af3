#include "harness/worker/base/usage.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "results/base/json.hpp"

namespace uotbench {
namespace {

/// Eighth number of the first line (proc(5)).
std::optional<double> steal_now() {
  std::ifstream stat("/proc/stat");
  std::string label;
  double value = 0;
  stat >> label;
  for (int field = 0; field < 8 && stat; ++field) stat >> value;
  if (!stat) return std::nullopt;
  return value / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

/// A "Name:  123 kB" line of a /proc/self file, in bytes; null where there is none.
Json kilobytes(const char* file, const std::string& name) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);)
    if (line.starts_with(name + ":")) return std::stoll(line.substr(name.size() + 1)) * 1024;
  return nullptr;
}

/// "se.nr_migrations  :  12"
std::optional<long> migrations_of(const std::filesystem::path& thread) {
  std::ifstream in(thread / "sched");
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("se.nr_migrations"))
      if (const auto colon = line.find(':'); colon != std::string::npos)
        return std::strtol(line.c_str() + colon + 1, nullptr, 10);
  return std::nullopt;
}

}  // namespace

SystemCounts system_counts() {
  SystemCounts counts;
  update_faults_and_switches(counts);
  counts.steal = steal_now();
  std::error_code hidden;
  for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task", hidden))
    if (const auto moves = migrations_of(thread.path()))
      counts.migrations[std::atoi(thread.path().filename().c_str())] = *moves;
  return counts;
}

void update_faults_and_switches(SystemCounts& counts) {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  counts.minor_faults = usage.ru_minflt;
  counts.major_faults = usage.ru_majflt;
  counts.voluntary_switches = usage.ru_nvcsw;
  counts.involuntary_switches = usage.ru_nivcsw;
}

std::optional<long> migrations_since(const SystemCounts& before, const SystemCounts& now) {
  if (before.migrations.empty() || now.migrations.empty()) return std::nullopt;
  long moves = 0;
  for (const auto& [thread, count] : now.migrations) {
    const auto earlier = before.migrations.find(thread);
    moves += count - (earlier == before.migrations.end() ? 0 : earlier->second);
  }
  return moves;
}

Json peak_rss() { return kilobytes("/proc/self/status", "VmHWM"); }

Usage::Usage() : before_(system_counts()) {
  std::ofstream("/proc/self/clear_refs") << 5;  // proc(5): the peak becomes what is resident now
}

Json Usage::since(bool timed) const {
  const SystemCounts now = system_counts();
  const auto faults = [](const SystemCounts& counts) { return counts.minor_faults + counts.major_faults; };
  const auto switches = [](const SystemCounts& counts) {
    return counts.voluntary_switches + counts.involuntary_switches;
  };
  Json usage{{"peak_rss", peak_rss()},
             {"page_faults", faults(now) - faults(before_)},
             {"context_switches", switches(now) - switches(before_)},
             {"migrations", or_null(migrations_since(before_, now))},
             {"page_size", ::sysconf(_SC_PAGESIZE)},
             {"steal", before_.steal && now.steal ? Json(*now.steal - *before_.steal) : Json(nullptr)}};
  if (timed) usage["huge_bytes"] = kilobytes("/proc/self/smaps_rollup", "AnonHugePages");
  return usage;
}

}  // namespace uotbench
