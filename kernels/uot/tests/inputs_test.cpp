// Inputs are reproducible, rounded once, and refused where no kernel could do anything with them.
#include <algorithm>
#include <cmath>
#include <fstream>
#include <string>
#include <vector>

#include "kernels/uot/tests/inputs_fixture.hpp"

namespace uotbench::uot {
namespace {

using testing::AllOf;
using testing::Each;
using testing::Ge;
using testing::Le;

TEST_F(InputsTest, DerivesFi) {
  const auto derived = [](const Json& changes) { return point(changes).number("fi"); };
  EXPECT_EQ(derived({{"M", 1}, {"N", 1}}), .5);
  EXPECT_DOUBLE_EQ(derived({{"M", 1}, {"N", 1}, {"reg_m", .15}}), .75);
}

TEST_F(InputsTest, UniformIsTheAuthorsData) {
  const Json at{{"M", 50}, {"N", 70}};
  for (const char* name : {"K", "a", "b"}) EXPECT_THAT(made(at, name), Each(AllOf(Ge(0), Le(100)))) << name;
  double mean = 0;
  for (const double cell : made(at, "K")) mean += cell / (50 * 70);
  EXPECT_NEAR(mean, 50, 2);
}

TEST_F(InputsTest, AreTheSameForAnyNumberOfThreadsAndOtherForAnotherSeed) {
  const int threads = omp_get_max_threads();
  for (const char* data : {"uniform", "points", "noisy", "colors"}) {
    Json at{{"M", 400}, {"N", 300}, {"data", data}};
    omp_set_num_threads(1);
    const auto one = made(at, "K");
    omp_set_num_threads(3);
    EXPECT_EQ(one, made(at, "K")) << data;
    at["seed"] = 2;
    EXPECT_NE(one, made(at, "K")) << data;
  }
  omp_set_num_threads(threads);
}

TEST_F(InputsTest, AreRoundedToTheElementType) {
  const auto wide = made({{"M", 9}, {"N", 9}, {"data", "points"}, {"dtype", "f64"}}, "K");
  const auto narrow = made({{"M", 9}, {"N", 9}, {"data", "points"}}, "K");
  for (std::size_t k = 0; k < wide.size(); ++k) EXPECT_EQ(static_cast<float>(wide[k]), narrow[k]);
}

TEST_F(InputsTest, PointsHaveAGibbsKernel) {
  Json at{{"M", 20}, {"N", 30}, {"data", "points"}, {"dtype", "f64"}, {"reg", .1}};
  const auto K = made(at, "K");
  EXPECT_THAT(K, Each(AllOf(Ge(std::exp(-2 / .1)), Le(1))));  // the unit square's diagonal squared is 2
  EXPECT_THAT(made(at, "a"), Each(AllOf(Ge(.5 / 20), Le(1.5 / 20))));
  at["reg"] = .2;
  const auto root = made(at, "K");
  for (std::size_t k = 0; k < K.size(); ++k) EXPECT_NEAR(root[k] * root[k], K[k], 1e-14);
}

// The largest cost is 1 but for coordinates that are floats.
TEST_F(InputsTest, NoisyHasCostsOfAtMostOneAndEqualMasses) {
  for (const auto& [M, N] : {std::pair{50, 50}, {1, 1}, {4, 7}}) {
    const Json at{{"M", M}, {"N", N}, {"data", "noisy"}, {"dtype", "f64"}, {"reg", .005}};
    const auto K = made(at, "K");
    EXPECT_THAT(K, Each(AllOf(Ge(std::exp(-(1 + 4e-7) / .005)), Le(1))));
    EXPECT_NEAR(std::log(*std::ranges::min_element(K)), -1 / .005, 4e-7 / .005) << M;
    EXPECT_THAT(doubles(in / "a.npy"), Each(1. / M));
    EXPECT_THAT(doubles(in / "b.npy"), Each(1. / N));
  }
}

// Expected squared distances: clouds 2 * 5^2 + 1 + 1 + 1 + 1, noise to noise 2 * 10^2 + 4 / 12, source cloud
// to target noise 2 * 7.5^2 + 2 + 2 / 12.
TEST_F(InputsTest, NoisyIsTwoCloudsWhoseLastFifthIsFarAway) {
  constexpr std::size_t n = 1000, clean = 800;
  const auto K = made({{"M", n}, {"N", n}, {"data", "noisy"}, {"dtype", "f64"}, {"reg", 1}}, "K");
  const auto mean_cost = [&](std::size_t top, std::size_t bottom, std::size_t left, std::size_t right) {
    double sum = 0;
    for (std::size_t i = top; i < bottom; ++i)
      for (std::size_t j = left; j < right; ++j) sum -= std::log(K[i * n + j]);
    return sum / static_cast<double>((bottom - top) * (right - left));
  };
  const double noise = mean_cost(clean, n, clean, n);
  EXPECT_NEAR(mean_cost(0, clean, 0, clean) / noise, 54 / (200 + 1 / 3.), .02);
  EXPECT_NEAR(mean_cost(0, clean, clean, n) / noise, (114.5 + 1 / 6.) / (200 + 1 / 3.), .02);
}

TEST_F(InputsTest, TakeAUsersArraysOfEitherTypeAndKOrC) {
  write_user(2, 3, {0, .1, .2, .3, .4, .5}, {1, 2}, {1, 0, 2}, "C");
  write<float>(user / "a.npy", {2}, {1, 2});
  family().prepare(user_point(2, 3, {{"reg", .1}}), in);
  EXPECT_EQ(doubles(in / "a.npy"), (std::vector<double>{1, 2}));
  EXPECT_EQ(doubles(in / "b.npy"), (std::vector<double>{1, 0, 2}));
  EXPECT_EQ(doubles(in / "K.npy")[3], static_cast<float>(std::exp(-3.)));
  fs::remove(user / "C.npy");
  write<double>(user / "K.npy", {2, 3}, {1, 2, 3, 4, 5, .1});
  family().prepare(user_point(2, 3), in);
  EXPECT_EQ(doubles(in / "K.npy")[5], .1f);
}

TEST_F(InputsTest, TakeMassesFromACsvFileAndFromOneRow) {
  write_user(2, 3, {1, 2, 3, 4, 5, 6}, {1, 2}, {1, 1, 1});
  fs::remove(user / "a.npy");
  std::ofstream(user / "a.csv") << "\xef\xbb\xbfmass\n\n3\n1.5\n";
  write<double>(user / "b.npy", {1, 3}, {4, 5, 6});
  family().prepare(user_point(2, 3), in);
  EXPECT_EQ(doubles(in / "a.npy"), (std::vector<double>{3, 1.5}));
  EXPECT_EQ(doubles(in / "b.npy"), (std::vector<double>{4, 5, 6}));
  std::ofstream(user / "a.csv") << "3, 1.5\r\n";
  family().prepare(user_point(2, 3), in);
  EXPECT_EQ(doubles(in / "a.npy"), (std::vector<double>{3, 1.5}));
  std::ofstream(user / "a.csv") << "\n3\nx\n";
  EXPECT_EQ(error_of([&] { user_point(2, 3); }),
            (user / "a.csv").string() + ", line 3: expected a number, got \"x\"");
  std::ofstream(user / "a.csv") << "mass\n";
  EXPECT_EQ(error_of([&] { user_point(2, 3); }), in_user("a.csv", "holds no numbers"));
}

TEST_F(InputsTest, SayWhatAUsersFolderLacks) {
  const auto refusal = [&] { return error_of([&] { user_point(2, 3); }); };
  EXPECT_EQ(error_of([] {
              point({{"M", 2}, {"N", 3}, {"data", "npy"}});
            }),
            "data=npy needs path: the folder that holds a.npy, b.npy and one of K.npy, C.npy, and X.npy with "
            "Y.npy");
  EXPECT_EQ(error_of([] {
              point({{"M", 2}, {"N", 3}, {"data", "npy"}, {"path", "/nowhere"}});
            }),
            "path: /nowhere is not a folder");
  EXPECT_EQ(refusal(),
            "path: " + user.string() +
                " holds none of K, C, X and Y; expected one of K.npy, C.npy, and X.npy with Y.npy");
  write_user(2, 3, {1, 1, 1, 1, 1, 1}, {1, 1}, {1, 1, 1});
  EXPECT_EQ(refusal(), "");
  write<double>(user / "C.npy", {2, 3}, {1, 1, 1, 1, 1, 1});
  EXPECT_EQ(refusal(),
            "path: " + user.string() + " holds K and C; expected one of K.npy, C.npy, and X.npy with Y.npy");
  fs::remove(user / "C.npy");
  write<double>(user / "K.npy", {3, 2}, {1, 1, 1, 1, 1, 1});
  EXPECT_EQ(refusal(), in_user("K.npy", "shape (3, 2); expected (2, 3) for M=2, N=3"));
  write<double>(user / "K.npy", {2, 3}, {1, 1, 1, 1, 1, 1});
  write<double>(user / "b.npy", {3, 1}, {1, 1, 1});
  EXPECT_EQ(refusal(), in_user("b.npy", "shape (3, 1); expected (3,) for M=2, N=3"));
  NpyArray::create(user / "b.npy", "<i8", {3});
  EXPECT_EQ(refusal(), "") << "integers are numbers";
  std::ofstream(user / "b.csv") << "1\n";
  EXPECT_EQ(refusal(), user.string() + ": holds both b.npy and b.csv; expected one of them");
  fs::remove(user / "b.csv");
  fs::remove(user / "b.npy");
  EXPECT_EQ(refusal(), in_user("b.npy", "No such file or directory"));
}

TEST_F(InputsTest, SayWhichOfAUsersCellsIsUnusable) {
  const auto refusal = [&](std::vector<double> K, std::vector<double> a, const char* matrix = "K") {
    fs::remove(user / "K.npy");
    write_user(2, 2, K, a, {1, 1}, matrix);
    return error_of([&] { family().prepare(user_point(2, 2), in); });
  };
  EXPECT_EQ(refusal({1, 1, 1, 1}, {1, 1}), "");
  EXPECT_EQ(refusal({1, 1, 1, NAN}, {1, 1}), in_user("K.npy", "K[1,1] is nan; expected a finite number"));
  EXPECT_EQ(refusal({1, -2, NAN, 1}, {1, 1}), in_user("K.npy", "K[0,1] is -2; it cannot be negative"));
  EXPECT_EQ(refusal({1, 1, 1, 1}, {1, -INFINITY}),
            in_user("a.npy", "a[1] is -inf; expected a finite number"));
  EXPECT_EQ(refusal({1, 1, 1, 1}, {-.5, 1}), in_user("a.npy", "a[0] is -0.5; it cannot be negative"));
  EXPECT_EQ(refusal({1, 1, 1, 1}, {0, 0}), in_user("a.npy", "every cell of a is 0; expected a sum above 0"));
  EXPECT_EQ(refusal({1, 1, 1, 1}, {3e38, 3e38}),
            in_user("a.npy", "a sums to more than f32 holds; expected smaller masses, or dtype=f64"));
  EXPECT_EQ(refusal({1, 1, 1e300, 1}, {1, 1}),
            in_user("K.npy", "K[1,0] is 1e+300, more than f32 holds; try dtype=f64"));
  EXPECT_EQ(refusal({0, 0, 0, -10}, {1, 1}, "C"),
            in_user("C.npy", "C[1,1] is -10: exp(-C/reg) overflows in f32; add a constant to all costs"));
}

TEST_F(InputsTest, AreRefusedWhereNoPlanExists) {
  const auto refusal = [&](std::vector<double> K, std::vector<double> a, std::vector<double> b,
                           Json changes = Json::object(), const char* matrix = "K") {
    fs::remove(user / "K.npy");
    write_user(2, 2, K, a, b, matrix);
    return error_of([&] { family().prepare(user_point(2, 2, changes), in); });
  };
  EXPECT_EQ(refusal({0, 0, 1, 1}, {0, 1}, {1, 1}), "");  // no mass, no need
  EXPECT_EQ(refusal({0, 0, 1, 1}, {.5, 1}, {1, 1}),
            "row 0 of K is zero wherever b has mass, but a[0] is 0.5: no plan can give it that; "
            "if it is not zero in the data it underflowed in f32; try dtype=f64");
  EXPECT_EQ(refusal({1, 0, 1, 0}, {1, 1}, {1, 2}, {{"dtype", "f64"}}),
            "column 1 of K is zero wherever a has mass, but b[1] is 2: no plan can give it that");
  EXPECT_EQ(refusal({1, 0, 0, 1}, {1, 1}, {1, 0}, {{"dtype", "f64"}}),
            "row 1 of K is zero wherever b has mass, but a[1] is 1: no plan can give it that");
  EXPECT_EQ(refusal({0, 0, 6, 6}, {1, 1}, {1, 1}, Json::object(), "C"),
            "row 1 of K is zero wherever b has mass, but a[1] is 1: no plan can give it that; "
            "exp(-C/reg) underflowed in f32; try a larger reg or dtype=f64");
  EXPECT_EQ(refused({{"M", 1}, {"N", 1}, {"data", "points"}, {"reg", 1e-6}, {"dtype", "f64"}}).substr(0, 31),
            "row 0 of K is zero wherever b h");
}

TEST_F(InputsTest, TakeForbiddenPairs) {
  write_user(2, 2, {0, INFINITY, .05, .1}, {1, 1}, {1, 1}, "C");
  for (const char* stop : {"iterations", "change"}) {
    const Json changes{{"dtype", "f64"}, {"stop", stop}};
    family().prepare(user_point(2, 2, changes), in);
    EXPECT_EQ(doubles(in / "K.npy"), (std::vector<double>{1, 0, std::exp(-1.), std::exp(-2.)}));
    write_user(2, 2, {INFINITY, INFINITY, 1, 1}, {1, 1}, {1, 1}, "C");
    EXPECT_THAT(error_of([&] { family().prepare(user_point(2, 2, changes), in); }),
                testing::StartsWith(
                    "row 0 of K is zero wherever b has mass, but a[0] is 1: no plan can give it that"));
    write_user(2, 2, {0, INFINITY, .05, .1}, {1, 1}, {1, 1}, "C");
  }
  EXPECT_EQ(doubles(in / "C.npy")[1], INFINITY);
  write_user(2, 2, {0, -INFINITY, 1, 1}, {1, 1}, {1, 1}, "C");
  EXPECT_EQ(error_of([&] { family().prepare(user_point(2, 2), in); }),
            in_user("C.npy", "C[0,1] is -inf; expected a finite number, or inf for a forbidden pair"));
}

TEST_F(InputsTest, ThePageIsTrue) {
  write_user(2, 3, std::vector<double>(6, 1), {1, 1}, {1, 1, 1}, "C");
  write(user / "log_u0.npy", {2}, std::vector<double>{0, -1});
  write(user / "log_v0.npy", {3}, std::vector<double>{0, 1, 2});
  expect_page_is_true(
      family(),
      {{{"M", 5}, {"N", 7}},
       {{"M", 2}, {"N", 3}, {"data", "npy"}, {"path", user.string()}, {"stop", "change"}, {"warm", "given"}},
       {{"M", 5}, {"N", 7}, {"dtype", "f64"}},
       {{"M", 5}, {"N", 7}, {"data", "points"}, {"stop", "change"}},
       {{"M", 5}, {"N", 7}, {"data", "points"}, {"matrix", "never"}},
       {{"M", 5}, {"N", 7}, {"data", "colors"}, {"application", 1}},
       {{"M", 5}, {"N", 7}, {"data", "moons"}, {"application", 1}},
       {{"M", 5}, {"N", 7}, {"data", "surface"}, {"application", 1}},
       {{"M", 5}, {"N", 7}, {"data", "likelihood"}, {"application", 1}}});
}

}  // namespace
}  // namespace uotbench::uot
