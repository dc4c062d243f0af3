// The judge passes right results, catches wrong ones, and says how much is wrong and where.
#include "harness/worker/oracle/random.hpp"
#include "kernels/uot/tests/fixture.hpp"

namespace uotbench::uot {
namespace {

using testing::StartsWith;

class JudgeTest : public UotTest {
 protected:
  /// Every cell of the right plan is 0.37: K = 1, a = b = 37, fi = 1.
  Point flat(std::size_t M = 100, std::size_t N = 100, Json changes = Json::object()) {
    write_user(M, N, std::vector<double>(M * N, 1), std::vector<double>(M, .37 * static_cast<double>(N)),
               std::vector<double>(N, .37 * static_cast<double>(M)));
    Json values{{"fi", 1}};
    values.update(changes);
    const Point at = user_point(M, N, values);
    prepare(at);
    fill("plan", .37);
    fill("u", .37);
    fill("v", 1);
    return at;
  }
  void fill(const std::string& name, double value) {
    auto array = NpyArray::open(out / (name + ".npy"), true);
    if (array.type() == "<f4")
      std::ranges::fill(array.as_mutable<float>(), static_cast<float>(value));
    else
      std::ranges::fill(array.as_mutable<double>(), value);
  }
  std::string reason(const Point& at, std::vector<std::string> outputs = {"plan"}) {
    return judge(at, std::move(outputs)).reason;
  }
};

TEST_F(JudgeTest, PassesPlainKernels) {
  for (const char* scheme : {"unbalanced", "damped"})
    for (const char* data : {"uniform", "points"}) {
      const Point at = point({{"M", 83}, {"N", 61}, {"scheme", scheme}, {"data", data}});
      prepare(at);
      const auto K = doubles(in / "K.npy");
      const auto plan =
          solve_in_place(std::vector<float>(K.begin(), K.end()), doubles(in / "a.npy"), doubles(in / "b.npy"),
                         at.number("fi"), at.text("scheme") == "damped", 10);
      write(out / "plan.npy", {83, 61}, plan);
      const auto judgement = judge(at);
      EXPECT_EQ(judgement.reason, "");
      EXPECT_LE(judgement.check.error, 2e-6);
      EXPECT_EQ(judgement.check.tolerance, 1e-5);
      EXPECT_EQ(judgement.check.kind, "full");
      EXPECT_EQ(judgement.check.oracle, "eigen-f64");
    }
}

TEST_F(JudgeTest, HoldsDoubleToTwelveDigits) {
  const Point at = flat(100, 100, {{"dtype", "f64"}});
  EXPECT_EQ(reason(at, {"plan", "u", "v"}), "");
  fill("plan", .37 * (1 + 1e-11));
  EXPECT_EQ(reason(at), "wrong: error 1e-11 is over the tolerance 1e-12, spread over the plan");
}

TEST_F(JudgeTest, CatchesDoingNothing) {
  const Point at = flat();
  poison(family(), at, out);
  EXPECT_EQ(reason(at), "outputs untouched: nothing was written");
  EXPECT_FALSE(std::isfinite(judge(at).check.error));
  EXPECT_EQ(reason(at, {"u", "v"}), "outputs untouched: nothing was written to plan");
  fill("plan", .37);
  EXPECT_EQ(reason(at, {"plan", "u"}), "outputs untouched: nothing was written to u");
  EXPECT_EQ(reason(at), "");
}

TEST_F(JudgeTest, SaysHowManyCellsAreWrongAndWhere) {
  const Point at = flat();
  for (std::size_t i = 96; i < 100; ++i)
    for (std::size_t j = 0; j < 24; ++j) set<float>("plan", i * 100 + 4 * j, .21);
  EXPECT_EQ(reason(at),
            "wrong: 96 of 10,000 cells, exactly rows 96-99 (the tail past the last multiple of 8) in every "
            "4th column "
            "of columns 0-92; first plan[96,0] got 0.21, want 0.37");
  EXPECT_EQ(judge(at).check.worst, "plan");
  EXPECT_NEAR(judge(at).check.error, .0096 * .16 / .37, 1e-6);

  fill("plan", .37);
  for (std::size_t j = 0; j < 100; ++j) set<float>("plan", 500 + j, 0);
  EXPECT_EQ(reason(at), "wrong: 100 of 10,000 cells, exactly row 5; first plan[5,0] got 0, want 0.37");

  fill("plan", .37);
  for (std::size_t i = 0; i < 100; ++i) set<float>("plan", i * 100 + 7, .374);
  EXPECT_EQ(reason(at), "wrong: 100 of 10,000 cells, exactly column 7; first plan[0,7] got 0.374, want 0.37");

  for (std::size_t i = 0; i < 100; ++i) set<float>("plan", i * 100 + 9, .374);
  EXPECT_EQ(reason(at),
            "wrong: 200 of 10,000 cells, exactly columns 7 and 9; first plan[0,7] got 0.374, want 0.37");

  fill("plan", .37);
  for (std::size_t i = 25; i < 50; ++i)
    for (std::size_t j = 0; j < 100; ++j) set<float>("plan", i * 100 + j, .38);
  EXPECT_EQ(
      family()
          .judge(at, in, out, {.variant = "uot/test", .outputs = {"plan"}, .iterations = 10, .threads = 4})
          .reason,
      "wrong: 2,500 of 10,000 cells, exactly rows 25-49 (the share of thread 1 of 4); first plan[25,0] got "
      "0.38, want 0.37");

  fill("plan", .5);
  EXPECT_EQ(reason(at),
            "wrong: 10,000 of 10,000 cells, spread over the plan; first plan[0,0] got 0.5, want 0.37");

  fill("plan", .37 * (1 + 3.1e-5));
  EXPECT_EQ(reason(at), "wrong: error 3.1e-05 is over the tolerance 1e-05, spread over the plan");
}

TEST_F(JudgeTest, CatchesOneCellInAMillion) {
  const Point at = flat(1000, 1000);
  set<float>("plan", 5003, .3712);
  EXPECT_LT(judge(at).check.error, 1e-5);
  EXPECT_EQ(reason(at), "wrong: 1 of 1,000,000 cells, all in row 5; first plan[5,3] got 0.3712, want 0.37");
}

TEST_F(JudgeTest, SaysWhatIsNotANumber) {
  const Point at = flat();
  for (const std::size_t row : {2, 3, 50}) set<float>("plan", row * 100, std::nan(""));
  EXPECT_EQ(reason(at), "not finite: 3 of 10,000 cells, all in column 0; first plan[2,0] is nan");
  set<float>("plan", 250, -INFINITY);
  EXPECT_EQ(reason(at), "not finite: 4 of 10,000 cells, all in rows 2-50; first plan[2,0] is nan");
  EXPECT_FALSE(std::isfinite(judge(at).check.error));
}

TEST_F(JudgeTest, SaysWhichCellsWereLeftOut) {
  const Point at = flat();
  auto plan = NpyArray::open(out / "plan.npy", true);
  std::ranges::fill(plan.bytes().subspan(4 * 9900), std::byte{0xFF});
  EXPECT_EQ(reason(at), "untouched: 100 of 10,000 cells, exactly row 99; first plan[99,0] was never written");
}

TEST_F(JudgeTest, JudgesScalingsThatAreClaimed) {
  const Point at = flat();
  EXPECT_EQ(reason(at, {"plan", "u", "v"}), "");
  set<float>("u", 3, .21);
  EXPECT_EQ(reason(at), "");
  EXPECT_EQ(reason(at, {"plan", "u", "v"}), "wrong: u[3] got 0.21, want 0.37");
  EXPECT_EQ(judge(at, {"plan", "u", "v"}).check.worst, "u");
  fill("u", .37);
  set<float>("v", 98, 2);
  set<float>("v", 99, 2);
  EXPECT_EQ(reason(at, {"plan", "u", "v"}), "wrong: v[98] got 2, want 1; 2 of 100 cells");
}

// What leaves the plan as it is may drift, within limits.
TEST_F(JudgeTest, AllowsScalingsACommonFactor) {
  const Point at = flat();
  fill("u", .37 * (1 + 5e-5));
  fill("v", 1 - 5e-5);
  EXPECT_EQ(reason(at, {"plan", "u", "v"}), "");
  fill("v", 1);
  EXPECT_EQ(reason(at, {"plan", "u", "v"}), "wrong: error 5e-05 is over the tolerance 1e-05, spread over v");
  fill("u", .37 * 1.01);
  fill("v", 1 / 1.01);
  EXPECT_EQ(reason(at, {"plan", "u", "v"}), "wrong: u[0] got 0.3737, want 0.37; 100 of 100 cells");
}

// Skipped work is a small error where there is much of it; it must not be small enough.
TEST_F(JudgeTest, CatchesSubtlyWrongKernels) {
  const Point at = point({{"M", 700}, {"N", 900}});
  prepare(at);
  const auto K = doubles(in / "K.npy"), a = doubles(in / "a.npy"), b = doubles(in / "b.npy");
  auto [u, v] = solve_as_pot(K, a, b, .5, 10);
  const auto write_plan = [&] {
    std::vector<float> plan(700 * 900);
    for (std::size_t i = 0; i < 700; ++i)
      for (std::size_t j = 0; j < 900; ++j)
        plan[i * 900 + j] = static_cast<float>(u[i] * K[i * 900 + j] * v[j]);
    write(out / "plan.npy", {700, 900}, plan);
  };
  write_plan();
  EXPECT_EQ(reason(at), "");
  const double right = std::exchange(u[699], 1.);
  write_plan();
  EXPECT_THAT(reason(at),
              testing::MatchesRegex("wrong: 9[0-9]+ of 630,000 cells, (exactly|all in) row 699; first .*"));
  u[699] = right;
  v[17] *= 1.01;
  write_plan();
  EXPECT_THAT(reason(at),
              testing::MatchesRegex("wrong: [0-9]+ of 630,000 cells, all in column 17; first .*"));
}

// Why the marginals need no comparison of their own.
TEST_F(JudgeTest, ErrorIsAtLeastThatOfTheMarginals) {
  const Point at = flat(50, 40);
  std::vector<float> plan(2000);
  std::vector<double> rows(50), columns(40);
  for (std::size_t k = 0; k < plan.size(); ++k) {
    plan[k] = static_cast<float>(.37 * (1 + 1e-3 * (RandomStream(3, 0).uniform(k) - .4)));
    rows[k / 40] += plan[k] - .37;
    columns[k % 40] += plan[k] - .37;
  }
  write(out / "plan.npy", {50, 40}, plan);
  const double total = .37 * 2000, error = judge(at).check.error;
  for (const auto& marginal : {rows, columns}) {
    double off = 0;
    for (const double difference : marginal) off += std::abs(difference);
    EXPECT_LE(off / total, error * (1 + 1e-9));
  }
}

TEST_F(JudgeTest, IsTheSameForAnyNumberOfThreads) {
  const Point at = flat(397, 403);
  std::vector<float> plan(397 * 403);
  for (std::size_t k = 0; k < plan.size(); ++k) plan[k] = static_cast<float>(RandomStream(3, 0).uniform(k));
  write(out / "plan.npy", {397, 403}, plan);
  const int threads = omp_get_max_threads();
  omp_set_num_threads(1);
  const auto one = judge(at);
  omp_set_num_threads(7);
  const auto seven = judge(at);
  omp_set_num_threads(threads);
  EXPECT_EQ(one.check.error, seven.check.error);
  EXPECT_EQ(one.reason, seven.reason);
}

TEST_F(JudgeTest, TakesAVariantsOwnTolerance) {
  const Point at = flat();
  fill("plan", .37 * 1.001);
  EXPECT_NE(reason(at), "");
  const auto judgement = judge(at, {"plan"}, 10, 1e-2);
  EXPECT_EQ(judgement.reason, "");
  EXPECT_EQ(judgement.check.tolerance, 1e-2);
}

TEST_F(JudgeTest, CountsIterations) {
  const Point at = point({{"M", 30}, {"N", 30}});
  prepare(at);
  const auto K = doubles(in / "K.npy");
  const auto plan = solve_in_place(K, doubles(in / "a.npy"), doubles(in / "b.npy"), .5, false, 2);
  write(out / "plan.npy", {30, 30}, std::vector<float>(plan.begin(), plan.end()));
  EXPECT_EQ(judge(at, {"plan"}, 2).reason, "");
  EXPECT_THAT(judge(at, {"plan"}, 3).reason, StartsWith("wrong: "));
}

TEST_F(JudgeTest, ForgetsTheReferenceWhenAFolderIsWrittenAnew) {
  const Point at = flat();
  EXPECT_EQ(reason(at), "");
  write(user / "a.npy", {100}, std::vector<double>(100, 74));
  write(user / "b.npy", {100}, std::vector<double>(100, 74));
  prepare(at);
  fill("plan", .74);
  EXPECT_EQ(reason(at), "");
}

// A row with nearly all the mass does not hide what is wrong with the others.
TEST_F(JudgeTest, LooksAtEachRowAndColumnOfThePlan) {
  constexpr std::size_t n = 20;
  std::vector<double> K(n * n), a(n, 1), b(n, 1);
  for (std::size_t k = 0; k < K.size(); ++k) K[k] = .1 + RandomStream(3, 0).uniform(k);
  for (const double dear : {1., 1e12}) {
    a[0] = dear;
    write_user(n, n, K, a, b);
    const Point at = user_point(n, n);
    prepare(at);
    const auto rounded = doubles(in / "K.npy");
    const auto right = solve_in_place(rounded, a, b, .5, false, 10);
    for (const bool rows : {true, false}) {
      std::vector<float> plan(right.begin(), right.end());
      write(out / "plan.npy", {n, n}, plan);
      EXPECT_EQ(judge(at).reason, "") << dear;
      for (std::size_t k = 1; k < n; ++k) plan[rows ? 3 * n + k : k * n + 3] *= .5f;
      if (!rows) plan[3] *= .5f;
      write(out / "plan.npy", {n, n}, plan);
      EXPECT_THAT(judge(at).reason, StartsWith("wrong: ")) << dear << rows;
    }
  }
}

TEST_F(JudgeTest, SaysWhenThereIsNoReference) {
  write_user(2, 2, {1, 1, 1e-310, 1e-310}, {1, 1}, {1, 1});
  const Point at = user_point(2, 2, {{"dtype", "f64"}, {"fi", 1}});
  prepare(at);
  fill("plan", 1);
  EXPECT_EQ(reason(at), "the reference overflows: u of row 1 is inf after iteration 1");
}

// Balanced scaling of unequal masses: u grows a hundredfold an iteration, the plan does not.
TEST_F(JudgeTest, SaysWhenAScalingIsMoreThanTheTypeHolds) {
  write_user(1, 1, {1}, {1e6}, {1});
  const Point at = user_point(1, 1, {{"fi", 1}});
  prepare(at);
  fill("plan", NAN);
  EXPECT_EQ(reason(at),
            "not finite: 1 of 1 cells, spread over the plan; first plan[0,0] is nan; "
            "u reaches 1e+60, more than f32 holds");
}

TEST_F(JudgeTest, SaysWhenAFileIsNotTheOneThatWasMade) {
  const Point at = flat(2, 3);
  write(out / "plan.npy", {3, 2}, std::vector<double>(6));
  EXPECT_EQ(reason(at), "wrong: plan is <f8 (3, 2), want <f4 (2, 3)");
  fs::remove(out / "plan.npy");
  EXPECT_EQ(reason(at),
            "wrong: plan cannot be read: " + (out / "plan.npy").string() + ": No such file or directory");
}

}  // namespace
}  // namespace uotbench::uot
