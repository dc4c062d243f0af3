#include "harness/host/facts/topology.hpp"

namespace uotbench {

const Topology& this_topology() {
#if UOTBENCH_WITH_HWLOC
  static const Topology topology = topology_from_hwloc();
#else
  static const Topology topology = topology_from_sys();
#endif
  return topology;
}

}  // namespace uotbench
