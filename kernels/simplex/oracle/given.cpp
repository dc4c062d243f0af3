#include "kernels/simplex/oracle/given.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "kernels/simplex/parts/coarse.hpp"
#include "kernels/simplex/parts/colgen.hpp"
#include "kernels/simplex/parts/reduced.hpp"

namespace uotbench::simplex {
namespace {

std::span<const double> array(Arrays& arrays, const char* name) {
  return arrays.has(name) ? arrays[name].as<double>() : std::span<const double>();
}

struct Unmarked {
  explicit Unmarked(const char*) {}
};

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
  const Reduced reduced(given);
  const Costs costs = reduced.costs();
  const double most = costs.most();
  Colgen<Costs, Unmarked> colgen(
      reduced.a, reduced.b, costs,
      {.tolerance = reduced.tolerance(), .most_rounds = 1 << 30, .stop_after = rounds});
  const auto pricing = pricing_named("best", costs);
  const Potentials start = from_nothing(costs.clouds, most, given.exact);
  colgen.run(start.u, start.v, start.raise,
             [&](auto of_u, auto of_v, double threshold, Priced& out, const auto& add) {
               pricing->price(of_u, of_v, threshold, out);
               for (std::size_t i = 0; i < out.target.size(); ++i)
                 if (out.target[i] >= 0) add(i, static_cast<std::size_t>(out.target[i]));
             });
  Solved solution{{}, {}, colgen.master().cost()};
  reduced.extend(colgen.u(), colgen.v(), solution.u, solution.v);
  return solution;
}

Least least_reduced(const Given& given, std::span<const double> u, std::span<const double> v) {
  const std::size_t N = given.N, k = given.k;
  std::vector<double> Y(given.Y.size());  // a coordinate after the other
  for (std::size_t e = 0; e < Y.size(); ++e) Y[e % k * N + e / k] = given.Y[e];
  std::vector<Least> of_row(given.M);
#pragma omp parallel for schedule(dynamic, 16)
  for (std::size_t i = 0; i < given.M; ++i) {
    constexpr std::size_t block = 256;
    std::array<double, block> cost;
    Least& row = of_row[i];
    row.reduced = std::numeric_limits<double>::infinity();
    for (std::size_t begin = 0; begin < N; begin += block) {
      const std::size_t count = std::min(block, N - begin);
      for (std::size_t p = 0; p < count; ++p) cost[p] = k > 0 ? 0 : given.C[i * N + begin + p];
      for (std::size_t d = 0; d < k; ++d) {
        const double x = given.X[i * k + d], *y = &Y[d * N + begin];
        for (std::size_t p = 0; p < count; ++p) cost[p] += (x - y[p]) * (x - y[p]);
      }
      for (std::size_t p = 0; p < count; ++p) {
        row.largest = std::max(row.largest, std::abs(cost[p]));
        const double reduced = cost[p] - u[i] + v[begin + p];
        if (reduced < row.reduced) row.reduced = reduced, row.column = begin + p;
      }
    }
  }
  Least all = of_row[0];
  for (std::size_t i = 1; i < given.M; ++i) {
    const double largest = std::max(all.largest, of_row[i].largest);
    if (of_row[i].reduced < all.reduced) all = of_row[i], all.row = i;
    all.largest = largest;
  }
  return all;
}

Lemon& lemon() {
  static Lemon made = nullptr;
  return made;
}

}  // namespace uotbench::simplex
