// Compiled only where there is hwloc: what it knows arrives whole, and /sys alone tells the same of this
// machine.
#include <gmock/gmock.h>
#include <hwloc.h>

#include <memory>
#include <set>

#include "harness/host/facts/topology.hpp"
#include "harness/host/facts/usable.hpp"

namespace uotbench {
namespace {

using testing::ElementsAre;
using testing::Pair;

/// A topology of our own making, in hwloc's words.
class Synthetic {
 public:
  explicit Synthetic(const char* description) {
    hwloc_topology_t raw = nullptr;
    EXPECT_EQ(hwloc_topology_init(&raw), 0);
    loaded_.reset(raw);
    EXPECT_EQ(hwloc_topology_set_synthetic(raw, description), 0);
    EXPECT_EQ(hwloc_topology_load(raw), 0);
  }
  void mark_kind(const char* cpus, int efficiency) {
    hwloc_bitmap_t set = hwloc_bitmap_alloc();
    hwloc_bitmap_list_sscanf(set, cpus);
    hwloc_cpukinds_register(loaded_.get(), set, efficiency, 0, nullptr, 0);
    hwloc_bitmap_free(set);
  }
  Topology topology() const { return topology_from(loaded_.get()); }

 private:
  struct Destroy {
    void operator()(hwloc_topology_t topology) const { hwloc_topology_destroy(topology); }
  };
  std::unique_ptr<hwloc_topology, Destroy> loaded_;
};

TEST(TopologyFromHwloc, KnowsCoresCachesAndNodes) {
  const Topology topology =
      Synthetic("package:2 [numa] l3:1(size=33554432) core:2 l1d:1(size=49152) pu:2").topology();
  EXPECT_THAT(ordered_cpus(topology, {0, 1, 2, 3, 4, 5, 6, 7}), ElementsAre(0, 2, 4, 6, 1, 3, 5, 7));
  EXPECT_EQ(physical_cores(topology, {0, 1, 2}), 2);
  EXPECT_THAT(topology.caches, ElementsAre(Pair(Cache{1, true, 49152, 2, 0, 64}, 4),
                                           Pair(Cache{3, false, 33554432, 4, 0, 64}, 2)));
  EXPECT_EQ(topology.numa_nodes, 2);
  for (const Cpu& cpu : topology.cpus) {
    EXPECT_EQ(cpu.package, cpu.number / 4);
    EXPECT_EQ(cpu.node, cpu.package);
    EXPECT_EQ(cpu.cache, cpu.package);
  }
}

TEST(TopologyFromHwloc, RanksKindsOfCore) {
  Synthetic machine("package:1 core:6 pu:1");
  machine.mark_kind("0-3", 0);
  machine.mark_kind("4-5", 1);
  EXPECT_THAT(ordered_cpus(machine.topology(), {0, 1, 2, 3, 4, 5}), ElementsAre(4, 5, 0, 1, 2, 3));
}

// A build without hwloc gives this machine the same fingerprint and its threads the same CPUs.
TEST(TopologyFromHwloc, AgreesWithSys) {
  const Topology sys = topology_from_sys(), hwloc = topology_from_hwloc();
  std::set<int> known;
  for (const Cpu& cpu : hwloc.cpus) known.insert(cpu.number);
  if (sys.cpus.size() != hwloc.cpus.size())
    GTEST_SKIP() << "/sys shows " << sys.cpus.size() << " CPUs, hwloc " << hwloc.cpus.size() << " of them";
  EXPECT_EQ(ordered_cpus(sys, known), ordered_cpus(hwloc, known));
  EXPECT_EQ(spread_cpus(sys, ordered_cpus(sys, known)), spread_cpus(hwloc, ordered_cpus(hwloc, known)));
  const std::vector<int> all(known.begin(), known.end());
  EXPECT_EQ(physical_cores(sys, all), physical_cores(hwloc, all));
  if (!sys.caches.empty()) {
    EXPECT_EQ(sys.caches, hwloc.caches);
  }
  if (sys.numa_nodes > 0) {
    EXPECT_EQ(sys.numa_nodes, hwloc.numa_nodes);
  }
}

}  // namespace
}  // namespace uotbench
