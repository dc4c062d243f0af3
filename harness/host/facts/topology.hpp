// The CPUs of this machine and what they share, from hwloc or, without it, from what /sys tells.
#pragma once

#include <compare>
#include <cstdint>
#include <filesystem>
#include <map>
#include <vector>

struct hwloc_topology;

namespace uotbench {

/// One logical CPU. Groups are numbers that say nothing but who shares; -1: not told.
struct Cpu {
  int number = 0;  ///< the system's
  int core = 0;    ///< CPUs with the same one are hardware threads of one core
  int cache = -1;  ///< who share the last level of cache
  int die = -1;
  int node = -1;     ///< NUMA node
  int package = -1;  ///< socket
  int speed = 0;     ///< a larger number is a faster kind of core; 0 everywhere where nobody ranks them
};

/// A sort of data or unified cache.
struct Cache {
  int level = 0;
  bool data = false;        ///< for data alone, not unified
  std::uint64_t bytes = 0;  ///< 0: not told
  int shared_by = 0;        ///< so many CPUs
  int ways = 0;             ///< associativity; 0: not told
  int line = 0;             ///< bytes; 0: not told
  auto operator<=>(const Cache&) const = default;
};

struct Topology {
  std::vector<Cpu> cpus;        ///< neighbours stand together; none: nothing is told
  std::map<Cache, int> caches;  ///< how many there are of each sort
  int numa_nodes = 0;           ///< 0: not told
};

/// What /sys below `root` tells. Cgroups are not looked at: which CPUs may be used, the affinity mask knows.
Topology topology_from_sys(const std::filesystem::path& root = "/");

/// What hwloc tells of a loaded topology. Only where it was built with hwloc.
Topology topology_from(hwloc_topology* loaded);
/// The same of this machine, as far as its cgroup lets us see it. Throws std::runtime_error.
Topology topology_from_hwloc();

/// This machine: read once, never changed; by hwloc where it was built with it. Throws std::runtime_error.
const Topology& this_topology();

}  // namespace uotbench
