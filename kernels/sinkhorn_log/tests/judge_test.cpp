// The judge passes right results, catches wrong ones, and names the items that are wrong and why.
#include "harness/worker/oracle/random.hpp"
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
  template <class Real = double>
  void set(const std::string& name, std::size_t index, double value) {
    NpyArray::open(out / (name + ".npy"), true).as_mutable<Real>()[index] = static_cast<Real>(value);
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
                                          "] is -50; expected -inf, because its mass is 0"));
}

TEST_F(JudgeTest, FindsNaNAndInfinity) {
  const Point at = right();
  set("log_v", 0, NAN);
  EXPECT_THAT(judge(at).reason, HasSubstr("item 0: log_v[0] is nan; expected "));
  const Point other = right();
  set("log_v", 0, -INFINITY);
  EXPECT_THAT(judge(other).reason, HasSubstr("item 0: log_v[0] is -inf; expected "));
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
  EXPECT_LT(judgement.check.found.number("marginals").value(), 1e-8);
  EXPECT_LT(judgement.check.found.number("gap").value(), 1e-8);
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

/// The user's costs in [0, 1), 30 x 40, of which one, or many, are `far`.
class FarCosts : public JudgeTest {
 protected:
  Json far(double far, bool many = false) {
    std::vector<double> C(30 * 40);
    const RandomStream random(3, 5);
    for (std::size_t k = 0; k < C.size(); ++k) {
      C[k] = random.uniform(k);
      const bool free = k % 40 % 30 == k / 40 || k % 40 % 30 == (k / 40 + 1) % 30;
      if (many ? !free && random.uniform(C.size() + k) < .8 : k == 7 * 40 + 3) C[k] = far;
    }
    write(user / "C.npy", {30, 40}, C);
    return {{"M", 30}, {"N", 40}, {"cost", "npy"}, {"path", user.string()}};
  }
  void zeros(const Point& at, bool wide) {
    for (const char* name : {"log_u", "log_v"})
      for (std::size_t k = 0; k < at.size("B") * at.size(name[4] == 'u' ? "M" : "N"); ++k)
        wide ? set(name, k, 0) : set<float>(name, k, 0);
  }
};

TEST_F(FarCosts, DoNotMakeZerosRight) {
  for (const double dear : {1., 1e6, 1e12, double(INFINITY)})
    for (const bool many : {false, true}) {
      const char* stop = many == (dear < 1e9) ? "marginal" : "iterations";
      Json changes = far(dear, many);
      changes["stop"] = stop;
      const Point narrow = right<float>(changes);
      EXPECT_EQ(judge(narrow).reason, "") << dear << many << stop;
      zeros(narrow, false);
      EXPECT_THAT(judge(narrow, {"log_u", "log_v"}).reason, StartsWith("wrong: 4 of 4 items are wrong"))
          << dear << many << stop;
      const Point wide = right<double>(changes);
      EXPECT_EQ(judge(wide).reason, "") << dear << many << stop;
      zeros(wide, true);
      EXPECT_THAT(judge(wide, {"log_u", "log_v"}).reason, StartsWith("wrong: 4 of 4 items are wrong"))
          << dear << many << stop;
    }
}

// Where a row can do nothing but pay them, f32 has no digits left for anything else.
TEST_F(FarCosts, ThatCarryMassCannotBeVerified) {
  std::vector<double> C(30 * 40);
  for (std::size_t k = 0; k < C.size(); ++k) C[k] = k / 40 == 7 ? 1e6 : static_cast<double>(k * k % 97) / 97;
  write(user / "C.npy", {30, 40}, C);
  const Json changes{{"M", 30}, {"N", 40}, {"cost", "npy"}, {"path", user.string()}};
  const Point at = right<float>(changes);
  zeros(at, false);
  EXPECT_THAT(
      judge(at, {"log_u", "log_v"}).reason,
      StartsWith("cannot be verified: item 0: costs that carry mass in row 7, or its potential, reach 2e+07 "
                 "times reg, so f32 may round log_u[7] by 20"));
  const Point wide = right<double>(changes);
  EXPECT_EQ(judge(wide).reason, "");
  zeros(wide, true);
  EXPECT_THAT(judge(wide, {"log_u", "log_v"}).reason, StartsWith("wrong: "));
}

TEST_F(FarCosts, OfOnePointDoNotMakeZerosRight) {
  const Point at = right<float>({{"M", 30}, {"N", 40}});
  EXPECT_EQ(judge(at).reason, "");
  zeros(at, false);
  EXPECT_THAT(judge(at, {"log_u", "log_v"}).reason, StartsWith("wrong: 4 of 4 items are wrong"));
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
