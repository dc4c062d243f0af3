// Every interval that is printed with a coverage has it: simulated processes of known medians, the same on
// every machine. What has no coverage is called a range, and the last tests show why.
#include <gmock/gmock.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "results/statistics/statistics.hpp"
#include "results/tests/gate_noise.hpp"

namespace uotbench {
namespace {

/// Times of as many processes of one run, `slowdown` times those of the noise.
std::vector<double> times_of(const Noise& noise, std::size_t processes, Dice& dice, double slowdown = 1) {
  std::vector<double> times(processes);
  std::ranges::generate(times, noise.begin(dice));
  for (auto& time : times) time *= slowdown;
  return times;
}

/// In which share of trials `holds` is true.
template <class Holds>
double share(std::size_t trials, Holds holds) {
  std::size_t held = 0;
  for (std::size_t i = 0; i < trials; ++i) held += holds();
  return static_cast<double>(held) / static_cast<double>(trials);
}

constexpr double one_point = 0.01, two_points = 0.02;
constexpr std::size_t trials = 20000;  // standard error of a share of 90%: 0.2 points

std::vector<Noise> independent() {
  return {noise::iid("iid 1%", 0.01), noise::iid("iid 10%", 0.1), noise::bimodal(), noise::spikes()};
}

template <class Optional>
bool holds(const Optional& interval, double value) {
  return interval && interval->low <= value && value <= interval->high;
}

TEST(Coverage, OfPairedRoundsIsWhatIsPrinted) {
  for (const auto& kind : independent())
    for (const std::size_t rounds : {2u, 3u, 4u, 5u, 6u, 9u, 12u}) {
      Dice dice(rounds);
      double printed = 0;
      const double held = share(trials, [&] {
        const auto interval =
            PairedSeries(times_of(kind, rounds, dice), times_of(kind, rounds, dice, 1.1)).interval();
        printed = interval.value().coverage;
        return holds(interval, 1.1);
      });
      EXPECT_NEAR(held, printed, one_point) << kind.name << ", " << rounds << " rounds";
      EXPECT_EQ(printed >= 0.95, rounds >= 6) << "95% takes 6 rounds";
    }
}

// A machine that gets slower from round to round, and one of slow waves: both cases of a round meet the same.
TEST(Coverage, OfPairedRoundsSurvivesWhatARoundShares) {
  const Noise own = noise::iid("iid 2%", 0.02);
  for (const auto& shared : {noise::drift(), noise::autoregressive()})
    for (const std::size_t rounds : {3u, 6u, 12u}) {
      Dice dice(rounds);
      double printed = 0;
      const double held = share(trials, [&] {
        const auto level = times_of(shared, rounds, dice);
        auto a = times_of(own, rounds, dice), b = times_of(own, rounds, dice, 1.1);
        for (std::size_t r = 0; r < rounds; ++r) a[r] *= level[r], b[r] *= level[r];
        const auto interval = PairedSeries(a, b).interval();
        printed = interval.value().coverage;
        return holds(interval, 1.1);
      });
      EXPECT_NEAR(held, printed, one_point) << shared.name << ", " << rounds << " rounds";
    }
}

// One of two cases is often disturbed, the other never: the ratio of their medians is no longer quite the
// median of the rounds' ratios.
TEST(Coverage, OfPairedRoundsHoldsForTheRatioOfUnlikeCases) {
  const Noise quiet = noise::iid("iid 2%", 0.02), disturbed = noise::spikes();
  Dice long_run(1);
  const double middle = median(times_of(disturbed, 200001, long_run));
  for (const std::size_t rounds : {3u, 6u, 12u}) {
    Dice dice(rounds);
    double printed = 0;
    const double held = share(trials, [&] {
      const auto interval =
          PairedSeries(times_of(quiet, rounds, dice), times_of(disturbed, rounds, dice)).interval();
      printed = interval.value().coverage;
      return holds(interval, middle);
    });
    EXPECT_NEAR(held, printed, two_points) << rounds << " rounds";
  }
}

TEST(Coverage, OfAShiftOfIndependentProcessesIsWhatItSays) {
  for (const auto& kind : independent())
    for (const auto& [m, n] :
         std::vector<std::pair<std::size_t, std::size_t>>{{3, 3}, {3, 6}, {5, 5}, {6, 8}}) {
      const auto rank = mann_whitney_rank(m, n);
      Dice dice(m);
      const double held = share(trials, [&] {
        return holds(hodges_lehmann_interval(times_of(kind, m, dice), times_of(kind, n, dice, 1.1), rank),
                     1.1);
      });
      EXPECT_NEAR(held, rank.coverage, one_point) << kind.name << ", " << m << " and " << n;
    }
}

// Of the samples of one process, where they are independent. The coverage is at least 95%: ranks are whole.
TEST(Coverage, OfAMedianIsAtLeast95Percent) {
  const Noise kind = noise::iid("iid 5%", 0.05);
  for (const std::size_t samples : {6u, 10u, 25u}) {
    Dice dice(samples);
    const double held =
        share(trials, [&] { return holds(median_interval(times_of(kind, samples, dice)), 1); });
    EXPECT_GE(held, 0.95 - one_point) << samples;
    EXPECT_LE(held, 0.99) << samples;
  }
}

// Half the range of three processes on either side of their median holds the true one in two thirds of runs,
// and in fewer where runs have a level of their own: a table must not print it as plus or minus.
TEST(Coverage, OfASpreadIsNone) {
  const auto held = [](const Noise& kind) {
    Dice dice(3);
    return share(trials, [&] {
      const auto times = times_of(kind, 3, dice);
      const std::vector<std::vector<double>> processes{{times[0]}, {times[1]}, {times[2]}};
      const auto summary = summarize(processes);
      const double spread = summary.noise.value() * summary.median;
      return holds(std::optional(Interval{summary.median - spread, summary.median + spread}), 1);
    });
  };
  EXPECT_LT(held(noise::iid("iid 2%", 0.02)), 0.75);
  EXPECT_LT(held(noise::rented("rented 2%", 0.02)), 0.5);
}

// Each of two runs of one build has a level: their processes agree with each other, not with the other run's.
TEST(Coverage, OfARangeBetweenRunsIsNone) {
  const Noise rented = noise::rented("rented 2%", 0.02);
  Dice dice(5);
  const double held = share(
      trials, [&] { return holds(ratio_range(times_of(rented, 3, dice), times_of(rented, 3, dice)), 1); });
  EXPECT_LT(held, 0.8);
  const std::vector<double> a{1, 2, 4}, b{1.5, 3, 6}, one{1}, zero{0, 1};
  EXPECT_EQ(ratio_range(a, b)->low, 1.5 / 4);
  EXPECT_EQ(ratio_range(a, b)->high, 6);
  EXPECT_FALSE(ratio_range(one, one)) << "two times have no range";
  EXPECT_FALSE(ratio_range(one, {}));
  EXPECT_FALSE(ratio_range(a, zero));
}

}  // namespace
}  // namespace uotbench
