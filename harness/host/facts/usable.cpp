#include "harness/host/facts/usable.hpp"

#include <fmt/format.h>
#include <sys/statvfs.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "harness/host/process/cpu_use.hpp"
#include "harness/host/process/files.hpp"

namespace uotbench {
namespace {

namespace fs = std::filesystem;

int parse_cpu(std::string_view digits, const std::string& whole) {
  int cpu = -1;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), cpu);
  if (error != std::errc{} || end != digits.data() + digits.size() || cpu < 0 || cpu >= most_cpus)
    throw std::invalid_argument(
        fmt::format("bad CPU list \"{}\": \"{}\" is no CPU number; write numbers and ranges such as 0-3,8",
                    whole, digits));
  return cpu;
}

std::string machine_name() {
  utsname name{};
  return ::uname(&name) == 0 ? name.machine : "";
}

/// The builtin takes literals only.
bool supports_level([[maybe_unused]] const std::string& isa) {
#ifdef __x86_64__
  if (isa == "x86-64") return true;
  if (isa == "x86-64-v2") return __builtin_cpu_supports("x86-64-v2");
  if (isa == "x86-64-v3") return __builtin_cpu_supports("x86-64-v3");
  if (isa == "x86-64-v4") return __builtin_cpu_supports("x86-64-v4");
#endif
  return false;
}

/// The files' names differ between the versions of the kernel's interface
/// (Documentation/admin-guide/cgroup-v2.rst and cgroup-v1/memory.rst).
struct Interface {
  CgroupVersion version;
  const char* limit;
  const char* usage;
  std::vector<std::string> cache;  ///< keys of memory.stat: file pages, which go when memory is short
};

const Interface version_2{
    CgroupVersion::v2, "memory.max", "memory.current", {"inactive_file", "active_file"}};
const Interface version_1{CgroupVersion::v1,
                          "memory.limit_in_bytes",
                          "memory.usage_in_bytes",
                          {"total_inactive_file", "total_active_file"}};

/// The sum of these keys of a file of "key number" lines.
double sum_of(const fs::path& file, const std::vector<std::string>& keys) {
  double sum = 0;
  for (const std::string& line : read_lines(file)) {
    std::istringstream words(line);
    std::string key;
    double value = 0;
    if (words >> key >> value && std::ranges::find(keys, key) != keys.end()) sum += value;
  }
  return sum;
}

/// What is left of one group's limit; absent where it has none ("max" is no number).
std::optional<double> left_in(const fs::path& group, const Interface& names) {
  const auto limit = read_number(group / names.limit);
  const auto usage = read_number(group / names.usage);
  if (!limit || !usage) return std::nullopt;
  const double cache = std::min(sum_of(group / "memory.stat", names.cache), *usage);
  return std::max(*limit - *usage + cache, 0.0);
}

/// What is left of this process's cgroups.
double left_in_cgroups(const fs::path& root) {
  double least = std::numeric_limits<double>::infinity();
  for (const Interface& names : {version_2, version_1})
    for (const fs::path& group : cgroup_folders(names.version, "memory", root))
      least = std::min(least, left_in(group, names).value_or(least));
  return least;
}

}  // namespace

std::vector<int> usable_cpus() {
  const std::set<int> allowed = cpus_of(0);
  if (allowed.empty()) throw std::runtime_error("the system does not report which CPUs this process may use");
  std::vector<int> cpus = ordered_cpus(this_topology(), allowed);
  // Some sandboxes hide /sys: the mask alone is then all that is known.
  return cpus.empty() ? std::vector<int>(allowed.begin(), allowed.end()) : cpus;
}

std::vector<int> spread_out(const std::vector<int>& cpus) { return spread_cpus(this_topology(), cpus); }

std::vector<int> parse_cpu_list(const std::string& text) {
  std::vector<int> cpus;
  for (std::string_view rest = text;;) {
    const std::size_t comma = rest.find(',');
    const std::string_view part = rest.substr(0, comma);
    const std::size_t dash = part.find('-');
    const int first = parse_cpu(part.substr(0, dash), text);
    const int last = dash == std::string_view::npos ? first : parse_cpu(part.substr(dash + 1), text);
    if (last < first)
      throw std::invalid_argument(
          fmt::format("bad CPU list \"{}\": the range {} runs backwards", text, part));
    for (int cpu = first; cpu <= last; ++cpu) {
      if (std::ranges::find(cpus, cpu) != cpus.end())
        throw std::invalid_argument(fmt::format("bad CPU list \"{}\": CPU {} is listed twice", text, cpu));
      cpus.push_back(cpu);
    }
    if (comma == std::string_view::npos) return cpus;
    rest.remove_prefix(comma + 1);
  }
}

std::vector<int> ordered_cpus(const Topology& topology, const std::set<int>& allowed) {
  std::map<int, int> taken;                            // CPUs seen so far, by core
  std::vector<std::tuple<int, int, int, int>> ranked;  // sibling number, slowness, place, CPU
  int place = 0;
  for (const Cpu& cpu : topology.cpus) {
    if (!allowed.contains(cpu.number)) continue;
    ranked.emplace_back(taken[cpu.core]++, -cpu.speed, place++, cpu.number);
  }
  std::ranges::sort(ranked);
  std::vector<int> cpus;
  for (const auto& rank : ranked) cpus.push_back(std::get<3>(rank));
  return cpus;
}

std::vector<int> spread_cpus(const Topology& topology, const std::vector<int>& cpus) {
  struct Candidate {
    int cpu;
    std::vector<int> within;  ///< the groups it is part of, the largest first
  };
  std::vector<Candidate> left;
  for (const int number : cpus) {
    Candidate candidate{number, {}};
    const auto cpu = std::ranges::find(topology.cpus, number, &Cpu::number);
    if (cpu != topology.cpus.end())
      candidate.within = {cpu->package, cpu->die, cpu->node, cpu->cache, cpu->core};
    left.push_back(std::move(candidate));
  }
  std::map<std::pair<std::size_t, int>, int> taken;  // CPUs so far, by sort of group and group
  std::vector<int> order;
  while (!left.empty()) {
    // The fewest neighbours in the largest part, then in the next one, ...; the first of equals.
    const auto crowding = [&](const Candidate& candidate) {
      std::vector<int> counts;
      for (std::size_t sort = 0; sort < candidate.within.size(); ++sort)
        counts.push_back(taken[{sort, candidate.within[sort]}]);
      return counts;
    };
    const auto next = std::ranges::min_element(left, {}, crowding);
    for (std::size_t sort = 0; sort < next->within.size(); ++sort) ++taken[{sort, next->within[sort]}];
    order.push_back(next->cpu);
    left.erase(next);
  }
  return order;
}

int physical_cores(const Topology& topology, const std::vector<int>& cpus) {
  std::set<int> cores;
  for (const Cpu& cpu : topology.cpus)
    if (std::ranges::find(cpus, cpu.number) != cpus.end()) cores.insert(cpu.core);
  return static_cast<int>(cores.size());
}

bool supports_isa(const std::string& isa) {
  return isa.empty() || supports_level(isa) || isa == machine_name();
}

bool is_isa_of_this_kind(const std::string& isa) {
  return supports_isa(isa) || (machine_name() == "x86_64" && isa.starts_with("x86-64"));
}

std::string best_isa() {
  for (const char* level : {"x86-64-v4", "x86-64-v3", "x86-64-v2", "x86-64"})
    if (supports_level(level)) return level;
  return machine_name();
}

Memory available_memory(const fs::path& root) {
  const double available = 1024 * sum_of(root / "proc/meminfo", {"MemAvailable:"});
  if (available == 0)
    throw std::runtime_error((root / "proc/meminfo").string() +
                             " does not report how much memory is available");
  const double left = left_in_cgroups(root);
  return left < available ? Memory{left, "cgroup"} : Memory{available, "MemAvailable"};
}

double shared_memory_free(const fs::path& folder) {
  struct statvfs space {};
  if (::statvfs(folder.c_str(), &space) != 0) return 0;
  // A tmpfs mounted with size=0 has no limit and reports no blocks at all.
  if (space.f_blocks == 0) return std::numeric_limits<double>::infinity();
  return static_cast<double>(space.f_bavail) * static_cast<double>(space.f_frsize);
}

double resident_bytes(pid_t pid, const fs::path& root) {
  // proc(5): the second number is the resident set, in pages.
  std::ifstream statm(root / "proc" / std::to_string(pid) / "statm");
  double size = 0, resident = 0;
  if (!(statm >> size >> resident)) return 0;
  return resident * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

double proportional_bytes(pid_t pid, const fs::path& root) {
  const double kilobytes = sum_of(root / "proc" / std::to_string(pid) / "smaps_rollup", {"Pss:"});
  return kilobytes > 0 ? 1024 * kilobytes : resident_bytes(pid, root);
}

}  // namespace uotbench
