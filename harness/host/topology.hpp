// hwloc's view of this machine, behind RAII.
#pragma once

#include <hwloc.h>

#include <memory>

namespace uotbench {

struct DestroyTopology {
  void operator()(hwloc_topology_t topology) const { hwloc_topology_destroy(topology); }
};
using Topology = std::unique_ptr<hwloc_topology, DestroyTopology>;

/// A topology of our own making, e.g. "package:1 core:4 pu:2" (hwloc's synthetic descriptions). Throws
/// std::invalid_argument.
Topology synthetic_topology(const char* description);

/// This machine, as far as its cgroup lets us see it; loaded once, never changed. Throws std::runtime_error.
hwloc_topology_t this_topology();

}  // namespace uotbench
