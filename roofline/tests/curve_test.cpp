// A roof is read off a curve at the case's own working set; a level has a name only where the curve shows it.
#include "roofline/model/curve.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

#include "results/tests/made_record.hpp"
#include "results/view/quantity.hpp"
#include "roofline/figures/figure.hpp"
#include "roofline/model/caches.hpp"
#include "roofline/model/model.hpp"
#include "roofline/tests/made.hpp"

namespace uotbench {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

Roof bandwidth_point(const char* kernel, double bytes, double value, int threads = 2) {
  Roof roof = bandwidth_roof(kernel, "", threads, value);
  roof.working_set = bytes;
  return roof;
}

/// A place where bandwidth falls to `value` for sets larger than `bytes`.
struct BandwidthStep {
  double bytes, value;
};

double on_steps(double bytes, double first, const std::vector<BandwidthStep>& steps) {
  double value = first;
  for (const auto& step : steps)
    if (bytes > step.bytes) value = step.value;
  return value;
}

/// A machine whose bandwidth falls at these sizes, measured at powers of 2 from 8 KiB to `most`; rmw moves
/// twice what read does.
Ceilings stepped_machine(double first, const std::vector<BandwidthStep>& steps, double most = 4 * GiB) {
  Ceilings made = made_ceilings();
  std::erase_if(made.roofs, [](const Roof& roof) { return roof.is_bandwidth(); });
  for (double bytes = 8 * KiB; bytes <= most; bytes *= 2) {
    made.roofs.push_back(bandwidth_point("read", bytes, on_steps(bytes, first, steps)));
    made.roofs.push_back(bandwidth_point("rmw", bytes, 2 * on_steps(bytes, first, steps)));
  }
  return made;
}

/// made_machine() for two threads: L1 64 KiB, L2 2 MiB, L3 32 MiB.
const std::vector<BandwidthStep> clear_steps{{64 * KiB, 200e9}, {2 * MiB, 100e9}, {32 * MiB, 25e9}};

std::string level_at(const Ceilings& ceilings, double bytes, const Json& machine = made_machine()) {
  return Roofs(ceilings, {.threads = 2}, Caches(machine)).level_name({"", bytes});
}

TEST(Curve, IsReadBetweenItsNeighboursOnLogarithmicAxes) {
  Curve curve;
  curve.add(bandwidth_point("read", 4 * MiB, 40e9));
  curve.add(bandwidth_point("read", 1 * MiB, 160e9));
  EXPECT_DOUBLE_EQ(curve.at(1 * MiB, 2)->value, 160e9);
  EXPECT_NEAR(curve.at(2 * MiB, 2)->value, 80e9, 1);
  EXPECT_EQ(curve.at(2 * MiB, 2)->working_set, 2 * MiB);
  curve.add(bandwidth_point("read", 4 * MiB, 30e9));
  EXPECT_DOUBLE_EQ(curve.at(4 * MiB, 2)->value, 40e9) << "a limit is the most that was seen";
}

TEST(Curve, HasTheNearestBeyondItsEndsAndNothingInALargeGap) {
  Curve curve;
  curve.add(bandwidth_point("read", 1 * MiB, 160e9));
  curve.add(bandwidth_point("read", 16 * MiB, 40e9));
  EXPECT_FALSE(curve.at(4 * MiB, 2)) << "a step may be anywhere between";
  EXPECT_EQ(curve.at(512 * KiB, 2)->working_set, 1 * MiB);
  EXPECT_FALSE(curve.at(16 * KiB, 2)) << "another cache, most likely";
  EXPECT_EQ(curve.at(40 * MiB, 2)->working_set, 16 * MiB);
  EXPECT_FALSE(curve.at(400 * MiB, 2));
  curve.add(bandwidth_point("read", 16 * KiB, 500e9));
  curve.add(bandwidth_point("read", 512 * MiB, 20e9));
  EXPECT_DOUBLE_EQ(curve.at(100, 1)->value, 500e9) << "inside any L1";
  EXPECT_DOUBLE_EQ(curve.at(64 * GiB, 1)->value, 20e9) << "memory";
  EXPECT_FALSE(Curve().at(1 * MiB, 1));
}

TEST(Plateaus, HaveTheNamesOfTheCachesThatEndThem) {
  const Ceilings made = stepped_machine(400e9, clear_steps);
  EXPECT_EQ(level_at(made, 4 * KiB), "L1") << "smaller than what was measured";
  EXPECT_EQ(level_at(made, 32 * KiB), "L1");
  EXPECT_EQ(level_at(made, 1 * MiB), "L2");
  EXPECT_EQ(level_at(made, 16 * MiB), "L3");
  EXPECT_EQ(level_at(made, 48 * MiB), "") << "between the last set in L3 and the first beyond it";
  EXPECT_EQ(level_at(made, 512 * MiB), "DRAM");
  EXPECT_EQ(level_at(made, 64 * GiB), "DRAM");
  const Roofs roofs(made, {.threads = 2}, Caches(made_machine()));
  EXPECT_THAT(roofs.levels(), ElementsAre("L1", "L2", "L3", "DRAM"));
  EXPECT_DOUBLE_EQ(roofs.bandwidth("L2", "read")->value, 200e9);
  EXPECT_DOUBLE_EQ(roofs.bandwidth("DRAM")->value, 50e9) << "rmw's";
}

/// The machine of the report: an L3 of 260 MiB as reported, 10 MiB as measured; bandwidth falls a second time
/// beyond 64 MiB.
Json shared_cache_machine() {
  Json machine = made_machine();
  machine["hashed"]["caches"][2]["bytes"] = 260 * MiB;
  machine["probed_caches"] = {{{"level", 3},
                               {"told", 260 * MiB},
                               {"bytes", 10 * MiB},
                               {"doubt", "260 MiB for 2 cores"},
                               {"source", "ceiling/chase@native-v4"}}};
  return machine;
}
const std::vector<BandwidthStep> shared_steps{
    {64 * KiB, 200e9}, {2 * MiB, 100e9}, {10 * MiB, 55e9}, {64 * MiB, 29e9}};

TEST(Plateaus, HaveNoNameWhereNoCacheEnds) {
  const Ceilings made = stepped_machine(400e9, shared_steps);
  const auto level = [&](double bytes) { return level_at(made, bytes, shared_cache_machine()); };
  EXPECT_EQ(level(1 * MiB), "L2");
  EXPECT_EQ(level(8 * MiB), "") << "4 and 8 MiB are no plateau";
  EXPECT_EQ(level(32 * MiB), "") << "neither the L3 that was measured nor memory";
  EXPECT_EQ(level(200 * MiB), "") << "less than what is reported";
  EXPECT_EQ(level(400 * MiB), "DRAM") << "four times what is reported was measured";
  const Ceilings short_curve = stepped_machine(400e9, shared_steps, 512 * MiB);
  EXPECT_EQ(level_at(short_curve, 400 * MiB, shared_cache_machine()), "") << "it may be the cache's rest";
}

std::vector<std::string> names_inside(const Roofs& roofs, const std::string& level) {
  std::vector<std::string> names;
  for (const auto& place : roofs.inside(level)) names.push_back(place.level);
  return names;
}

// L1 and L2 are one plateau: the step between them is too small.
TEST(Plateaus, CachesThatNoneShowsArePlacesByTheirSizes) {
  const Ceilings made = stepped_machine(220e9, clear_steps);
  const Roofs roofs(made, {.threads = 2}, Caches(made_machine()));
  EXPECT_THAT(roofs.levels(), Not(Contains("L1")));
  EXPECT_THAT(names_inside(roofs, "L3"), ElementsAre("L1", "L2"));
  EXPECT_THAT(names_inside(roofs, "L1"), IsEmpty());
  const Footprint l1 = roofs.inside("L2").at(0);
  EXPECT_EQ(l1.bytes, 32 * KiB);
  EXPECT_DOUBLE_EQ(roofs.at(l1, "read")->value, 220e9);
  EXPECT_DOUBLE_EQ(roofs.at(roofs.inside("L3").at(1), "read")->value, 200e9);
  const Ceilings clear = stepped_machine(400e9, clear_steps);
  const Roofs shown(clear, {.threads = 2}, Caches(made_machine()));
  EXPECT_THAT(names_inside(shown, "DRAM"), ElementsAre("L1", "L2", "L3"));
  EXPECT_FALSE(shown.inside("DRAM").at(0).bytes) << "a plateau";
}

TEST(Plateaus, WithoutASingleStepAreNone) {
  const Ceilings flat = stepped_machine(50e9, {});
  const Roofs roofs(flat, {.threads = 2}, Caches(shared_cache_machine()));
  EXPECT_EQ(roofs.level_name({"", 1 * MiB}), "L2") << "as the caches' sizes have it";
  EXPECT_EQ(roofs.level_name({"", 64 * MiB}), "") << "L3 as reported, memory as measured";
  EXPECT_EQ(roofs.level_name({"", 1 * GiB}), "DRAM");
  Json doubtful = made_machine();
  doubtful["doubtful_caches"] = {{{"level", 3}}};
  EXPECT_EQ(level_at(flat, 8 * MiB, doubtful), "");
  EXPECT_EQ(level_at(flat, 64 * MiB, doubtful), "DRAM");
}

TEST(RoofOnACurve, IsThatOfTheCasesOwnWorkingSet) {
  const Ceilings made = stepped_machine(400e9, shared_steps);
  const Caches caches(shared_cache_machine());
  for (const auto& [bytes, bandwidth] : std::vector<std::pair<double, double>>{{16 * KiB, 400e9},
                                                                               {512 * KiB, 200e9},
                                                                               {4 * MiB, 100e9},
                                                                               {32 * MiB, 55e9},
                                                                               {256 * MiB, 29e9},
                                                                               {2 * GiB, 29e9}}) {
    const Made reads({.bytes_read = 1e9, .working_set = bytes}, 1e9 / bandwidth / 0.9);
    const auto roof = roof_of(reads.view, made, caches);
    ASSERT_TRUE(roof) << bytes;
    EXPECT_NEAR(roof->fraction, 0.9, 1e-9) << bytes;
    EXPECT_EQ(roof->working_set, bytes);
    const Made updates({.bytes_read = 5e8, .bytes_written = 5e8, .working_set = bytes}, 1e9 / bandwidth);
    EXPECT_NEAR(roof_of(updates.view, made, caches)->fraction, 0.5, 1e-9) << "its own kind of traffic";
  }
  const Made between({.bytes_read = 1e9, .working_set = 96 * MiB}, 1);
  const double floor = roof_of(between.view, made, caches)->floor;
  EXPECT_TRUE(floor > 1e9 / 55e9 && floor < 1e9 / 29e9) << floor;
}

TEST(RoofOnACurve, SaysWhereItIsAndWhatTheCacheIs) {
  auto run =
      made_run({{.variant = "uot/a", .work = {.bytes_read = 1e9, .working_set = 32 * MiB}, .median = 1},
                {.variant = "uot/b", .work = {.bytes_read = 1e9, .working_set = 64 * GiB}, .median = 1}},
               {stepped_machine(400e9, shared_steps)});
  edited(run.header)["machine"] = shared_cache_machine();
  const RunView view = view_under_roofs(run);
  EXPECT_EQ(view.groups[0].cases[0].roof->where(), "at 32.0 MiB");
  EXPECT_EQ(view.groups[0].cases[1].roof->where(), "DRAM");
  EXPECT_THAT(view.notes, Contains(HasSubstr("260.0 MiB reported: it is shared with other guests")));
  EXPECT_THAT(view.notes, Contains(HasSubstr("the roof is that of 4.0 GiB, the nearest working set that was "
                                             "measured: " +
                                             run.records[1].id)));
  EXPECT_EQ(json_of(view)["cases"][0]["roof"]["level"], nullptr);
  EXPECT_EQ(json_of(view)["cases"][0]["roof"]["working_set"], 32 * MiB);
}

// A reader of the table finds the roof of a point by its level.
TEST(RoofOnACurve, HasTheLevelOfItsPointsInTheFiguresTable) {
  auto run = made_run(
      {{.variant = "uot/a", .work = {.flops = 1e9, .bytes_read = 1e9, .working_set = 32 * MiB}, .median = 1}},
      {stepped_machine(400e9, shared_steps)});
  edited(run.header)["machine"] = shared_cache_machine();
  const RunView view = view_under_roofs(run);
  const Drawing figure = figure_of({.kind = "roofline", .filter = ""}, {&view});
  std::set<std::string> of_points, of_roofs;
  for (const auto& row : figure.data.rows) {
    if (row[2] == "point") of_points.insert(row[5]);
    if (row[2] == "bandwidth") of_roofs.insert(row[5]);
  }
  EXPECT_THAT(of_points, ElementsAre("at 32.0 MiB"));
  EXPECT_THAT(of_roofs, Contains("at 32.0 MiB"));
}

// A label with the case's size would promise a ceiling that was not measured.
TEST(RoofOnACurve, OfASizeBeyondAllMeasuredNamesTheLargestMeasured) {
  Ceilings ceilings = stepped_machine(400e9, shared_steps);
  std::erase_if(ceilings.roofs,
                [](const Roof& roof) { return roof.is_point() && *roof.working_set > 32 * MiB; });
  auto run = made_run(
      {{.variant = "uot/a", .work = {.bytes_read = 1e9, .working_set = 100 * MiB}, .median = 1}}, {ceilings});
  edited(run.header)["machine"] = shared_cache_machine();
  const RunView view = view_under_roofs(run);
  const RoofView& roof = *view.groups[0].cases[0].roof;
  EXPECT_EQ(roof.where(), "at 32.0 MiB");
  EXPECT_EQ(roof.working_set, 100 * MiB);
}

TEST(RoofOnACurve, OfRunsOfBeforeIsThatOfTheirLevels) {
  const auto run =
      made_run({{.variant = "uot/a", .work = {.bytes_read = 8e9, .working_set = 400e6}, .median = 0.2}},
               {made_ceilings()});
  const RunView view = view_under_roofs(run);
  const auto& roof = view.groups[0].cases[0].roof;
  ASSERT_TRUE(roof);
  EXPECT_EQ(roof->where(), "DRAM");
  EXPECT_FALSE(roof->working_set);
  EXPECT_NEAR(roof->fraction, 0.5, 1e-9);
  EXPECT_FALSE(json_of(view)["cases"][0]["roof"].contains("working_set"));
}

TEST(RoofOnACurve, LacksTheKindsOfTrafficThatNobodyMeasuredThere) {
  const Ceilings made = stepped_machine(400e9, clear_steps, 16 * MiB);
  const Roofs roofs(made, {.threads = 2}, Caches(made_machine()));
  const Work copies{.bytes_read = 1, .bytes_written = 1, .write_allocate = 1};
  EXPECT_THAT(roofs.lacking(copies, {"", 1 * MiB}), ElementsAre("copy"));
  const Work past{.bytes_read = 1, .bytes_written = 2, .bytes_nontemporal = 2};
  EXPECT_THAT(roofs.lacking(past, {"", 1 * MiB}), ElementsAre("copy_nt", "write_nt"));
  EXPECT_THAT(roofs.lacking({.bytes_read = 1}, {"", 1 * MiB}), IsEmpty());
  EXPECT_THAT(roofs.lacking({.bytes_read = 1}, {"", 1 * GiB}), ElementsAre("read"));
  const Made large({.bytes_read = 1, .working_set = 1 * GiB}, 1);
  EXPECT_EQ(unmeasured(large.record, made, Caches(made_machine())), "1.0 GiB of data (f32, 2 threads)");
}

TEST(RoofOnACurve, OfAnotherDtypeStandsIn) {
  Ceilings made = stepped_machine(400e9, clear_steps);
  const Roofs roofs(made, {.threads = 2, .dtype = "f64"});
  EXPECT_DOUBLE_EQ(roofs.at({"", 1 * MiB}, "read")->value, 200e9);
  made.roofs.push_back(bandwidth_point("read", 1 * MiB, 210e9));
  made.roofs.back().dtype = "f64";
  EXPECT_DOUBLE_EQ(Roofs(made, {.threads = 2, .dtype = "f64"}).at({"", 1 * MiB}, "read")->value, 210e9);
  EXPECT_DOUBLE_EQ(Roofs(made, {.threads = 2, .dtype = "f64"}).at({"", 64 * MiB}, "read")->value, 25e9);
}

// Steps of made curves: where they were put, whatever noise does, and none where there are none.

using testing::SizeIs;

constexpr double kilo = 1024, mega = 1024 * kilo, ns = 1e-9;  // bytes, seconds

/// A level, and seconds of a load from it.
struct MadeLevel {
  double bytes, seconds;
};

/// Caches that replace at random, one outside the other, and memory of unlimited size at the end: a level
/// holds the share C/S of a set of S bytes.
double load_time(const std::vector<MadeLevel>& levels, double set) {
  double missed = 1, seconds = 0;
  for (const auto& level : levels) {
    const double misses = std::max(0., 1 - level.bytes / set);
    seconds += level.seconds * (missed - std::min(missed, misses));
    missed = std::min(missed, misses);
  }
  return seconds;
}

/// One that replaces the oldest has all of a set or, of a chain that goes round, nothing.
double load_time_lru(const std::vector<MadeLevel>& levels, double set) {
  return std::ranges::find_if(levels, [&](const MadeLevel& level) { return set <= level.bytes; })->seconds;
}

std::vector<LoadTime> curve_of(double from, double to, const std::vector<MadeLevel>& levels,
                               double (*time)(const std::vector<MadeLevel>&, double) = load_time) {
  std::vector<LoadTime> curve;
  for (double set = from; set <= to * 1.01; set *= std::sqrt(2.)) curve.push_back({set, time(levels, set)});
  return curve;
}

const std::vector<MadeLevel> two_caches{{1 * mega, 5 * ns}, {32 * mega, 20 * ns}, {HUGE_VAL, 100 * ns}};

/// Within a step of the ladder.
void expect_near(double capacity, double wanted) {
  EXPECT_GT(capacity, wanted / std::sqrt(2.));
  EXPECT_LT(capacity, wanted * std::sqrt(2.));
}

TEST(CacheSteps, AreTwoWhereTwoCachesEnd) {
  for (const auto& time : {load_time, load_time_lru}) {
    const auto steps = steps_of(curve_of(256 * kilo, 1024 * mega, two_caches, time));
    ASSERT_THAT(steps, SizeIs(2));
    expect_near(steps[0].capacity, 1 * mega);
    expect_near(steps[1].capacity, 32 * mega);
    EXPECT_NEAR(steps[0].before, 5 * ns, 1 * ns);
    EXPECT_NEAR(steps[1].before, 20 * ns, 4 * ns);
    EXPECT_NEAR(steps[1].after, 100 * ns, 15 * ns);
    EXPECT_EQ(last_capacity_beyond(steps, 1 * mega), steps[1].capacity);
  }
}

TEST(CacheSteps, AreOneWhereTheLastCacheGivesNothing) {
  const auto steps = steps_of(curve_of(256 * kilo, 512 * mega, {{2 * mega, 5 * ns}, {HUGE_VAL, 100 * ns}}));
  ASSERT_THAT(steps, SizeIs(1));
  expect_near(steps[0].capacity, 2 * mega);
  EXPECT_EQ(last_capacity_beyond(steps, 2 * mega), std::nullopt) << "it is the inner level's own";
  EXPECT_EQ(last_capacity_beyond(steps, 512 * kilo), steps[0].capacity);
}

TEST(CacheSteps, AreNoneOfAFlatOrCreepingCurve) {
  EXPECT_THAT(steps_of(curve_of(1 * mega, 512 * mega, {{HUGE_VAL, 100 * ns}})), IsEmpty());
  std::vector<LoadTime> creeping;  // a tenth more an octave, as translations of addresses cost
  for (int i = 0; i < 6; ++i) creeping.push_back({std::ldexp(1 * mega, i), 100 * ns * std::pow(1.05, i)});
  EXPECT_THAT(steps_of(creeping), IsEmpty());
  EXPECT_EQ(last_capacity_beyond({}, 1 * mega), std::nullopt);
}

TEST(CacheSteps, AreNoneWhereTheCurveStillRisesAtItsEnd) {
  // 64 MiB are not far enough beyond 48 MiB: what lies there was not seen.
  EXPECT_THAT(steps_of(curve_of(4 * mega, 64 * mega, {{48 * mega, 20 * ns}, {HUGE_VAL, 100 * ns}})),
              IsEmpty());
}

TEST(CacheSteps, OfTooFewOrUnsoundTimesAreNone) {
  EXPECT_THAT(steps_of({}), IsEmpty());
  EXPECT_THAT(steps_of({{1 * mega, 5 * ns}}), IsEmpty());
  EXPECT_THAT(steps_of({{1 * mega, 5 * ns}, {64 * mega, 100 * ns}}), IsEmpty());
  EXPECT_THAT(steps_of({{0, 5 * ns}, {1 * mega, 0}, {2 * mega, NAN}, {4 * mega, INFINITY}, {-1, 1}}),
              IsEmpty());
}

TEST(CacheSteps, NeedNoOrder) {
  auto curve = curve_of(256 * kilo, 512 * mega, two_caches);
  const auto ordered = steps_of(curve);
  std::ranges::shuffle(curve, std::mt19937(1));
  const auto steps = steps_of(curve);
  ASSERT_THAT(steps, SizeIs(2));
  EXPECT_EQ(steps[1].capacity, ordered[1].capacity);
}

/// Times vary by 5%, and a neighbour makes every tenth two to four times as long.
TEST(CacheSteps, StayWhereTheyAreWhenTheMachineIsBusy) {
  int found = 0;
  for (unsigned seed = 1; seed <= 1000; ++seed) {
    std::mt19937 random(seed);
    auto curve = curve_of(256 * kilo, 512 * mega, two_caches);
    for (std::size_t i = 0; i < curve.size(); ++i) {
      curve[i].seconds *= std::uniform_real_distribution(1., 1.05)(random);
      if (i + 1 < curve.size() && random() % 10 == 0)
        curve[i].seconds *= std::uniform_real_distribution(2., 4.)(random);
    }
    const auto capacity = last_capacity_beyond(steps_of(curve), 1 * mega);
    if (!capacity) continue;
    ++found;
    EXPECT_GT(*capacity, 32 * mega / 2) << seed;
    EXPECT_LT(*capacity, 32 * mega * 2) << seed;
  }
  EXPECT_GE(found, 980) << "rather nothing than something wrong, but seldom";
}

}  // namespace
}  // namespace uotbench
