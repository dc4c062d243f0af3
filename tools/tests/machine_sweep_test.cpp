// What `uotbench machine` measures follows from what variants say that they measure, and from what a table
// shows.
#include "tools/uotbench/running/machine_sweep.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <string>

#include "results/base/json.hpp"
#include "roofline/model/curve.hpp"

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
  EXPECT_EQ(curve_sets(two_core_caches(), 2, "close", 1e12, false).back(), 1024 * MiB);
  const auto quick = curve_sets(two_core_caches(), 2, "close", 1e12, true);
  EXPECT_EQ(quick.back(), 128 * MiB) << "four times the L3";
  EXPECT_LE(quick.size(), 9u);
  for (std::size_t i = 1; i < quick.size(); ++i) EXPECT_LE(quick[i], Curve::widest_gap * quick[i - 1]);
}

// An input of gigabytes takes longer to make than its bandwidth to measure.
TEST(MachineSweep, RepeatsASmallInputForALargeSet) {
  constexpr double MiB = 1 << 20;
  VariantInfo kernel = measuring("ceiling/look", {"read", 1});
  EXPECT_EQ(array_sizes(1024 * MiB, kernel, 4, 2).repeat, 1) << "it has no such axis";
  kernel.axes = {{.name = "repeat", .standard = 1}};
  for (const double set : {4 * MiB, 32 * MiB, 100 * MiB, 1024 * MiB}) {
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
  EXPECT_EQ(most["f32"] * 4, 1 << 30);
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

}  // namespace
}  // namespace uotbench
