#include "harness/worker/usage.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <fstream>
#include <sstream>
#include <string>

namespace uotbench {
namespace {

long faults_now() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return usage.ru_minflt + usage.ru_majflt;
}

/// Seconds stolen from all CPUs since boot: eighth number of the first line (proc(5)); -1 where missing.
double steal_now() {
  std::ifstream stat("/proc/stat");
  std::string label;
  double value = -1;
  stat >> label;
  for (int field = 0; field < 8 && stat; ++field) stat >> value;
  return stat ? value / static_cast<double>(::sysconf(_SC_CLK_TCK)) : -1;
}

/// A "Name:  123 kB" line of a /proc/self file, in bytes; null where there is none.
Json kilobytes(const char* file, const std::string& name) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);)
    if (line.starts_with(name + ":")) return std::stoll(line.substr(name.size() + 1)) * 1024;
  return nullptr;
}

}  // namespace

Usage::Usage() : faults_(faults_now()), steal_(steal_now()) {}

Json Usage::since() const {
  const double steal = steal_now();
  return {{"peak_rss", kilobytes("/proc/self/status", "VmHWM")},
          {"page_faults", faults_now() - faults_},
          {"page_size", ::sysconf(_SC_PAGESIZE)},
          {"huge_bytes", kilobytes("/proc/self/smaps_rollup", "AnonHugePages")},
          {"steal", steal < 0 || steal_ < 0 ? Json(nullptr) : Json(steal - steal_)},
          {"denormals", "kept"}};
}

}  // namespace uotbench
