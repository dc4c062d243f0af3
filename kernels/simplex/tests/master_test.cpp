// The simplex finds the optimum of any set of arcs, keeps its tree over additions and drops, and does not
// cycle where every pivot is degenerate. The pricing methods agree with each other, corrected lemma 2
// included; as printed it would skip pairs that are the best.
#include <cmath>
#include <memory>

#include "harness/worker/oracle/random.hpp"
#include "kernels/simplex/tests/fixture.hpp"
#include "kernels/simplex/timed/coarse.hpp"
#include "kernels/simplex/timed/colgen.hpp"
#include "kernels/simplex/timed/reduced.hpp"

namespace uotbench::simplex {
namespace {

using testing::HasSubstr;

struct NoMark {
  explicit NoMark(const char*) {}
};

/// Points of the unit cube.
std::vector<double> cube(std::size_t count, std::size_t k, std::uint64_t stream) {
  const RandomStream random(7, stream);
  std::vector<double> points(count * k);
  for (std::size_t e = 0; e < points.size(); ++e) points[e] = random.uniform(e);
  return points;
}

class MasterTest : public testing::Test {
 protected:
  static constexpr std::size_t n = 60;

  /// All arcs of 60 x 60 points, from a star of artificial ones.
  Master dense() {
    Master master(a, b);
    fill(master);
    return master;
  }
  void fill(Master& master) {
    master.start(std::vector<double>(n, 3), std::vector<double>(n, 0));
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        master.add({static_cast<std::int32_t>(i), static_cast<std::int32_t>(j), costs(i, j)});
  }
  /// Of the plan; each source and target must have its mass.
  double checked_cost(const Master& master) const {
    std::vector<double> of_a(n), of_b(n);
    double cost = 0;
    master.plan([&](std::int32_t i, std::int32_t j, double flow) {
      of_a[static_cast<std::size_t>(i)] += flow;
      of_b[static_cast<std::size_t>(j)] += flow;
      cost += flow * costs(static_cast<std::size_t>(i), static_cast<std::size_t>(j));
    });
    EXPECT_EQ(of_a, a);
    EXPECT_EQ(of_b, b);
    EXPECT_EQ(master.artificial_flow(), 0);
    return cost;
  }
  double dual(const Master& master) const {
    double value = 0;
    for (std::size_t p = 0; p < n; ++p) value += a[p] * master.u(p) - b[p] * master.v(p);
    return value;
  }

  std::vector<double> X = cube(n, 2, 1), Y = cube(n, 2, 2), a = std::vector<double>(n, 2),
                      b = std::vector<double>(n, 2);
  Costs costs{{n, n, 2, X, Y}, {}};
};

TEST_F(MasterTest, FindsThePlanThatThePotentialsProve) {
  Master master = dense();
  master.solve(1e-12);
  for (const Arc& arc : master.all_arcs()) EXPECT_GE(master.reduced(arc), -1e-11);
  EXPECT_NEAR(checked_cost(master), dual(master), 1e-10);
  EXPECT_NEAR(master.cost(), dual(master), 1e-10);
}

/// Work, and with it bandwidth, is that of one solve, however many its process has made.
TEST_F(MasterTest, CountsEachSolveByItself) {
  Master master = dense();
  master.solve(1e-12);
  const auto scanned = master.scanned, pivots = master.pivots;
  EXPECT_GT(scanned, 0);
  fill(master);
  master.solve(1e-12);
  EXPECT_EQ(master.scanned, scanned);
  EXPECT_EQ(master.pivots, pivots);
}

TEST_F(MasterTest, GoesOnFromItsTree) {
  Master at_once = dense();
  at_once.solve(1e-12);
  Master master = dense();
  for (int step = 0; step < 10; ++step) {
    master.solve(1e-12, 40);
    master.drop(0);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        master.add({static_cast<std::int32_t>(i), static_cast<std::int32_t>(j), costs(i, j)});
  }
  master.solve(1e-12);
  const std::size_t before = master.arcs();
  master.drop(1e-12);
  EXPECT_LT(master.arcs(), before);
  EXPECT_GE(master.arcs(), 2 * n - 2);  // the tree, but for the artificial arcs that are left
  EXPECT_NEAR(checked_cost(master), checked_cost(at_once), 1e-10);
}

TEST_F(MasterTest, DoesNotCycleWhereAllCostsAreAlike) {
  std::ranges::fill(X, .5);
  std::ranges::fill(Y, .25);
  Master master = dense();
  master.solve(1e-12);
  EXPECT_NEAR(checked_cost(master), 120 * .125, 1e-12);
}

TEST_F(MasterTest, TooFewRoundsAreAnErrorThatTellsTheGap) {
  Colgen<Costs, NoMark> colgen(a, b, costs, {.tolerance = 1e-12, .most_rounds = 2});
  const auto pricing = pricing_named("best", costs);
  const std::string error = error_of([&] {
    colgen.run(std::vector<double>(n, 3), std::vector<double>(n, 0), 3,
               [&](auto u, auto v, double threshold, Priced& out, const auto& add) {
                 pricing->price(u, v, threshold, out);
                 for (std::size_t i = 0; i < n; ++i)
                   if (out.target[i] >= 0) add(i, static_cast<std::size_t>(out.target[i]));
               });
  });
  EXPECT_THAT(error, HasSubstr("no solution after 2 rounds: the plan costs "));
  EXPECT_THAT(error, HasSubstr("try a larger max_rounds"));
}

TEST_F(MasterTest, PotentialsOfACoarserLevelAreNear) {
  const std::size_t many = 2000;
  const auto x = cube(many, 2, 3), y = cube(many, 2, 4);
  const std::vector<double> mass(many, 1);
  const Potentials start = coarse_potentials<NoMark>({many, many, 2, x, y}, mass, mass, 2);
  const Costs all{{many, many, 2, x, y}, {}};
  double least = 1, value = 0;
  for (std::size_t i = 0; i < many; ++i)
    for (std::size_t j = 0; j < many; ++j) least = std::min(least, all(i, j) - start.u[i] + start.v[j]);
  for (std::size_t p = 0; p < many; ++p) value += start.u[p] - start.v[p];
  EXPECT_GE(least, -1e-12);  // feasible, so the value is a lower bound
  Colgen<Costs, NoMark> colgen(mass, mass, all, {.tolerance = 1e-12});
  const auto pricing = pricing_named("best", all);
  colgen.run(std::vector<double>(many, 2.1), std::vector<double>(many, 0), 2,
             [&](auto u, auto v, double threshold, Priced& out, const auto& add) {
               pricing->price(u, v, threshold, out);
               for (std::size_t i = 0; i < many; ++i)
                 if (out.target[i] >= 0) add(i, static_cast<std::size_t>(out.target[i]));
             });
  EXPECT_LE(value, colgen.master().cost());
  EXPECT_GE(value, .5 * colgen.master().cost());
}

// Every way to price gives what the plain loop gives.
TEST(PricingTest, MethodsAgree) {
  for (const std::size_t k : {1, 2, 3, 20})
    for (const auto& [M, N] : {std::pair<std::size_t, std::size_t>{1, 1}, {1, 70}, {70, 1}, {131, 577}}) {
      const auto X = cube(M, k, 1), Y = cube(N, k, 2), v = cube(N, 1, 4);
      std::vector<double> u = cube(M, 1, 3);
      for (double& of : u) of -= .5;  // some sources have no violated arc
      const Clouds clouds{M, N, k, X, Y};
      std::vector<double> want(M), got(M);
      std::vector<std::int32_t> best(M), found(M);
      Priced plain{want, best}, other{got, found};
      LoopPricing(clouds, {}, false).price(u, v, 0, plain);
      std::vector<std::unique_ptr<Pricing>> methods;
      for (const bool source : {false, true})
        for (const bool pair : {false, true})
          methods.push_back(std::make_unique<LoopPricing>(clouds, Pretests{source, pair}, true));
      for (const char* name : {"sorted", "gemm", "lanes", "boxes"})
        methods.push_back(pricing_named(name, {clouds, {}}));
      for (std::size_t m = 0; m < methods.size(); ++m) {
        other.evaluated = other.skipped = 0;
        methods[m]->price(u, v, 0, other);
        EXPECT_EQ(best, found) << "k=" << k << " M=" << M << " method " << m;
        for (std::size_t i = 0; i < M; ++i)
          EXPECT_NEAR(want[i], got[i], 1e-12) << "k=" << k << " method " << m;
        EXPECT_EQ(other.evaluated + other.skipped, static_cast<double>(M * N))
            << "k=" << k << " method " << m;
      }
      EXPECT_EQ(plain.evaluated, static_cast<double>(M * N));
    }
}

// The talk's lemma 2 compares |y_h|^2 + v_h - 2 |x| |y_h| with c̄, which it calls c - u - v (and eq. 13 has +
// v). It is right if c̄ is read as |y|^2 + v - 2 <x, y>, what eq. 16 takes the minimum over, and wrong if c̄ is
// read as the reduced cost c - u + v: then |x|^2 - u is missing.
TEST(PricingTest, Lemma2AsPrintedIsRightWithoutTheTermsOfTheSource) {
  const std::size_t n = 200;
  const auto X = cube(n, 2, 1), Y = cube(n, 2, 2), u = cube(n, 1, 3), v = cube(n, 1, 4);
  const auto x2 = squares_of(X, 2), y2 = squares_of(Y, 2);
  std::int64_t of_reduced_costs = 0, as_printed = 0, ours = 0;
  const Costs costs{{n, n, 2, X, Y}, {}};
  for (std::size_t i = 0; i < n; ++i) {
    const double incumbent = costs(i, 0) - u[i] + v[0];
    for (std::size_t h = 1; h < n; ++h) {
      const bool better = costs(i, h) - u[i] + v[h] < incumbent;
      const double bound = 2 * std::sqrt(x2[i] * y2[h]);
      of_reduced_costs += better && y2[h] + v[h] - incumbent > bound;
      as_printed += better && y2[h] + v[h] - (incumbent - x2[i] + u[i]) > bound;
      ours += better && std::pow(std::sqrt(x2[i]) - std::sqrt(y2[h]), 2) - u[i] + v[h] >= incumbent;
    }
  }
  EXPECT_EQ(as_printed, 0);
  EXPECT_GT(of_reduced_costs, 0);
  EXPECT_EQ(ours, 0);
}

}  // namespace
}  // namespace uotbench::simplex
