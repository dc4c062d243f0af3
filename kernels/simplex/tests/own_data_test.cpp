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
  EXPECT_EQ(derived({{"cost", "matrix"}}).integer("M"), n);
  EXPECT_EQ(derived({{"cost", "matrix"}}).integer("N"), n);
  EXPECT_EQ(error_of([&] { derived(Json::object()); }),
            "path: " + user.string() + " holds C and no points, and cost is squared; expected cost=matrix");
  EXPECT_EQ(error_of([] { family().derive(point_from(defaults_with(family(), Json::object()))); }),
            "M must be given: sizes are read from files with data=npy only");
}

}  // namespace
}  // namespace uotbench::simplex
