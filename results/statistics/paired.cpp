#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "results/base/error.hpp"
#include "results/statistics/statistics.hpp"

namespace uotbench {
namespace {

// Wilcoxon's signed-rank test, from its exact null distribution.

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

PairedSeries::PairedSeries(std::span<const double> a, std::span<const double> b) {
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) add(a[i], b[i]);
}

void PairedSeries::add(double a, double b) {
  a_.push_back(a);
  b_.push_back(b);
}

void PairedSeries::append(const PairedSeries& more) {
  a_.insert(a_.end(), more.a_.begin(), more.a_.end());
  b_.insert(b_.end(), more.b_.begin(), more.b_.end());
}

std::vector<double> PairedSeries::ratios() const {
  std::vector<double> ratios(size());
  for (std::size_t i = 0; i < size(); ++i) ratios[i] = b_[i] / a_[i];
  return ratios;
}

std::vector<double> PairedSeries::changes() const {
  std::vector<double> changes = ratios();
  for (double& change : changes) change = std::log(change);
  return changes;
}

std::optional<ConfidenceInterval> PairedSeries::interval() const {
  const bool positive = std::ranges::all_of(a_, [](double seconds) { return seconds > 0; });
  return positive ? ratios_interval(ratios()) : std::nullopt;  // which looks at b's
}

std::vector<double> holm(std::span<const double> p) {
  for (const double one : p)
    if (!(one >= 0 && one <= 1)) throw Error(fmt::format("Holm: {} is no probability", one));
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return p[a] < p[b]; });
  std::vector<double> adjusted(p.size());
  double largest = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    largest = std::max(largest, std::min(1., static_cast<double>(order.size() - i) * p[order[i]]));
    adjusted[order[i]] = largest;
  }
  return adjusted;
}

double scaled_mad(std::span<const double> values) {
  const double middle = median(values);
  std::vector<double> distances;
  distances.reserve(values.size());
  for (const double value : values) distances.push_back(std::abs(value - middle));
  // 1 / the normal distribution's upper quartile: of normal values it is their standard deviation.
  return 1.4826 * median(distances);
}

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
