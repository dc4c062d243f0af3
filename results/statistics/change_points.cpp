#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <random>

#include "results/statistics/statistics.hpp"

namespace uotbench {
namespace {

/// Ends that are tried for the part after a division: all of a short series, every tenth of 1,000 values.
constexpr std::size_t most_ends = 100;
/// Of so many values a shuffle takes some tenths of a millisecond, and steps are plain: half as many
/// shuffles, which stop twice as early where there is no step.
constexpr std::size_t long_part = 300;

struct Division {
  std::size_t at = 0, end = 0;
  double q = 0;  ///< Matteson and James's Q of [0, at) and [at, end)
};

double pairs_of(std::size_t n) { return static_cast<double>(n) * static_cast<double>(n - 1) / 2; }

/// Sums of distances are kept for one beginning at a time, so that n values take memory for n.
class Divider {
 public:
  Divider(std::size_t size, std::size_t least) : size_(size), least_(least), within_(size + 1) {
    const std::size_t step = (size + most_ends - 1) / most_ends;
    for (std::size_t end = size; end >= 2 * least; end -= std::min(end, step)) ends_.push_back(end);
    std::ranges::reverse(ends_);
    after_.resize(ends_.size());
  }

  /// The division with the largest Q.
  Division best(const std::vector<double>& values) {
    sum_within(values);
    std::ranges::fill(after_, 0.);
    Division best;
    for (std::size_t at = size_ - 1; at >= least_; --at) {
      double distances = 0;  // of values[at] to those behind it
      std::size_t next = at + 1;
      for (std::size_t e = first_end(at); e < ends_.size(); ++e) {
        const std::size_t end = ends_[e];
        for (; next < end; ++next) distances += std::abs(values[at] - values[next]);
        after_[e] += distances;
        if (end - at < least_) continue;
        const double q = q_of(at, end, after_[e]);
        if (q > best.q) best = {at, end, q};
      }
    }
    return best;
  }

 private:
  std::size_t first_end(std::size_t at) const {
    return static_cast<std::size_t>(std::ranges::upper_bound(ends_, at) - ends_.begin());
  }

  /// within_[n]: the sum of all distances among the first n.
  void sum_within(const std::vector<double>& values) {
    for (std::size_t n = 1; n < size_; ++n) {
      double even = 0, odd = 0;  // two sums: an addition need not wait for the one before
      for (std::size_t i = 0; i + 1 < n; i += 2) {
        even += std::abs(values[i] - values[n]);
        odd += std::abs(values[i + 1] - values[n]);
      }
      if (n % 2 == 1) even += std::abs(values[n - 1] - values[n]);
      within_[n + 1] = within_[n] + even + odd;
    }
  }

  double q_of(std::size_t at, std::size_t end, double after) const {
    const auto m = static_cast<double>(at), n = static_cast<double>(end - at);
    const double between = within_[end] - within_[at] - after;
    const double energy = 2 * between / (m * n) - within_[at] / pairs_of(at) - after / pairs_of(end - at);
    return m * n / (m + n) * energy;
  }

  std::size_t size_, least_;
  std::vector<std::size_t> ends_;
  std::vector<double> within_, after_;
};

/// Of n values without order, that m of them have ranks as far off as these: at most this, whichever
/// neighbours they are (Serfling, Annals of Statistics 2, 1974, corollary 1.1, for each of n² / 2 parts). A
/// step of many values is found so without a shuffle.
double bound_by_ranks(const std::vector<double>& values, std::size_t begin, std::size_t end) {
  const std::size_t n = values.size(), m = end - begin;
  if (m == 0 || m == n) return 1;
  std::vector<double> sorted(values);
  std::ranges::sort(sorted);
  double sum = 0;
  for (std::size_t i = begin; i < end; ++i) {
    const auto [low, high] = std::equal_range(sorted.begin(), sorted.end(), values[i]);
    sum += static_cast<double>((low - sorted.begin()) + (high - sorted.begin())) / 2;
  }
  const double size = static_cast<double>(n), part = static_cast<double>(m);
  const double off = std::abs(sum / part / size - 0.5);
  return size * size * std::exp(-2 * part * off * off / (1 - (part - 1) / size));
}

/// Of a division as good as the best one in a part whose order means nothing; absent: more than `level`.
std::optional<double> p_of(const Division& found, const std::vector<double>& values, Divider& divider,
                           const StepRules& rules, std::uint64_t seed) {
  // A twentieth of the level for the quick test: both together stay within 1.05 of it.
  for (const auto& [begin, end] : {std::pair<std::size_t, std::size_t>{0, found.at}, {found.at, found.end}})
    if (const double p = bound_by_ranks(values, begin, end); p <= rules.level / 20) return p;
  std::mt19937_64 bits(seed);
  std::vector<double> shuffled(values);
  const std::size_t shuffles = values.size() < long_part ? rules.shuffles : rules.shuffles / 2;
  const double all = static_cast<double>(shuffles + 1);
  double as_good = 1;
  for (std::size_t shuffle = 0; shuffle < shuffles; ++shuffle) {
    for (std::size_t i = shuffled.size() - 1; i > 0;
         --i)  // Fisher and Yates; std::shuffle differs by library
      std::swap(shuffled[i], shuffled[bits() % (i + 1)]);
    if (divider.best(shuffled).q >= found.q) as_good += 1;
    if (as_good / all > rules.level) return std::nullopt;  // whatever the others are
  }
  return as_good / all;
}

void divide(std::span<const double> values, std::size_t begin, const StepRules& rules,
            std::vector<SplitPoint>& found) {
  if (values.size() < 2 * rules.least) return;
  const std::vector<double> part(values.begin(), values.end());
  Divider divider(part.size(), rules.least);
  const Division best = divider.best(part);
  if (best.q <= 0) return;
  const std::uint64_t seed = rules.seed + 0x9e3779b97f4a7c15u * (begin + 1) + part.size();
  const auto p = p_of(best, part, divider, rules, seed);
  if (!p) return;
  divide(values.first(best.at), begin, rules, found);
  found.push_back({begin + best.at, *p});
  divide(values.subspan(best.at), begin + best.at, rules, found);
}

ChangePoint step_between(std::span<const double> before, std::span<const double> after,
                         const StepRules& rules) {
  before = before.last(std::min(before.size(), rules.reach));
  after = after.first(std::min(after.size(), rules.reach));
  std::vector<double> ratios;
  ratios.reserve(before.size() * after.size());
  for (const double x : before)
    for (const double y : after) ratios.push_back(y / x);
  ChangePoint step{.ratio = median(ratios)};
  if (const auto interval =
          hodges_lehmann_interval(before, after, mann_whitney_rank(before.size(), after.size())))
    step.interval = *interval;
  return step;
}

double height_of(const ChangePoint& step) { return std::abs(std::log(step.ratio)); }

}  // namespace

std::vector<SplitPoint> e_divisive(std::span<const double> values, const StepRules& rules) {
  std::vector<SplitPoint> found;
  divide(values, 0, rules, found);
  return found;
}

std::vector<ChangePoint> change_points(std::span<const double> values, const StepRules& rules) {
  std::vector<double> logarithms;
  for (const double value : values) logarithms.push_back(std::log(value));
  std::vector<ChangePoint> steps;
  for (const auto& point : e_divisive(logarithms, rules)) steps.push_back({.at = point.at, .p = point.p});
  const auto measure = [&](std::size_t i) {
    const std::size_t begin = i == 0 ? 0 : steps[i - 1].at;
    const std::size_t end = i + 1 < steps.size() ? steps[i + 1].at : values.size();
    ChangePoint step = step_between(values.subspan(begin, steps[i].at - begin),
                                    values.subspan(steps[i].at, end - steps[i].at), rules);
    step.at = steps[i].at;
    step.p = steps[i].p;
    steps[i] = step;
  };
  for (std::size_t i = 0; i < steps.size(); ++i) measure(i);
  while (!steps.empty()) {
    const auto smallest = std::ranges::min_element(steps, {}, height_of);
    if (height_of(*smallest) >= std::log1p(rules.delta)) break;
    const auto at = static_cast<std::size_t>(smallest - steps.begin());
    steps.erase(smallest);
    if (at > 0) measure(at - 1);
    if (at < steps.size()) measure(at);
  }
  return steps;
}

}  // namespace uotbench
