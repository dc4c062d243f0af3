// Problems are what their names promise, balanced and reproducible, and what makes no problem is refused in
// one line.
#include <cmath>
#include <fstream>
#include <numeric>
#include <set>

#include "kernels/simplex/oracle/gaussian_field.hpp"
#include "kernels/simplex/oracle/images.hpp"
#include "kernels/simplex/tests/fixture.hpp"

namespace uotbench::simplex {
namespace {

using testing::HasSubstr;

class InputsTest : public SimplexTest {
 protected:
  std::string refused(const Json& changes) {
    return error_of([&] { made(changes); });
  }
  /// A user's problem of 2 x 2 points on a line.
  Json users(const std::vector<double>& a, const std::vector<double>& b,
             const std::vector<double>& x = {0, 1}) {
    write(user / "a.npy", {2}, a);
    write(user / "b.npy", {2}, b);
    write(user / "X.npy", {2, 1}, x);
    write(user / "Y.npy", {2, 1}, x);
    return {{"M", 2}, {"N", 2}, {"k", 1}, {"data", "npy"}, {"path", user.string()}};
  }
};

const std::vector<const char*> images{"white_noise", "grf_rough", "grf_moderate", "grf_smooth",
                                      "log_grf",     "logit_grf", "cauchy",       "pixels"};

TEST_F(InputsTest, ThePageIsTrue) {
  expect_page_is_true(
      family(),
      {{{"M", 7}, {"N", 5}}, {{"M", 7}, {"N", 5}, {"cost", "matrix"}}, {{"M", 7}, {"N", 5}, {"round", 2}}});
}

TEST_F(InputsTest, SumsAreEqualIntegers) {
  const auto expect_balanced = [&](const Json& changes) {
    made(changes);
    const auto a = input("a"), b = input("b");
    const double of_a = std::accumulate(a.begin(), a.end(), 0.),
                 of_b = std::accumulate(b.begin(), b.end(), 0.);
    EXPECT_EQ(of_a, of_b) << changes;
    EXPECT_GT(of_a, 0) << changes;
    for (const double mass : a) EXPECT_EQ(mass, std::floor(mass)) << changes;
  };
  for (const char* data : {"assignment", "clusters", "equal", "zeros"})
    for (const auto& [M, N] : {std::pair{7, 5}, {1, 9}, {9, 1}, {6, 4}})
      expect_balanced({{"M", M}, {"N", N}, {"data", data}});
  for (const char* data : images) {
    expect_balanced({{"M", 64}, {"N", 64}, {"data", data}});
    for (const double mass : input("a")) EXPECT_GE(mass, 1) << data;
    const auto a = input("a");
    EXPECT_EQ(std::accumulate(a.begin(), a.end(), 0.), 64e5) << data;
    EXPECT_NE(a, input("b")) << data;
  }
}

TEST_F(InputsTest, AQuarterIsZero) {
  made({{"M", 8}, {"N", 8}, {"data", "zeros"}});
  const auto a = input("a");
  EXPECT_EQ(std::ranges::count(a, 0.), 2);
}

TEST_F(InputsTest, AreReproducibleAndOtherForAnotherSeed) {
  made({{"M", 50}, {"N", 40}});
  const auto X = input("X");
  made({{"M", 50}, {"N", 40}});
  EXPECT_EQ(X, input("X"));
  EXPECT_NE(X, input("Y"));
  made({{"M", 50}, {"N", 40}, {"seed", 2}});
  EXPECT_NE(X, input("X"));
}

TEST_F(InputsTest, IntegersStandOnTheLattice) {
  made({{"M", 50}, {"N", 40}, {"cost", "integer"}, {"scale", 7}});
  std::set<double> seen;
  for (const double x : input("X")) seen.insert(x);
  EXPECT_EQ(seen, (std::set<double>{0, 1, 2, 3, 4, 5, 6, 7}));
  made({{"M", 9}, {"N", 9}, {"cost", "integer"}, {"data", "white_noise"}});
  EXPECT_EQ(input("X"), (std::vector<double>{0, 0, 0, 1, 0, 2, 1, 0, 1, 1, 1, 2, 2, 0, 2, 1, 2, 2}));
}

// Over 300 fields the variance, and the covariance of two pixels a quarter of the image apart, are Matérn's.
// nu = 1/2 is exp(-r / range).
TEST_F(InputsTest, FieldsHaveTheirCovariance) {
  constexpr std::size_t side = 8;
  double variance = 0, covariance = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const auto field = gaussian_field({2, .5, .4}, side, RandomStream(1, seed));
    for (std::size_t r = 0; r < side; ++r)
      for (std::size_t c = 0; c + 2 < side; ++c) {
        variance += field[r * side + c] * field[r * side + c];
        covariance += field[r * side + c] * field[r * side + c + 2];
      }
  }
  const double count = 300. * side * (side - 2);
  EXPECT_NEAR(variance / count, 2, .3);
  EXPECT_NEAR(covariance / variance, std::exp(-.25 / .4), .05);
}

TEST_F(InputsTest, ReadsNumbersOfAFile) {
  const std::string file = (user / "image.csv").string();
  std::ofstream(file) << "0,1\n2,3\r\n";
  EXPECT_EQ(read_image("image", file, 2), (std::vector<double>{0, 1, 2, 3}));
  EXPECT_EQ(read_image("image", file, 1), (std::vector<double>{1.5}));
  EXPECT_THAT(error_of([&] { read_image("image", file, 3); }),
              HasSubstr("has 2 x 2 pixels, fewer than the 3 x 3"));
  std::ofstream(file) << "0,1\n2,-3\n";
  EXPECT_EQ(error_of([&] { read_image("image", file, 2); }),
            "image: " + file + ": row 1, column 1: expected a number of at least 0, got -3");
  std::ofstream(file) << "0,1\n2\n";
  EXPECT_EQ(error_of([&] { read_image("image", file, 2); }),
            "image: " + file + ", line 2: expected 2 numbers as in the first line, got 1");
}

TEST_F(InputsTest, SkipsAByteOrderMarkAndBlankLinesAndCountsThem) {
  const std::string file = (user / "image.csv").string();
  std::ofstream(file) << "\xef\xbb\xbf"
                      << "0,1\n2,3\n";
  EXPECT_EQ(read_image("image", file, 2), (std::vector<double>{0, 1, 2, 3}));
  std::ofstream(file) << "\n\n0,1\n2,x3\n";
  EXPECT_EQ(error_of([&] { read_image("image", file, 2); }),
            "image: " + file + ", line 4: expected a number, got \"x3\"");
  std::ofstream(file) << "\n0,1\n\n2\n";
  EXPECT_EQ(error_of([&] { read_image("image", file, 2); }),
            "image: " + file + ", line 4: expected 2 numbers as in the first line, got 1");
}

TEST_F(InputsTest, RefusesABlackImageAndMassesThatOverflow) {
  const std::string file = (user / "image.csv").string();
  std::ofstream(file) << "0,0\n0,0\n";
  EXPECT_EQ(error_of([&] { read_image("image", file, 2); }),
            "image: " + file + ": its levels sum to 0; expected an image that is not all black");
  std::ofstream(file) << "1e308,1e308\n0,1\n";
  EXPECT_EQ(error_of([&] { read_image("image", file, 2); }),
            "image: " + file + ": its levels sum to inf; expected a finite sum");
  EXPECT_EQ(refused(users({1e308, 1e308}, {1e308, 1e308})),
            user.string() + ": a sums to inf and b to inf; expected finite sums");
}

TEST_F(InputsTest, RefusesMassesInOneLine) {
  const std::string file = (user / "a.npy").string(), path = user.string();
  EXPECT_EQ(refused(users({1, 2}, {2, 1})), "");
  EXPECT_EQ(refused(users({1, 2}, {2, 2})), path + ": a sums to 3 and b to 4; expected equal sums");
  EXPECT_EQ(refused(users({1, -2}, {2, 1})), file + ": a[1] is -2; it cannot be negative");
  EXPECT_EQ(refused(users({NAN, 2}, {2, 1})), file + ": a[0] is nan; expected a finite number");
  EXPECT_EQ(refused(users({0, 0}, {0, 0})), path + ": a sums to 0; expected a sum above 0");
}

TEST_F(InputsTest, RefusesWhatDoublesCannotAddUp) {
  EXPECT_EQ(refused(users({1, 2}, {2, 1}, {0, 1e148})), "");
  EXPECT_THAT(refused(users({1, 2}, {2, 1}, {0, 1e150})),
              HasSubstr("sums could pass 1e300; expected smaller units"));
}

TEST_F(InputsTest, RefusesIntegersThatWouldBeRounded) {
  Json at = users({1, 2}, {2, 1}, {0, 1 << 20});
  at["cost"] = "integer";
  EXPECT_EQ(refused(at), "");
  at = users({1, 2}, {2, 1}, {0, 1 << 26});
  at["cost"] = "integer";
  EXPECT_THAT(refused(at), HasSubstr("at most 2^53 = 9.01e15 of both stays exact"));
  at = users({1, 2}, {2, 1}, {0, .5});
  at["cost"] = "integer";
  EXPECT_THAT(refused(at), HasSubstr("X[1,0] is 0.5; expected an integer, because of cost=integer"));
}

TEST_F(InputsTest, TakesForbiddenPairs) {
  const auto matrix = [&](const std::vector<double>& C) {
    const std::vector<double> ones(2, 1);
    write(user / "a.npy", {2}, ones);
    write(user / "b.npy", {2}, ones);
    write(user / "C.npy", {2, 2}, C);
    return Json{{"M", 2}, {"N", 2}, {"data", "npy"}, {"cost", "matrix"}, {"path", user.string()}};
  };
  const std::vector<double> C{INFINITY, 3, 2, 1};
  made(matrix(C));
  EXPECT_EQ(input("C"), C);
  EXPECT_EQ(family().derive(point(matrix(C))).text("forbidden"), "yes");
  EXPECT_EQ(family().derive(point(matrix({0, 3, 2, 1}))).text("forbidden"), "no");
  EXPECT_EQ(refused(matrix({INFINITY, INFINITY, 2, 1})),
            "no plan avoids the forbidden pairs, whose costs are infinite");
  EXPECT_EQ(refused(matrix({INFINITY, 3, INFINITY, 1})),
            "no plan avoids the forbidden pairs, whose costs are infinite");
  EXPECT_EQ(refused(matrix({-INFINITY, 3, 2, 1})),
            (user / "C.npy").string() +
                ": C[0,0] is -inf; expected a finite number, or inf for a "
                "forbidden pair");
}

TEST_F(InputsTest, RefusesAxesThatMeanNothing) {
  EXPECT_EQ(refused({{"scale", 7}}), "scale is for cost=integer with points that are drawn");
  EXPECT_EQ(refused({{"data", "colors"}}), "data=colors: k must be 3");
  EXPECT_EQ(refused({{"cost", "matrix"}, {"round", 1}}), "round is for points; cost is matrix");
  EXPECT_EQ(
      refused({{"data", "cauchy"}}),
      "data=cauchy is of two square images: M and N must be the same square and k 2, not M=7, N=5, k=2");
}

}  // namespace
}  // namespace uotbench::simplex
