// The judge passes right results, catches wrong ones, and says which query is wrong and what was expected.
#include "kernels/match/oracle/judge.hpp"

#include <limits>

#include "kernels/match/tests/fixture.hpp"

namespace uotbench::match {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

class JudgeTest : public MatchTest {
 protected:
  /// Four points of four dimensions; the scores of query i are row i. Query 3's best two are equal.
  const Set table{{.5, .25, -1, 0}, {-4, -3, -2, -1}, {1, 2, 3, 3.5}, {2, 1, 2, 0}};

  /// Queries are the rows of `scores`, candidates the unit vectors.
  Point from(const Set& scores) {
    const std::size_t N = scores.size();
    const Point at = point({{"N", N}, {"D", 4}});
    prepare(at);
    std::vector<float> queries, candidates;
    for (std::size_t i = 0; i < N; ++i)
      for (std::size_t d = 0; d < 4; ++d) {
        queries.push_back(float(scores[i][d]));
        candidates.push_back(d == i ? 1 : 0);
      }
    write(in / "queries.npy", {N, 4}, queries);
    write(in / "candidates.npy", {N, 4}, candidates);
    return at;
  }
  /// As from(table), with the right answers.
  Point right() {
    const Point at = from(table);
    write<std::int32_t>(out / "index.npy", {4}, {0, 3, 3, 2});
    write<float>(out / "score.npy", {4}, {.5, -1, 3.5, 2});
    write<std::int32_t>(out / "runner_up.npy", {4}, {1, 2, 2, 0});
    write<float>(out / "runner_up_score.npy", {4}, {.25, -2, 3, 2});
    return at;
  }
  template <class T>
  void set(const std::string& name, std::size_t i, T value) {
    NpyArray::open(out / (name + ".npy"), true).as_mutable<T>()[i] = value;
  }
  Judgement judge(const Point& at, std::vector<std::string> outputs, std::optional<double> tolerance = {}) {
    return family().judge(at, in, out, {"match/test", std::move(outputs), 1, tolerance});
  }
  std::string reason(const Point& at, std::vector<std::string> outputs = both) {
    return judge(at, std::move(outputs)).reason;
  }
  const static inline std::vector<std::string> both{"index", "score"},
      all{"index", "score", "runner_up", "runner_up_score"};
};

/// In float, one product after the other; the two best.
void solve(const Set& queries, const Set& candidates, const fs::path& out) {
  const std::size_t N = queries.size();
  std::vector<std::int32_t> index(N, -1), runner_up(N, -1);
  std::vector<float> score(N, float(-infinity)), runner_up_score(N, float(-infinity));
  for (std::size_t i = 0; i < N; ++i)
    for (std::size_t j = 0; j < N; ++j) {
      float sum = 0;
      for (std::size_t d = 0; d < queries[i].size(); ++d)
        sum += float(queries[i][d]) * float(candidates[j][d]);
      if (sum > score[i]) {
        runner_up[i] = std::exchange(index[i], std::int32_t(j));
        runner_up_score[i] = std::exchange(score[i], sum);
      } else if (sum > runner_up_score[i]) {
        runner_up[i] = std::int32_t(j);
        runner_up_score[i] = sum;
      }
    }
  write(out / "index.npy", {N}, index);
  write(out / "score.npy", {N}, score);
  write(out / "runner_up.npy", {N}, runner_up);
  write(out / "runner_up_score.npy", {N}, runner_up_score);
}

TEST_F(JudgeTest, PassesPlainKernels) {
  for (const char* data : {"random", "sift", "planted", "negative"})
    for (const int D : {4, 128})
      for (const int N : {1, 2, 300}) {
        const Point at = point({{"N", N}, {"D", D}, {"data", data}});
        prepare(at);
        solve(read("queries"), read("candidates"), out);
        const auto judgement = judge(at, all);
        EXPECT_EQ(judgement.reason, "") << data << " N=" << N << " D=" << D;
        EXPECT_LT(judgement.check.error, 2e-6);
        EXPECT_EQ(judgement.check.tolerance, 4 * D * 0x1p-23);
        EXPECT_EQ(judgement.check.kind, "full");
        EXPECT_EQ(judgement.check.oracle, "eigen-f64");
      }
}

TEST_F(JudgeTest, PassesWhatIsRight) {
  const Point at = right();
  EXPECT_EQ(reason(at, all), "");
  EXPECT_EQ(judge(at, all).check.error, 0);
  EXPECT_EQ(reason(at, {"index"}), "");
}

TEST_F(JudgeTest, SaysWhichCandidateIsBetter) {
  const Point at = right();
  set("index", 2, 1);
  set("score", 2, 2.f);
  EXPECT_EQ(reason(at), "wrong: query 2: candidate 1 scores 2, candidate 3 scores 3.5");
  EXPECT_NEAR(judge(at, both).check.error, 1.5 / std::sqrt(1 + 4 + 9 + 12.25), 1e-12);
  EXPECT_EQ(judge(at, both).check.worst, "index");
  set("index", 0, 2);
  set("score", 0, -1.f);
  EXPECT_EQ(reason(at), "wrong: query 0: candidate 2 scores -1, candidate 0 scores 0.5; 2 queries are wrong");
}

TEST_F(JudgeTest, PassesEitherOfEqualCandidates) {
  const Point at = right();
  set("index", 3, 0);
  EXPECT_EQ(reason(at), "");
  EXPECT_EQ(reason(at, all), "wrong: runner_up of query 3 is 0, which is its index, too; expected another");
  set("runner_up", 3, 2);
  EXPECT_EQ(reason(at, all), "");
}

TEST_F(JudgeTest, CatchesSearchesThatBeginAtZero) {
  const Point at = right();
  set("index", 1, -1);
  set("score", 1, 0.f);
  EXPECT_EQ(reason(at), "wrong: index of query 1 is -1: no candidate 0..3");
  EXPECT_EQ(judge(at, both).check.error, infinity);
  set("index", 1, 4);
  EXPECT_EQ(reason(at), "wrong: index of query 1 is 4: no candidate 0..3");
}

TEST_F(JudgeTest, HoldsScoresToTheirCandidates) {
  const Point at = right();
  set("score", 1, 0.f);
  EXPECT_EQ(reason(at, {"index"}), "") << "it is not claimed";
  EXPECT_EQ(reason(at), "wrong: score of query 1 is 0; its candidate 3 scores -1");
  EXPECT_EQ(judge(at, both).check.worst, "score");
  EXPECT_NEAR(judge(at, both).check.error, 1 / std::sqrt(30), 1e-12);
  set("score", 1, std::nanf(""));
  EXPECT_EQ(reason(at), "wrong: score of query 1 is nan; its candidate 3 scores -1");
  EXPECT_EQ(judge(at, both).check.error, infinity);
}

TEST_F(JudgeTest, CatchesWhatWasNotWritten) {
  const Point at = from(table);
  EXPECT_EQ(reason(at), "outputs untouched: index was not written");
  EXPECT_EQ(reason(at, {"score"}), "outputs untouched: index was not written");
  EXPECT_FALSE(std::isfinite(judge(at, both).check.error));
  right();
  NpyArray score = NpyArray::open(out / "score.npy", true);
  std::ranges::fill(score.bytes(), std::byte{0xFF});
  EXPECT_EQ(reason(at), "outputs untouched: score was not written");
  EXPECT_EQ(reason(at, {"index"}), "");
  EXPECT_EQ(reason(at, {"index", "runner_up"}),
            "outputs untouched: runner_up_score was not written, but runner_up was");
  EXPECT_EQ(reason(at, {"index", "runner_up_score"}),
            "outputs untouched: runner_up was not written, but runner_up_score was");
}

TEST_F(JudgeTest, HoldsRunnersUpToTheSecondBest) {
  const Point at = right();
  set("runner_up", 2, 0);
  set("runner_up_score", 2, 1.f);
  EXPECT_EQ(reason(at), "");
  EXPECT_EQ(reason(at, all), "wrong: query 2: candidate 0 scores 1, candidate 2, the second best, scores 3");
  set("runner_up", 2, 7);
  EXPECT_EQ(reason(at, all), "wrong: runner_up of query 2 is 7: no candidate 0..3");
  set("runner_up", 2, 2);
  EXPECT_EQ(reason(at, all), "wrong: runner_up_score of query 2 is 1; its candidate 2 scores 3");
  EXPECT_EQ(judge(at, all).check.worst, "runner_up_score");
  set("runner_up_score", 2, 3.f);
  EXPECT_EQ(reason(at, all), "");
  // Of two equal maxima the other is second; what comes after them is not.
  set("runner_up", 3, 1);
  set("runner_up_score", 3, 1.f);
  EXPECT_EQ(reason(at, all), "wrong: query 3: candidate 1 scores 1, candidate 0, the second best, scores 2");
}

TEST_F(JudgeTest, OneCandidateHasNoRunnerUp) {
  const Point at = from({{-.5, 0, 0, 0}});
  write<std::int32_t>(out / "index.npy", {1}, {0});
  write<float>(out / "score.npy", {1}, {-.5});
  write<std::int32_t>(out / "runner_up.npy", {1}, {-1});
  write<float>(out / "runner_up_score.npy", {1}, {float(-infinity)});
  EXPECT_EQ(reason(at, all), "");
  set("runner_up", 0, 0);
  EXPECT_EQ(reason(at, all), "wrong: runner_up of query 0 is 0; expected -1, because there is one candidate");
  set("runner_up", 0, -1);
  set("runner_up_score", 0, 0.f);
  EXPECT_EQ(reason(at, all),
            "wrong: runner_up_score of query 0 is 0; expected -inf, because there is one candidate");
  set("index", 0, 1);
  EXPECT_EQ(reason(at), "wrong: index of query 0 is 1: no candidate 0..0");
}

// 4 D eps |a| |b| with D = 4, |a| = |b| = 1: 1.9e-6; nearly equal candidates are equally right.
TEST_F(JudgeTest, TakesTheStandardToleranceOrAVariantsOwn) {
  const double longer = std::sqrt(.5), tie = longer * (1 - 1e-6), worse = longer * (1 - 1e-5);
  for (const auto& [score, fits] : {std::pair(tie, true), {worse, false}}) {
    const Point at = from({{longer, score, 0, 0}, {0, 1, 0, 0}});
    write<std::int32_t>(out / "index.npy", {2}, {1, 1});
    write<float>(out / "score.npy", {2}, {float(score), 1});
    EXPECT_EQ(reason(at) == "", fits) << reason(at);
    EXPECT_NEAR(judge(at, both).check.error, longer - score, 1e-7);
    EXPECT_EQ(judge(at, both, 1e-4).reason, "");
    EXPECT_EQ(judge(at, both, 1e-4).check.tolerance, 1e-4);
    EXPECT_NE(judge(at, both, 1e-8).reason, "");
    // A score may be off as much.
    write<std::int32_t>(out / "index.npy", {2}, {0, 1});
    EXPECT_EQ(reason(at) == "", fits) << reason(at);
    EXPECT_EQ(judge(at, both, 1e-4).reason, "");
  }
}

// Relative to the lengths of the points, of which ours are 1.
TEST_F(JudgeTest, MeasuresInLengthsOfThePoints) {
  const Point at = from({{1000, 999, 0, 0}, {0, 1, 0, 0}});
  write<float>(in / "candidates.npy", {2, 4}, {10, 0, 0, 0, 0, 20, 0, 0});
  write<std::int32_t>(out / "index.npy", {2}, {0, 1});
  EXPECT_NEAR(judge(at, {"index"}).check.error, (19980 - 10000) / (20 * std::hypot(1000, 999)), 1e-12);
}

TEST_F(JudgeTest, IsTheSameForAnyNumberOfThreads) {
  const Point at = point({{"N", 600}});
  prepare(at);
  solve(read("queries"), read("candidates"), out);
  const int threads = omp_get_max_threads();
  omp_set_num_threads(1);
  const auto one = judge(at, all);
  prepare(at);
  solve(read("queries"), read("candidates"), out);
  omp_set_num_threads(5);
  EXPECT_EQ(judge(at, all).check.error, one.check.error);
  EXPECT_GT(one.check.error, 0);
  omp_set_num_threads(threads);
}

// Searching for all would take too long: then for some; but that every index is a candidate's is seen at
// once.
TEST_F(JudgeTest, SaysOfHowManyQueriesItSearchedForTheBest) {
  const Point at = point({{"N", 100}, {"data", "planted"}});
  prepare(at);
  solve(read("queries"), read("candidates"), out);
  Judge hasty(10 * 100 * 128);
  const auto judged = [&] {
    return hasty.judge(at, in, out, family().outputs(at), {"match/test", all, 1, {}});
  };
  EXPECT_EQ(judged().reason, "");
  EXPECT_EQ(judged().check.kind, "sampled");
  EXPECT_EQ(judged().check.oracle, "eigen-f64 (10 of 100 queries)");
  for (std::size_t i = 0; i < 100; ++i) set("runner_up", i, -2);
  EXPECT_EQ(judged().reason, "wrong: runner_up of query 0 is -2: no candidate 0..99; 100 queries are wrong");
  const auto queries = read("queries"), candidates = read("candidates");
  for (std::size_t i = 0; i < 100; ++i) {
    set("index", i, 7);
    set("score", i, float(dot(queries[i], candidates[7])));
  }
  const auto reason = hasty.judge(at, in, out, family().outputs(at), {"match/test", both, 1, {}}).reason;
  EXPECT_THAT(reason, testing::EndsWith("; 10 queries are wrong")) << "candidate 7's own is not among them";
}

TEST_F(JudgeTest, ForgetsTheReferenceWhenAFolderIsWrittenAnew) {
  const Point at = right();
  EXPECT_EQ(reason(at, all), "");
  from({{0, 0, 0, 1}, {0, 1, 0, 0}, {0, 0, 0, 1}, {0, 0, 0, 1}});
  write<std::int32_t>(out / "index.npy", {4}, {3, 1, 3, 3});
  EXPECT_EQ(reason(at, {"index"}), "");
}

TEST_F(JudgeTest, SaysWhenAFileIsNotTheOneThatWasMade) {
  const Point at = right();
  write<float>(out / "index.npy", {4}, {0, 3, 3, 2});
  EXPECT_EQ(reason(at), "wrong: index is <f4 (4), want <i4 (4)");
  fs::remove(out / "index.npy");
  EXPECT_EQ(reason(at),
            "wrong: index cannot be read: " + (out / "index.npy").string() + ": No such file or directory");
}

TEST(Reference, SearchesForAllQueriesThatItCanAfford) {
  EXPECT_EQ(searched_queries(1, 4, most_multiply_adds), 1u);
  EXPECT_EQ(searched_queries(16384, 128, most_multiply_adds), 16384u);
  EXPECT_EQ(searched_queries(65536, 128, most_multiply_adds), 4096u);
  EXPECT_EQ(searched_queries(std::size_t{1} << 31, 4096, most_multiply_adds), 1u);
}

TEST(Reference, SpreadsTheQueriesItSearchesFor) {
  const std::vector<float> points(4 * 1000, 1);
  const auto best = search({1000, 4, points, points}, 100);
  ASSERT_EQ(best.size(), 100u);
  std::size_t odd = 0;
  for (std::size_t k = 0; k < best.size(); ++k) {
    EXPECT_EQ(best[k].query / 10, k);
    EXPECT_EQ(best[k].first.score, 4);
    odd += best[k].query % 2;
  }
  EXPECT_NEAR(double(odd), 50, 20);
}

}  // namespace
}  // namespace uotbench::match
