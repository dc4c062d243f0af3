// A detour over a node in between costs what the pair costs, so the tripartite network has the optimum of all
// pairs and its potentials prove it; and entropic potentials are a start that proves something.
#include <cmath>
#include <limits>
#include <numeric>

#include "harness/worker/oracle/random.hpp"
#include "kernels/simplex/tests/fixture.hpp"
#include "kernels/simplex/timed/coarse.hpp"
#include "kernels/simplex/timed/colgen.hpp"
#include "kernels/simplex/timed/entropic.hpp"
#include "kernels/simplex/timed/forest.hpp"
#include "kernels/simplex/timed/thirds.hpp"

namespace uotbench::simplex {
namespace {

using testing::HasSubstr;

struct Unmarked {
  explicit Unmarked(const char*) {}
};

/// Two images of height x width pixels, some of them black and left out; masses are integers.
struct Images {
  Images(std::size_t height, std::size_t width) {
    const RandomStream grey(5, height * 100 + width);
    for (std::size_t r = 0; r < height; ++r)
      for (std::size_t c = 0; c < width; ++c) {
        const std::size_t p = r * width + c;
        const auto pixel = [&](std::size_t index, std::vector<double>& points, std::vector<double>& masses) {
          const double mass = std::floor(9 * grey.uniform(index)) - 1;
          if (!(mass > 0)) return;
          points.insert(points.end(), {static_cast<double>(r), static_cast<double>(c)});
          masses.push_back(mass);
        };
        pixel(2 * p, X, a);
        pixel(2 * p + 1, Y, b);
      }
    const double of_a = std::accumulate(a.begin(), a.end(), 0.),
                 of_b = std::accumulate(b.begin(), b.end(), 0.);
    (of_a < of_b ? a : b).front() += std::abs(of_a - of_b);
  }
  Clouds clouds() const { return {a.size(), b.size(), 2, X, Y}; }

  std::vector<double> X, Y, a, b;
};

TEST(Tripartite, HasTheOptimumOfAllPairsAndProvesIt) {
  for (const auto& [height, width] : {std::pair<std::size_t, std::size_t>{9, 9}, {2, 31}, {17, 3}}) {
    const Images images(height, width);
    const Clouds clouds = images.clouds();
    const Costs pairs{clouds, {}};
    Colgen<Costs, Unmarked> all(images.a, images.b, pairs, {.tolerance = .5});
    const auto pricing = pricing_named("best", pairs);
    const Potentials start = from_nothing(clouds, pairs.most(), true);
    all.run(start.u, start.v, start.raise,
            [&](auto u, auto v, double threshold, Priced& out, const auto& add) {
              pricing->price(u, v, threshold, out);
              for (std::size_t i = 0; i < out.target.size(); ++i)
                if (out.target[i] >= 0) add(i, static_cast<std::size_t>(out.target[i]));
            });

    const Thirds thirds(clouds, images.a, images.b);
    Potentials begin = start;
    for (const double w : thirds.potentials_between(start.v)) {
      begin.u.push_back(w + begin.raise);
      begin.v.push_back(w);
    }
    Colgen<Thirds, Unmarked> colgen(thirds.a, thirds.b, thirds, {.tolerance = .5});
    colgen.run(begin.u, begin.v, begin.raise,
               [&](auto u, auto v, double threshold, Priced& out, const auto& add) {
                 thirds.price(u, v, threshold, out, add);
               });
    EXPECT_EQ(colgen.master().cost(), all.master().cost()) << height << " x " << width;
    double value = 0;
    for (std::size_t i = 0; i < clouds.M; ++i) {
      value += images.a[i] * colgen.u()[i];
      for (std::size_t j = 0; j < clouds.N; ++j) ASSERT_GE(pairs(i, j) - colgen.u()[i] + colgen.v()[j], 0);
    }
    for (std::size_t j = 0; j < clouds.N; ++j) value -= images.b[j] * colgen.v()[j];
    EXPECT_EQ(value, all.master().cost()) << height << " x " << width;
  }
}

TEST(Tripartite, PointsOnNoGridAreRefused) {
  const RandomStream random(3, 1);
  std::vector<double> points(2 * 100);
  for (std::size_t e = 0; e < points.size(); ++e) points[e] = random.uniform(e);
  const std::vector<double> mass(100, 1);
  EXPECT_THAT(error_of([&] {
                Thirds({100, 100, 2, points, points}, mass, mass);
              }),
              HasSubstr("the points are on no grid: 100 rows and 100 columns for 100 and 100 points"));
}

TEST(Entropic, PotentialsViolateNothingAndAreNear) {
  const Images images(20, 23);
  const Clouds clouds = images.clouds();
  const Costs pairs{clouds, {}};
  double before = 0;
  for (const std::int64_t levels : {4, 12}) {
    const Potentials found = entropic_potentials<Unmarked>(clouds, images.a, images.b, pairs.most(), levels);
    double value = 0;
    for (std::size_t i = 0; i < clouds.M; ++i) {
      value += images.a[i] * found.u[i];
      for (std::size_t j = 0; j < clouds.N; ++j) ASSERT_GE(pairs(i, j) - found.u[i] + found.v[j], -1e-9);
    }
    for (std::size_t j = 0; j < clouds.N; ++j) value -= images.b[j] * found.v[j];
    if (levels == 12) {
      EXPECT_GT(value, before) << "later ones prove more";
    }
    before = value;
  }
  Colgen<Costs, Unmarked> colgen(images.a, images.b, pairs, {.tolerance = .5});
  const auto pricing = pricing_named("best", pairs);
  const Potentials start = from_nothing(clouds, pairs.most(), true);
  colgen.run(start.u, start.v, start.raise,
             [&](auto u, auto v, double threshold, Priced& out, const auto& add) {
               pricing->price(u, v, threshold, out);
               for (std::size_t i = 0; i < out.target.size(); ++i)
                 if (out.target[i] >= 0) add(i, static_cast<std::size_t>(out.target[i]));
             });
  EXPECT_LE(before, colgen.master().cost());
  EXPECT_GE(before, .78 * colgen.master().cost());  // .783: few iterations go a long way
}

/// -eps log sum_j share_j exp((g_j - c_ij) / eps), as one would write it down; `cost(i, j)`.
template <class Cost>
std::vector<double> soft_minimum(std::span<const double> masses, std::span<const double> g, double eps,
                                 std::size_t to, const Cost& cost) {
  const double mass = std::accumulate(masses.begin(), masses.end(), 0.);
  std::vector<double> soft(to);
  for (std::size_t i = 0; i < to; ++i) {
    double least = std::numeric_limits<double>::infinity(), sum = 0;
    for (std::size_t j = 0; j < masses.size(); ++j) least = std::min(least, cost(i, j) - g[j]);
    for (std::size_t j = 0; j < masses.size(); ++j)
      sum += masses[j] / mass * std::exp((least + g[j] - cost(i, j)) / eps);
    soft[i] = least - eps * std::log(sum);
  }
  return soft;
}

TEST(Entropic, PotentialsAreThoseOfPlainLoops) {
  const Images images(7, 11);
  const Clouds clouds = images.clouds();
  const Costs pairs{clouds, {}};
  const auto turned = [&](std::size_t j, std::size_t i) { return pairs(i, j); };
  for (const std::int64_t levels : {1, 2, 7}) {
    double eps = pairs.most();
    std::vector<double> f, g(clouds.N);
    for (std::int64_t level = 0; level < levels; ++level) {
      eps /= 2;
      f = soft_minimum(images.b, g, eps, clouds.M, pairs);
      g = soft_minimum(images.a, f, eps, clouds.N, turned);
    }
    std::vector<double> u(clouds.M, std::numeric_limits<double>::infinity()), v(clouds.N, -u[0]);
    for (std::size_t i = 0; i < clouds.M; ++i)
      for (std::size_t j = 0; j < clouds.N; ++j) u[i] = std::min(u[i], pairs(i, j) - g[j]);
    for (std::size_t i = 0; i < clouds.M; ++i)
      for (std::size_t j = 0; j < clouds.N; ++j) v[j] = std::max(v[j], u[i] - pairs(i, j));
    const Potentials found = entropic_potentials<Unmarked>(clouds, images.a, images.b, pairs.most(), levels);
    EXPECT_EQ(found.raise, eps);
    for (std::size_t i = 0; i < clouds.M; ++i) EXPECT_NEAR(found.u[i], u[i], 1e-11 * pairs.most()) << levels;
    for (std::size_t j = 0; j < clouds.N; ++j) EXPECT_NEAR(found.v[j], v[j], 1e-11 * pairs.most()) << levels;
  }
}

// Whatever the flow of a plan, its forest has the same sums and no more than M + N - 1 arcs; here every pair
// costs i + j, so that all cycles cost nothing.
TEST(Forests, KeepSumsAndCosts) {
  constexpr std::int32_t M = 7, N = 11;
  Forest forest(M, N);
  std::vector<double> of_source(M), of_target(N);
  const RandomStream random(4, 2);
  double cost = 0;
  for (std::int32_t i = 0; i < M; ++i)
    for (std::int32_t j = 0; j < N; ++j) {
      const auto flow = 1 + static_cast<double>(random.below(static_cast<std::uint64_t>(i * N + j), 9));
      forest.add({i, j, flow});
      of_source[static_cast<std::size_t>(i)] += flow;
      of_target[static_cast<std::size_t>(j)] += flow;
      cost += flow * (i + j);
    }
  const std::vector<Flow> plan = forest.plan();
  EXPECT_LE(plan.size(), static_cast<std::size_t>(M + N - 1));
  for (const Flow& arc : plan) {
    EXPECT_GT(arc.amount, 0);
    of_source[static_cast<std::size_t>(arc.source)] -= arc.amount;
    of_target[static_cast<std::size_t>(arc.target)] -= arc.amount;
    cost -= arc.amount * (arc.source + arc.target);
  }
  EXPECT_EQ(of_source, std::vector<double>(M, 0.));
  EXPECT_EQ(of_target, std::vector<double>(N, 0.));
  EXPECT_EQ(cost, 0);
}

}  // namespace
}  // namespace uotbench::simplex
