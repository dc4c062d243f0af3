// An event's name means what perf means by it, on whatever machine /sys describes; a wrong one is refused in
// one line that names the nearest.
#include <gmock/gmock.h>
#include <linux/perf_event.h>

#include "harness/host/tests/made_tree.hpp"
#include "harness/worker/counters/perf_backend.hpp"
#include "harness/worker/tests/counting.hpp"

namespace uotbench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class PerfEventTest : public testing::Test {
 protected:
  PerfEventTest() {
    pmu("cpu", {{"type", "4\n"},
                {"format/event", "config:0-7,32-35\n"},
                {"format/umask", "config:8-15\n"},
                {"format/inv", "config:23\n"},
                {"format/ldlat", "config1:0-15\n"},
                {"format/far", "config3:0-7\n"},
                {"events/mem-loads", "event=0xcd,umask=0x1,ldlat=3\n"}});
  }
  void pmu(const std::string& name, const std::map<std::string, std::string>& files) {
    for (const auto& [file, text] : files)
      tree.write("sys/bus/event_source/devices/" + name + "/" + file, text);
  }
  void memory_controllers() {
    for (const int i : {0, 1})
      pmu("uncore_imc_" + std::to_string(i), {{"type", std::to_string(20 + i)},
                                              {"cpumask", "0,18\n"},
                                              {"format/event", "config:0-7"},
                                              {"format/umask", "config:8-15"},
                                              {"events/cas_count_read", "event=0x04,umask=0x03"},
                                              {"events/cas_count_read.scale", "6.103515625e-5"},
                                              {"events/cas_count_read.unit", "MiB"}});
  }
  void hybrid() {
    pmu("cpu_core", {{"type", "4"}, {"format/event", "config:0-7"}});
    pmu("cpu_atom", {{"type", "10"}, {"format/event", "config:0-7"}});
  }
  PerfEvent parsed(const std::string& name) const { return parse_perf_event(name, tree.root()); }
  std::string refused(const std::string& name) const {
    const std::string text = error_of([&] { parsed(name); });
    EXPECT_EQ(text.find('\n'), std::string::npos);
    EXPECT_LT(text.size(), 400u);
    return text;
  }
  PerfEvent::Code only_code(const std::string& name) const {
    const auto event = parsed(name);
    EXPECT_EQ(event.codes.size(), 1u) << name;
    return event.codes.at(0);
  }

  MadeTree tree;
};

TEST_F(PerfEventTest, KnowsGenericNames) {
  EXPECT_EQ(only_code("cycles").type, unsigned{PERF_TYPE_HARDWARE});
  EXPECT_EQ(only_code("instructions").config.config, unsigned{PERF_COUNT_HW_INSTRUCTIONS});
  EXPECT_EQ(only_code("branches").config.config, unsigned{PERF_COUNT_HW_BRANCH_INSTRUCTIONS});
  for (const char* name : {"cache-references", "cache-misses", "branch-misses", "LLC-loads",
                           "LLC-load-misses", "dTLB-load-misses", "iTLB-load-misses", "L1-icache-load-misses",
                           "node-loads", "L1-dcache-prefetches"})
    EXPECT_TRUE(parsed(name).hardware) << name;
}

// perf_event_open(2): cache | operation << 8 | result << 16.
TEST_F(PerfEventTest, KnowsCacheNames) {
  EXPECT_EQ(only_code("L1-dcache-loads").type, unsigned{PERF_TYPE_HW_CACHE});
  EXPECT_EQ(only_code("L1-dcache-loads").config.config, 0u);
  EXPECT_EQ(only_code("L1-dcache-load-misses").config.config, 0x10000u);
  EXPECT_EQ(only_code("L1-dcache-stores").config.config, 0x00100u);
  EXPECT_EQ(only_code("LLC-load-misses").config.config, 0x10002u);
  EXPECT_EQ(only_code("dTLB-store-misses").config.config, 0x10103u);
}

TEST_F(PerfEventTest, KnowsTheKernelsOwnEvents) {
  const auto faults = parsed("page-faults");
  EXPECT_FALSE(faults.hardware);
  EXPECT_FALSE(faults.in_kernel);
  EXPECT_TRUE(parsed("context-switches").in_kernel);
  EXPECT_TRUE(parsed("cpu-migrations").in_kernel);
  EXPECT_EQ(parsed("task-clock").scale, 1e-9);
  EXPECT_EQ(parsed("task-clock").unit, "seconds");
}

TEST_F(PerfEventTest, TakesRawEvents) {
  EXPECT_EQ(only_code("r01c2").type, unsigned{PERF_TYPE_RAW});
  EXPECT_EQ(only_code("r01c2").config.config, 0x1c2u);
  EXPECT_EQ(refused("r11112222333344445"),
            "\"r11112222333344445\": a raw event has at most 16 hexadecimal digits");
}

TEST_F(PerfEventTest, PutsFieldsWhereThePmuHasThem) {
  EXPECT_EQ(only_code("cpu/event=0x29,umask=0x01/").config.config, 0x129u);
  EXPECT_EQ(only_code("cpu/event=0x1c2,umask=3,inv/").config.config, 0x1008003c2u);
  EXPECT_EQ(only_code("cpu/event=0,umask=255,ldlat=0x1F/").config.config1, 0x1fu);
  EXPECT_EQ(only_code("cpu/config=0xffffffffffffffff/").config.config, ~std::uint64_t{0});
  const auto loads = only_code("cpu/mem-loads/");
  EXPECT_EQ(loads.config.config, 0x1cdu);
  EXPECT_EQ(loads.config.config1, 3u);
  EXPECT_EQ(only_code("cpu/mem-loads,ldlat=0x30/").config.config1, 0x30u) << "the last word counts";
  EXPECT_THAT(loads.cpus, IsEmpty());
}

TEST_F(PerfEventTest, CountsASocketsUnitsOnTheirCpus) {
  memory_controllers();
  pmu("power", {{"type", "9"},
                {"cpumask", "0"},
                {"format/event", "config:0-7"},
                {"events/energy-pkg", "event=0x02"},
                {"events/energy-pkg.scale", "2.3283064365386962890625e-10"},
                {"events/energy-pkg.unit", "Joules"}});
  const auto energy = parsed("power/energy-pkg/");
  EXPECT_TRUE(energy.socket_wide);
  EXPECT_DOUBLE_EQ(energy.scale, 0x1p-32);
  EXPECT_EQ(energy.unit, "Joules");
  EXPECT_THAT(energy.codes.at(0).cpus, ElementsAre(0));

  const auto reads = parsed("uncore_imc_*/cas_count_read/");
  ASSERT_EQ(reads.codes.size(), 2u);
  EXPECT_EQ(reads.codes[0].type, 20u);
  EXPECT_EQ(reads.codes[1].type, 21u);
  EXPECT_EQ(reads.codes[1].config.config, 0x304u);
  EXPECT_THAT(reads.codes[1].cpus, ElementsAre(0, 18));
  EXPECT_EQ(reads.unit, "bytes") << "MiB to the kernel";
  EXPECT_DOUBLE_EQ(reads.scale, 64);
  EXPECT_EQ(parsed("uncore_imc_1/cas_count_read/").codes.size(), 1u);
}

TEST_F(PerfEventTest, AsksBothKindsOfAHybridCpusCores) {
  hybrid();
  const auto cycles = parsed("cycles");
  ASSERT_EQ(cycles.codes.size(), 2u);
  EXPECT_EQ(cycles.codes[0].type, unsigned{PERF_TYPE_HARDWARE});
  EXPECT_EQ(cycles.codes[0].config.config, std::uint64_t{10} << 32);
  EXPECT_EQ(cycles.codes[1].config.config, std::uint64_t{4} << 32);
  EXPECT_EQ(parsed("L1-dcache-load-misses").codes[1].config.config, std::uint64_t{4} << 32 | 0x10000);
  EXPECT_EQ(parsed("r1c2").codes[0].type, 10u);
  EXPECT_EQ(parsed("page-faults").codes.size(), 1u);
  EXPECT_EQ(parsed("cpu_atom/event=0x3c/").codes.size(), 1u);
  EXPECT_FALSE(cycles.socket_wide);
}

TEST_F(PerfEventTest, UnknownNamesAreRefusedWithTheNearest) {
  EXPECT_EQ(refused("L1-dcache-load-mises"),
            "perf has no event \"L1-dcache-load-mises\" (did you mean L1-dcache-load-misses?); expected an "
            "event such as cycles, r01c2, or "
            "PMU/event=0x29,umask=0x01/");
  EXPECT_THAT(refused(""), HasSubstr("perf has no event \"\"; "));
  EXPECT_THAT(refused("cycles\n:u"), HasSubstr("\"cycles\\n:u\" (did you mean cycles?)"));
  EXPECT_EQ(refused(std::string(100000, 'r')),
            "\"" + std::string(40, 'r') + "…\" is no event: 100000 letters, at most 256 are read");
  memory_controllers();
  EXPECT_EQ(refused("uncore_imc_2/cas_count_read/"),
            "\"uncore_imc_2/cas_count_read/\": this machine has no PMU \"uncore_imc_2\" (did you mean "
            "uncore_imc_0?); it has: cpu, uncore_imc_0, uncore_imc_1");
  EXPECT_THAT(refused("amd_*/event=1/"), HasSubstr("this machine has no PMU \"amd_*\"; it has: cpu,"));
  EXPECT_THAT(refused("../cpu/event=1/"), HasSubstr("a PMU's event is written between two '/'"));
  EXPECT_THAT(refused("../event=1/"), HasSubstr("this machine has no PMU \"..\""));
  EXPECT_THAT(error_of([] { parse_perf_event("cpu/event=1/", "/nowhere"); }), HasSubstr("it has: none"));
}

TEST_F(PerfEventTest, BadTermsAreRefused) {
  EXPECT_EQ(refused("cpu/evnt=0x29/"), "PMU cpu has no event or field \"evnt\" (did you mean event?)");
  EXPECT_EQ(refused("cpu/mem-load/"), "PMU cpu has no event or field \"mem-load\" (did you mean mem-loads?)");
  EXPECT_EQ(refused("cpu/umask=0x100/"), "umask=0x100 of PMU cpu: too large, the field has 8 bits");
  EXPECT_EQ(refused("cpu/inv=2/"), "inv=2 of PMU cpu: too large, the field has 1 bit");
  EXPECT_EQ(refused("cpu/event=0x10000000000000000/"),
            "event=0x10000000000000000 of PMU cpu: expected a number of 64 bits such as 0x29 or 41, got "
            "\"0x10000000000000000\"");
  EXPECT_THAT(refused("cpu/event=-1/"), HasSubstr("got \"-1\""));
  EXPECT_THAT(refused("cpu/event=/"), HasSubstr("got \"\""));
  EXPECT_THAT(refused("cpu/far=1/"),
              HasSubstr("the field far of PMU cpu is where this program cannot write it"));
  EXPECT_EQ(refused("cpu//"), "cpu// names no event; expected cpu/event=0x29,umask=0x01/ or cpu/NAME/");
  EXPECT_THAT(refused("cpu/event=1"), HasSubstr("a PMU's event is written between two '/'"));
  EXPECT_THAT(refused("cpu/event=1/u"), HasSubstr("a PMU's event is written between two '/'"));
  EXPECT_THAT(refused("/event=1/"), HasSubstr("no PMU \"\""));
}

TEST_F(PerfEventTest, AllThatMatchAreThoseThatHaveTheEvent) {
  memory_controllers();
  pmu("uncore_imc_free_running",
      {{"type", "30"}, {"cpumask", "0"}, {"format/event", "config:0-7"}, {"events/data_read", "event=1"}});
  EXPECT_EQ(parsed("uncore_imc*/cas_count_read/").codes.size(), 2u);
  EXPECT_EQ(parsed("uncore_imc*/data_read/").codes.size(), 1u);
  EXPECT_EQ(refused("uncore_imc*/nonsense/"),
            "\"uncore_imc*/nonsense/\": no PMU \"uncore_imc*\" has that, uncore_imc_free_running has not");
}

// What another machine may have is no slip.
TEST_F(PerfEventTest, TellsNamesThatAreWrongEverywhere) {
  for (const char* fine : {"cycles", "r1c2", "page-faults", "amd_df/event=1/", "cpu/evnt=1/"})
    EXPECT_EQ(no_perf_event(fine), "") << fine;
  for (const char* wrong : {"cycle", "", "r", "rxyz", "cpu/event=1", "r11112222333344445"})
    EXPECT_EQ(no_perf_event(wrong), refused(wrong)) << wrong;
}

TEST_F(PerfEventTest, WhatCannotBeAddedIsNot) {
  memory_controllers();
  pmu("uncore_imc_free_running", {{"type", "30"},
                                  {"cpumask", "0"},
                                  {"format/event", "config:0-7"},
                                  {"events/cas_count_read", "event=1"}});
  EXPECT_THAT(refused("uncore_imc_*/cas_count_read/"), HasSubstr("cannot be added to the others'"));
}

// A kernel that says nonsense is told from a user who does.
TEST_F(PerfEventTest, ADamagedPmuIsRefused) {
  pmu("odd", {{"type", "-3"}, {"format/event", "config:0-99"}, {"format/loop", "nonsense"}});
  EXPECT_THAT(refused("odd/event=1/"), HasSubstr("the field event of PMU odd is where"));
  EXPECT_THAT(refused("odd/loop=1/"), HasSubstr("the field loop of PMU odd is where"));
  EXPECT_THAT(refused("odd/config=1/"), HasSubstr("odd does not say its type"));
}

TEST(Numbers, AreReadFromLists) {
  EXPECT_THAT(numbers_of("0-3,8"), ElementsAre(0, 1, 2, 3, 8));
  EXPECT_THAT(numbers_of("5"), ElementsAre(5));
  for (const char* bad : {"", "3-1", "a", "1-", "0-99999999999", "-1"})
    EXPECT_THAT(numbers_of(bad), IsEmpty()) << bad;
}

}  // namespace
}  // namespace uotbench
