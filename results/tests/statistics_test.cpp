#include "results/statistics/statistics.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>
#include <random>

#include "results/base/error.hpp"
#include "results/tests/gate_noise.hpp"

namespace uotbench {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// 1, 2, …, n, shuffled: the interval's ends are its ranks.
std::vector<double> ranks(std::size_t n) {
  std::vector<double> samples(n);
  std::iota(samples.begin(), samples.end(), 1.);
  std::shuffle(samples.begin(), samples.end(), std::mt19937(7));
  return samples;
}

/// P(k <= Binomial(n, 1/2) < n + 1 - k): how often the interval between ranks k and n+1-k holds the median.
/// Summed from the smallest term, in long double logarithms of factorials: another way than the code's.
long double coverage(std::size_t n, std::size_t k) {
  long double outside = 0;
  for (std::size_t i = 0; i < k; ++i)
    outside +=
        std::exp(std::lgamma(n + 1.L) - std::lgamma(i + 1.L) - std::lgamma(n - i + 1.L) - n * std::log(2.L));
  return 1 - 2 * outside;
}

void expect_ranks(std::size_t n, double low, double high) {
  const auto interval = median_interval(ranks(n));
  ASSERT_TRUE(interval) << n;
  EXPECT_EQ(interval->low, low) << n;
  EXPECT_EQ(interval->high, high) << n;
}

TEST(Median, IsTheMiddleWhateverTheOrder) {
  EXPECT_EQ(median(std::vector{3., 1., 2.}), 2);
  EXPECT_EQ(median(std::vector{4., 1., 3., 2.}), 2.5);
  EXPECT_EQ(median(std::vector{5.}), 5);
  EXPECT_EQ(median(std::vector{1., 1., 1e9}), 1) << "one outlier moves nothing";
}

TEST(Median, OfNothingIsAnError) { EXPECT_THROW(median({}), Error); }

// The ranks that the tables of the sign test give for 95% (Dixon and Mood 1946; Hollander, Wolfe, Chicken,
// table A.2).
TEST(MedianInterval, HasThePublishedRanks) {
  expect_ranks(6, 1, 6);
  expect_ranks(8, 1, 8);
  expect_ranks(9, 2, 8);
  expect_ranks(10, 2, 9);
  expect_ranks(15, 4, 12);
  expect_ranks(20, 6, 15);
  expect_ranks(50, 18, 33);
  expect_ranks(100, 40, 61);
}

// Even the two extremes of five samples hold the median only in 94% of all cases.
TEST(MedianInterval, IsNotMadeUpBelowSixSamples) {
  for (std::size_t n = 0; n < 6; ++n) EXPECT_FALSE(median_interval(ranks(n))) << n;
}

// Neither too narrow (a false certainty) nor wider than need be (time wasted sampling).
TEST(MedianInterval, IsTheNarrowestOf95PercentUpTo2000Samples) {
  for (std::size_t n = 6; n <= 2000; ++n) {
    const auto interval = median_interval(ranks(n));
    ASSERT_TRUE(interval) << n;
    const auto k = static_cast<std::size_t>(interval->low);
    ASSERT_EQ(interval->high, static_cast<double>(n + 1 - k)) << n;
    ASSERT_GE(coverage(n, k), 0.95L) << n;
    ASSERT_LT(coverage(n, k + 1), 0.95L) << n;
  }
}

// 2^-n is no number from n = 1075 on: a naive sum would say that nothing is known.
TEST(MedianInterval, SurvivesManySamples) {
  const auto interval = median_interval(ranks(100000));
  ASSERT_TRUE(interval);
  // The normal approximation: n/2 ± 0.98 sqrt(n).
  EXPECT_NEAR(interval->low, 50000 - 0.98 * std::sqrt(100000.), 2);
}

TEST(RelativeNoise, IsHalfTheIntervalOverTheMedian) {
  EXPECT_DOUBLE_EQ(relative_noise(ranks(10)).value(), (9 - 2) / 2. / 5.5);
  EXPECT_FALSE(relative_noise(ranks(5)));
  EXPECT_FALSE(relative_noise(std::vector<double>(10, 0.))) << "a share of nothing";
}

/// How often U = number of pairs (i, j) with b[j] < a[i] takes each value, over all ways to deal m + n ranks.
std::map<std::size_t, double> enumerated(std::size_t m, std::size_t n) {
  std::map<std::size_t, double> share;
  double all = 0;
  for (std::uint32_t set = 0; set < 1u << (m + n); ++set) {
    if (static_cast<std::size_t>(std::popcount(set)) != m) continue;
    std::size_t u = 0, others = 0;
    for (std::size_t rank = 0; rank < m + n; ++rank) set >> rank& 1 ? u += others : ++others;
    ++share[u], ++all;
  }
  for (auto& [u, count] : share) count /= all;
  return share;
}

// Every deal of ranks is equally likely where two sets are alike: coverage is counted, not trusted.
TEST(MannWhitneyRank, IsTheNarrowestOf95PercentByEnumeration) {
  for (std::size_t m = 1; m <= 8; ++m)
    for (std::size_t n = 1; n <= 8; ++n) {
      SCOPED_TRACE(std::to_string(m) + " and " + std::to_string(n));
      const auto share = enumerated(m, n);
      const auto [rank, coverage] = mann_whitney_rank(m, n);
      double below = 0, next = 0;  // P(U < rank), P(U < rank + 1)
      for (const auto& [u, p] : share) below += u < rank ? p : 0, next += u <= rank ? p : 0;
      EXPECT_NEAR(coverage, 1 - 2 * below, 1e-12);
      EXPECT_GT(next, 0.025) << "wider than need be";
      EXPECT_TRUE(rank == 1 || below <= 0.025) << "too sure";
    }
  EXPECT_EQ(mann_whitney_rank(3, 3).rank, 1u);
  EXPECT_NEAR(mann_whitney_rank(3, 3).coverage, 0.9, 1e-12);
}

// Critical values for 95% as tables of the Mann-Whitney test have them (rank = critical value + 1).
TEST(MannWhitneyRank, HasThePublishedValues) {
  EXPECT_EQ(mann_whitney_rank(5, 5).rank, 3u);
  EXPECT_EQ(mann_whitney_rank(10, 10).rank, 24u);
  EXPECT_EQ(mann_whitney_rank(20, 20).rank, 128u);
  EXPECT_EQ(mann_whitney_rank(8, 15).rank, 30u);
}

// The approximation for large sets goes on where the exact distribution stops.
TEST(MannWhitneyRank, GoesOnSmoothly) {
  const auto exact = mann_whitney_rank(50, 50), approximate = mann_whitney_rank(50, 51);
  EXPECT_NEAR(static_cast<double>(approximate.rank), static_cast<double>(exact.rank) * 51 / 50, 10);
}

// What the coverage promises, counted over all 20 orders of 3 and 3 different times, and all 8 of 3 signs.
TEST(RatioInterval, CoversAsOftenAsItSays) {
  int held = 0, all = 0;
  for (std::uint32_t set = 0; set < 64; ++set) {
    if (std::popcount(set) != 3) continue;
    std::vector<double> a, b;
    for (int rank = 0; rank < 6; ++rank) (set >> rank & 1 ? a : b).push_back(std::exp2(rank));
    const auto interval = hodges_lehmann_interval(a, b, mann_whitney_rank(3, 3)).value();
    held += interval.low < 1 && 1 < interval.high, ++all;
  }
  EXPECT_EQ(held, 18);
  EXPECT_EQ(all, 20);
  for (std::uint32_t signs = held = 0; signs < 8; ++signs) {
    const std::vector<double> a{1, 1, 1}, b{signs & 1 ? 2 : .5, signs & 2 ? 3 : .4, signs & 4 ? 4 : .3};
    const auto interval = PairedSeries(a, b).interval().value();
    EXPECT_EQ(interval.coverage, 0.75);
    held += interval.low < 1 && 1 < interval.high;
  }
  EXPECT_EQ(held, 6);
}

TEST(PairedSeries, GoesOnWithThePairsOfAnother) {
  PairedSeries series(std::vector<double>{2, 4}, std::vector<double>{3, 4, 9});
  PairedSeries more;
  more.add(1, 2);
  series.append(more);
  EXPECT_EQ(series.size(), 3u) << "the longer arm's third has no partner";
  EXPECT_EQ(series.ratios(), (std::vector<double>{1.5, 1, 2}));
  EXPECT_EQ(series.ratio(), 1.5);
  EXPECT_EQ(series.changes().back(), std::log(2.));
  EXPECT_THROW(PairedSeries().ratio(), Error) << "no pair has no ratio";
}

// A machine that slows down from round to round slows both: pairs see the ratio through it.
TEST(RatioInterval, OfPairsSeesThroughDrift) {
  const std::vector<double> a{1, 2, 4, 8, 16, 32, 64}, b{1.1, 2.2, 4.4, 8.8, 17.6, 35.2, 140.8};
  const auto interval = PairedSeries(a, b).interval().value();
  EXPECT_NEAR(interval.low, 1.1, 1e-12);
  EXPECT_NEAR(interval.high, 2.2, 1e-12);
  EXPECT_NEAR(interval.coverage, 1 - 2. / 128, 1e-12) << "7 rounds: the range";
  EXPECT_NEAR(ratios_interval(ranks(9))->low, 2, 1e-12);
  EXPECT_NEAR(ratios_interval(ranks(9))->coverage, 1 - 2 * 10. / 512, 1e-12);
}

TEST(RatioInterval, IsNotMadeUp) {
  const std::vector<double> one{1}, two{1, 2}, zero{0, 1};
  EXPECT_FALSE(PairedSeries(one, two).interval()) << "one round says nothing of rounds";
  EXPECT_FALSE(PairedSeries(zero, two).interval());
  EXPECT_FALSE(PairedSeries(two, zero).interval());
  EXPECT_FALSE(hodges_lehmann_interval(one, one, mann_whitney_rank(1, 1)));
  EXPECT_FALSE(hodges_lehmann_interval(one, {}, {}));
  EXPECT_FALSE(hodges_lehmann_interval(two, zero, mann_whitney_rank(2, 2)));
  EXPECT_NEAR(hodges_lehmann_interval(one, two, mann_whitney_rank(1, 2))->coverage, 1 / 3., 1e-12);
}

// Two samples of one process share its page layout: processes count, however many samples each gave.
TEST(Summary, WeighsProcessesNotSamples) {
  const std::vector<std::vector<double>> processes{{1, 1, 1, 1, 1, 1, 1, 1, 1}, {1.1}, {1.2}};
  const auto summary = summarize(processes);
  EXPECT_EQ(summary.median, 1.1);
  EXPECT_EQ(summary.samples, 11u);
  EXPECT_NEAR(summary.noise.value(), 0.1 / 1.1, 1e-12);
  EXPECT_THAT(summary.warnings, IsEmpty());
}

TEST(Summary, OfOneProcessTakesItsOwnNoise) {
  const std::vector<std::vector<double>> one{ranks(10)}, few{ranks(5)};
  EXPECT_EQ(summarize(one).noise, relative_noise(one[0]));
  EXPECT_FALSE(summarize(few).noise);
}

// A process that was stopped before its first sample says nothing, and is not taken for the one that did.
TEST(Summary, LeavesOutProcessesWithoutSamples) {
  const std::vector<std::vector<double>> processes{{}, ranks(10), {}};
  const auto summary = summarize(processes);
  EXPECT_EQ(summary.median, 5.5);
  EXPECT_EQ(summary.samples, 10u);
  EXPECT_EQ(summary.noise, relative_noise(ranks(10)));
}

TEST(Summary, WithoutSamplesIsAnError) {
  EXPECT_THROW(summarize({}), Error);
  EXPECT_THROW(summarize(std::vector<std::vector<double>>(3)), Error);
}

TEST(Summary, WarnsWithTheRatioWhereProcessesDisagree) {
  const std::vector<std::vector<double>> apart{{1.}, {1.4}, {1.1}}, alike{{1.}, {1.25}};
  EXPECT_THAT(summarize(apart).warnings, ElementsAre("processes disagree: slowest 1.40x the fastest"));
  EXPECT_THAT(summarize(alike).warnings, IsEmpty());
}

// A clock too coarse for the kernel: no NaN and no infinity reaches a table.
TEST(Summary, OfZerosHasNoNoise) {
  const std::vector<std::vector<double>> zeros{{0., 0.}, {0., 0.}};
  const auto summary = summarize(zeros);
  EXPECT_EQ(summary.median, 0);
  EXPECT_FALSE(summary.noise);
  EXPECT_THAT(summary.warnings, IsEmpty());
}

// Steps are found where they are, and nowhere else: on made series, small enough for every build.

using testing::SizeIs;

/// Times around 1 ms with a noise of so much, slower by `ratio` from `at` on.
std::vector<double> made_series(Dice& dice, std::size_t count, double noise, double ratio = 1,
                                std::size_t at = 0) {
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i)
    values.push_back(1e-3 * std::exp(noise * dice.normal()) * (i >= at ? ratio : 1));
  return values;
}

TEST(EDivisive, AreWhereTheEnergyDistanceIsLargest) {
  // By hand, of 0 0 0 0 0 0 0 1 1 1 1 1 1 1: m = n = 7, E = 2, Q = 49 / 14 * 2 = 7 at the middle; one of
  // C(14, 7) / 2 orders is as good.
  const std::vector<double> values{0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1};
  const auto found = e_divisive(values, {});
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].at, 7u);
  EXPECT_LE(found[0].p, 0.001);
}

TEST(EDivisive, OfFewValuesAreNone) {
  // Ten values in two halves: 2 of 252 orders are as good, more than one of 1,000.
  EXPECT_THAT(e_divisive(std::vector<double>{0, 0, 0, 0, 0, 1, 1, 1, 1, 1}, {}), IsEmpty());
  EXPECT_THAT(e_divisive({}, {}), IsEmpty());
  EXPECT_THAT(e_divisive(std::vector<double>(100, 1.), {}), IsEmpty()) << "all equal";
}

TEST(ChangePoints, AreNoneInUnchangedSeries) {
  Dice dice(1);
  std::size_t alarms = 0;
  for (int series = 0; series < 100; ++series)
    alarms += change_points(made_series(dice, 60, 0.02), {}).size();
  EXPECT_EQ(alarms, 0u);
}

TEST(ChangePoints, AreFoundInNineOfTen) {
  Dice dice(2);
  int found = 0;
  for (int series = 0; series < 20; ++series) {
    const auto steps = change_points(made_series(dice, 60, 0.01, 1.03, 50), {});
    if (steps.size() != 1) continue;
    EXPECT_NEAR(static_cast<double>(steps[0].at), 50, 3);
    EXPECT_NEAR(steps[0].ratio, 1.03, 0.02);
    EXPECT_LT(steps[0].interval.low, steps[0].ratio);
    EXPECT_GT(steps[0].interval.high, steps[0].ratio);
    EXPECT_GT(steps[0].interval.low, 1);
    ++found;
  }
  EXPECT_GE(found, 18);
}

TEST(ChangePoints, UpAndDownAgainAreTwo) {
  Dice dice(3);
  std::vector<double> values = made_series(dice, 90, 0.01);
  for (std::size_t i = 30; i < 60; ++i) values[i] *= 1.2;
  const auto steps = change_points(values, {});
  ASSERT_THAT(steps, SizeIs(2));
  EXPECT_EQ(steps[0].at, 30u);
  EXPECT_NEAR(steps[0].ratio, 1.2, 0.02);
  EXPECT_EQ(steps[1].at, 60u);
  EXPECT_NEAR(steps[1].ratio, 1 / 1.2, 0.02);
}

TEST(ChangePoints, ThatAreSmallerThanDeltaAreNone) {
  Dice dice(4);
  const auto values = made_series(dice, 200, 0.002, 1.03, 100);
  EXPECT_THAT(change_points(values, {.delta = 0.02}), SizeIs(1));
  EXPECT_THAT(change_points(values, {.delta = 0.05}), IsEmpty());
}

TEST(ChangePoints, OneOrTwoSlowCommitsAreNoStep) {
  Dice dice(5);
  std::vector<double> values = made_series(dice, 60, 0.01);
  values[20] *= 2;
  values[40] *= 1.5;
  values[41] *= 1.5;
  EXPECT_THAT(change_points(values, {}), IsEmpty());
}

TEST(ChangePoints, AreTheSameEachTime) {
  Dice dice(6);
  const auto values = made_series(dice, 60, 0.02, 1.04, 40);
  const auto once = change_points(values, {}), again = change_points(values, {});
  ASSERT_EQ(once.size(), again.size());
  for (std::size_t i = 0; i < once.size(); ++i) EXPECT_EQ(once[i].p, again[i].p);
}

}  // namespace
}  // namespace uotbench
