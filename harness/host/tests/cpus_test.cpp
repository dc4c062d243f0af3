// What /sys tells becomes the same picture that hwloc would draw; what it does not tell is not made up.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <chrono>
#include <set>
#include <stdexcept>
#include <string>

#include "harness/host/facts/topology.hpp"
#include "harness/host/facts/usable.hpp"
#include "harness/host/process/cpu_use.hpp"
#include "harness/host/tests/made_tree.hpp"

namespace uotbench {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Key;
using testing::Not;
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

/// So many packages, last caches in each, cores in each, hardware threads in each; numbered core by core.
Topology made_topology(int packages, int caches, int cores, int threads) {
  Topology topology;
  for (int number = 0; number < packages * caches * cores * threads; ++number) {
    const int core = number / threads, cache = core / cores;
    topology.cpus.push_back({.number = number, .core = core, .cache = cache, .package = cache / caches});
  }
  return topology;
}

std::string complaint(const std::string& list) {
  try {
    parse_cpu_list(list);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

// The first T CPUs are T distinct cores: two threads of a benchmark never share one while another idles.
TEST(CpuOrder, TakesEveryCoreBeforeASecondThreadOfOne) {
  const Topology topology = made_topology(1, 1, 4, 2);
  EXPECT_THAT(ordered_cpus(topology, {0, 1, 2, 3, 4, 5, 6, 7}), ElementsAre(0, 2, 4, 6, 1, 3, 5, 7));
}

// Where a core's first hardware thread is not allowed, its second one stands for the core.
TEST(CpuOrder, CountsSiblingsAmongTheAllowedOnly) {
  const Topology topology = made_topology(1, 1, 4, 2);
  EXPECT_THAT(ordered_cpus(topology, {1, 2, 3, 7}), ElementsAre(1, 2, 7, 3));
  EXPECT_EQ(physical_cores(topology, {1, 2, 3, 7}), 3);
}

// A single-threaded benchmark on a hybrid CPU runs on its fast cores, wherever they are numbered.
TEST(CpuOrder, TakesTheFastestKindOfCoreFirst) {
  Topology topology = made_topology(1, 1, 6, 1);
  topology.cpus[4].speed = topology.cpus[5].speed = 1;
  EXPECT_THAT(ordered_cpus(topology, {0, 1, 2, 3, 4, 5}), ElementsAre(4, 5, 0, 1, 2, 3));
}

TEST(Spread, TakesTurnsAmongPackagesThenCachesThenCores) {
  const Topology topology = made_topology(2, 2, 2, 2);
  const auto close = ordered_cpus(topology, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15});
  EXPECT_THAT(spread_cpus(topology, close),
              ElementsAre(0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15));
}

// With two CPUs on one package and one on the other, the second thread goes to the other package.
TEST(Spread, UsesTheCpusItIsGivenOnly) {
  const Topology topology = made_topology(2, 1, 4, 1);
  EXPECT_THAT(spread_cpus(topology, {2, 3, 5}), ElementsAre(2, 5, 3));
  EXPECT_THAT(spread_cpus(topology, {}), IsEmpty());
}

TEST(CpuOrder, StaysWithinWhatIsAllowed) {
  const Topology topology = made_topology(2, 1, 2, 1);
  EXPECT_THAT(ordered_cpus(topology, {3, 99}), ElementsAre(3));
  EXPECT_THAT(ordered_cpus(topology, {}), IsEmpty());
}

// What a batch system or taskset took away is never used.
TEST(UsableCpus, ObeyTheAffinityMask) {
  cpu_set_t before;
  ASSERT_EQ(::sched_getaffinity(0, sizeof(before), &before), 0);
  const auto all = usable_cpus();
  ASSERT_THAT(all, Not(IsEmpty()));
  EXPECT_EQ(std::set<int>(all.begin(), all.end()).size(), all.size());

  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(static_cast<std::size_t>(all.back()), &one);
  ASSERT_EQ(::sched_setaffinity(0, sizeof(one), &one), 0);
  EXPECT_THAT(usable_cpus(), ElementsAre(all.back()));
  ASSERT_EQ(::sched_setaffinity(0, sizeof(before), &before), 0);
}

TEST(CpuList, KeepsTheOrderGiven) {
  EXPECT_THAT(parse_cpu_list("0-3,8"), ElementsAre(0, 1, 2, 3, 8));
  EXPECT_THAT(parse_cpu_list("8,0-1"), ElementsAre(8, 0, 1));
  EXPECT_THAT(parse_cpu_list("5"), ElementsAre(5));
}

// A slip of the keyboard is refused with the part that is wrong, never read as something else.
TEST(CpuList, RefusesAnythingElse) {
  EXPECT_EQ(complaint("0-x"),
            "bad CPU list \"0-x\": \"x\" is no CPU number; write numbers and ranges such as 0-3,8");
  EXPECT_EQ(complaint("3-1"), "bad CPU list \"3-1\": the range 3-1 runs backwards");
  EXPECT_EQ(complaint("1,0-2"), "bad CPU list \"1,0-2\": CPU 1 is listed twice");
  for (const char* list : {"", ",", "1,", "-1", "1-", "1 2", "0x1", "1--2", "0-99999999999", "+1"})
    EXPECT_THAT(complaint(list), HasSubstr("is no CPU number")) << list;
}

// A worker is only started where its instructions exist: the best level runs, and so does every lower one.
TEST(Isa, LevelsIncludeTheLowerOnes) {
  EXPECT_TRUE(supports_isa(best_isa())) << best_isa();
  const char* levels[] = {"x86-64", "x86-64-v2", "x86-64-v3", "x86-64-v4"};
  for (int level = 1; level < 4; ++level)
    EXPECT_TRUE(!supports_isa(levels[level]) || supports_isa(levels[level - 1])) << levels[level];
}

TEST(Isa, NoDemandIsAlwaysMet) { EXPECT_TRUE(supports_isa("")); }

TEST(Isa, TheMachinesOwnNameIsMet) {
  utsname name{};
  ASSERT_EQ(::uname(&name), 0);
  EXPECT_TRUE(supports_isa(name.machine));
}

TEST(Isa, UnknownNamesAreNotMet) {
  for (const char* isa : {"x86-64-v5", "pdp11", "X86-64", "x86-64-v3 "})
    EXPECT_FALSE(supports_isa(isa)) << isa;
}

TEST(TimeInLine, IsReadOfEachThread) {
  MadeTree tree;
  tree.write("proc/7/task/7/schedstat", "2000000000 500000000 12\n");
  tree.write("proc/7/task/8/schedstat", "1000000000 0 3\n");
  tree.write("proc/9/task/9/schedstat", "0 0 0\n");
  const auto times = cpu_use({7, 9, 11}, {}, tree.root() / "proc").threads;
  ASSERT_EQ(times.size(), 3u) << "11 is gone";
  EXPECT_DOUBLE_EQ(times.at(7).running, 2);
  EXPECT_DOUBLE_EQ(times.at(7).in_line, 0.5);
  EXPECT_DOUBLE_EQ(times.at(8).running, 1);
}

TEST(TimeInLine, CpusWorkForOthersToo) {
  MadeTree tree;
  tree.write("proc/stat",
             "cpu  900 0 0 0 0 0 0 0 0 0\ncpu1 100 2 30 5000 700 4 5 6 0 0\ncpu10 7 0 0 1 1 0 0 0 0 0\n");
  const double tick = 1.0 / static_cast<double>(::sysconf(_SC_CLK_TCK));
  const auto busy = [&](const std::vector<int>& cpus) {
    return cpu_use({}, cpus, tree.root() / "proc").busy;
  };
  EXPECT_DOUBLE_EQ(busy({1}).value(), 147 * tick);
  EXPECT_DOUBLE_EQ(busy({1, 10}).value(), 154 * tick);
  EXPECT_EQ(busy({3}), std::nullopt);
}

// One that waited long before is not the one that waits now.
TEST(TimeInLine, IsThatOfAllThreadsOfATeam) {
  const CpuUse before{{{1, {.running = 9, .in_line = 10}}, {2, {.running = 1, .in_line = 1}}}, {}};
  const CpuUse after{{{1, {.running = 9.25, .in_line = 10.25}},
                      {2, {.running = 1.25, .in_line = 1.5}},
                      {3, {.running = 0, .in_line = 0.125}}},  // it has begun since
                     {}};
  EXPECT_DOUBLE_EQ(seconds_in_line(before, after, 1, 2), 0.25 + 0.5 + 0.125);
}

// Two threads on one CPU, and no other process: the machine was not busy.
TEST(TimeInLine, IsNotWhatItsOwnThreadsTakeFromEachOther) {
  const auto at = [](double seconds, std::optional<double> busy) {
    return CpuUse{
        {{1, {.running = seconds, .in_line = seconds}}, {2, {.running = seconds, .in_line = seconds}}}, busy};
  };
  EXPECT_DOUBLE_EQ(seconds_in_line(at(0, {}), at(0.5, {}), 1, 1), 0);
  EXPECT_NEAR(seconds_in_line(at(0, 8), at(0.5, 9), 1, 2), 0, 0.02) << "nobody was on the other CPU";
  EXPECT_NEAR(seconds_in_line(at(0, 8), at(0.5, 9.5), 1, 2), 0.5, 0.02) << "somebody was, half of the time";
  EXPECT_DOUBLE_EQ(seconds_in_line(at(0, {}), at(0.5, {}), 1, 2), 1) << "nothing tells who was";
  EXPECT_DOUBLE_EQ(seconds_in_line(at(0, 8), at(0.5, 8), 1, 2), 1) << "that tells of other CPUs";
}

TEST(TimeInLine, IsToldOfThisProcess) {
  // The kernel adds up at its ticks, and where a thread is put aside.
  const auto start = std::chrono::steady_clock::now();
  while (std::chrono::steady_clock::now() - start < std::chrono::milliseconds(20)) continue;
  const auto times = cpu_use({::getpid()}, {}).threads;
  if (times.empty()) GTEST_SKIP() << "this system keeps no schedstat";
  EXPECT_TRUE(times.contains(::getpid()));
  EXPECT_GT(times.at(::getpid()).running, 0);
}

/// A /proc/PID/stat line whose utime and stime make up `seconds`.
std::string stat_line(const std::string& name, double seconds) {
  const auto ticks = static_cast<long>(seconds * static_cast<double>(::sysconf(_SC_CLK_TCK)));
  return "7 (" + name + ") R 1 7 7 0 -1 4194304 100 0 0 0 " + std::to_string(ticks) + " 0 0 0 20 0 1 0 100\n";
}

// A neighbour that computes is named, the busiest first, so that a person can stop it; idle ones are not.
TEST(BusyTasks, AreThoseThatComputeMeanwhile) {
  MadeTree before, after;
  before.write("proc/10/stat", stat_line("idle since long", 5000));
  after.write("proc/10/stat", stat_line("idle since long", 5000));
  before.write("proc/11/stat", stat_line("half", 1));
  after.write("proc/11/stat", stat_line("half", 2));
  before.write("proc/12/stat", stat_line("odd) R (name", 3));
  after.write("proc/12/stat", stat_line("odd) R (name", 5));
  after.write("proc/13/stat", stat_line("came later", 100));
  const auto busy = busy_tasks(visible_tasks(before.root()), visible_tasks(after.root()), 2, 0.25);
  ASSERT_EQ(busy.size(), 2u);
  EXPECT_EQ(busy[0].pid, 12);
  EXPECT_EQ(busy[0].name, "odd) R (name");
  EXPECT_DOUBLE_EQ(busy[0].share, 1);
  EXPECT_EQ(busy[1].name, "half");
  EXPECT_DOUBLE_EQ(busy[1].share, 0.5);
}

TEST(VisibleTasks, SkipWhatIsNoProcess) {
  MadeTree tree;
  EXPECT_THAT(visible_tasks(tree.root()), IsEmpty());
  tree.write("proc/meminfo", "MemTotal: 1 kB\n");
  tree.write("proc/8x/stat", stat_line("no pid", 1));
  tree.write("proc/9/stat", "9 (torn");
  EXPECT_THAT(visible_tasks(tree.root()), IsEmpty());
}

TEST(VisibleTasks, IncludeThisOne) { EXPECT_THAT(visible_tasks(), Contains(Key(::getpid()))); }

}  // namespace
}  // namespace uotbench
