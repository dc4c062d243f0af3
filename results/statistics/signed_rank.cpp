// Wilcoxon's signed-rank test, from its exact null distribution.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "results/base/error.hpp"
#include "results/statistics/paired_tests.hpp"

namespace uotbench {
namespace {

/// Twice the ranks of the distances from zero, mid-ranks for ties: whole numbers. `above`: the sum of those
/// of positive values.
struct DoubledRanks {
  std::vector<std::size_t> ranks;
  std::size_t above = 0, all = 0;
};

DoubledRanks doubled_ranks(std::vector<double> distances) {
  std::erase(distances, 0.);
  std::sort(distances.begin(), distances.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
  DoubledRanks result;
  for (std::size_t begin = 0, end = 0; begin < distances.size(); begin = end) {
    while (end < distances.size() && std::abs(distances[end]) == std::abs(distances[begin])) ++end;
    const std::size_t rank = begin + 1 + end;  // twice the mean of begin + 1, …, end
    for (std::size_t i = begin; i < end; ++i) {
      result.ranks.push_back(rank);
      result.all += rank;
      if (distances[i] > 0) result.above += rank;
    }
  }
  return result;
}

/// P(sum <= most) of `ranks`, each of which counts or not by a fair coin. Sums of positive terms alone: the
/// smallest tail keeps its digits.
double chance_of_at_most(std::vector<std::size_t> ranks, std::size_t most) {
  // Without ties all are even, and half of the sums never occur.
  if (std::ranges::all_of(ranks, [](std::size_t rank) { return rank % 2 == 0; })) {
    for (auto& rank : ranks) rank /= 2;
    most /= 2;
  }
  std::vector<double> chance(most + 1, 0.);
  chance[0] = 1;
  std::size_t reached = 0;  // the largest sum so far
  for (const std::size_t rank : ranks) {
    reached = std::min(most, reached + rank);
    for (std::size_t sum = reached; sum >= rank && sum <= reached; --sum)
      chance[sum] = (chance[sum] + chance[sum - rank]) / 2;
    for (std::size_t sum = 0; sum < std::min(rank, reached + 1); ++sum) chance[sum] /= 2;
  }
  double total = 0;
  for (const double one : chance) total += one;
  return std::min(1., total);
}

}  // namespace

double signed_rank_above(std::span<const double> values, double bound) {
  std::vector<double> distances;
  distances.reserve(values.size());
  for (const double value : values) {
    if (!std::isfinite(value - bound))
      throw Error(fmt::format("signed ranks of values about {}: {} is no finite number", bound, value));
    distances.push_back(value - bound);
  }
  const auto [ranks, above, all] = doubled_ranks(std::move(distances));
  if (above == 0) return 1;
  // Symmetry: as likely at least `above` as at most all - above. The shorter of the two tails is summed.
  if (above > all - above) return chance_of_at_most(ranks, all - above);
  return 1 - chance_of_at_most(ranks, above - 1);
}

double signed_rank_below(std::span<const double> values, double bound) {
  std::vector<double> turned(values.begin(), values.end());
  for (auto& value : turned) value = -value;
  return signed_rank_above(turned, -bound);
}

}  // namespace uotbench
