#include "results/statistics/statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <cmath>
#include <numeric>
#include <vector>

#include "results/base/error.hpp"
#include "results/base/units.hpp"

namespace uotbench {
namespace {

std::vector<double> sorted(std::span<const double> samples) {
  std::vector<double> copy(samples.begin(), samples.end());
  std::sort(copy.begin(), copy.end());
  return copy;
}

/// The largest k with P(Binomial(n, 1/2) < k) <= 2.5%, and that probability; 0 where there is none.
struct Tail {
  std::size_t rank = 0;
  double below = 0;
};

Tail interval_tail(std::size_t n) {
  namespace math = boost::math;
  using Downwards =
      math::policies::policy<math::policies::discrete_quantile<math::policies::integer_round_down>>;
  if (n == 0) return {};
  const math::binomial_distribution<double, Downwards> above(static_cast<double>(n), 0.5);
  const double most = quantile(above, 0.025), below = cdf(above, most);
  return below <= 0.025 ? Tail{static_cast<std::size_t>(most) + 1, below} : Tail{};
}

bool all_positive(std::span<const double> values) {
  return std::ranges::all_of(values, [](double value) { return value > 0; });
}

// The null distribution of Mann and Whitney's U, and what it says about intervals of a shift.

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

double median(std::span<const double> samples) {
  if (samples.empty()) throw Error("median of no samples");
  const auto ordered = sorted(samples);
  const std::size_t middle = ordered.size() / 2;
  return ordered.size() % 2 ? ordered[middle] : (ordered[middle - 1] + ordered[middle]) / 2;
}

std::optional<Interval> median_interval(std::span<const double> samples) {
  const std::size_t rank = interval_tail(samples.size()).rank;
  if (rank == 0) return std::nullopt;
  const auto ordered = sorted(samples);
  return Interval{ordered[rank - 1], ordered[ordered.size() - rank]};
}

std::optional<double> relative_noise(std::span<const double> samples) {
  const auto interval = median_interval(samples);
  if (!interval) return std::nullopt;
  const double middle = median(samples);
  return middle > 0 ? std::optional((interval->high - interval->low) / 2 / middle) : std::nullopt;
}

std::optional<ConfidenceInterval> ratios_interval(std::span<const double> by_round) {
  const std::size_t n = by_round.size();
  if (n < 2 || !all_positive(by_round)) return std::nullopt;
  const auto ordered = sorted(by_round);  // as their logarithms are
  const Tail tail = interval_tail(n);
  if (tail.rank == 0)
    return ConfidenceInterval{ordered.front(), ordered.back(), 1 - std::exp2(1 - static_cast<double>(n))};
  return ConfidenceInterval{ordered[tail.rank - 1], ordered[n - tail.rank], 1 - 2 * tail.below};
}

std::optional<Interval> ratio_range(std::span<const double> a, std::span<const double> b) {
  if (a.empty() || b.empty() || a.size() + b.size() < 3 || !all_positive(a) || !all_positive(b))
    return std::nullopt;
  const auto [a_low, a_high] = std::ranges::minmax(a);
  const auto [b_low, b_high] = std::ranges::minmax(b);
  return Interval{b_low / a_high, b_high / a_low};
}

std::optional<ConfidenceInterval> hodges_lehmann_interval(std::span<const double> a,
                                                          std::span<const double> b,
                                                          const MannWhitneyRank& rank) {
  if (a.empty() || b.empty() || a.size() + b.size() < 3 || !all_positive(a) || !all_positive(b))
    return std::nullopt;
  std::vector<double> ratios;
  ratios.reserve(a.size() * b.size());
  for (const double x : a)
    for (const double y : b) ratios.push_back(y / x);
  std::sort(ratios.begin(), ratios.end());
  return ConfidenceInterval{ratios[rank.rank - 1], ratios[ratios.size() - rank.rank], rank.coverage};
}

Summary summarize(std::span<const std::vector<double>> processes) {
  Summary summary;
  std::vector<double> medians;
  std::span<const double> only;
  for (const auto& samples : processes) {
    if (samples.empty()) continue;
    summary.samples += samples.size();
    medians.push_back(median(samples));
    only = samples;
  }
  if (medians.empty()) throw Error("a timed case without samples");
  summary.median = median(medians);
  if (medians.size() == 1) {
    summary.noise = relative_noise(only);
  } else if (summary.median > 0) {  // a clock too coarse for the kernel says 0: no noise can be told
    const auto [fastest, slowest] = std::minmax_element(medians.begin(), medians.end());
    summary.noise = (*slowest - *fastest) / 2 / summary.median;
    // 1.25 is far outside what placement and clock changes do to one build on a quiet machine (a few
    // percent), so something else ran, or the processes were not alike.
    if (*slowest > 1.25 * *fastest)
      summary.warnings.push_back(
          fmt::format("processes disagree: slowest {}x the fastest", format_fixed(*slowest / *fastest, 2)));
  }
  return summary;
}

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

// Values that come in pairs.

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
