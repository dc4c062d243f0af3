// What this process may use: which CPUs, in which order, with which instructions; and how much memory there
// is for arrays, and how much a process has taken.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "harness/host/facts/topology.hpp"

namespace uotbench {

// Which CPUs this process may use.

/// Logical CPU numbers (as the system counts) that the cgroup and the affinity mask allow. The first T are T
/// distinct physical cores as long as there are that many, the fastest kind of core first, neighbours
/// together; the cores' second hardware threads follow.
std::vector<int> usable_cpus();

/// The same CPUs, each next one as far from those before it as this machine allows.
std::vector<int> spread_out(const std::vector<int>& cpus);

/// "0-3,8" -> 0, 1, 2, 3, 8, in the order given. Throws std::invalid_argument for anything else, an empty
/// list and a CPU listed twice.
std::vector<int> parse_cpu_list(const std::string& text);

// In which order threads should take CPUs.

/// The CPUs of `topology` that are `allowed`, by the system's numbers: one of each physical core first, the
/// fastest kind of core first, neighbours together; then the cores' second hardware threads.
std::vector<int> ordered_cpus(const Topology& topology, const std::set<int>& allowed);

/// The same CPUs in an order in which every next one is as far from those before it as the machine allows:
/// packages take turns, in them dies, NUMA nodes, last caches and cores.
std::vector<int> spread_cpus(const Topology& topology, const std::vector<int>& cpus);

/// Physical cores that have at least one of these CPUs.
int physical_cores(const Topology& topology, const std::vector<int>& cpus);

// Which instruction sets this CPU runs.

/// Whether programs built for `isa` run here: x86-64, x86-64-v2 to -v4 (the levels of the x86-64 psABI), the
/// machine's own name as `uname -m` says it, or "" (no demand). False for every other name.
bool supports_isa(const std::string& isa);

/// Whether `isa` belongs to this kind of CPU, be it a level that this one lacks: a worker of another kind is
/// nothing that is missing here.
bool is_isa_of_this_kind(const std::string& isa);

/// The highest level that runs here; the machine's name where there are no levels.
std::string best_isa();

struct Memory {
  double bytes = 0;
  std::string limited_by;  ///< "MemAvailable" or "cgroup"
};

/// What can be allocated without swapping or being killed: the lesser of MemAvailable and what is left of the
/// limits of this process's cgroups (v1 or v2, the group and all groups around it), where file cache that
/// the kernel would drop counts as left. Throws std::runtime_error where /proc/meminfo has no numbers.
Memory available_memory(const std::filesystem::path& root = "/");

/// Bytes that can still be written to files in `folder`; 0 where it does not exist; infinite where the
/// file system has no size of its own.
double shared_memory_free(const std::filesystem::path& folder = "/dev/shm");

/// Bytes of memory that the process holds (resident, shared pages included); 0 if it is gone.
double resident_bytes(pid_t pid, const std::filesystem::path& root = "/");

/// Likewise, where pages that several processes share are divided among them, so that the sum over processes
/// is what they hold together. Takes long: milliseconds for each GB. Where the system does not tell it, as
/// resident_bytes.
double proportional_bytes(pid_t pid, const std::filesystem::path& root = "/");

}  // namespace uotbench
