// What `uotbench machine` measures follows from what variants say that they measure, and from what a table
// shows.
#include "tools/uotbench/running/machine_sweep.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <string>

#include "results/base/json.hpp"
#include "results/tests/made_record.hpp"
#include "roofline/model/curve.hpp"
#include "tools/uotbench/running/counter_plan.hpp"
#include "tools/uotbench/running/last_level.hpp"

namespace uotbench {
namespace {

using testing::SizeIs;

/// Two cores with L1 and L2 each, and an L3 for both.
Caches two_core_caches() {
  return Caches(Json::parse(R"({"hashed": {"logical_cpus": 2, "physical_cores": 2, "caches": [
      {"level": 1, "bytes": 32768, "shared_by": 1, "count": 2},
      {"level": 2, "bytes": 1048576, "shared_by": 1, "count": 2},
      {"level": 3, "bytes": 33554432, "shared_by": 2, "count": 1}]}})"));
}

VariantInfo measuring(const std::string& name, const Measures& measures) {
  return {.name = name, .summary = {}, .axes = {}, .tolerance = {}, .measures = measures};
}

MachineSweep quick_ceilings() {
  VariantInfo flops = measuring("ceiling/mine", {"flops"});
  flops.axes = {
      {.name = "form", .kind = Axis::Kind::text, .standard = "vector", .values = {"vector", "scalar"}}};
  return {.kernels = {measuring("ceiling/back_and_forth", {"copy", 2}), flops,
                      measuring("ceiling/look", {"read", 1}), measuring("ceiling/triad", {"triad", 3})},
          .quick = true,
          .shown = {},
          .threads = {},
          .workers = {},
          .cpus = {0, 1},
          .spread_cpus = {0, 1}};
}

Json moved_points_of(const Json& entry) {
  return entry["axes"].value("N,dtype,threads,place", Json::array());
}

/// Of the cases that move bytes.
std::size_t moved_points(const Json& sweep) {
  std::size_t points = 0;
  for (const auto& entry : sweep.at("cases")) points += moved_points_of(entry).size();
  return points;
}

TEST(MachineSweep, LeavesOutWhatOnlyCasesNeed) {
  MachineSweep wanted = quick_ceilings();
  wanted.quick = false;
  const std::size_t before = sweep_for(two_core_caches(), wanted).document.json()["cases"].size();
  wanted.kernels.push_back(measuring("ceiling/by_columns", {"strided_read", 1}));
  wanted.kernels.push_back(measuring("ceiling/and_back", {"copy_nt_back", 2}));
  const Json sweep = sweep_for(two_core_caches(), wanted).document.json();
  EXPECT_THAT(sweep["cases"], SizeIs(before));
  EXPECT_THAT(sweep.dump(), testing::Not(testing::HasSubstr("and_back")));
}

TEST(MachineSweep, TakesWhatMeasures) {
  const Json sweep = sweep_for(two_core_caches(), quick_ceilings()).document.json();
  ASSERT_THAT(sweep["cases"], SizeIs(3));
  EXPECT_EQ(sweep["cases"][0]["variants"], Json::array({"ceiling/look"}));
  EXPECT_EQ(sweep["cases"][1]["variants"], Json::array({"ceiling/back_and_forth"}));
  EXPECT_EQ(sweep["cases"][2]["variants"], Json::array({"ceiling/mine"}));
  EXPECT_EQ(sweep["cases"][2]["axes"]["form"], Json::array({"vector"}));
  std::size_t sets = 0;
  for (const int threads : {1, 2}) sets += curve_sets(two_core_caches(), threads, "close", 1e12, true).size();
  EXPECT_EQ(moved_points(sweep), 2 * sets) << "kernels, working sets by threads";
  EXPECT_EQ(moved_points_of(sweep["cases"][0])[0][0], 2 * moved_points_of(sweep["cases"][1])[0][0].get<int>())
      << "the same working set";
}

TEST(MachineSweep, OfEverythingHasMoreKernelsAndForms) {
  MachineSweep all = quick_ceilings();
  all.quick = false;
  const Json sweep = sweep_for(two_core_caches(), all).document.json();
  ASSERT_THAT(sweep["cases"], SizeIs(4));
  EXPECT_EQ(sweep["cases"][2]["variants"], Json::array({"ceiling/triad"}));
  EXPECT_EQ(sweep["cases"][3]["axes"]["form"], Json::array({"vector", "scalar"}));
}

TEST(CurveSets, ReachFromInsideL1ToAQuarterOfTheMemory) {
  constexpr double MiB = 1 << 20;
  const auto sets = curve_sets(two_core_caches(), 2, "close", 512 * MiB, false);
  EXPECT_EQ(sets.front(), 8 * 1024);
  EXPECT_EQ(sets.back(), 128 * MiB);
  for (std::size_t i = 1; i < sets.size(); ++i) EXPECT_LE(sets[i], 2 * sets[i - 1]);
  const auto quick = curve_sets(two_core_caches(), 2, "close", 1e12, true);
  EXPECT_EQ(quick.back(), 128 * MiB) << "four times the L3";
  EXPECT_LE(quick.size(), 9u);
  for (std::size_t i = 1; i < quick.size(); ++i) EXPECT_LE(quick[i], Curve::widest_gap * quick[i - 1]);
}

TEST(CurveSets, GoOnTo4GiBOrBeyondTheCaches) {
  constexpr double MiB = 1 << 20, GiB = 1 << 30;
  const auto sets_with = [](const Caches& caches, std::int64_t threads, double memory) {
    auto sets = curve_sets(caches, threads, "close", memory, false);
    for (std::size_t i = 1; i < sets.size(); ++i) {
      EXPECT_GT(sets[i], sets[i - 1]) << threads;
      EXPECT_LE(sets[i], (sets[i - 1] < 256 * MiB ? 2 : Curve::widest_gap) * sets[i - 1]) << threads;
    }
    return sets;
  };
  for (const int threads : {1, 2, 3, 64, 96}) {
    const auto sets = sets_with(two_core_caches(), threads, 1e12);
    EXPECT_EQ(sets.back(), 4 * GiB);
    EXPECT_LE(std::ranges::count_if(sets, [&](double set) { return set > 256 * MiB; }), 3)
        << "an iteration takes tenths of a second";
  }
  EXPECT_EQ(sets_with(two_core_caches(), 2, 10 * GiB).back(), 2.5 * GiB) << "a quarter of the memory";
  const Caches large(Json::parse(R"({"hashed": {"logical_cpus": 2, "physical_cores": 2, "caches": [
      {"level": 1, "bytes": 32768, "shared_by": 1, "count": 2},
      {"level": 2, "bytes": 1610612736, "shared_by": 2, "count": 1}]}})"));
  EXPECT_EQ(sets_with(large, 2, 1e12).back(), 6 * GiB) << "four times the last cache";
}

// An input of gigabytes takes longer to make than its bandwidth to measure.
TEST(MachineSweep, RepeatsASmallInputForALargeSet) {
  constexpr double MiB = 1 << 20;
  VariantInfo kernel = measuring("ceiling/look", {"read", 1});
  EXPECT_EQ(array_sizes(1024 * MiB, kernel, 4, 2).repeat, 1) << "it has no such axis";
  kernel.axes = {{.name = "repeat", .standard = 1}};
  for (const double set : {4 * MiB, 32 * MiB, 100 * MiB, 1024 * MiB, 4096 * MiB}) {
    const auto [N, repeat] = array_sizes(set, kernel, 4, 2);
    EXPECT_LE(static_cast<double>(N) * 4, 32 * MiB) << set;
    EXPECT_NEAR(static_cast<double>(N * repeat) * 4 / set, 1, 0.001) << set;
    EXPECT_EQ(repeat > 1, set > 32 * MiB);
  }
  MachineSweep wanted = quick_ceilings();
  wanted.kernels = {kernel};
  wanted.quick = false;
  std::map<std::string, std::int64_t> most;
  const Json sweep = sweep_for(two_core_caches(), wanted).document.json();
  for (const auto& point : sweep["cases"][0]["axes"]["N,repeat,dtype,threads,place"])
    most[point[2]] = std::max(most[point[2]], point[0].get<std::int64_t>() * point[1].get<std::int64_t>());
  EXPECT_EQ(most["f32"] * 4, std::int64_t{4} << 30);
  EXPECT_EQ(most["f64"] * 8, 256 << 20) << "bytes are bytes";
}

TEST(MachineSweep, HasOnlyWhatATableShows) {
  MachineSweep shown = quick_ceilings();
  shown.shown = {{1 << 20, 2}};
  const Json sweep = sweep_for(two_core_caches(), shown).document.json();
  EXPECT_EQ(moved_points(sweep), 2u) << "a working set, a number of threads, two kernels";
  EXPECT_EQ(moved_points_of(sweep["cases"][0])[0][0], (1 << 20) / 4);
  EXPECT_EQ(sweep["cases"][2]["axes"]["dtype,threads,place"],
            Json::array({Json::array({"f32", 2, "close"})}));
}

// Which cache is probed, over which sets, and what a run of the probe tells.

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
