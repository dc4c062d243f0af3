#include "harness/host/cpu_order.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace uotbench {
namespace {

/// Larger is faster; 0 where hwloc cannot rank the kinds of core.
int speed_rank(hwloc_topology_t topology, hwloc_obj_t pu) {
  const int kind = hwloc_cpukinds_get_by_cpuset(topology, pu->cpuset, 0);
  int efficiency = 0;
  if (kind < 0 || hwloc_cpukinds_get_info(topology, static_cast<unsigned>(kind), nullptr, &efficiency,
                                          nullptr, nullptr, 0) != 0)
    return 0;
  return std::max(efficiency, 0);
}

/// The core that a PU is part of; the PU itself where the system does not tell (some virtual machines).
hwloc_obj_t core_of(hwloc_topology_t topology, hwloc_obj_t pu) {
  const hwloc_obj_t core = hwloc_get_ancestor_obj_by_type(topology, HWLOC_OBJ_CORE, pu);
  return core ? core : pu;
}

}  // namespace

std::vector<int> ordered_cpus(hwloc_topology_t topology, const std::set<int>& allowed) {
  std::map<hwloc_obj_t, int> taken;                    // CPUs seen so far, by core
  std::vector<std::tuple<int, int, int, int>> ranked;  // sibling number, slowness, place, CPU
  hwloc_obj_t pu = nullptr;
  for (int place = 0; (pu = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_PU, pu)); ++place) {
    const int cpu = static_cast<int>(pu->os_index);
    if (!allowed.contains(cpu)) continue;
    ranked.emplace_back(taken[core_of(topology, pu)]++, -speed_rank(topology, pu), place, cpu);
  }
  std::ranges::sort(ranked);
  std::vector<int> cpus;
  for (const auto& rank : ranked) cpus.push_back(std::get<3>(rank));
  return cpus;
}

std::vector<int> spread_cpus(hwloc_topology_t topology, const std::vector<int>& cpus) {
  struct Candidate {
    int cpu;
    std::vector<hwloc_obj_t> within;  ///< what it is part of, the whole machine first
  };
  std::vector<Candidate> left;
  for (const int cpu : cpus) {
    Candidate candidate{cpu, {}};
    for (hwloc_obj_t part = hwloc_get_pu_obj_by_os_index(topology, static_cast<unsigned>(cpu)); part;
         part = part->parent)
      candidate.within.insert(candidate.within.begin(), part);
    left.push_back(std::move(candidate));
  }
  std::map<hwloc_obj_t, int> taken;  // CPUs so far, by part
  std::vector<int> order;
  while (!left.empty()) {
    // The fewest neighbours in the largest part, then in the next one, ...; the first of equals.
    const auto crowding = [&](const Candidate& candidate) {
      std::vector<int> counts;
      for (const auto part : candidate.within) counts.push_back(taken[part]);
      return counts;
    };
    const auto next = std::ranges::min_element(left, {}, crowding);
    for (const auto part : next->within) ++taken[part];
    order.push_back(next->cpu);
    left.erase(next);
  }
  return order;
}

int physical_cores(hwloc_topology_t topology, const std::vector<int>& cpus) {
  std::set<hwloc_obj_t> cores;
  for (const int cpu : cpus)
    if (const hwloc_obj_t pu = hwloc_get_pu_obj_by_os_index(topology, static_cast<unsigned>(cpu)))
      cores.insert(core_of(topology, pu));
  return static_cast<int>(cores.size());
}

}  // namespace uotbench
