// Steps of made curves: where they were put, whatever noise does, and none where there are none.
#include "roofline/model/cache_steps.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace uotbench {
namespace {

using testing::IsEmpty;
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
