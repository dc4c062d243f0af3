// Wrong cells that lie as a known slip leaves them are told by it; cells in random places are told by
// nothing.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <random>

#include "harness/worker/oracle/difference.hpp"
#include "harness/worker/oracle/family.hpp"
#include "harness/worker/parallel.hpp"
#include "results/base/error.hpp"

namespace uotbench {
namespace {

using Is = std::function<bool(std::size_t row, std::size_t column)>;

std::string pattern(std::size_t rows, std::size_t columns, const Is& is_wrong, int threads = 1) {
  WrongPlaces wrong(rows, columns);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j)
      if (is_wrong(i, j)) wrong.add(i, j);
  return pattern_of(wrong, threads);
}

std::string pattern_of_elements(std::size_t size, const std::function<bool(std::size_t)>& is_wrong,
                                int threads = 1) {
  return pattern(
      1, size, [&](std::size_t, std::size_t j) { return is_wrong(j); }, threads);
}

TEST(Pattern, OfRowsAndColumns) {
  EXPECT_EQ(pattern(100, 60, [](auto i, auto) { return i == 5; }), "exactly row 5");
  EXPECT_EQ(pattern(100, 60, [](auto i, auto) { return i >= 20 && i < 24; }), "exactly rows 20-23");
  EXPECT_EQ(pattern(100, 60, [](auto, auto j) { return j == 0; }), "exactly column 0");
  EXPECT_EQ(pattern(100, 60, [](auto i, auto) { return i % 4 == 3; }), "exactly every 4th row, from row 3");
  EXPECT_EQ(pattern(100, 90, [](auto, auto j) { return j % 32 == 2; }),
            "exactly every 32nd column, from column 2");
  EXPECT_EQ(pattern(100, 60, [](auto, auto j) { return j % 32 == 2; }), "exactly columns 2 and 34");
  EXPECT_EQ(pattern(100, 60, [](auto, auto j) { return j >= 10 && j < 40 && j % 3 == 1; }),
            "exactly every 3rd column of columns 10-37");
}

TEST(Pattern, OfABlock) {
  EXPECT_EQ(pattern(100, 60, [](auto i, auto j) { return i >= 16 && i < 32 && j >= 8 && j < 16; }),
            "exactly rows 16-31 in columns 8-15");
  EXPECT_EQ(pattern(64, 64, [](auto i, auto j) { return i >= 60 && j % 8 == 0; }),
            "exactly rows 60-63 in every 8th column, from column 0");
}

TEST(Pattern, OfATail) {
  EXPECT_EQ(pattern(50, 53, [](auto, auto j) { return j >= 48; }),
            "exactly columns 48-52 (the tail past the last multiple of 8)");
  EXPECT_EQ(pattern(50, 53, [](auto, auto j) { return j >= 52; }),
            "exactly column 52 (the tail past the last multiple of 4)");
  EXPECT_EQ(pattern(50, 53, [](auto i, auto j) { return i == 49 && j >= 48; }),
            "exactly row 49 in columns 48-52 (the tail past the last multiple of 8)");
  EXPECT_EQ(pattern_of_elements(1031, [](auto j) { return j >= 1024; }),
            "exactly elements 1024-1030 (the tail past the last multiple of 8)");
}

TEST(Pattern, OfAThreadsShare) {
  EXPECT_EQ(pattern(
                100, 60, [](auto i, auto) { return i >= 50 && i < 75; }, 4),
            "exactly rows 50-74 (the share of thread 2 of 4)");
  EXPECT_EQ(pattern(
                100, 60, [](auto i, auto) { return i >= 50 && i < 75; }, 8),
            "exactly rows 50-74");
  EXPECT_EQ(pattern_of_elements(
                97, [](auto j) { return share(97, 1, 3).first <= j && j < share(97, 1, 3).second; }, 3),
            "exactly elements 32-63 (the share of thread 1 of 3)");
  // Columns are no thread's.
  EXPECT_EQ(pattern(
                60, 100, [](auto, auto j) { return j >= 50 && j < 75; }, 4),
            "exactly columns 50-74");
  EXPECT_EQ(pattern(
                97, 60, [](auto i, auto) { return i == 0 || i == 32 || i == 64; }, 3),
            "exactly the first row of the threads' shares");
  EXPECT_EQ(pattern(
                97, 60, [](auto i, auto) { return i == 31 || i == 63 || i == 96; }, 3),
            "exactly the last row of the threads' shares");
}

TEST(Pattern, NeedNotBeWrongEverywhere) {
  // What a wrong value hits by chance is right: nine of ten cells of two rows.
  EXPECT_EQ(pattern(100, 60, [](auto i, auto j) { return (i == 7 || i == 8) && (i + j) % 10 != 0; }),
            "all in rows 7-8");
  EXPECT_EQ(pattern(
                100, 60, [](auto i, auto j) { return i >= 25 && i < 50 && (i * 60 + j) % 7 == 0; }, 4),
            "all in rows 25-49 (the share of thread 1 of 4)");
}

TEST(Pattern, IsNoneOfFewCellsNorOfAll) {
  EXPECT_EQ(pattern(100, 60, [](auto, auto) { return false; }), "");
  EXPECT_EQ(pattern(100, 60, [](auto, auto) { return true; }), "");
  EXPECT_EQ(pattern(100, 60, [](auto i, auto j) { return i == 5 && j == 9; }), "");
  EXPECT_EQ(pattern(100, 60, [](auto i, auto j) { return i == 5 && j < 2; }), "");
  EXPECT_EQ(pattern(3, 3, [](auto i, auto) { return i == 1; }), "");
  EXPECT_EQ(pattern_of_elements(
                8, [](auto j) { return j < 2; }, 4),
            "");
  EXPECT_EQ(pattern(
                1, 1, [](auto, auto) { return true; }, 2),
            "");
}

// The bound is of one in a million; 20,000 draws of every kind show none.
TEST(Pattern, IsNoneOfRandomPlaces) {
  std::mt19937_64 random(20260611);
  const std::pair<std::size_t, std::size_t> shapes[]{{1, 97},  {1, 1031}, {53, 1},
                                                     {37, 53}, {64, 64},  {8, 200}};
  for (int draw = 0; draw < 20000; ++draw) {
    const auto [rows, columns] = shapes[random() % std::size(shapes)];
    const std::size_t cells = rows * columns;
    // Few as often as many.
    const std::size_t count = 1 + random() % (draw % 2 == 0 ? std::min<std::size_t>(cells, 12) : cells);
    std::vector<std::size_t> places(cells);
    std::iota(places.begin(), places.end(), std::size_t{0});
    std::ranges::shuffle(places, random);
    WrongPlaces wrong(rows, columns);
    for (std::size_t i = 0; i < count; ++i) wrong.add(places[i] / columns, places[i] % columns);
    const int threads = 1 + static_cast<int>(random() % 8);
    ASSERT_EQ(pattern_of(wrong, threads), "") << count << " of " << rows << "x" << columns << ", " << threads;
  }
}

TEST(Pattern, IsTheSameWhoeverSawWhat) {
  WrongPlaces all(40, 50), one(40, 50), other(40, 50);
  for (std::size_t j = 0; j < 50; ++j) {
    all.add(9, j);
    (j % 3 == 0 ? one : other).add(9, j);
  }
  WrongPlaces merged;
  merged.merge(WrongPlaces());
  merged.merge(other);
  merged.merge(one);
  merged.merge(WrongPlaces());
  EXPECT_EQ(merged.count, all.count);
  EXPECT_EQ(merged.by_row, all.by_row);
  EXPECT_EQ(merged.by_column, all.by_column);
  EXPECT_EQ(pattern_of(merged, 1), "exactly row 9");
}

// A batch is right where every item is.

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
