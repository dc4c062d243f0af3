// Points, costs and K are one problem: what a kernel makes of the points is what others are given as K.
#include "kernels/uot/tests/fixture.hpp"

namespace uotbench::uot {
namespace {

using testing::Each;

class CostsTest : public UotTest {
 protected:
  /// Prepares in an empty folder, so that what is there was made for this problem.
  void make(const Json& changes) {
    fs::remove_all(in);
    fs::create_directories(in);
    family().prepare(point(changes), in);
  }
  std::vector<double> array(const std::string& name) { return doubles(in / (name + ".npy")); }
  std::vector<std::string> made() {
    std::vector<std::string> names;
    for (const auto& file : fs::directory_iterator(in)) names.push_back(file.path().stem().string());
    std::ranges::sort(names);
    return names;
  }
  static std::string refused(const Json& changes) {
    Json values{{"M", 4}, {"N", 3}};
    values.update(changes);
    return error_of([&] { family().derive(point_from(defaults_with(family(), values))); });
  }
};

template <class Real>
void expect_costs(const std::vector<double>& C, const std::vector<double>& K, const std::vector<double>& X,
                  const std::vector<double>& Y, std::size_t d, double reg) {
  const std::size_t M = X.size() / d, N = Y.size() / d;
  ASSERT_EQ(C.size(), M * N);
  for (std::size_t i = 0; i < M; ++i)
    for (std::size_t j = 0; j < N; ++j) {
      double cost = 0;
      for (std::size_t c = 0; c < d; ++c) cost += std::pow(X[i * d + c] - Y[j * d + c], 2);
      const std::size_t at = i * N + j;
      ASSERT_NEAR(C[at], cost, cost * 1e-15 + std::abs(static_cast<Real>(cost) - cost));
      // Computed by vectors: the last bits may differ.
      const double kernel = std::exp(-C[at] / reg);
      ASSERT_NEAR(K[at], kernel, 4 * std::numeric_limits<Real>::epsilon() * kernel);
    }
}

TEST_F(CostsTest, AreThoseOfThePointsAndKIsOfThem) {
  for (const char* data : {"points", "self", "noisy", "colors"})
    for (const char* dtype : {"f32", "f64"}) {
      SCOPED_TRACE(std::string(data) + " " + dtype);
      const std::size_t d = std::string(data) == "colors" ? 3 : 2;
      make({{"M", 30}, {"N", 30}, {"data", data}, {"dtype", dtype}, {"stop", "change"}, {"reg", .2}});
      EXPECT_EQ(made(), (std::vector<std::string>{"C", "K", "X", "Y", "a", "b"}));
      const auto check = std::string(dtype) == "f32" ? expect_costs<float> : expect_costs<double>;
      check(array("C"), array("K"), array("X"), array("Y"), d, .2);
      for (const double x : array("X")) ASSERT_EQ(x, static_cast<float>(x)) << "not the same in f32";
    }
}

TEST_F(CostsTest, AreGivenOnlyToThoseWhoGoToASolution) {
  make({{"M", 4}, {"N", 3}, {"data", "points"}});
  EXPECT_EQ(made(), (std::vector<std::string>{"K", "X", "Y", "a", "b"}));
  make({{"M", 4}, {"N", 3}, {"stop", "change"}});
  EXPECT_EQ(made(), (std::vector<std::string>{"K", "a", "b"})) << "uniform K has no costs";
}

// The same problem without its matrix: kernels that make K anew can be held against those that read it.
TEST_F(CostsTest, ArePointsAloneWhereKIsNeverStored) {
  Json at{{"M", 40}, {"N", 30}, {"data", "colors"}};
  make(at);
  const auto a = array("a"), b = array("b"), X = array("X"), Y = array("Y");
  at["matrix"] = "never";
  make(at);
  EXPECT_EQ(made(), (std::vector<std::string>{"X", "Y", "a", "b"}));
  EXPECT_EQ(array("a"), a);
  EXPECT_EQ(array("b"), b);
  EXPECT_EQ(array("X"), X);
  EXPECT_EQ(array("Y"), Y);
  EXPECT_EQ(family().input_bytes(point(at)), 4 * (a.size() + b.size() + X.size() + Y.size()));
  const auto outputs = family().outputs(point(at));
  ASSERT_EQ(outputs.size(), 2u);
  EXPECT_EQ(outputs[0].name, "u");
  EXPECT_EQ(outputs[1].name, "v");
}

TEST_F(CostsTest, HaveTheProductOfTheMassesInFrontWithKl) {
  Json at{{"M", 6}, {"N", 5}, {"data", "points"}, {"dtype", "f64"}, {"mass_b", 3}};
  make(at);
  const auto K = array("K"), a = array("a"), b = array("b");
  at["reg_type"] = "kl";
  make(at);
  EXPECT_EQ(array("a"), a);
  EXPECT_EQ(array("b"), b);
  for (std::size_t k = 0; k < K.size(); ++k) {
    const double want = a[k / 5] * b[k % 5] * K[k];
    EXPECT_NEAR(array("K")[k], want, 1e-15 * want);
  }
}

TEST_F(CostsTest, HaveBTimesItsMass) {
  for (const char* data : {"uniform", "points", "self", "noisy", "colors"}) {
    Json at{{"M", 7}, {"N", 7}, {"data", data}, {"dtype", "f64"}, {"reg", 1}};
    make(at);
    const auto a = array("a"), b = array("b"), K = array("K");
    at["mass_b"] = 3;
    make(at);
    EXPECT_EQ(array("a"), a) << data;
    EXPECT_EQ(array("K"), K) << data;
    for (std::size_t j = 0; j < b.size(); ++j) EXPECT_NEAR(array("b")[j], 3 * b[j], 1e-14 * b[j]) << data;
  }
}

TEST_F(CostsTest, OfACloudWithItselfAreSymmetric) {
  make({{"M", 20}, {"N", 20}, {"data", "self"}});
  EXPECT_EQ(array("X"), array("Y"));
  const auto K = array("K");
  for (std::size_t i = 0; i < 20; ++i) {
    EXPECT_EQ(K[i * 20 + i], 1);
    for (std::size_t j = 0; j < i; ++j) EXPECT_EQ(K[i * 20 + j], K[j * 20 + i]);
  }
  EXPECT_NE(array("a"), array("b")) << "one cloud, two masses";
}

TEST_F(CostsTest, OfAUserAreTakenLikewise) {
  write_user(2, 3, {0, .1, .2, .3, .4, .5}, {1, 2}, {1, 0, 2}, "C");
  family().prepare(
      user_point(2, 3, {{"reg", .1}, {"reg_type", "kl"}, {"mass_b", 2}, {"stop", "change"}, {"fi", .5}}), in);
  EXPECT_EQ(array("b"), (std::vector<double>{2, 0, 4}));
  const auto C = array("C");
  EXPECT_EQ(C[1], .1f);
  EXPECT_EQ(array("K")[5], static_cast<float>(2 * 4 * std::exp(-C[5] / .1)));
  EXPECT_EQ(array("K")[1], 0);
  write_user(2, 3, {0, .1, .2, .3, 1e300, .5}, {1, 2}, {1, 1, 2}, "C");
  EXPECT_EQ(error_of([&] {
              family().prepare(user_point(2, 3, {{"stop", "change"}}), in);
            }),
            (user / "C.npy").string() + ": C[1,1] is 1e+300, more than f32 holds; try dtype=f64");
}

TEST_F(CostsTest, AreRefusedWhereAxesContradictOneAnother) {
  EXPECT_EQ(refused({{"data", "self"}}),
            "data=self has one cloud of points: M and N must be equal, not 4 and 3");
  EXPECT_EQ(refused({{"reg_type", "kl"}}),
            "reg_type=kl is for costs, from which K is made; data=uniform gives K itself");
  EXPECT_EQ(refused({{"matrix", "never"}}), "matrix=never is for data that are points; data is uniform");
  EXPECT_EQ(refused({{"tol", 1e-3}}), "tol is for stop=change; stop is iterations");
  EXPECT_EQ(refused({{"max_iterations", 5}}), "max_iterations is for stop=change; stop is iterations");
  EXPECT_EQ(refused({{"matrix", "never"}, {"data", "points"}, {"stop", "change"}}),
            "stop=change needs K; matrix is never");
  EXPECT_EQ(refused({{"stop", "change"}, {"scheme", "damped"}}),
            "stop=change is for scheme=unbalanced; the limit of damped iterations is another problem's");
  EXPECT_EQ(refused({{"stop", "change"}, {"fi", 1}}),
            "stop=change is for fi below 1; fi=1 is balanced transport, which unequal masses have none of");
  write_user(1, 1, {1}, {1}, {1});
  EXPECT_EQ(refused({{"M", 1}, {"N", 1}, {"data", "npy"}, {"path", user.string()}, {"reg_type", "kl"}}),
            "reg_type=kl is for costs, from which K is made; data=npy gives K itself");
  EXPECT_EQ(refused({{"stop", "change"}, {"tol", 1e-3}}), "");
  EXPECT_EQ(refused({{"matrix", "never"}, {"data", "colors"}, {"scheme", "damped"}}), "");
}

}  // namespace
}  // namespace uotbench::uot
