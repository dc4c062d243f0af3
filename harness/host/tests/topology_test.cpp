// What /sys tells becomes the same picture that hwloc would draw; what it does not tell is not made up.
#include "harness/host/facts/topology.hpp"

#include <gmock/gmock.h>

#include <set>

#include "harness/host/facts/cpus.hpp"
#include "harness/host/tests/made_tree.hpp"

namespace uotbench {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

constexpr Cache level1{.level = 1, .data = true, .bytes = 49152, .shared_by = 2};
constexpr Cache level3{.level = 3, .data = false, .bytes = 33554432, .shared_by = 4};

/// Two packages of two cores of two hardware threads, numbered as Linux does it: all cores first.
void write_two_packages(const MadeTree& tree, const std::string& siblings) {
  tree.write("sys/devices/system/cpu/online", "0-7\n");
  for (int cpu = 0; cpu < 8; ++cpu) {
    const std::filesystem::path folder = "sys/devices/system/cpu/cpu" + std::to_string(cpu);
    const int core = cpu % 4, package = core / 2;
    const std::string pair = std::to_string(core) + "," + std::to_string(core + 4) + "\n";
    tree.write(folder / "topology" / siblings, pair);
    tree.write(folder / "topology/physical_package_id", std::to_string(package) + "\n");
    tree.write(folder / "topology/die_cpus_list", pair);
    const auto cache = [&](int index, const char* level, const char* type, const char* size,
                           const std::string& shared) {
      const auto place = folder / ("cache/index" + std::to_string(index));
      tree.write(place / "level", level);
      tree.write(place / "type", type);
      tree.write(place / "size", size);
      tree.write(place / "shared_cpu_list", shared);
    };
    cache(0, "1\n", "Data\n", "48K\n", pair);
    cache(1, "1\n", "Instruction\n", "32K\n", pair);
    cache(2, "3\n", "Unified\n", "32M\n", package == 0 ? "0-1,4-5\n" : "2-3,6-7\n");
  }
  tree.write("sys/devices/system/node/node0/cpulist", "0-1,4-5\n");
  tree.write("sys/devices/system/node/node1/cpulist", "2-3,6-7\n");
}

TEST(TopologyFromSys, KnowsCoresCachesAndNodes) {
  for (const char* siblings : {"core_cpus_list", "thread_siblings_list"}) {  // new kernels and old ones
    MadeTree tree;
    write_two_packages(tree, siblings);
    const Topology topology = topology_from_sys(tree.root());
    EXPECT_THAT(ordered_cpus(topology, {0, 1, 2, 3, 4, 5, 6, 7}), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
    EXPECT_EQ(physical_cores(topology, {0, 4, 1}), 2) << siblings;
    EXPECT_THAT(topology.caches, ElementsAre(Pair(level1, 4), Pair(level3, 2)));
    EXPECT_EQ(topology.numa_nodes, 2);
    std::vector<int> numbers;
    for (const Cpu& cpu : topology.cpus) {
      EXPECT_EQ(cpu.package, cpu.number % 4 / 2);
      EXPECT_EQ(cpu.node, cpu.package);
      EXPECT_EQ(cpu.die, cpu.number % 4);
      EXPECT_EQ(cpu.cache, cpu.package == 0 ? 0 : 2);
      numbers.push_back(cpu.number);
    }
    EXPECT_THAT(numbers, ElementsAre(0, 4, 1, 5, 2, 6, 3, 7));  // who shares a core stands together
  }
}

TEST(TopologyFromSys, RanksKindsOfCore) {
  MadeTree intel;
  intel.write("sys/devices/system/cpu/online", "0-3\n");
  intel.write("sys/devices/cpu_atom/cpus", "0-1\n");
  EXPECT_THAT(ordered_cpus(topology_from_sys(intel.root()), {0, 1, 2, 3}), ElementsAre(2, 3, 0, 1));
  MadeTree arm;
  arm.write("sys/devices/system/cpu/online", "0-2\n");
  arm.write("sys/devices/system/cpu/cpu0/cpu_capacity", "446\n");
  arm.write("sys/devices/system/cpu/cpu1/cpu_capacity", "1024\n");
  arm.write("sys/devices/system/cpu/cpu2/cpu_capacity", "446\n");
  EXPECT_THAT(ordered_cpus(topology_from_sys(arm.root()), {0, 1, 2}), ElementsAre(1, 0, 2));
}

// A sandbox without /sys, or with half of it.
TEST(TopologyFromSys, MakesNothingUp) {
  MadeTree tree;
  EXPECT_THAT(topology_from_sys(tree.root()).cpus, IsEmpty());
  EXPECT_THAT(topology_from_sys(tree.root()).caches, IsEmpty());
  EXPECT_EQ(topology_from_sys(tree.root()).numa_nodes, 0);

  tree.write("sys/devices/system/cpu/online", "0-1\n");
  tree.write("sys/devices/system/cpu/cpu0/cache/index0/type", "Data\n");  // and who shares it?
  const Topology topology = topology_from_sys(tree.root());
  EXPECT_EQ(physical_cores(topology, {0, 1}), 2);  // no siblings told: each CPU is a core
  EXPECT_THAT(topology.caches, IsEmpty());
  for (const Cpu& cpu : topology.cpus) EXPECT_EQ((std::set{cpu.cache, cpu.node, cpu.package}), std::set{-1});

  tree.write("sys/devices/system/cpu/online", "nonsense\n");
  EXPECT_THAT(topology_from_sys(tree.root()).cpus, IsEmpty());
}

}  // namespace
}  // namespace uotbench
