// Where K is never stored, u and v are judged: all of them in small problems, samples of them in large ones.
#include <limits>

#include "kernels/uot/tests/fixture.hpp"

namespace uotbench::uot {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class SampledTest : public UotTest {
 protected:
  Point never(std::size_t M, std::size_t N, Json changes = Json::object()) {
    Json values{{"M", M}, {"N", N}, {"data", "points"}, {"matrix", "never"}};
    values.update(changes);
    return point(values);
  }
  std::vector<double> input(const char* name) { return doubles(in / (std::string(name) + ".npy")); }

  std::vector<double> kernel(const Point& at) {
    const auto X = input("X"), Y = input("Y"), a = input("a"), b = input("b");
    std::vector<double> K(a.size() * b.size());
    const std::size_t d = X.size() / a.size();
    for (std::size_t k = 0; k < K.size(); ++k) {
      const std::size_t i = k / b.size(), j = k % b.size();
      double cost = 0;
      for (std::size_t c = 0; c < d; ++c) cost += std::pow(X[i * d + c] - Y[j * d + c], 2);
      K[k] = std::exp(-cost / at.number("reg")) * (at.text("reg_type") == "kl" ? a[i] * b[j] : 1);
    }
    return K;
  }
  template <class Real = float>
  void write_right(const Point& at, int iterations) {
    const auto [u, v] = solve_as_pot(kernel(at), input("a"), input("b"), at.number("fi"), iterations);
    write(out / "u.npy", {u.size()}, std::vector<Real>(u.begin(), u.end()));
    write(out / "v.npy", {v.size()}, std::vector<Real>(v.begin(), v.end()));
  }
  std::string reason(const Point& at, int iterations = 1) { return judge(at, {"u", "v"}, iterations).reason; }
  template <class Real = float>
  void scale(const char* name, std::size_t index, double factor) {
    auto array = NpyArray::open(out / (std::string(name) + ".npy"), true);
    array.as_mutable<Real>()[index] *= static_cast<Real>(factor);
  }
};

TEST_F(SampledTest, SmallProblemsAreJudgedInFull) {
  for (const char* reg_type : {"entropy", "kl"})
    for (const char* data : {"points", "colors"}) {
      const Point at = never(83, 61, {{"reg_type", reg_type}, {"data", data}});
      EXPECT_EQ(family().judged_after(at), (std::vector<int>{10, 2}));
      prepare(at);
      write_right(at, 10);
      const auto judgement = judge(at, {"u", "v"}, 10);
      EXPECT_EQ(judgement.reason, "");
      EXPECT_LE(judgement.check.error, 1e-6);
      EXPECT_EQ(judgement.check.kind, "full");
      scale("v", 60, 1.1);
      EXPECT_THAT(reason(at, 10), StartsWith("wrong: v[60] got "));
    }
}

TEST_F(SampledTest, BothScalingsHaveToBeWritten) {
  const Point at = never(9, 7);
  prepare(at);
  EXPECT_EQ(reason(at, 2), "outputs untouched: nothing was written");
  write_right(at, 2);
  EXPECT_EQ(judge(at, {"u"}, 2).reason, "outputs untouched: nothing was written to v");
  EXPECT_EQ(judge(at, {"v"}, 2).reason, "outputs untouched: nothing was written to u");
  EXPECT_EQ(reason(at, 2), "");
}

// 4099 x 4111 is just too large to be judged in full.
TEST_F(SampledTest, LargeProblemsAreJudgedBySamplesAfterOneIteration) {
  constexpr std::size_t M = 4099, N = 4111;
  const Point at = never(M, N, {{"reg_type", "kl"}});
  EXPECT_EQ(family().judged_after(at), std::vector<int>{1});
  prepare(at);
  write_right(at, 1);
  const auto judgement = judge(at, {"u", "v"}, 1);
  EXPECT_EQ(judgement.reason, "");
  EXPECT_LE(judgement.check.error, 1e-6);
  EXPECT_EQ(judgement.check.kind, "sampled");
  EXPECT_EQ(judgement.check.tolerance, 1e-5);
  EXPECT_EQ(judgement.check.found.json(), (Json{{"rows", 64}, {"columns", 64}}));

  // Where vectors and tiles end.
  for (const auto& [name, index] :
       {std::pair("u", 0), {"u", 1}, {"u", int(M) - 1}, {"u", int(M) - 3}, {"v", 0}, {"v", int(N) - 1}}) {
    scale(name, index, 1.001);
    EXPECT_THAT(reason(at),
                StartsWith("wrong: " + std::string(name) + "[" + std::to_string(index) + "] got "));
    EXPECT_THAT(reason(at), HasSubstr("; 1 of 64 sampled "));
    EXPECT_EQ(judge(at, {"u", "v"}, 1).check.worst, name);
    scale(name, index, 1 / 1.001);
    EXPECT_EQ(reason(at), "");
  }
  // What is no number is found wherever it stands.
  for (std::size_t index : {777, 1234, 2001}) {
    auto u = NpyArray::open(out / "u.npy", true);
    const float right = std::exchange(u.as_mutable<float>()[index], std::numeric_limits<float>::infinity());
    EXPECT_EQ(reason(at), "not finite: u[" + std::to_string(index) + "] is inf");
    EXPECT_FALSE(std::isfinite(judge(at, {"u", "v"}, 1).check.error));
    u.as_mutable<float>()[index] = -right;
    EXPECT_THAT(reason(at), StartsWith("wrong: u[" + std::to_string(index) + "] is -"));
    std::ranges::fill(u.bytes().subspan(4 * index, 4), std::byte{0xFF});
    EXPECT_EQ(reason(at), "untouched: u[" + std::to_string(index) + "] was never written");
    u.as_mutable<float>()[index] = right;
  }
  // A last row that was left out of every column sum: each is off by a little.
  for (std::size_t j = 0; j < N; ++j) scale("v", j, 1 + 2e-5);
  EXPECT_THAT(reason(at), HasSubstr("; 0 of 64 sampled columns are far off, error 2e-05"));
}

TEST_F(SampledTest, ARowWithoutMassHasNoScaling) {
  const Point at = never(4099, 4111, {{"dtype", "f64"}});
  prepare(at);
  NpyArray::open(in / "a.npy", true).as_mutable<double>()[0] = 0;
  NpyArray::open(in / "b.npy", true).as_mutable<double>()[4110] = 0;
  write_right<double>(at, 1);
  EXPECT_EQ(doubles(out / "u.npy")[0], 0);
  EXPECT_EQ(reason(at), "");
  EXPECT_EQ(judge(at, {"u", "v"}, 1).check.tolerance, 1e-12);
  scale<double>("u", 4098, 1 + 1e-9);
  EXPECT_THAT(reason(at), StartsWith("wrong: u[4098] got "));
  scale<double>("u", 4098, 1 / (1 + 1e-9));
  set<double>("v", 4110, 1e-6);
  EXPECT_THAT(reason(at), StartsWith("wrong: v[4110] got 1e-06, want 0; "));
}

}  // namespace
}  // namespace uotbench::uot
