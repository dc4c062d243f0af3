// Refuses problems without a solution before anybody computes infinities on them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/uot/oracle/data.hpp"
#include "results/base/error.hpp"

namespace uotbench::uot {
namespace {

/// One line: which row (column), and what may help.
template <class Real>
Error unsolvable(const Point& point, const Inputs<Real>& inputs, const char* line, const char* mass,
                 std::size_t at, Real value, const char* others) {
  const std::string dtype = point.text("dtype");
  std::string hint;
  if (!inputs.C.empty()) {
    hint = "; its pairs are forbidden: C is inf there";
  } else if (inputs.from_cost) {
    hint = fmt::format("; exp(-C/reg) underflowed in {}; try a larger reg{}", dtype,
                       dtype == "f32" ? " or dtype=f64" : "");
  } else if (dtype == "f32") {
    hint = "; if it is not zero in the data it underflowed in f32; try dtype=f64";
  }
  return Error(
      fmt::format("{} {} of K is zero wherever {} has mass, but {}[{}] is {}: no plan can give it that{}",
                  line, at, others, mass, at, value, hint));
}

}  // namespace

template <class Real>
void require_solvable(const Point& point, const Inputs<Real>& inputs) {
  const auto &a = inputs.a, &b = inputs.b;
  const std::size_t M = inputs.M, N = inputs.N;
  // Where the costs are given, too, there is a solution even where K has underflowed.
  const auto open_at = [&](std::size_t cell) {
    return inputs.C.empty() ? inputs.K[cell] > 0 : std::isfinite(inputs.C[cell]);
  };
  for (std::size_t i = 0; i < M; ++i) {
    if (a[i] == 0) continue;
    std::size_t j = 0;
    while (j < N && !(open_at(i * N + j) && b[j] > 0)) ++j;
    if (j == N) throw unsolvable(point, inputs, "row", "a", i, a[i], "b");
  }
  // Row after row until every column with mass has been reached: the first row is mostly enough.
  std::vector<char> open(N);
  std::ranges::transform(b, open.begin(), [](Real mass) { return mass > 0; });
  for (std::size_t i = 0; i < M && std::ranges::count(open, 1) > 0; ++i) {
    if (a[i] == 0) continue;
    for (std::size_t j = 0; j < N; ++j) open[j] = open[j] && !open_at(i * N + j);
  }
  const auto left = std::ranges::find(open, 1);
  if (left == open.end()) return;
  const auto j = static_cast<std::size_t>(left - open.begin());
  throw unsolvable(point, inputs, "column", "b", j, b[j], "a");
}

template void require_solvable(const Point&, const Inputs<float>&);
template void require_solvable(const Point&, const Inputs<double>&);

}  // namespace uotbench::uot
