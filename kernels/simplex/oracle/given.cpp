#include "kernels/simplex/oracle/given.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "kernels/simplex/timed/coarse.hpp"
#include "kernels/simplex/timed/colgen.hpp"
#include "kernels/simplex/timed/reduced.hpp"

namespace uotbench::simplex {
namespace {

std::span<const double> array(Arrays& arrays, const char* name) {
  return arrays.has(name) ? arrays[name].as<double>() : std::span<const double>();
}

struct Unmarked {
  explicit Unmarked(const char*) {}
};

/// The lower quartile of what pairs of a source cost, of up to 256 of them that cost something: forbidden
/// pairs, or a far point, do not move it.
double usual_cost(const Given& given, std::size_t i) {
  constexpr std::size_t most = 256;
  const std::size_t step = std::max<std::size_t>(1, given.N / most);
  std::vector<double> costs;
  for (std::size_t j = 0; j < given.N; j += step)
    if (const double c = std::abs(given.cost(i, j)); c > 0 && std::isfinite(c)) costs.push_back(c);
  if (costs.empty()) return 0;
  const auto quartile = costs.begin() + static_cast<std::ptrdiff_t>(costs.size() / 4);
  std::nth_element(costs.begin(), quartile, costs.end());
  return *quartile;
}

}  // namespace

Given::Given(const Point& point, Arrays& arrays)
    : M(point.size("M")),
      N(point.size("N")),
      k(point.text("cost") == "matrix" ? 0 : point.size("k")),
      exact(point.text("cost") == "integer"),
      X(array(arrays, "X")),
      Y(array(arrays, "Y")),
      C(array(arrays, "C")),
      a(array(arrays, "a")),
      b(array(arrays, "b")),
      u0(array(arrays, "u0")),
      v0(array(arrays, "v0")) {}

double Given::cost(std::size_t i, std::size_t j) const { return Costs{{M, N, k, X, Y}, C}(i, j); }

Solved solved(const Given& given, std::optional<std::int64_t> rounds) {
  Reduced reduced(given);
  const Costs costs = reduced.costs();
  Colgen<Costs, Unmarked> colgen(
      reduced.a, reduced.b, costs,
      {.tolerance = reduced.tolerance(), .most_rounds = 1 << 30, .stop_after = rounds});
  const auto pricing = pricing_named("best", costs);
  do {
    const Potentials start = from_nothing(costs.clouds, costs.most(), given.exact);
    colgen.tolerate(reduced.tolerance());
    colgen.run(start.u, start.v, start.raise,
               [&](auto of_u, auto of_v, double threshold, Priced& out, const auto& add) {
                 pricing->price(of_u, of_v, threshold, out);
                 for (std::size_t i = 0; i < out.target.size(); ++i)
                   if (out.target[i] >= 0) add(i, static_cast<std::size_t>(out.target[i]));
               });
  } while (reduced.raise([&](const auto& act) { colgen.master().plan(act); }));
  Solved solution{{}, {}, colgen.master().cost()};
  reduced.extend(colgen.u(), colgen.v(), solution.u, solution.v);
  return solution;
}

std::vector<RowLeast> least_of_rows(const Given& given, std::span<const double> u,
                                    std::span<const double> v) {
  const std::size_t N = given.N, k = given.k;
  std::vector<double> Y(given.Y.size());  // a coordinate after the other
  for (std::size_t e = 0; e < Y.size(); ++e) Y[e % k * N + e / k] = given.Y[e];
  std::vector<RowLeast> of_row(given.M);
#pragma omp parallel for schedule(dynamic, 16)
  for (std::size_t i = 0; i < given.M; ++i) {
    constexpr std::size_t block = 256;
    std::array<double, block> cost;
    RowLeast& row = of_row[i];
    row.reduced = std::numeric_limits<double>::infinity();
    for (std::size_t begin = 0; begin < N; begin += block) {
      const std::size_t count = std::min(block, N - begin);
      for (std::size_t p = 0; p < count; ++p) cost[p] = k > 0 ? 0 : given.C[i * N + begin + p];
      for (std::size_t d = 0; d < k; ++d) {
        const double x = given.X[i * k + d], *y = &Y[d * N + begin];
        for (std::size_t p = 0; p < count; ++p) cost[p] += (x - y[p]) * (x - y[p]);
      }
      for (std::size_t p = 0; p < count; ++p) {
        const double reduced = cost[p] - u[i] + v[begin + p];
        if (reduced < row.reduced) row.reduced = reduced, row.column = begin + p;
      }
    }
    row.usual = usual_cost(given, i);
  }
  return of_row;
}

Lemon& lemon() {
  static Lemon made = nullptr;
  return made;
}

}  // namespace uotbench::simplex
