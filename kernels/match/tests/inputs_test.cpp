// The two sets are what their names promise, reproducible, of length 1, and refused where D is no multiple
// of 4.
#include <algorithm>
#include <set>

#include "kernels/match/tests/fixture.hpp"

namespace uotbench::match {
namespace {

using testing::AllOf;
using testing::Each;
using testing::Ge;
using testing::Le;

class InputsTest : public MatchTest {
 protected:
  Set made(const Json& changes, const std::string& name) {
    family().prepare(point(changes), in);
    return read(name);
  }
};

TEST_F(InputsTest, AreOfLengthOne) {
  for (const char* data : {"random", "sift", "planted", "negative"})
    for (const int D : {4, 12, 128})
      for (const char* name : {"queries", "candidates"})
        for (const auto& row : made({{"N", 50}, {"D", D}, {"data", data}}, name))
          EXPECT_NEAR(dot(row, row), 1, 1e-6) << data << " " << name << " D=" << D;
}

TEST_F(InputsTest, AreTheSameForAnyNumberOfThreadsAndOtherForAnotherSeed) {
  const int threads = omp_get_max_threads();
  for (const char* data : {"random", "sift", "planted", "negative"})
    for (const char* name : {"queries", "candidates"}) {
      Json at{{"N", 700}, {"data", data}};
      omp_set_num_threads(1);
      const auto one = made(at, name);
      omp_set_num_threads(3);
      EXPECT_EQ(one, made(at, name)) << data << " " << name;
      at["seed"] = 2;
      EXPECT_NE(one, made(at, name)) << data << " " << name;
    }
  omp_set_num_threads(threads);
}

TEST_F(InputsTest, SetsDiffer) {
  for (const char* data : {"random", "sift", "planted", "negative"}) {
    const Json at{{"N", 20}, {"data", data}};
    EXPECT_NE(made(at, "queries"), made(at, "candidates")) << data;
  }
}

// Entries of a normal row of length 1 are of mean 0 and variance 1/D, and their fourth moment is 3/D^2.
TEST_F(InputsTest, RandomIsNormal) {
  double mean = 0, variance = 0, fourth = 0;
  const auto set = made({{"N", 500}}, "queries");
  for (const auto& row : set)
    for (const double entry : row) {
      mean += entry / (500 * 128);
      variance += entry * entry / 500;
      fourth += std::pow(entry, 4) * 128 / 500;
    }
  EXPECT_NEAR(mean, 0, 2e-3);
  EXPECT_NEAR(variance, 1, 1e-5);
  EXPECT_NEAR(fourth, 3, .15);
}

// Clipped at 0.2 and normalised again: a little above, as Lowe's are.
TEST_F(InputsTest, SiftIsSparseAndClipped) {
  double empty = 0, clipped = 0;
  for (const auto& row : made({{"N", 300}, {"data", "sift"}}, "queries")) {
    const double most = std::ranges::max(row);
    EXPECT_THAT(row, Each(AllOf(Ge(0), Le(.4))));
    EXPECT_GE(most, .2);
    for (const double entry : row) {
      empty += entry == 0;
      clipped += entry == most;
    }
  }
  EXPECT_NEAR(empty / (300 * 128), .3, .02);
  EXPECT_GE(clipped / 300, 2) << "a row, else nothing was clipped";
}

TEST_F(InputsTest, PlantedHasOneBestCandidateForEachQuery) {
  for (const int N : {1, 2, 33, 1000})
    for (const int D : {4, 128}) {
      family().prepare(point({{"N", N}, {"D", D}, {"data", "planted"}}), in);
      const auto queries = read("queries"), candidates = read("candidates");
      std::set<std::size_t> chosen;
      std::size_t fixed = 0;
      for (std::size_t i = 0; i < queries.size(); ++i) {
        std::vector<double> scores;
        for (const auto& candidate : candidates) scores.push_back(dot(queries[i], candidate));
        const auto best = std::ranges::max_element(scores);
        EXPECT_EQ(std::ranges::count(scores, *best), 1);
        EXPECT_GT(*best, .98);
        const auto own = std::size_t(best - scores.begin());
        EXPECT_NE(candidates[own], queries[i]) << "not moved";
        chosen.insert(own);
        fixed += own == i;
      }
      EXPECT_EQ(chosen.size(), queries.size()) << "a candidate for each";
      EXPECT_LE(fixed, 10u) << "in another order";
    }
}

TEST_F(InputsTest, NegativeHasNegativeProductsOnly) {
  family().prepare(point({{"N", 200}, {"D", 4}, {"data", "negative"}}), in);
  const auto candidates = read("candidates");
  for (const auto& query : read("queries"))
    for (const auto& candidate : candidates) EXPECT_LT(dot(query, candidate), 0);
}

TEST_F(InputsTest, AreRefusedWhereRowsAreNoVectorsOfFour) {
  const auto derived = [](int D) { return error_of([&] { family().derive(point({{"N", 9}, {"D", D}})); }); };
  EXPECT_EQ(derived(130), "D=130: expected a multiple of 4, such as 128 or 132");
  EXPECT_EQ(derived(4), "");
  EXPECT_EQ(derived(128), "");
}

TEST_F(InputsTest, BytesAreThoseOfBothSets) {
  EXPECT_EQ(family().input_bytes(point({{"N", 10}, {"D", 12}})), 2 * 4 * 10 * 12);
}

TEST(FamilyPage, OfMatchIsTrue) { expect_page_is_true(family(), {{{"N", 5}, {"D", 8}}}); }

}  // namespace
}  // namespace uotbench::match
