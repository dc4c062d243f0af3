// The judge passes right results, catches wrong ones, and names the items that are wrong and why.
#include "kernels/sinkhorn_log/tests/fixture.hpp"

namespace uotbench::sinkhorn_log {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class JudgeTest : public SinkhornLogTest {
 protected:
  /// A problem and its right outputs after 10 iterations, as Real.
  template <class Real = double>
  Point right(const Json& changes = Json::object()) {
    Json all{{"B", 4}, {"dtype", sizeof(Real) == 4 ? "f32" : "f64"}};
    all.update(changes);
    const Point at = point(all);
    family().prepare(at, in);
    poison(family(), at, out);
    Arrays arrays(in, false);
    const Costs<Real> costs(at, arrays);
    const Masses masses = masses_in<Real>(at, arrays);
    Reference state = start_of<Real>(at, arrays, masses);
    const double reg = static_cast<double>(static_cast<Real>(at.number("reg")));
    const bool solved = at.text("stop") != "iterations";
    iterate(costs, masses, reg, at.text("scheme") == "symmetric", solved ? 10000 : 10, solved ? 1e-9 : 0,
            state);
    const auto save = [&](const char* name, const double* from, std::size_t count) {
      auto array = NpyArray::open(out / (std::string(name) + ".npy"), true);
      for (std::size_t k = 0; k < count; ++k) array.as_mutable<Real>()[k] = static_cast<Real>(from[k]);
    };
    save("log_u", state.log_u.data(), 4 * costs.M);
    save("log_v", state.log_v.data(), 4 * costs.N);
    std::vector<double> loss, gradient;
    for (std::size_t b = 0; b < 4; ++b) {
      loss.push_back(dual_value(costs, masses, reg, state, b));
      for (const Batch* part : {&state.log_u, &state.log_v}) {
        double sum = 0, count = 0;
        for (const double x : part->row(static_cast<Eigen::Index>(b)))
          if (std::isfinite(x)) sum += x, ++count;
        for (const double x : part->row(static_cast<Eigen::Index>(b)))
          gradient.push_back(reg * (x - sum / count));
      }
    }
    save("loss", loss.data(), loss.size());
    save("gradient", gradient.data(), gradient.size());
    return at;
  }
  template <class Real = double>
  void add(const std::string& name, std::size_t index, double value) {
    NpyArray::open(out / (name + ".npy"), true).as_mutable<Real>()[index] += static_cast<Real>(value);
  }
  void set(const std::string& name, std::size_t index, double value) {
    NpyArray::open(out / (name + ".npy"), true).as_mutable<double>()[index] = value;
  }
  Judgement judge(const Point& at,
                  std::vector<std::string> outputs = {"log_u", "log_v", "loss", "gradient"}) {
    const int iterations = at.text("stop") == "iterations" ? 10 : 1;
    return family().judge(at, in, out, {"sinkhorn_log/test", std::move(outputs), iterations, {}});
  }
};

TEST_F(JudgeTest, PassesWhatIsRight) {
  for (const char* scheme : {"alternating", "symmetric"})
    for (const char* masses : {"uniform", "zeros"}) {
      const Json changes{{"scheme", scheme}, {"masses", masses}};
      EXPECT_EQ(judge(right(changes)).reason, "");
      EXPECT_EQ(judge(right<float>(changes)).reason, "");
    }
}

TEST_F(JudgeTest, NamesTheItemsThatAreWrong) {
  const Point at = right();
  add("log_u", 1 * 7 + 2, .1);
  add("log_v", 3 * 5 + 4, -.1);
  const Judgement judgement = judge(at);
  EXPECT_THAT(judgement.reason, StartsWith("wrong: 2 of 4 items are wrong: 1, 3; item 1: log_u[2] is "));
  ASSERT_TRUE(judgement.check.items);
  EXPECT_EQ(judgement.check.items->count, 4);
  EXPECT_EQ(judgement.check.items->first, (std::vector<std::int64_t>{1, 3}));
}

TEST_F(JudgeTest, WantsMinusInfinityWhereThereIsNoMass) {
  const Point at = right({{"masses", "zeros"}});
  Arrays arrays(in, false);
  const auto mu = arrays["mu"].as<double>();
  std::size_t empty = 0;
  while (mu[empty] > 0) ++empty;
  set("log_u", empty, -50);
  EXPECT_THAT(judge(at).reason, HasSubstr("log_u[" + std::to_string(empty % 7) +
                                          "] is -50, its mass is 0: -inf would be right"));
}

TEST_F(JudgeTest, FindsNaNAndInfinity) {
  const Point at = right();
  set("log_v", 0, NAN);
  EXPECT_THAT(judge(at).reason, HasSubstr("item 0: log_v[0] is nan, "));
  const Point other = right();
  set("log_v", 0, -INFINITY);
  EXPECT_THAT(judge(other).reason, HasSubstr("item 0: log_v[0] is -inf, "));
}

TEST_F(JudgeTest, FindsWhatIsUntouched) {
  const Point at = point(Json::object());
  given(Json::object());
  EXPECT_EQ(judge(at).reason, "outputs untouched: nothing was written to log_u");
}

TEST_F(JudgeTest, ForgivesADriftOfRoundingAndNoOther) {
  const auto drifted = [&](double t) {
    const Point at = right<float>();
    for (std::size_t k = 0; k < 4 * 7; ++k) add<float>("log_u", k, t);
    for (std::size_t k = 0; k < 4 * 5; ++k) add<float>("log_v", k, -t);
    return judge(at).reason;
  };
  EXPECT_EQ(drifted(1e-3), "");
  EXPECT_THAT(drifted(.1), HasSubstr("4 of 4 items are wrong"));
}

TEST_F(JudgeTest, FindsAWrongLossAndAWrongGradient) {
  const Point at = right();
  add("loss", 2, 1e-3);
  EXPECT_THAT(judge(at).reason, HasSubstr("1 of 4 items is wrong: 2; item 2: loss[0] is "));
  const Point other = right();
  add("gradient", 3 * 12 + 8, 1e-3);
  EXPECT_THAT(judge(other).reason, HasSubstr("1 of 4 items is wrong: 3; item 3: gradient[8] is "));
}

TEST_F(JudgeTest, FindsAMissingTerm) {
  // One of 53 terms left out of one sum of f32.
  const Point at = right<float>({{"M", 37}, {"N", 53}, {"reg", 1}});
  add<float>("log_u", 5, std::log(53. / 52));
  EXPECT_THAT(judge(at).reason, HasSubstr("item 0: log_u[5] is "));
}

TEST_F(JudgeTest, LooksAtTheMarginalsOfSolutions) {
  const Json solve{{"stop", "marginal"}, {"tol", 1e-8}};
  const Judgement judgement = judge(right(solve));
  EXPECT_EQ(judgement.reason, "");
  EXPECT_LT(judgement.check.found["marginals"].get<double>(), 1e-8);
  EXPECT_LT(judgement.check.found["gap"].get<double>(), 1e-8);
  // The same potentials, one of them not there yet.
  const Point at = right(solve);
  add("log_v", 2 * 5 + 1, 1e-3);
  EXPECT_THAT(judge(at).reason, HasSubstr("1 of 4 items is wrong: 2; item 2: "));
}

TEST_F(JudgeTest, TakesTolForAnErrorOfMassesAsTheyAre) {
  // A hundredth of the mass in all: what stops at tol is off by a hundred times that share of it.
  std::vector<double> masses(4 * 9);
  for (std::size_t k = 0; k < masses.size(); ++k) masses[k] = (1 + static_cast<double>(k % 9)) / 4500;
  write(user / "mu.npy", {4, 9}, masses);
  std::ranges::reverse(masses);
  write(user / "nu.npy", {4, 9}, masses);
  const Json small{{"M", 9},     {"N", 9}, {"masses", "npy"}, {"path", user.string()}, {"stop", "marginal"},
                   {"tol", 1e-8}};
  const Point at = right(small);
  // Where a solve may stop: a column's sum is off by less than tol.
  add("log_v", 3, .9e-8 / masses[3]);
  const Judgement judgement = judge(at, {"log_u", "log_v"});
  EXPECT_EQ(judgement.reason, "");
  add("log_v", 3, 1e-6 / masses[3]);
  EXPECT_THAT(judge(at, {"log_u", "log_v"}).reason, HasSubstr("1 of 4 items is wrong: 0; "));
}

TEST_F(JudgeTest, PassesWarmAndRaggedAndOwnCosts) {
  for (const Json& changes : {Json{{"warm", "neighbour"}}, Json{{"ragged", "yes"}}, Json{{"cost", "own"}}}) {
    const Point at = right(changes);
    EXPECT_EQ(judge(at).reason, "") << changes;
    // The second item's rows are its own.
    add("log_u", 1 * 7 + 1, .1);
    EXPECT_THAT(judge(at).reason, HasSubstr("1 of 4 items is wrong: 1; item 1: log_u[1] is ")) << changes;
  }
}

}  // namespace
}  // namespace uotbench::sinkhorn_log
