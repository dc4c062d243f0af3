// The order of a session's processes must favour no arm, whatever drifts.
#include "harness/sweep/gate/ab_order.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace uotbench {
namespace {

TEST(AbOrder, HasEveryPairOnceInEachArm) {
  std::mt19937_64 random(1);
  const auto order = ab_order({{0, 24, false}, {1, 5, true}}, random);
  std::map<std::size_t, std::set<std::pair<int, std::size_t>>> seen;
  for (const auto& turn : order) EXPECT_TRUE(seen[turn.which].insert({turn.arm, turn.pair}).second);
  EXPECT_EQ(seen[0].size(), 48u);
  EXPECT_EQ(seen[1].size(), 15u);
}

// ABBA or BAAB: a linear drift adds the same to both arms.
TEST(AbOrder, BlocksReadTheSameBackwards) {
  std::mt19937_64 random(2);
  for (const bool control : {false, true}) {
    const std::size_t size = control ? 6 : 4;
    const auto order = ab_order({{0, 8, control}, {1, 8, control}}, random);
    for (std::size_t block = 0; block < order.size(); block += size)
      for (std::size_t i = 0; i < size; ++i) {
        EXPECT_EQ(order[block + i].arm, order[block + size - 1 - i].arm);
        EXPECT_EQ(order[block + i].which, order[block].which);
        EXPECT_EQ(order[block + i].pair / 2, order[block].pair / 2);
      }
  }
}

TEST(AbOrder, EachArmIsFirstAboutHalfOfTheTime) {
  std::mt19937_64 random(3);
  const auto order = ab_order({{0, 2000, false}}, random);
  int first = 0;
  for (std::size_t block = 0; block < order.size(); block += 4) first += order[block].arm == 0;
  EXPECT_GT(first, 430);
  EXPECT_LT(first, 570);
}

TEST(AbOrder, BlocksOfCasesAreMixed) {
  std::mt19937_64 random(4);
  const auto order = ab_order({{0, 24, false}, {1, 24, false}}, random);
  int changes = 0;
  for (std::size_t i = 1; i < order.size(); ++i) changes += order[i].which != order[i - 1].which;
  EXPECT_GT(changes, 4);
}

TEST(AbOrder, ComesAgainForTheSameSeed) {
  std::mt19937_64 one(5), same(5), other(6);
  const std::vector<AbRequest> wanted{{0, 24, false}, {1, 24, true}};
  const auto order = ab_order(wanted, one);
  EXPECT_EQ(order, ab_order(wanted, same));
  EXPECT_NE(order, ab_order(wanted, other));
}

}  // namespace
}  // namespace uotbench
