#include "harness/host/topology.hpp"

#include <stdexcept>
#include <string>

namespace uotbench {
namespace {

Topology empty_topology() {
  hwloc_topology_t topology = nullptr;
  if (hwloc_topology_init(&topology) != 0) throw std::runtime_error("hwloc cannot be initialised");
  return Topology(topology);
}

Topology load_this() {
  Topology topology = empty_topology();
  // Linux tells all we ask for; hwloc would otherwise visit every CPU to ask cpuid, which takes long on
  // large machines and moves this thread about.
  hwloc_topology_set_flags(topology.get(), HWLOC_TOPOLOGY_FLAG_DONT_CHANGE_BINDING);
  if (hwloc_topology_load(topology.get()) != 0)
    throw std::runtime_error("hwloc cannot read this machine's topology");
  return topology;
}

}  // namespace

Topology synthetic_topology(const char* description) {
  Topology topology = empty_topology();
  if (hwloc_topology_set_synthetic(topology.get(), description) != 0 ||
      hwloc_topology_load(topology.get()) != 0)
    throw std::invalid_argument(std::string("hwloc does not understand \"") + description + "\"");
  return topology;
}

hwloc_topology_t this_topology() {
  static const Topology topology = load_this();
  return topology.get();
}

}  // namespace uotbench
