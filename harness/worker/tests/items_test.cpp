// A batch is right where every item is.
#include "harness/worker/oracle/items.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "results/base/error.hpp"

namespace uotbench {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

TEST(Items, AreAllRight) {
  const Judgement judgement = judge_items(
      1000, 1e-3, "f64", [](std::int64_t i) { return ItemJudged{.error = 1e-7 * static_cast<double>(i)}; });
  EXPECT_EQ(judgement.reason, "");
  EXPECT_EQ(judgement.check.items->count, 1000);
  EXPECT_EQ(judgement.check.items->wrong, 0);
  EXPECT_EQ(judgement.check.items->worst->index, 999);
  EXPECT_DOUBLE_EQ(judgement.check.error, 999e-7);
  EXPECT_EQ(judgement.check.worst, "item 999");
}

TEST(Items, OfWhichOneIsWrongAreAWrongResult) {
  const Judgement judgement = judge_items(4096, 1e-3, "f64", [](std::int64_t i) -> ItemJudged {
    if (i == 12) return {.error = 0.5};
    if (i == 7) return {.error = 0, .fault = "its mass is 2, want 1"};
    return {.error = 1e-6};
  });
  EXPECT_EQ(judgement.reason, "wrong: 2 of 4096 items are wrong: 7, 12; item 7: its mass is 2, want 1");
  EXPECT_THAT(judgement.check.items->first, ElementsAre(7, 12));
  EXPECT_EQ(judgement.check.items->worst->index, 12);
}

TEST(Items, NameTwentyAtMostAndTakeNoNumberForWrong) {
  const Judgement judgement = judge_items(100, 1e-3, "f64", [](std::int64_t) {
    return ItemJudged{.error = std::numeric_limits<double>::quiet_NaN()};
  });
  EXPECT_EQ(judgement.check.items->wrong, 100);
  EXPECT_THAT(judgement.check.items->first, SizeIs(20));
  EXPECT_EQ(judgement.check.items->worst->index, 0) << "of equal ones the first, whatever thread saw it";
  EXPECT_EQ(judgement.reason,
            "wrong: 100 of 100 items are wrong: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, "
            "17, 18, 19, ...; "
            "item 0: error nan, at most 0.001 is right");
}

TEST(Items, ThatCannotBeJudgedSayWhy) {
  EXPECT_THROW(judge_items(10, 0, "f64",
                           [](std::int64_t i) -> ItemJudged {
                             if (i == 3) throw Error("no such item");
                             return {};
                           }),
               Error);
}

}  // namespace
}  // namespace uotbench
