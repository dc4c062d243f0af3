// A p-value that is too small accuses people: every function against scipy's values (data/scipy_paired.json),
// published tables, and enumeration.
#include <gmock/gmock.h>

#include <cmath>
#include <cstdint>
#include <fstream>
#include <limits>
#include <random>

#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/statistics/statistics.hpp"

namespace uotbench {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Json scipy(const char* what) {
  std::ifstream file(std::string(UOTBENCH_SOURCE_DIR) + "/results/tests/data/scipy_paired.json");
  return Json::parse(file).at(what);
}

/// P(T+ >= observed) by all 2^n ways to sign the distances; mid-ranks by counting, in halves.
double enumerated_above(const std::vector<double>& values) {
  std::vector<double> ranks, kept;
  for (const double value : values)
    if (value != 0) kept.push_back(value);
  for (const double value : kept) {
    double smaller = 0, equal = 0;
    for (const double other : kept) {
      smaller += std::abs(other) < std::abs(value);
      equal += std::abs(other) == std::abs(value);
    }
    ranks.push_back(smaller + (equal + 1) / 2);
  }
  double observed = 0;
  for (std::size_t i = 0; i < kept.size(); ++i) observed += kept[i] > 0 ? ranks[i] : 0;
  double as_large = 0;
  for (std::uint32_t signs = 0; signs < 1u << kept.size(); ++signs) {
    double sum = 0;
    for (std::size_t i = 0; i < kept.size(); ++i) sum += signs >> i & 1 ? ranks[i] : 0;
    as_large += sum >= observed;
  }
  return as_large / std::exp2(static_cast<double>(kept.size()));
}

std::vector<double> negated(std::vector<double> values) {
  for (auto& value : values) value = -value;
  return values;
}

TEST(SignedRank, IsScipys) {
  for (const auto& one : scipy("signed_rank")) {
    const auto values = one.at("values").get<std::vector<double>>();
    SCOPED_TRACE(values.size());
    EXPECT_NEAR(signed_rank_above(values, 0), one.at("above").get<double>(), 1e-12);
    EXPECT_NEAR(signed_rank_below(values, 0), one.at("below").get<double>(), 1e-12);
  }
}

TEST(SignedRank, IsTheShareOfAllSignsUpTo12Values) {
  std::mt19937 random(5);
  for (std::size_t n = 1; n <= 12; ++n)
    for (int trial = 0; trial < 12; ++trial) {
      std::vector<double> values(n);
      // A few whole numbers: ties and zeros; or, every third time, none.
      for (auto& value : values)
        value = trial % 3 ? static_cast<double>(random() % 7) - 2 : static_cast<double>(random()) / 2e9 - 0.8;
      SCOPED_TRACE(testing::PrintToString(values));
      EXPECT_NEAR(signed_rank_above(values, 0), enumerated_above(values), 1e-14);
      EXPECT_NEAR(signed_rank_below(values, 0), enumerated_above(negated(values)), 1e-14);
    }
}

/// 1, 2, …, n of which exactly those of `negative` are negative: T+ is the sum of the others.
double p_of(int n, const std::vector<int>& negative) {
  std::vector<double> values;
  for (int rank = 1; rank <= n; ++rank) values.push_back(rank);
  for (const int rank : negative) values[static_cast<std::size_t>(rank - 1)] *= -1;
  return signed_rank_above(values, 0);
}

// One-sided critical values as tables have them (Wilcoxon and Wilcox 1964; Hollander, Wolfe, Chicken, table
// A.4): the largest T- whose p is at most 5%, 1%.
TEST(SignedRank, HasThePublishedCriticalValues) {
  // n = 10: T- = 10 is 5% (0.042), 11 is not (0.053); 5 is 1% (0.0098), 6 is not (0.014).
  EXPECT_NEAR(p_of(10, {10}), 0.042, 0.0005);
  EXPECT_NEAR(p_of(10, {10, 1}), 0.053, 0.0005);
  EXPECT_NEAR(p_of(10, {5}), 0.0098, 0.00005);
  EXPECT_NEAR(p_of(10, {6}), 0.014, 0.0005);
  // n = 24: 91 and 69.
  EXPECT_LE(p_of(24, {24, 23, 22, 21, 1}), 0.05);  // 91
  EXPECT_GT(p_of(24, {24, 23, 22, 21, 2}), 0.05);  // 92
  EXPECT_LE(p_of(24, {24, 23, 22}), 0.01);         // 69
  EXPECT_GT(p_of(24, {24, 23, 22, 1}), 0.01);      // 70
  // n = 50: 466 and 397.
  std::vector<int> top = {50, 49, 48, 47, 46, 45, 44, 43, 42, 41};  // 455
  top.push_back(11);
  EXPECT_LE(p_of(50, top), 0.05);
  top.back() = 12;
  EXPECT_GT(p_of(50, top), 0.05);
}

TEST(SignedRank, KeepsTheDigitsOfASmallP) {
  EXPECT_DOUBLE_EQ(signed_rank_above(std::vector<double>(24, 0.1), 0), std::exp2(-24.));
  std::vector<double> many;
  for (int i = 1; i <= 96; ++i) many.push_back(i);
  EXPECT_DOUBLE_EQ(signed_rank_above(many, 0), std::exp2(-96.));
  EXPECT_DOUBLE_EQ(signed_rank_below(many, 0), 1);
}

TEST(SignedRank, IsAboutTheBound) {
  const std::vector<double> values = {0.05, 0.07, 0.04, 0.06, 0.02};
  EXPECT_DOUBLE_EQ(signed_rank_above(values, 0.01), 1. / 32);
  EXPECT_DOUBLE_EQ(signed_rank_below(values, 0.08), 1. / 32);
  EXPECT_DOUBLE_EQ(signed_rank_above(values, 0.08), 1);
}

TEST(SignedRank, OfNothingLeftIsCertain) {
  EXPECT_EQ(signed_rank_above({}, 0), 1);
  EXPECT_EQ(signed_rank_above(std::vector{3., 3.}, 3), 1);
  EXPECT_EQ(signed_rank_below(std::vector{3., 3.}, 3), 1);
}

TEST(SignedRank, RefusesWhatIsNoNumber) {
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_THROW(signed_rank_above(std::vector{1., inf}, 0), Error);
  EXPECT_THROW(signed_rank_below(std::vector{1., std::nan("")}, 0), Error);
  EXPECT_THROW(signed_rank_above(std::vector{1.}, inf), Error);
}

// What p.adjust(c(0.01, 0.02, 0.03, 0.04, 0.05), "holm") of R gives, and Holm's own steps by hand.
TEST(Holm, AdjustsAsRDoes) {
  EXPECT_THAT(holm(std::vector{0.01, 0.02, 0.03, 0.04, 0.05}),
              ElementsAre(testing::DoubleEq(0.05), testing::DoubleEq(0.08), testing::DoubleEq(0.09),
                          testing::DoubleEq(0.09), testing::DoubleEq(0.09)));
  EXPECT_THAT(holm(std::vector{0.04, 0.001, 0.6, 0.02}),
              ElementsAre(testing::DoubleEq(0.08), testing::DoubleEq(0.004), testing::DoubleEq(0.6),
                          testing::DoubleEq(0.06)));
  EXPECT_THAT(holm(std::vector{0.5, 0.7, 0.4}), ElementsAre(1, 1, 1)) << "no p above 1";
  EXPECT_THAT(holm(std::vector{0.03}), ElementsAre(0.03));
  EXPECT_THAT(holm({}), IsEmpty());
}

// The sequential gate relies on it: a p that falls takes back no other's rejection.
TEST(Holm, NeverGrowsWhereAPFalls) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(0, 0.2);
  for (int trial = 0; trial < 2000; ++trial) {
    std::vector<double> p(1 + random() % 6);
    for (auto& one : p) one = uniform(random);
    auto less = p;
    for (auto& one : less) one *= random() % 2 ? 1 : uniform(random);
    const auto before = holm(p), after = holm(less);
    for (std::size_t i = 0; i < p.size(); ++i) ASSERT_LE(after[i], before[i]);
  }
}

TEST(Holm, RefusesWhatIsNoProbability) {
  EXPECT_THROW(holm(std::vector{0.1, 1.1}), Error);
  EXPECT_THROW(holm(std::vector{-0.1}), Error);
  EXPECT_THROW(holm(std::vector{std::nan("")}), Error);
}

TEST(RobustDeviation, IsScipys) {
  for (const auto& one : scipy("deviation"))
    EXPECT_NEAR(scaled_mad(one.at("values").get<std::vector<double>>()), one.at("deviation").get<double>(),
                1e-12);
}

TEST(RobustDeviation, IsNotMovedByAFewWildValues) {
  EXPECT_DOUBLE_EQ(scaled_mad(std::vector{1., 2., 3., 4., 1e9}), 1.4826);
  EXPECT_EQ(scaled_mad(std::vector{2., 2., 2.}), 0);
  EXPECT_THROW(scaled_mad({}), Error);
}

// What the gate calls ok rests on this interval: by all ways that n pairs can lie about the median.
TEST(PairedInterval, HoldsTheMedianInAsManyOfAllSignsAsItSays) {
  for (std::uint32_t n = 6; n <= 12; ++n) {
    double held = 0, said = 0;
    for (std::uint32_t signs = 0; signs < 1u << n; ++signs) {
      std::vector<double> ratios;
      for (std::uint32_t i = 0; i < n; ++i)
        ratios.push_back(std::exp2((signs >> i & 1 ? 1. : -1.) * (i + 1)));
      const auto interval = ratios_interval(ratios).value();
      held += interval.low < 1 && 1 < interval.high;
      said = interval.coverage;
    }
    EXPECT_GE(said, 0.95);
    EXPECT_NEAR(held / std::exp2(n), said, 1e-12) << n;
  }
}

}  // namespace
}  // namespace uotbench
