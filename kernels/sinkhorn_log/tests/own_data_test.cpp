// A user's own points, costs and masses are read as they are, under one vocabulary, and say their sizes.
#include "harness/worker/tests/family_fixture.hpp"
#include "kernels/sinkhorn_log/tests/fixture.hpp"

namespace uotbench::sinkhorn_log {
namespace {

class OwnDataTest : public SinkhornLogTest {
 protected:
  static constexpr std::size_t M = 45, N = 30;

  void write_masses(const char* rows = "a", const char* columns = "b") {
    std::vector<double> a(M), b(N);
    for (std::size_t i = 0; i < M; ++i) a[i] = (1 + static_cast<double>(i % 3)) / (2 * M);
    for (std::size_t j = 0; j < N; ++j) b[j] = (1 + static_cast<double>(j % 2)) / (1.5 * N);
    write(user / (std::string(rows) + ".npy"), {M}, a);
    write(user / (std::string(columns) + ".npy"), {1, N}, b);
  }
  static Point derived(Json values) {
    values = defaults_with(family(), values);
    const Json more = to_json(family().derive(point_from(values)));
    for (const auto& [axis, value] : more.items())
      if (values[axis].is_null()) values[axis] = value;
    return point_from(values);
  }
  Point own(const Json& changes) {
    Json values{{"data", "npy"}, {"path", user.string()}, {"dtype", "f64"}};
    values.update(changes);
    return derived(values);
  }
  std::vector<double> made(const Json& changes, const std::string& name) {
    fs::remove_all(in);
    fs::create_directories(in);
    family().prepare(own(changes), in);
    const auto array = NpyArray::open(in / (name + ".npy"));
    const auto values = array.as<double>();
    return {values.begin(), values.end()};
  }
};

TEST_F(OwnDataTest, PointsAreReadAndTheirDistancesAreTheCosts) {
  write_masses();
  for (const std::size_t d : {2, 3}) {
    const auto X = awkward_cloud(M, d, 1), Y = awkward_cloud(N, d, 2);
    write(user / "X.npy", {M, d}, X);
    write(user / "Y.npy", {N, d}, Y);
    EXPECT_EQ(made({{"d", d}}, "X"), X);
    EXPECT_EQ(made({{"d", d}}, "Y"), Y);
    const auto C = made({{"d", d}, {"cost_scale", .5}}, "C");
    double cost = 0;
    for (std::size_t k = 0; k < d; ++k) cost += std::pow(X[7 * d + k] - Y[5 * d + k], 2) / 2;
    EXPECT_NEAR(C[7 * N + 5], cost, 1e-15);
  }
}

TEST_F(OwnDataTest, OldWordsAndNewOnesMeanTheSame) {
  write_masses("mu", "nu");
  const auto C = awkward_cloud(M, N, 3);
  write(user / "C.npy", {M, N}, C);
  const auto mu = made({{"cost", "matrix"}}, "mu");
  EXPECT_EQ(made({{"data", "drawn"}, {"cost", "npy"}, {"masses", "npy"}}, "mu"), mu);
  EXPECT_EQ(made({{"cost", "matrix"}}, "C"), C);
  EXPECT_EQ(made({{"data", "drawn"}, {"cost", "npy"}, {"masses", "npy"}}, "C"), C);
  write_masses();
  EXPECT_EQ(error_of([&] {
              own({{"cost", "matrix"}});
            }),
            "path: " + user.string() + " holds both a and mu; expected one of them");
}

TEST_F(OwnDataTest, AKernelIsItsCosts) {
  write_masses();
  const auto C = awkward_cloud(M, N, 3);
  std::vector<double> K;
  for (const double cost : C) K.push_back(std::exp(-cost / .05));
  write(user / "K.npy", {M, N}, K);
  const auto costs = made({{"cost", nullptr}, {"d", nullptr}}, "C");
  ASSERT_EQ(costs.size(), C.size());
  for (std::size_t k = 0; k < C.size(); ++k) EXPECT_NEAR(costs[k], C[k], 1e-12);
  EXPECT_EQ(own({{"cost", "matrix"}}).text("forbidden"), "no");
  K[7] = 0;
  write(user / "K.npy", {M, N}, K);
  EXPECT_EQ(made({{"cost", "matrix"}}, "C")[7], double(INFINITY));
  EXPECT_EQ(own({{"cost", "matrix"}}).text("forbidden"), "yes");
  K[7] = -1;
  write(user / "K.npy", {M, N}, K);
  EXPECT_EQ(error_of([&] {
              made({{"cost", "matrix"}}, "C");
            }),
            (user / "K.npy").string() + ": K[0,7] is -1; it cannot be negative");
  write(user / "C.npy", {M, N}, C);
  EXPECT_EQ(error_of([&] {
              own({{"cost", "matrix"}});
            }),
            "path: " + user.string() + " holds both C and K; expected one of them");
}

TEST_F(OwnDataTest, AStartIsReadAsItIs) {
  write_masses();
  write(user / "C.npy", {M, N}, awkward_cloud(M, N, 3));
  const auto log_u = awkward_cloud(M, 1, 4), log_v = awkward_cloud(N, 1, 5);
  write(user / "log_u0.npy", {M}, log_u);
  write(user / "log_v0.npy", {1, N}, log_v);
  EXPECT_EQ(made({{"cost", "matrix"}, {"warm", "given"}}, "log_u0"), log_u);
  EXPECT_EQ(made({{"cost", "matrix"}, {"warm", "given"}}, "log_v0"), log_v);
  fs::remove(user / "log_v0.npy");
  EXPECT_THAT(error_of([&] {
                own({{"cost", "matrix"}, {"warm", "given"}});
              }),
              testing::HasSubstr("log_v0.npy"));
}

TEST_F(OwnDataTest, SizesAreThoseOfTheFiles) {
  write_masses();
  write(user / "X.npy", {M, 2}, awkward_cloud(M, 2, 1));
  write(user / "Y.npy", {N, 2}, awkward_cloud(N, 2, 2));
  EXPECT_EQ(own(Json::object()).integer("B"), 1);
  EXPECT_EQ(own(Json::object()).integer("M"), M);
  EXPECT_EQ(own(Json::object()).integer("N"), N);
  EXPECT_EQ(
      error_of([&] {
        own({{"cost", "matrix"}});
      }),
      "path: " + user.string() + " holds points and no C, and cost is matrix; expected data=npy cost=points");
  EXPECT_EQ(error_of([&] {
              own({{"d", 3}});
            }),
            (user / "X.npy").string() + ": shape (45, 2); expected (45, 3) for B=1, M=45, N=30, d=3");
  EXPECT_EQ(error_of([&] {
              own({{"data", "drawn"}, {"path", ""}});
            }),
            "B must be given: no file of the user's says it");
}

TEST_F(OwnDataTest, CostsAreOfTheKindThatTheFolderHolds) {
  write_masses();
  const Json nothing_given{{"cost", nullptr}, {"d", nullptr}};
  write(user / "C.npy", {M, N}, awkward_cloud(M, N, 3));
  EXPECT_EQ(own(nothing_given).text("cost"), "matrix");
  write(user / "X.npy", {M, 5}, awkward_cloud(M, 5, 1));
  write(user / "Y.npy", {N, 5}, awkward_cloud(N, 5, 2));
  EXPECT_EQ(own(nothing_given).text("cost"), "points") << "both: points";
  EXPECT_EQ(own(nothing_given).integer("d"), 5);
  const Point drawn = derived({{"B", 1}, {"M", 3}, {"N", 4}, {"cost", nullptr}, {"d", nullptr}});
  EXPECT_EQ(drawn.text("cost"), "points");
  EXPECT_EQ(drawn.integer("d"), 2);
}

}  // namespace
}  // namespace uotbench::sinkhorn_log
