// Inputs are reproducible and what the page says, and what makes no sound problem is refused in one line.
#include <numeric>

#include "harness/protocol/point_json.hpp"
#include "kernels/sinkhorn_log/tests/fixture.hpp"

namespace uotbench::sinkhorn_log {
namespace {

using testing::HasSubstr;

class InputsTest : public SinkhornLogTest {
 protected:
  std::vector<double> made(const Json& changes, const std::string& name) {
    family().prepare(point(changes), in);
    const auto array = NpyArray::open(in / (name + ".npy"));  // its memory goes with it
    const auto values = array.as<double>();
    return {values.begin(), values.end()};
  }
  std::string refused(const Json& changes) {
    return error_of([&] { family().prepare(point(changes), in); });
  }
  /// 3 items of 2 x 2 in the user's folder.
  Json users(const std::vector<double>& mu, const std::vector<double>& nu) {
    write(user / "mu.npy", {3, 2}, mu);
    write(user / "nu.npy", {3, 2}, nu);
    return {{"M", 2}, {"N", 2}, {"masses", "npy"}, {"path", user.string()}};
  }
  const std::vector<double> equal{.5, .5, .5, .5, .5, .5};
};

TEST_F(InputsTest, ThePageIsTrue) {
  expect_page_is_true(
      family(), {{{"B", 3}, {"M", 9}, {"N", 9}, {"cost", "grid2d"}, {"ragged", "yes"}, {"warm", "neighbour"}},
                 {{"B", 3}, {"M", 7}, {"N", 5}, {"dtype", "f64"}, {"d", 3}},
                 {{"task", "barycenter"}, {"B", 3}, {"M", 7}, {"N", 5}, {"histograms", 3}}});
}

TEST_F(InputsTest, SumToOneForEachItem) {
  for (const char* masses : {"uniform", "equal", "images", "zeros"}) {
    const auto mu = made({{"M", 9}, {"N", 16}, {"masses", masses}}, "mu");
    for (std::size_t b = 0; b < 3; ++b)
      EXPECT_NEAR(std::accumulate(&mu[9 * b], &mu[9 * b] + 9, 0.), 1, 1e-14) << masses;
  }
  EXPECT_EQ(made({{"M", 4}, {"N", 4}, {"masses", "ones"}}, "nu"), std::vector<double>(12, 1.));
}

TEST_F(InputsTest, ItemsDifferUnlessTheyShareTheirSource) {
  const auto first = [](const std::vector<double>& all) { return std::vector(all.begin(), all.begin() + 7); };
  const auto second = [](const std::vector<double>& all) {
    return std::vector(all.begin() + 7, all.begin() + 14);
  };
  const auto each = made(Json::object(), "mu"), one = made({{"source", "one"}}, "mu");
  EXPECT_NE(first(each), second(each));
  EXPECT_EQ(first(one), second(one));
  EXPECT_NE(each, made({{"seed", 2}}, "mu"));
}

TEST_F(InputsTest, AGridsCostsAreSumsOfItsAxes) {
  const Json grid{{"M", 9}, {"N", 9}, {"cost", "grid2d"}, {"cost_scale", .5}};
  const auto C = made(grid, "C"), C1 = made(grid, "C1"), X = made(grid, "X");
  for (std::size_t p = 0; p < 9; ++p)
    for (std::size_t q = 0; q < 9; ++q) {
      EXPECT_NEAR(C[p * 9 + q], C1[p / 3 * 3 + q / 3] + C1[p % 3 * 3 + q % 3], 1e-15);
      EXPECT_NEAR(C[p * 9 + q],
                  (std::pow(X[2 * p] - X[2 * q], 2) + std::pow(X[2 * p + 1] - X[2 * q + 1], 2)) / 2, 1e-15);
    }
}

TEST_F(InputsTest, RaggedItemsHaveNoMassBeyondTheirSizes) {
  const auto mu = made({{"B", 20}, {"ragged", "yes"}}, "mu");
  const auto sizes = NpyArray::open(in / "rows.npy");
  const auto rows = sizes.as<std::int32_t>();
  for (std::size_t b = 0; b < 20; ++b) {
    EXPECT_GE(rows[b], 4);
    EXPECT_LE(rows[b], 7);
    for (std::size_t i = 0; i < 7; ++i) EXPECT_EQ(mu[7 * b + i] > 0, i < static_cast<std::size_t>(rows[b]));
  }
}

TEST_F(InputsTest, ANeighbourIsNearTheSolution) {
  const Given problem = given({{"warm", "neighbour"}});
  for (std::size_t b = 0; b < 3; ++b) {
    const double off = quality(problem.costs, problem.masses, .05, problem.start, b).marginals;
    EXPECT_LT(off, .2);
    EXPECT_GT(off, 1e-6);
  }
}

TEST_F(InputsTest, RefusesBadMassesInOneLine) {
  const std::string file = (user / "mu.npy").string();
  EXPECT_EQ(refused(users(equal, equal)), "");
  EXPECT_EQ(refused(users({.5, .5, .5, .25, .5, .5}, equal)),
            file + ": mu[1] sums to 0.75 and nu[1] to 1; balanced transport needs equal sums");
  EXPECT_EQ(refused(users({.5, .5, .5, .5, -.5, 1.5}, equal)),
            file + ": mu[2,0] is -0.5; it cannot be negative");
  EXPECT_EQ(refused(users({.5, .5, .5, NAN, .5, .5}, equal)),
            file + ": mu[1,1] is nan; expected a finite number");
  EXPECT_EQ(refused(users(equal, {.5, .5, .5, INFINITY, .5, .5})),
            (user / "nu.npy").string() + ": nu[1,1] is inf; expected a finite number");
  EXPECT_EQ(refused(users({0, 0, .5, .5, .5, .5}, {0, 0, .5, .5, .5, .5})),
            file + ": mu[0] sums to 0; expected a sum above 0");
  EXPECT_EQ(refused(users({1e308, 1e308, .5, .5, .5, .5}, {1e308, 1e308, .5, .5, .5, .5})),
            file + ": mu[0] sums to more than f64 holds; expected smaller masses");
}

TEST_F(InputsTest, TakesMassesOfOneItemAsVectors) {
  write(user / "mu.npy", {2}, std::vector<double>{.25, .75});
  write(user / "nu.npy", {1, 2}, std::vector<double>{.5, .5});
  EXPECT_EQ(made({{"B", 1}, {"M", 2}, {"N", 2}, {"masses", "npy"}, {"path", user.string()}}, "mu"),
            (std::vector<double>{.25, .75}));
}

TEST_F(InputsTest, RefusesBadCostsInOneLine) {
  const Json at{{"M", 2}, {"N", 2}, {"cost", "npy"}, {"path", user.string()}};
  write(user / "C.npy", {2, 2}, std::vector<double>{0, -1, 1, 0});
  EXPECT_EQ(refused(at), "");
  for (const double bad : {double(NAN), -double(INFINITY)}) {
    write(user / "C.npy", {2, 2}, std::vector<double>{0, 1, bad, 0});
    EXPECT_THAT(refused(at), HasSubstr("C[1,0] is " + std::string(std::isnan(bad) ? "nan" : "-inf") +
                                       "; expected a finite number, or inf for a forbidden pair"));
  }
  write(user / "C.npy", {2, 2}, std::vector<double>{0, 1, 1e307, 0});
  EXPECT_THAT(refused(at), HasSubstr("C[1,0] is 1e+307, more than f64 holds once divided by reg=0.05"));
  write(user / "C.npy", {2, 3}, std::vector<double>(6));
  EXPECT_THAT(refused(at), HasSubstr("C.npy: shape (2, 3); expected (2, 2) for B=3, M=2, N=2"));
}

TEST_F(InputsTest, TakesForbiddenPairsWhereAllMassHasAPartner) {
  Json at{{"M", 2}, {"N", 2}, {"cost", "npy"}, {"path", user.string()}};
  const std::vector<double> C{0, INFINITY, 1, 2};
  write(user / "C.npy", {2, 2}, C);
  EXPECT_EQ(made(at, "C"), C);
  EXPECT_EQ(family().derive(point(at)).text("forbidden"), "yes");
  at["task"] = "barycenter";
  EXPECT_EQ(refused(at), "task=barycenter needs finite costs: C.npy holds inf, a forbidden pair");
  at["task"] = "transport";
  write(user / "C.npy", {2, 2}, std::vector<double>{INFINITY, INFINITY, 1, 2});
  EXPECT_THAT(refused(at), HasSubstr("row 0 of C is inf wherever the other side has mass, but mu[0,0] is "));
  write(user / "C.npy", {2, 2}, std::vector<double>{0, INFINITY, 1, INFINITY});
  EXPECT_THAT(refused(at),
              HasSubstr("column 1 of C is inf wherever the other side has mass, but nu[0,1] is "));
  Json without = users({1, 0, 1, 0, 1, 0}, {1, 0, 1, 0, 1, 0});
  without["cost"] = "npy";
  EXPECT_EQ(refused(without), "");
}

TEST_F(InputsTest, RefusesSizesBeyondTheBatchs) {
  Json at = users(equal, equal);
  at["ragged"] = "yes";
  write(user / "rows.npy", {3}, std::vector<double>{2, 3, 2});
  write(user / "columns.npy", {3}, std::vector<double>{2, 2, 2});
  EXPECT_THAT(refused(at), HasSubstr("rows.npy: rows[1] is 3; expected an integer from 1 to M=2"));
  write(user / "rows.npy", {3}, std::vector<double>{2, 1, 2});
  EXPECT_THAT(refused(at), HasSubstr("mu.npy: mu[1,1] is 0.5, beyond the item's size of 1; expected 0"));
  write(user / "rows.npy", {3}, std::vector<double>{2, 2, 2});
  write(user / "columns.npy", {3}, std::vector<double>{2, 2, 0});
  EXPECT_THAT(refused(at), HasSubstr("columns.npy: columns[2] is 0; expected an integer from 1 to N=2"));
  write(user / "columns.npy", {3}, std::vector<double>{2, 2, 1.5});
  EXPECT_THAT(refused(at), HasSubstr("columns.npy: columns[2] is 1.5; expected an integer from 1 to N=2"));
}

TEST_F(InputsTest, RefusesNoBatchAndNoRegularisation) {
  const auto violation_of = [](const char* name, const Json& value) {
    const auto& axes = family().spec().axes;
    return axis_violation(*std::ranges::find(axes, name, &Axis::name), value);
  };
  EXPECT_EQ(violation_of("B", 1), "");
  EXPECT_THAT(violation_of("B", 0), HasSubstr("0 is not an integer 1.."));
  for (const char* name : {"M", "N", "histograms"}) EXPECT_NE(violation_of(name, 0), "") << name;
  EXPECT_EQ(violation_of("reg", .05), "");
  for (const double reg : {0., -.05}) EXPECT_THAT(violation_of("reg", reg), HasSubstr("is not ")) << reg;
}

TEST_F(InputsTest, TakesTheUsersMassesAndSizes) {
  const std::vector<double> mu{1, 0, .25, .75, .5, .5}, nu{.5, .5, 1, 0, .125, .875};
  Json at = users(mu, nu);
  EXPECT_EQ(made(at, "mu"), mu);
  EXPECT_EQ(made(at, "nu"), nu);
  EXPECT_EQ(made(at, "log_mu")[1], -INFINITY);
  EXPECT_EQ(made(at, "log_mu")[2], std::log(.25));
  at["ragged"] = "yes";
  write(user / "rows.npy", {3}, std::vector<double>{1, 2, 2});
  write(user / "columns.npy", {3}, std::vector<double>{2, 1, 2});
  EXPECT_EQ(made(at, "mu"), mu);
  const auto sizes = NpyArray::open(in / "rows.npy");
  EXPECT_THAT(sizes.as<std::int32_t>(), testing::ElementsAre(1, 2, 2));
}

TEST_F(InputsTest, TakesTheUsersCosts) {
  const std::vector<double> C{0, -1, 2, .5};
  write(user / "C.npy", {2, 2}, C);
  EXPECT_EQ(made({{"M", 2}, {"N", 2}, {"cost", "npy"}, {"path", user.string()}}, "C"), C);
}

TEST_F(InputsTest, RefusesWhatContradictsItself) {
  const auto why = [&](const Json& changes) { return refused(changes); };
  EXPECT_EQ(why({{"cost", "grid2d"}}),
            "cost=grid2d is of a square of pixels: M and N must be the same square, not 7 and 5");
  EXPECT_EQ(why({{"masses", "images"}}),
            "masses=images are of squares of pixels: M and N must be squares, not 7 and 5");
  EXPECT_EQ(why({{"masses", "ones"}}),
            "masses=ones have equal sums only where M and N are equal, not 7 and 5");
  EXPECT_EQ(why({{"cost", "own"}, {"matrix", "never"}}),
            "matrix is for costs of points, which can be computed anew; cost is own");
  EXPECT_EQ(why({{"cost", "npy"}}), "cost=npy needs path: the folder that holds C.npy or K.npy");
  EXPECT_EQ(why({{"path", "/tmp"}}),
            "path is for data=npy, cost=npy, masses=npy, weights=npy and warm=given; data is drawn");
  EXPECT_EQ(why({{"tol", 1e-3}}), "tol is for stop=marginal and stop=change; stop is iterations");
  EXPECT_EQ(why({{"d", 3}, {"cost", "grid1d"}}), "d is for cost=points; cost is grid1d");
}

}  // namespace
}  // namespace uotbench::sinkhorn_log
