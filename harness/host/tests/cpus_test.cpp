#include "harness/host/facts/cpus.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/utsname.h>

#include <set>
#include <stdexcept>

namespace uotbench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

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

}  // namespace
}  // namespace uotbench
