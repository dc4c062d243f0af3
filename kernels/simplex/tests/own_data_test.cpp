// A user's own folder says the sizes of the problem, and whether its costs are a matrix.
#include "kernels/simplex/tests/fixture.hpp"

namespace uotbench::simplex {
namespace {

class OwnDataTest : public SimplexTest {
 protected:
  static constexpr std::size_t n = 40;

  void write_masses() {
    write(user / "a.npy", {n}, std::vector<double>(n, 1. / n));
    write(user / "b.npy", {n}, std::vector<double>(n, 1. / n));
  }
};

TEST_F(OwnDataTest, SizesAreThoseOfTheFiles) {
  write_masses();
  write(user / "C.npy", {n, n}, std::vector<double>(n * n, 1));
  const auto derived = [&](const Json& changes) {
    Json values{{"data", "npy"}, {"path", user.string()}};
    values.update(changes);
    return family().derive(point_from(defaults_with(family(), values)));
  };
  for (const Json& changes : {Json{{"cost", "matrix"}}, Json{{"cost", nullptr}, {"k", nullptr}}}) {
    EXPECT_EQ(derived(changes).integer("M"), n);
    EXPECT_EQ(derived(changes).integer("N"), n);
  }
  EXPECT_EQ(error_of([&] {
              derived({{"cost", "integer"}});
            }),
            "path: " + user.string() + " holds C and no points, and cost is integer; expected cost=matrix");
  EXPECT_EQ(error_of([] { family().derive(point_from(defaults_with(family(), Json::object()))); }),
            "M must be given: sizes are read from files with data=npy only");
}

TEST_F(OwnDataTest, AKernelIsNoCost) {
  write_masses();
  write(user / "K.npy", {n, n}, std::vector<double>(n * n, 1));
  EXPECT_EQ(
      error_of([&] {
        point({{"M", n}, {"N", n}, {"data", "npy"}, {"path", user.string()}, {"cost", "matrix"}});
      }),
      "path: " + user.string() + " holds K = exp(-C/reg), and simplex has no reg; expected C, or X and Y");
}

TEST_F(OwnDataTest, CostsAreOfTheKindThatTheFolderHolds) {
  write_masses();
  const auto kind = [&](const Json& changes) {
    Json values{{"data", "npy"}, {"path", user.string()}, {"cost", nullptr}, {"k", nullptr}};
    values.update(changes);
    const Point derived = family().derive(point_from(defaults_with(family(), values)));
    return derived.text("cost") + std::to_string(derived.integer("k"));
  };
  write(user / "C.npy", {n, n}, std::vector<double>(n * n, 1));
  EXPECT_EQ(kind(Json::object()), "matrix2");
  write(user / "X.npy", {n, 3}, std::vector<double>(n * 3, 1));
  write(user / "Y.npy", {n, 3}, std::vector<double>(n * 3, 2));
  EXPECT_EQ(kind(Json::object()), "squared3") << "both: points";
  EXPECT_EQ(kind({{"cost", "matrix"}}), "squared2") << "what is given wins; this is what would be derived";
  EXPECT_EQ(error_of([&] {
              kind({{"k", 2}});
            }),
            (user / "X.npy").string() + ": shape (40, 3); expected (40, 2) for M=40, N=40, k=2");
  const Point drawn = family().derive(
      point_from(defaults_with(family(), {{"M", 3}, {"N", 4}, {"cost", nullptr}, {"k", nullptr}})));
  EXPECT_EQ(drawn.text("cost"), "squared");
  EXPECT_EQ(drawn.integer("k"), 2);
}

}  // namespace
}  // namespace uotbench::simplex
