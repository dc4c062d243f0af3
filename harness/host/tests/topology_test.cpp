#include "harness/host/facts/topology.hpp"

#include <gmock/gmock.h>

#include <stdexcept>

#include "harness/host/facts/usable.hpp"
#include "harness/host/findings/doctor.hpp"
#include "results/base/json.hpp"

namespace uotbench {
namespace {

Topology made() {
  Topology topology;
  topology.caches[{.level = 1, .data = true, .bytes = 49152, .shared_by = 2, .ways = 12, .line = 64}] = 8;
  topology.caches[{.level = 1, .data = true, .bytes = 32768, .shared_by = 1, .ways = 8, .line = 64}] = 4;
  topology.caches[{.level = 2, .data = false, .bytes = 1310720, .shared_by = 2, .ways = 10, .line = 64}] = 8;
  topology.caches[{.level = 3, .data = false, .bytes = 31457280, .shared_by = 20, .ways = 12, .line = 64}] =
      1;
  return topology;
}

TEST(CacheShapes, AreThoseOfTheMoreFrequentKindOfCore) {
  const CacheShapes shapes = cache_shapes(made());
  EXPECT_EQ(shapes.obstacle, "");
  EXPECT_EQ(shapes.l1.bytes, 49152u);
  EXPECT_EQ(shapes.l1.ways, 12);
  EXPECT_EQ(shapes.l2.bytes, 1310720u);
  EXPECT_EQ(shapes.l3.bytes, 31457280u);
}

TEST(CacheShapes, WhatIsNotToldIsAnObstacleThatNamesTheOption) {
  Topology topology = made();
  topology.caches.erase(topology.caches.begin(), std::next(topology.caches.begin(), 2));
  EXPECT_THAT(cache_shapes(topology).obstacle, testing::HasSubstr("give --caches L1D="));
  EXPECT_FALSE(cache_shapes({}).obstacle.empty());
}

TEST(CacheShapes, AreReadFromText) {
  const CacheShapes shapes = parse_cache_shapes("L1D=48KiB/12,L2=1MiB/8,L3=32MiB/16");
  EXPECT_EQ(shapes.l1.bytes, 49152u);
  EXPECT_EQ(shapes.l2.ways, 8);
  EXPECT_EQ(shapes.l3.bytes, 33554432u);
  EXPECT_EQ(shapes.l3.cores, 0);
  EXPECT_EQ(parse_cache_shapes("L1D=48KiB/12,L2=1MiB/8,L3=32MiB/16@8").l3.cores, 8);
  EXPECT_EQ(parse_cache_shapes("L1D=128KiB/8/128,L2=12MiB/12/128,L3=24MiB/12/128").l3.line, 128);
}

TEST(CacheShapes, TextThatIsNoneIsRefusedWithAnExample) {
  for (const char* wrong :
       {"", "L1D=32KiB/8", "L1D=32KiB/8,L2=1MiB/8", "L1D=32KiB,L2=1MiB/8,L3=32MiB/16",
        "L1D=32KiB/0,L2=1MiB/8,L3=32MiB/16", "L1D=33KiB/8/96,L2=1MiB/8,L3=32MiB/16",
        "L1D=32KiB/8,L2=1MiB/8,L3=32MiB/16,L4=1GiB/8", "L1D=99999999999999999999KiB/8,L2=1MiB/8,L3=32MiB/16",
        "L1D=18014398509481984KiB/8,L2=1MiB/8,L3=32MiB/16", "L1D=32KiB/8,L2=1MiB/8/128,L3=32MiB/16",
        "L1D=32KiB/8,L2=1MiB/8,L3=32MiB/16@", "L1D=32KiB/8,L2=1MiB/8,L3=32MiB/16@0",
        "L1D=32KiB/8,L2=1MiB/8@2,L3=32MiB/16", "L1D=64/1,L2=64/1,L3=64/1", "L1D=1000/8,L2=1MiB/8,L3=32MiB/16",
        "l1=32KiB/8,l2=1MiB/8,l3=32MiB/16"})
    EXPECT_THROW(parse_cache_shapes(wrong), std::invalid_argument) << wrong;
}

/// valgrind wants a power of two of sets; ways and lines stay.
TEST(CacheShapes, ForValgrindHaveTheNearestPowerOfTwoOfSets) {
  EXPECT_EQ(valgrind_shape({.bytes = 32768, .ways = 8, .line = 64}), "32768,8,64");
  EXPECT_EQ(valgrind_shape({.bytes = 49152, .ways = 12, .line = 64}), "49152,12,64");
  EXPECT_EQ(valgrind_shape({.bytes = 31457280, .ways = 12, .line = 64}), "25165824,12,64");
}

// A told size is doubtful where no processor has so much for a core; what was probed settles it.

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

/// Cores without hardware threads that share one L3.
Json machine_of(double mebibytes, int cores, bool is_virtual) {
  return {{"logical_cpus", cores},
          {"physical_cores", cores},
          {"caches",
           {{{"level", 1}, {"bytes", 32768}, {"shared_by", 1}, {"count", cores}},
            {{"level", 3}, {"bytes", mebibytes * (1 << 20)}, {"shared_by", cores}, {"count", 1}}}},
          {"hypervisor", is_virtual ? Json("KVM") : Json(nullptr)}};
}

TEST(DoubtfulCaches, AreLargerThanAnyProcessors) {
  const auto doubtful = doubtful_caches(machine_of(480, 2, true));
  ASSERT_THAT(doubtful, SizeIs(1));
  EXPECT_EQ(doubtful[0].level, 3);
  EXPECT_EQ(doubtful[0].bytes, 480. * (1 << 20));
  EXPECT_EQ(doubtful[0].why,
            "480 MiB for 2 cores: reported by the hypervisor; the cache is shared with other guests");
  EXPECT_EQ(doubtful_caches(machine_of(480, 2, false)).at(0).why,
            "480 MiB for 2 cores, more than any processor has");
}

TEST(DoubtfulCaches, AreNotThoseThatAreSold) {
  EXPECT_THAT(doubtful_caches(machine_of(32, 2, true)), IsEmpty());
  EXPECT_THAT(doubtful_caches(machine_of(96, 2, false)), IsEmpty()) << "EPYC 7373X: 48 MiB a core";
  EXPECT_THAT(doubtful_caches(machine_of(504, 128, false)), IsEmpty());
  EXPECT_THAT(doubtful_caches(machine_of(96, 2, true)), SizeIs(1));
}

TEST(DoubtfulCaches, CountCoresAndNotTheirThreads) {
  Json machine = machine_of(480, 16, true);
  EXPECT_THAT(doubtful_caches(machine), SizeIs(1));
  machine["caches"][1]["bytes"] = 16. * 16 * (1 << 20);
  EXPECT_THAT(doubtful_caches(machine), IsEmpty());
  machine["physical_cores"] = 8;
  EXPECT_THAT(doubtful_caches(machine), SizeIs(1));
}

TEST(DoubtfulCaches, AreNoneWhereNothingIsTold) {
  for (const Json& machine : {Json(), Json::object(), Json{{"caches", nullptr}},
                              Json{{"caches", {{{"level", 3}, {"bytes", nullptr}}}}}})
    EXPECT_THAT(doubtful_caches(machine), IsEmpty());
}

TEST(Doctor, SendsWhoseCacheIsDoubtfulToAProbe) {
  const Json machine = machine_of(480, 2, true);
  const auto told = cache_findings(machine, nullptr);
  ASSERT_THAT(told, SizeIs(1));
  EXPECT_EQ(told[0].level, Finding::Level::warning);
  EXPECT_EQ(told[0].mend, "uotbench machine");
  const auto probed = cache_findings(machine, {{{"level", 3}, {"bytes", 28. * (1 << 20)}}});
  EXPECT_EQ(probed.at(0).level, Finding::Level::ok);
  EXPECT_THAT(probed[0].what, HasSubstr("; probed: 28.0 MiB"));
  EXPECT_EQ(probed[0].mend, "");
  const auto failed = cache_findings(machine, {{{"level", 3}, {"bytes", nullptr}}});
  EXPECT_EQ(failed.at(0).level, Finding::Level::warning);
  EXPECT_EQ(failed[0].mend, "uotbench machine --probe");
  EXPECT_THAT(cache_findings(machine_of(32, 2, true), nullptr), IsEmpty());
}

TEST(Isa, OfAnotherKindOfProcessorIsNotMissing) {
  EXPECT_TRUE(is_isa_of_this_kind(""));
  EXPECT_TRUE(is_isa_of_this_kind(best_isa()));
  EXPECT_FALSE(is_isa_of_this_kind("made-up"));
#ifdef __x86_64__
  EXPECT_TRUE(is_isa_of_this_kind("x86-64-v4")) << "whether this one has it or not";
  EXPECT_FALSE(is_isa_of_this_kind("aarch64"));
#endif
}

}  // namespace
}  // namespace uotbench
