// In which order threads should take CPUs.
#pragma once

#include <set>
#include <vector>

#include "harness/host/facts/topology.hpp"

namespace uotbench {

/// The CPUs of `topology` that are `allowed`, by the system's numbers: one of each physical core first, the
/// fastest kind of core first, neighbours together; then the cores' second hardware threads.
std::vector<int> ordered_cpus(const Topology& topology, const std::set<int>& allowed);

/// The same CPUs in an order in which every next one is as far from those before it as the machine allows:
/// packages take turns, in them dies, NUMA nodes, last caches and cores.
std::vector<int> spread_cpus(const Topology& topology, const std::vector<int>& cpus);

/// Physical cores that have at least one of these CPUs.
int physical_cores(const Topology& topology, const std::vector<int>& cpus);

}  // namespace uotbench
