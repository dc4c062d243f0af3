// The judge passes what is proved and nothing else: a plan that is none, one that is not the cheapest,
// potentials that prove too little or too much.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "harness/worker/oracle/random.hpp"
#include "kernels/simplex/tests/fixture.hpp"

namespace uotbench::simplex {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class JudgeTest : public SimplexTest {
 protected:
  /// Four points on a line go to the same four: the plan is the identity, and u = v = 0 proves it. `right` is
  /// for tests that then spoil it.
  Point right(const Json& changes = Json::object()) {
    write(user / "a.npy", {4}, std::vector<double>(4, 1));
    write(user / "b.npy", {4}, std::vector<double>(4, 1));
    write(user / "X.npy", {4, 1}, std::vector<double>{0, 1, 2, 3});
    write(user / "Y.npy", {4, 1}, std::vector<double>{0, 1, 2, 3});
    Json all{{"M", 4}, {"N", 4}, {"k", 1}, {"data", "npy"}, {"path", user.string()}};
    all.update(changes);
    const Point at = made(all);
    for (std::size_t p = 0; p < 4; ++p) {
      set("u", p, 0.);
      set("v", p, 0.);
    }
    for (std::size_t e = 0; e < 8; ++e)
      arc(e, e < 4 ? static_cast<int>(e) : -1, e < 4 ? static_cast<int>(e) : -1, e < 4);
    return at;
  }
  void arc(std::size_t e, std::int32_t i, std::int32_t j, double flow) {
    set("source", e, i);
    set("target", e, j);
    set("flow", e, flow);
  }
  Judgement judge(const Point& at,
                  const std::vector<std::string>& outputs = {"u", "v", "source", "target", "flow"}) {
    return family().judge(at, in, out, {"simplex/test", outputs, 1, {}});
  }
  /// The exhaustive search's answer to a pricing step.
  Point priced(const Json& changes) {
    const Point at = made(changes);
    Arrays arrays(in, false);
    const Given given(at, arrays);
    for (std::size_t i = 0; i < given.M; ++i) {
      double least = 0;
      std::int32_t best = -1;
      for (std::size_t j = 0; j < given.N; ++j)
        if (const double r = given.cost(i, j) - given.u0[i] + given.v0[j]; r < least)
          least = r, best = static_cast<std::int32_t>(j);
      set("delta", i, least);
      set("best", i, best);
    }
    return at;
  }
};

const std::vector<std::string> plan_alone{"source", "target", "flow"}, prices{"delta", "best"};

TEST_F(JudgeTest, PassesWhatIsProved) {
  for (const char* cost : {"squared", "integer"}) {
    const Judgement judgement = judge(right({{"cost", cost}}));
    EXPECT_EQ(judgement.reason, "");
    EXPECT_EQ(judgement.check.error, 0);
    EXPECT_EQ(judgement.check.found.number("cost"), 0);
  }
}

TEST_F(JudgeTest, FindsAPlanThatIsNone) {
  const Point at = right();
  set("flow", 2, .5);
  EXPECT_EQ(judge(at).reason, "wrong: the plan is none: source 2 has 0.5 of its mass of 1");
}

TEST_F(JudgeTest, FindsAPlanThatIsNotTheCheapest) {
  const Point at = right();
  arc(0, 0, 1, 1);
  arc(1, 1, 0, 1);
  EXPECT_THAT(judge(at).reason, StartsWith("wrong: the plan costs 2 and the potentials prove 0"));
  EXPECT_THAT(judge(at, plan_alone).reason, StartsWith("wrong: the plan costs 2 and the cheapest"));
}

TEST_F(JudgeTest, FindsPotentialsThatProveTooMuch) {
  const Point at = right();
  set("u", 1, .25);
  EXPECT_EQ(judge(at).reason,
            "wrong: the reduced cost of source 1 and target 1 is -0.25, so the plan is not proved to be the "
            "cheapest");
}

TEST_F(JudgeTest, FindsPotentialsThatProveTooLittle) {
  const Point at = right();
  set("u", 1, -.25);
  EXPECT_EQ(judge(at).reason, "wrong: the plan costs 0 and the potentials prove -0.25");
}

TEST_F(JudgeTest, IntegersAreExact) {
  const Point at = right({{"cost", "integer"}});
  set("u", 1, -1.);
  EXPECT_THAT(judge(at).reason, StartsWith("wrong: the plan costs 0 and the potentials prove -1"));
}

TEST_F(JudgeTest, FindsArcsThatLeadNowhere) {
  const Point at = right();
  arc(3, 3, 4, 1);
  EXPECT_THAT(judge(at).reason, StartsWith("arc 3 leads from 3 to 4 with flow 1; sources are 0 to 3"));
  right();
  arc(5, 0, 0, -1e-3);
  EXPECT_EQ(judge(at).reason, "flow[5] is -0.001; expected a number from 0");
  right();
  arc(5, 0, 0, NAN);
  EXPECT_THAT(judge(at).reason, StartsWith("flow[5] is nan"));
}

TEST_F(JudgeTest, FindsWhatIsUntouched) {
  const Point at = made(Json::object());
  EXPECT_EQ(judge(at).reason, "untouched: u holds what it held before");
  EXPECT_EQ(judge(at, {"u", "v"}).reason, "source was not written");
}

TEST_F(JudgeTest, FindsPotentialsThatAreNoNumbers) {
  const Point at = right();
  set("v", 3, double(INFINITY));
  EXPECT_EQ(judge(at).reason, "v[3] is inf");
}

TEST_F(JudgeTest, PassesTheExhaustiveSearch) {
  for (const int round : {1, 3}) {
    const Judgement judgement = judge(priced({{"M", 37}, {"N", 53}, {"round", round}}), prices);
    EXPECT_EQ(judgement.reason, "");
    EXPECT_GT(*judgement.check.found.number("violated_sources"), 0);
  }
}

TEST_F(JudgeTest, FindsPricesThatAreWrong) {
  const Point at = priced({{"M", 37}, {"N", 53}, {"round", 1}});
  std::size_t i = 0;
  while (output<double>("delta", i) == 0) ++i;
  const auto best = output<std::int32_t>("best", i);
  const std::string who = "wrong: source " + std::to_string(i) + ": ";
  set("best", i, (best + 1) % 53);
  EXPECT_THAT(judge(at, prices).reason, StartsWith(who));
  set("best", i, best);
  set("delta", i, output<double>("delta", i) * .999);
  EXPECT_THAT(judge(at, prices).reason, StartsWith(who));
  set("delta", i, 0.);
  set("best", i, -1);
  EXPECT_THAT(judge(at, prices).reason, StartsWith(who));
  EXPECT_EQ(judge(at, {"delta"}).reason, "best was not written");
}

// The oracle's own solver stands behind plans without potentials and behind `round`: it is proved by the same
// means as everybody's.
TEST_F(JudgeTest, ItsOwnSolutionsAreProved) {
  for (const char* cost : {"squared", "integer", "matrix"})
    for (const char* data : {"assignment", "zeros", "equal"})
      for (const auto& [M, N] : {std::pair{37, 53}, {53, 37}, {1, 5}, {1, 1}, {64, 64}}) {
        const Point at = made({{"M", M}, {"N", N}, {"cost", cost}, {"data", data}});
        Arrays arrays(in, false);
        const Given given(at, arrays);
        const Solved solution = solved(given);
        const auto rows = least_of_rows(given, solution.u, solution.v);
        const double value = std::inner_product(given.a.begin(), given.a.end(), solution.u.begin(), 0.) -
                             std::inner_product(given.b.begin(), given.b.end(), solution.v.begin(), 0.);
        for (const RowLeast& row : rows)
          EXPECT_GE(row.reduced, -1e-10 * row.usual) << cost << " " << data << " " << M;
        EXPECT_NEAR(value, solution.cost, 1e-9 * (1 + std::abs(solution.cost)))
            << cost << " " << data << " " << M;
        if (lemon() && given.exact) {
          EXPECT_EQ(lemon()(given), solution.cost) << data << " " << M;
        }
      }
}

TEST_F(JudgeTest, ItsOwnSolutionsAreProvedNearTheLimitsOfDoubles) {
  constexpr std::size_t n = 40;
  for (const double scale : {1e-150, 4e146}) {
    std::vector<double> points(4 * n);
    for (std::size_t e = 0; e < points.size(); ++e) points[e] = scale * static_cast<double>(e * e % 89);
    write(user / "a.npy", {n}, std::vector<double>(n, 1));
    write(user / "b.npy", {n}, std::vector<double>(n, 1));
    write(user / "X.npy", {n, 2}, std::vector<double>(points.begin(), points.begin() + 2 * n));
    write(user / "Y.npy", {n, 2}, std::vector<double>(points.begin() + 2 * n, points.end()));
    const Point at = made({{"M", n}, {"N", n}, {"data", "npy"}, {"path", user.string()}});
    Arrays arrays(in, false);
    const Given given(at, arrays);
    const Solved solution = solved(given);
    const auto rows = least_of_rows(given, solution.u, solution.v);
    const double value = std::accumulate(solution.u.begin(), solution.u.end(), 0.) -
                         std::accumulate(solution.v.begin(), solution.v.end(), 0.);
    EXPECT_GT(solution.cost, 0) << scale;
    for (const RowLeast& row : rows) EXPECT_GE(row.reduced, -1e-10 * row.usual) << scale;
    EXPECT_NEAR(value / solution.cost, 1, 1e-9) << scale;
  }
}

/// A user's matrix of costs in [0, 1) with the masses 1, of which one entry, or a share of them, is `far`.
class FarCosts : public JudgeTest {
 protected:
  static constexpr std::size_t n = 30;

  Point far(double far, bool many = false) {
    const RandomStream random(3, 5);
    std::vector<double> C(n * n);
    for (std::size_t e = 0; e < C.size(); ++e) {
      C[e] = random.uniform(e);
      // The diagonal and its neighbour stay, so that there is a plan.
      const bool free = e / n == e % n || (e / n + 1) % n == e % n;
      if (many ? !free && random.uniform(n * n + e) < .8 : e == 1) C[e] = far;
    }
    write(user / "a.npy", {n}, std::vector<double>(n, 1. / n));
    write(user / "b.npy", {n}, std::vector<double>(n, 1. / n));
    write(user / "C.npy", {n, n}, C);
    const Point at = made({{"M", n}, {"N", n}, {"data", "npy"}, {"cost", "matrix"}, {"path", user.string()}});
    return at;
  }
  /// The identity, with potentials that prove nothing.
  Point identity(double dear, bool many = false) {
    const Point at = far(dear, many);
    const auto C = input("C");
    double cost = 0;
    for (std::size_t i = 0; i < n; ++i) cost += C[i * n + i] / n;
    for (std::size_t e = 0; e < 2 * n; ++e)
      arc(e, e < n ? static_cast<int>(e) : -1, e < n ? static_cast<int>(e) : -1, e < n ? 1. / n : 0);
    for (std::size_t i = 0; i < n; ++i) {
      set("u", i, cost);
      set("v", i, 0.);
    }
    return at;
  }
};

TEST_F(FarCosts, DoNotMakeAWrongPlanRight) {
  for (const double dear : {1., 1e6, 1e9, 1e15})
    for (const bool many : {false, true}) {
      const Point at = identity(dear, many);
      EXPECT_THAT(judge(at).reason, StartsWith("wrong: the reduced cost of source ")) << dear;
      EXPECT_THAT(judge(at, plan_alone).reason, StartsWith("wrong: the plan costs ")) << dear;
    }
}

TEST_F(FarCosts, OfAPointWithoutMassDoNotEither) {
  write(user / "a.npy", {3}, std::vector<double>{1, 1, 0});
  write(user / "b.npy", {2}, std::vector<double>{1, 1});
  write(user / "X.npy", {3, 1}, std::vector<double>{0, 1, 1e6});
  write(user / "Y.npy", {2, 1}, std::vector<double>{0, 1});
  const Point at = made({{"M", 3}, {"N", 2}, {"k", 1}, {"data", "npy"}, {"path", user.string()}});
  for (std::size_t e = 0; e < 5; ++e) arc(e, -1, -1, 0);
  arc(0, 0, 1, 1);
  arc(1, 1, 0, 1);
  for (std::size_t i = 0; i < 3; ++i) set("u", i, 1.);
  for (std::size_t j = 0; j < 2; ++j) set("v", j, 0.);
  EXPECT_THAT(judge(at).reason, StartsWith("wrong: the reduced cost of source 0 and target 0 is -1"));
}

// The same optimum, whatever the pairs that no plan uses cost.
TEST_F(FarCosts, LeaveTheOptimumAsItIs) {
  for (const bool many : {false, true}) {
    std::vector<double> costs;
    for (const double dear : {1e3, 1e6, 1e9, 1e15, double(INFINITY)}) {
      const Point at = far(dear, many);
      Arrays arrays(in, false);
      const Given given(at, arrays);
      const Solved solution = solved(given);
      costs.push_back(solution.cost);
      for (const RowLeast& row : least_of_rows(given, solution.u, solution.v))
        EXPECT_GE(row.reduced, -1e-11) << dear;
    }
    for (const double cost : costs) EXPECT_NEAR(cost, costs[0], 1e-13 * costs[0]) << many;
  }
}

TEST_F(FarCosts, ThatArePaidWhereThereIsNoOtherWay) {
  write(user / "a.npy", {2}, std::vector<double>{1, 1});
  write(user / "b.npy", {2}, std::vector<double>{1, 1});
  write(user / "C.npy", {2, 2}, std::vector<double>{1e9, 1e9, .5, .25});
  const Point at = made({{"M", 2}, {"N", 2}, {"data", "npy"}, {"cost", "matrix"}, {"path", user.string()}});
  Arrays arrays(in, false);
  EXPECT_EQ(solved(Given(at, arrays)).cost, 1e9 + .25);
}

TEST_F(FarCosts, ThatAreForbiddenCarryNothing) {
  write(user / "a.npy", {2}, std::vector<double>{1, 1});
  write(user / "b.npy", {2}, std::vector<double>{1, 1});
  write(user / "C.npy", {2, 2}, std::vector<double>{INFINITY, 3, 2, 1});
  const Point at = made({{"M", 2}, {"N", 2}, {"data", "npy"}, {"cost", "matrix"}, {"path", user.string()}});
  arc(0, 0, 1, 1);
  arc(1, 1, 0, 1);
  arc(2, -1, -1, 0);
  arc(3, -1, -1, 0);
  const std::vector<double> u{3, 1}, v{-1, 0};
  for (std::size_t p = 0; p < 2; ++p) set("u", p, u[p]), set("v", p, v[p]);
  EXPECT_EQ(judge(at).reason, "");
  EXPECT_EQ(judge(at).check.found.number("cost"), 5);
  EXPECT_EQ(judge(at, plan_alone).reason, "");
  arc(0, 0, 0, 1);
  arc(1, 1, 1, 1);
  EXPECT_EQ(judge(at).reason, "wrong: flow[0] is 1 from 0 to 0, a forbidden pair: expected 0");
}

TEST_F(FarCosts, OfOnePointDoNotMakeAWrongPriceRight) {
  std::vector<double> points(20);
  for (std::size_t e = 0; e < points.size(); ++e) points[e] = static_cast<double>(e * 7 % 20) / 20;
  write(user / "a.npy", {10}, std::vector<double>(10, 1));
  write(user / "b.npy", {10}, std::vector<double>(10, 1));
  write(user / "Y.npy", {10, 2}, points);
  points[19] = 1e7;
  write(user / "X.npy", {10, 2}, points);
  const Point at = priced({{"M", 10}, {"N", 10}, {"data", "npy"}, {"path", user.string()}, {"round", 2}});
  EXPECT_EQ(judge(at, prices).reason, "");
  set("delta", 0, output<double>("delta", 0) - 1e3);
  EXPECT_THAT(judge(at, prices).reason, StartsWith("wrong: source 0: delta is "));
}

// A plan that costs nothing has potentials that are rounded at the size of the costs.
TEST_F(JudgeTest, AGapOfRoundingIsNone) {
  const Point at = right();
  set("u", 1, -1e-14);
  EXPECT_EQ(judge(at).reason, "");
  set("u", 1, -1e-12);
  EXPECT_THAT(judge(at).reason, StartsWith("wrong: the plan costs 0 and the potentials prove -"));
}

TEST_F(JudgeTest, RoundsLeadToTheSolution) {
  const Point at = made({{"M", 37}, {"N", 53}, {"round", 1000}});
  Arrays arrays(in, false);
  const Given given(at, arrays);
  const auto least = [](const Given& of) {
    return std::ranges::min(least_of_rows(of, of.u0, of.v0), {}, &RowLeast::reduced).reduced;
  };
  EXPECT_GE(least(given), -1e-11);
  made({{"M", 37}, {"N", 53}, {"round", 1}});
  Arrays early(in, false);
  const Given first(at, early);
  EXPECT_LT(least(first), -1e-3);
}

}  // namespace
}  // namespace uotbench::simplex
