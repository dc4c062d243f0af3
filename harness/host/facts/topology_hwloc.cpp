// Compiled only where there is hwloc.
#include <hwloc.h>

#include <algorithm>
#include <memory>
#include <stdexcept>

#include "harness/host/facts/topology.hpp"

namespace uotbench {
namespace {

struct Destroy {
  void operator()(hwloc_topology_t topology) const { hwloc_topology_destroy(topology); }
};

/// Larger is faster; 0 where hwloc cannot rank the kinds of core.
int speed_of(hwloc_topology_t topology, hwloc_obj_t pu) {
  const int kind = hwloc_cpukinds_get_by_cpuset(topology, pu->cpuset, 0);
  int efficiency = 0;
  if (kind < 0 || hwloc_cpukinds_get_info(topology, static_cast<unsigned>(kind), nullptr, &efficiency,
                                          nullptr, nullptr, 0) != 0)
    return 0;
  return std::max(efficiency, 0);
}

int number_of(hwloc_obj_t object) { return object ? static_cast<int>(object->logical_index) : -1; }

/// hwloc keeps memory beside the tree of CPUs, not in it.
int node_of(hwloc_topology_t topology, hwloc_obj_t pu) {
  hwloc_obj_t node = nullptr;
  while ((node = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_NUMANODE, node)))
    if (hwloc_bitmap_isset(node->cpuset, pu->os_index)) return number_of(node);
  return -1;
}

int last_cache_of(hwloc_topology_t topology, hwloc_obj_t pu) {
  for (int type = HWLOC_OBJ_L5CACHE; type >= HWLOC_OBJ_L1CACHE; --type)
    if (const auto cache = hwloc_get_ancestor_obj_by_type(topology, static_cast<hwloc_obj_type_t>(type), pu))
      return number_of(cache);
  return -1;
}

}  // namespace

Topology topology_from(hwloc_topology_t loaded) {
  Topology topology;
  for (hwloc_obj_t pu = nullptr; (pu = hwloc_get_next_obj_by_type(loaded, HWLOC_OBJ_PU, pu));) {
    // Some virtual machines tell no cores: each CPU is one then.
    const hwloc_obj_t core = hwloc_get_ancestor_obj_by_type(loaded, HWLOC_OBJ_CORE, pu);
    topology.cpus.push_back(
        {.number = static_cast<int>(pu->os_index),
         .core = number_of(core ? core : pu),
         .cache = last_cache_of(loaded, pu),
         .die = number_of(hwloc_get_ancestor_obj_by_type(loaded, HWLOC_OBJ_DIE, pu)),
         .node = node_of(loaded, pu),
         .package = number_of(hwloc_get_ancestor_obj_by_type(loaded, HWLOC_OBJ_PACKAGE, pu)),
         .speed = speed_of(loaded, pu)});
  }
  for (int type = HWLOC_OBJ_L1CACHE; type <= HWLOC_OBJ_L5CACHE; ++type)
    for (hwloc_obj_t cache = nullptr;
         (cache = hwloc_get_next_obj_by_type(loaded, static_cast<hwloc_obj_type_t>(type), cache));)
      ++topology.caches[{.level = static_cast<int>(cache->attr->cache.depth),
                         .data = cache->attr->cache.type == HWLOC_OBJ_CACHE_DATA,
                         .bytes = cache->attr->cache.size,
                         .shared_by = hwloc_bitmap_weight(cache->cpuset),
                         // -1: fully associative
                         .ways = std::max(cache->attr->cache.associativity, 0),
                         .line = static_cast<int>(cache->attr->cache.linesize)}];
  topology.numa_nodes = std::max(hwloc_get_nbobjs_by_type(loaded, HWLOC_OBJ_NUMANODE), 0);
  return topology;
}

Topology topology_from_hwloc() {
  hwloc_topology_t raw = nullptr;
  if (hwloc_topology_init(&raw) != 0) throw std::runtime_error("hwloc cannot be initialised");
  const std::unique_ptr<hwloc_topology, Destroy> loaded(raw);
  // Linux tells all we ask for; hwloc would otherwise visit every CPU to ask cpuid, which takes long on
  // large machines and moves this thread about.
  hwloc_topology_set_flags(raw, HWLOC_TOPOLOGY_FLAG_DONT_CHANGE_BINDING);
  if (hwloc_topology_load(raw) != 0) throw std::runtime_error("hwloc cannot read this machine's topology");
  return topology_from(raw);
}

}  // namespace uotbench
