#include "harness/host/facts/topology.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>

#include "harness/host/facts/cpus.hpp"
#include "harness/host/process/files.hpp"

namespace uotbench {
namespace {

// The kernel's Documentation/ABI/{stable,testing}/sysfs-devices-system-cpu says what these files hold.

namespace fs = std::filesystem;

std::vector<int> cpu_list(const fs::path& file) {
  const auto text = read_text(file);
  if (!text) return {};
  try {
    return parse_cpu_list(*text);
  } catch (const std::invalid_argument&) {
    return {};  // no list: nothing is told
  }
}

/// A group is named by its first CPU; -1 where the file tells none.
int group(const fs::path& file) {
  const std::vector<int> cpus = cpu_list(file);
  return cpus.empty() ? -1 : *std::ranges::min_element(cpus);
}

int whole(const fs::path& file, int otherwise) {
  return static_cast<int>(read_number(file).value_or(otherwise));
}

/// "32768K"
std::uint64_t bytes_in(const std::string& text) {
  const std::string unit = text.substr(std::min(text.find_first_not_of("0123456789"), text.size()));
  const double factor = unit == "K" ? 1024. : unit == "M" ? 1024. * 1024 : unit.empty() ? 1. : 0.;
  return factor == 0 || text == unit ? 0 : static_cast<std::uint64_t>(std::stod(text) * factor);
}

std::vector<fs::path> numbered_folders(const fs::path& folder, const std::string& prefix) {
  std::vector<fs::path> found;
  std::error_code missing;
  for (const auto& entry : fs::directory_iterator(folder, missing)) {
    const std::string name = entry.path().filename();
    if (name.starts_with(prefix) && name.size() > prefix.size() &&
        name.find_first_not_of("0123456789", prefix.size()) == std::string::npos)
      found.push_back(entry.path());
  }
  return found;
}

/// Arm tells a capacity; Intel's hybrids have a folder for each kind of core.
int speed_of(const fs::path& folder, int cpu, const std::vector<int>& slow) {
  if (const int capacity = whole(folder / "cpu_capacity", 0); capacity > 0) return capacity;
  return !slow.empty() && std::ranges::find(slow, cpu) == slow.end() ? 1 : 0;
}

}  // namespace

const Topology& this_topology() {
#if UOTBENCH_WITH_HWLOC
  static const Topology topology = topology_from_hwloc();
#else
  static const Topology topology = topology_from_sys();
#endif
  return topology;
}

Topology topology_from_sys(const fs::path& root) {
  const fs::path cpus = root / "sys/devices/system/cpu";
  const std::vector<int> slow = cpu_list(root / "sys/devices/cpu_atom/cpus");
  Topology topology;
  std::map<int, int> node_of;
  for (const fs::path& node : numbered_folders(root / "sys/devices/system/node", "node")) {
    ++topology.numa_nodes;
    for (const int cpu : cpu_list(node / "cpulist"))
      node_of[cpu] = std::stoi(node.filename().string().substr(4));
  }
  std::set<std::tuple<int, bool, int>> seen;  // a cache is the CPUs that share it: level, data, first of them
  for (const int number : cpu_list(cpus / "online")) {
    const fs::path folder = cpus / ("cpu" + std::to_string(number));
    // Its older name is the only one on kernels before 5.3.
    int core = group(folder / "topology/core_cpus_list");
    if (core < 0) core = group(folder / "topology/thread_siblings_list");
    Cpu cpu{.number = number,
            .core = core < 0 ? number : core,
            .die = group(folder / "topology/die_cpus_list"),
            .package = whole(folder / "topology/physical_package_id", -1),
            .speed = speed_of(folder, number, slow)};
    if (const auto node = node_of.find(number); node != node_of.end()) cpu.node = node->second;
    int last_level = 0;
    for (const fs::path& file : numbered_folders(folder / "cache", "index")) {
      const std::string type = read_text(file / "type").value_or("");
      const std::vector<int> sharing = cpu_list(file / "shared_cpu_list");
      if ((type != "Data" && type != "Unified") || sharing.empty()) continue;
      const int level = whole(file / "level", 0), first = *std::ranges::min_element(sharing);
      if (level > last_level) {
        last_level = level;
        cpu.cache = first;
      }
      if (seen.emplace(level, type == "Data", first).second)
        ++topology.caches[{.level = level,
                           .data = type == "Data",
                           .bytes = bytes_in(read_text(file / "size").value_or("")),
                           .shared_by = static_cast<int>(sharing.size()),
                           .ways = whole(file / "ways_of_associativity", 0),
                           .line = whole(file / "coherency_line_size", 0)}];
    }
    topology.cpus.push_back(cpu);
  }
  std::ranges::sort(topology.cpus, {}, [](const Cpu& cpu) {
    return std::tuple(cpu.package, cpu.die, cpu.node, cpu.cache, cpu.core, cpu.number);
  });
  return topology;
}

}  // namespace uotbench
