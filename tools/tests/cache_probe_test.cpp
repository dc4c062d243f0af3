// Which cache is probed, over which sets, and what a run of the probe tells.
#include "tools/uotbench/running/cache_probe.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>
#include <numeric>

#include "results/tests/made_record.hpp"
#include "tools/uotbench/running/counter_plan.hpp"

namespace uotbench {
namespace {

using testing::IsEmpty;

constexpr double mebibyte = 1 << 20;

/// A virtual machine of two cores, 1 MiB of L2 each.
Json machine_with(double last_mebibytes) {
  return Json::parse(fmt::format(R"({{"hashed": {{"logical_cpus": 2, "physical_cores": 2, "hypervisor": "KVM",
      "caches": [{{"level": 1, "bytes": 32768, "shared_by": 1, "count": 2}},
                 {{"level": 2, "bytes": 1048576, "shared_by": 1, "count": 2}},
                 {{"level": 3, "bytes": {}, "shared_by": 2, "count": 1}}]}}}})",
                                 last_mebibytes * mebibyte));
}

/// A run of the probe: loads from L2 take 4 ns, from a last level of so many bytes 20 ns, from beyond 100 ns.
Run probe_run(const CacheProbe& probe, double capacity) {
  Run run;
  run.header = made_header({{"started", "2026-01-31T12:00:00Z"}});
  for (const auto set : probe.sets) {
    const auto bytes = static_cast<double>(set);
    const double load = bytes <= probe.inner ? 4e-9 : bytes <= capacity ? 20e-9 : 100e-9;
    Record record;
    record.id = std::to_string(set);
    record.variant = "ceiling/chase";
    record.worker = "native-v4";
    record.work = Work{.working_set = bytes, .operations = {{"load", 1000}}};
    record.time = Timing{};
    record.time->processes = {{.start = 0, .samples = {1500 * load, 1000 * load}}};
    run.records.push_back(record);
  }
  return run;
}

TEST(CacheProbe, IsForALastLevelThatIsDoubtful) {
  EXPECT_FALSE(cache_probe(machine_with(32), 1e12, false, false));
  EXPECT_TRUE(cache_probe(machine_with(32), 1e12, true, false)) << "--probe";
  const auto probe = cache_probe(machine_with(480), 1e12, false, false);
  ASSERT_TRUE(probe);
  EXPECT_EQ(probe->cache.level, 3);
  EXPECT_EQ(probe->inner, 1 * mebibyte);
  EXPECT_EQ(probe->sets.front(), std::llround(0.5 * mebibyte));
  EXPECT_NEAR(static_cast<double>(probe->sets.back()), 512 * mebibyte, mebibyte);
  for (const auto set : probe->sets) EXPECT_EQ(set % 64, 0) << "whole lines";
  EXPECT_LT(static_cast<double>(cache_probe(machine_with(480), 400 * mebibyte, false, false)->sets.back()),
            101 * mebibyte)
      << "a quarter of the memory";
  EXPECT_FALSE(cache_probe(Json::parse(R"({"hashed": {"caches": null}})"), 1e12, true, false));
}

// Its largest sets take most of the time of `machine --quick`.
TEST(CacheProbe, HasFewerAndSmallerSetsWhereItIsQuick) {
  const auto thorough = *cache_probe(machine_with(480), 1e12, false, false);
  const auto quick = *cache_probe(machine_with(480), 1e12, false, true);
  const auto bytes = [](const CacheProbe& probe) {
    return std::accumulate(probe.sets.begin(), probe.sets.end(), 0.);
  };
  EXPECT_LT(quick.sets.size(), 0.7 * static_cast<double>(thorough.sets.size()));
  EXPECT_LT(bytes(quick), 0.45 * bytes(thorough));
  for (const double capacity : {5., 8., 16., 28., 32., 36., 48., 64., 96.}) {
    const auto found = probed_cache(quick, probe_run(quick, capacity * mebibyte)).at("bytes");
    ASSERT_FALSE(found.is_null()) << capacity;
    EXPECT_LT(found.get<double>(), 1.5 * capacity * mebibyte);
    EXPECT_GT(found.get<double>(), capacity * mebibyte / 1.8);
  }
}

TEST(SimulatedCaches, HaveTheMeasuredSizeWhereTheReportedOneIsDoubtful) {
  Json machine = machine_with(260);
  const CacheShapes reported = parse_cache_shapes("L1D=32KiB/8,L2=1MiB/16,L3=260MiB/20");
  EXPECT_EQ(with_measured_sizes(reported, Caches(machine)).l3.bytes, reported.l3.bytes) << "not measured";
  machine["probed_caches"] = {{{"level", 3},
                               {"told", 260 * mebibyte},
                               {"bytes", 10.3 * mebibyte},
                               {"doubt", nullptr},
                               {"source", "ceiling/chase@native-v4"}}};
  EXPECT_EQ(with_measured_sizes(reported, Caches(machine)).l3.bytes, reported.l3.bytes) << "not doubtful";
  machine["probed_caches"][0]["doubt"] = "260 MiB for 2 cores";
  const CacheShapes measured = with_measured_sizes(reported, Caches(machine));
  EXPECT_NEAR(static_cast<double>(measured.l3.bytes), 10.3 * mebibyte, 2048);
  EXPECT_EQ(measured.l3.bytes % (20 * 64), 0u) << "whole sets";
  EXPECT_EQ(measured.l3.ways, 20);
  EXPECT_EQ(measured.l2.bytes, reported.l2.bytes);
}

TEST(CacheProbe, MeasuresEverySetWithOneThread) {
  const auto probe = *cache_probe(machine_with(480), 1e12, false, false);
  const Json chase = probe_sweep(probe, ProbeKernel::chase, {"native-v4"}).document.json();
  EXPECT_EQ(chase["cases"][0]["variants"], Json::array({"ceiling/chase"}));
  EXPECT_EQ(chase["cases"][0]["axes"]["set"].size(), probe.sets.size());
  EXPECT_EQ(chase["workers"], Json::array({"native-v4"}));
  const Json read = probe_sweep(probe, ProbeKernel::read, {}).document.json();
  EXPECT_EQ(read["cases"][0]["axes"]["N"][0], probe.sets[0] / 4);
  EXPECT_FALSE(read.contains("workers"));
}

TEST(CacheProbe, TellsWhatWasToldWhatWasFoundAndItsSource) {
  const auto probe = *cache_probe(machine_with(480), 1e12, false, false);
  const Json found = probed_cache(probe, probe_run(probe, 28 * mebibyte));
  EXPECT_EQ(found.at("level"), 3);
  EXPECT_EQ(found.at("told"), 480 * mebibyte);
  EXPECT_GT(found.at("bytes").get<double>(), 20 * mebibyte);
  EXPECT_LT(found.at("bytes").get<double>(), 40 * mebibyte);
  EXPECT_TRUE(found.at("reason").is_null());
  EXPECT_THAT(found.at("doubt").get<std::string>(), testing::HasSubstr("hypervisor"));
  EXPECT_EQ(found.at("source"), "ceiling/chase@native-v4");
  EXPECT_EQ(found.at("made"), "2026-01-31T12:00:00Z");
  EXPECT_EQ(found.at("loads").size(), probe.sets.size());
  EXPECT_NEAR(found.at("loads")[0][1].get<double>(), 4e-9, 1e-15) << "the best sample";
}

TEST(CacheProbe, SaysThatItFoundNothing) {
  const auto probe = *cache_probe(machine_with(480), 1e12, false, false);
  const Json found = probed_cache(probe, probe_run(probe, 1e12));
  EXPECT_TRUE(found.at("bytes").is_null());
  EXPECT_EQ(found.at("reason"), "no step between 1.0 MiB and 512.0 MiB");
  EXPECT_THAT(load_times(uotbench::Run{}), IsEmpty());
  EXPECT_EQ(probed_cache(probe, uotbench::Run{}).at("source"), "");
}

}  // namespace
}  // namespace uotbench
