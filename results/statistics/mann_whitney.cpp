// The null distribution of Mann and Whitney's U, and what it says about intervals of a shift.
#include <algorithm>
#include <cmath>
#include <vector>

#include "results/base/error.hpp"
#include "results/statistics/statistics.hpp"

namespace uotbench {
namespace {

/// P(U = 0), P(U = 1), … for m and n values of one distribution, by the largest of all: it is one of the m
/// and exceeds all n others with probability m/(m+n), or one of the n (Mann, Whitney 1947, equation 3).
/// Sums of products of probabilities: nothing cancels and nothing overflows.
std::vector<double> distribution(std::size_t m, std::size_t n) {
  // before[j]: for i - 1 and j values; now[j]: for i and j.
  std::vector<std::vector<double>> before(n + 1, {1.}), now(n + 1);
  for (std::size_t i = 1; i <= m; ++i) {
    now[0] = {1.};
    for (std::size_t j = 1; j <= n; ++j) {
      std::vector<double> p(i * j + 1, 0.);
      const double of_m = static_cast<double>(i) / static_cast<double>(i + j);
      for (std::size_t u = 0; u < before[j].size(); ++u) p[u + j] += of_m * before[j][u];
      for (std::size_t u = 0; u < now[j - 1].size(); ++u) p[u] += (1 - of_m) * now[j - 1][u];
      now[j] = std::move(p);
    }
    before.swap(now);
  }
  return before[n];
}

}  // namespace

MannWhitneyRank mann_whitney_rank(std::size_t m, std::size_t n) {
  if (m == 0 || n == 0) throw Error("a shift between no samples");
  if (m * n > 2500) {
    const double pairs = static_cast<double>(m * n);
    const double rank = pairs / 2 - 1.959964 * std::sqrt(pairs * static_cast<double>(m + n + 1) / 12);
    return {.rank = static_cast<std::size_t>(std::max(1., std::floor(rank))), .coverage = 0.95};
  }
  const auto p = distribution(m, n);
  double below = p[0];  // P(U < rank)
  std::size_t rank = 1;
  for (; rank < p.size() && below + p[rank] <= 0.025; ++rank) below += p[rank];
  return {.rank = rank, .coverage = 1 - 2 * below};
}

}  // namespace uotbench
