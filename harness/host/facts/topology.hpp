// The CPUs and caches of this machine, what shapes the caches have, and which of their sizes are doubtful.
#pragma once

#include <compare>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "results/base/json_fwd.hpp"

struct hwloc_topology;

namespace uotbench {

// The CPUs of this machine and what they share, from hwloc or, without it, from what /sys tells.

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

// The caches that simulators are given: this machine's, or others.

struct CacheShape {
  std::uint64_t bytes = 0;
  int ways = 0;
  int line = 64;  ///< bytes
  int cores = 0;  ///< that share one, of several; 0: there is one for all
};

/// Private L1 data and L2 caches of a core, and the L3 that cores share.
struct CacheShapes {
  CacheShape l1, l2, l3;
  /// Why they cannot be simulated, in one line; empty: they can.
  std::string obstacle;
};

/// Of several kinds of core the one whose caches there are more of. A machine with two levels has an L3 of no
/// bytes. Where sizes or associativity are not told there is an obstacle.
CacheShapes cache_shapes(const Topology& topology);

/// "L1D=32KiB/8,L2=1MiB/8,L3=32MiB/16": bytes and ways of each, and bytes of a line where they are not 64.
/// "L3=32MiB/16@8": an L3 for every eight cores.
/// Throws std::invalid_argument saying what is accepted.
CacheShapes parse_cache_shapes(const std::string& text);

/// The nearest cache of which a power of two of sets has this one's ways: what valgrind can simulate, as it
/// takes it: "32768,8,64".
std::string valgrind_shape(const CacheShape& shape);

// Caches whose told size nobody should rely on.

struct DoubtfulCache {
  int level = 0;
  double bytes = 0;  ///< as told, of one of them
  std::string why;   ///< "240.0 MiB for each of 2 cores, where …"
};

/// Of machine_facts()'s "hashed" part. A virtual machine passes on what its host's processor says of itself,
/// however few of its cores it has: more than 16 MiB for each core that shares the cache is doubtful there,
/// and more than 48 MiB anywhere, which is the most that a processor was sold with (768 MiB for 16 cores: AMD
/// EPYC 7373X).
std::vector<DoubtfulCache> doubtful_caches(const Json& hashed);

}  // namespace uotbench
