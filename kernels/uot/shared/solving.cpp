#include "kernels/uot/shared/solving.hpp"

#include <algorithm>
#include <cstdio>
#include <string>
#include <tuple>
#include <vector>

#include "kernels/uot/problem.hpp"

namespace uotbench::uot {
namespace {

/// "row 3", of K, where it has mass and no way to give it to anybody.
template <class Real>
std::string empty_line(const Problem<Real>& problem) {
  const auto& [K, a, b] = std::tie(problem.K, problem.a, problem.b);
  std::vector<char> open(b.size());
  if (K.empty()) return "";
  for (std::size_t i = 0; i < a.size(); ++i) {
    const auto row = K.subspan(i * b.size(), b.size());
    if (a[i] > 0 && std::ranges::all_of(row, [](Real cell) { return cell == 0; }))
      return "row " + std::to_string(i);
    for (std::size_t j = 0; j < b.size(); ++j) open[j] |= row[j] > 0;
  }
  for (std::size_t j = 0; j < b.size(); ++j)
    if (b[j] > 0 && !open[j]) return "column " + std::to_string(j);
  return "";
}

}  // namespace

template <class Real>
Error beyond_range(const Problem<Real>& problem, std::int64_t iterations, const char* scaling) {
  const std::string type = sizeof(Real) == 4 ? "f32" : "f64", empty = empty_line(problem);
  return Error("after " + std::to_string(iterations) + " iterations " + scaling + " is inf or no number: " +
               (empty.empty() ? type + " does not hold this problem's scalings"
                              : empty + " of K is 0 throughout, exp(-C/reg) has underflowed in " + type) +
               "; try a larger reg" + (sizeof(Real) == 4 ? ", dtype=f64" : "") + " or a stabilised form");
}
template Error beyond_range(const Problem<float>&, std::int64_t, const char*);
template Error beyond_range(const Problem<double>&, std::int64_t, const char*);

Error no_solution(std::int64_t iterations, double error) {
  char change[32];
  std::snprintf(change, sizeof change, "%.3g", error);
  return Error("no solution after " + std::to_string(iterations) +
               " iterations: the last one changed u and v by " + change +
               ", not below tol; try a larger tol or max_iterations");
}

}  // namespace uotbench::uot
