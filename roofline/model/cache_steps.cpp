#include "roofline/model/cache_steps.hpp"

#include <algorithm>
#include <cmath>
#include <span>

namespace uotbench {
namespace {

constexpr double disturbed = 1.1, flat = 1.2, rise = 1.5, least_first_span = 2, least_span = 2.8,
                 own_level = 1.5;

/// Indices of a curve, both ends included.
struct Plateau {
  std::size_t first, last;
};

/// From small to large sets, without those that were disturbed; the rest is never faster on the way.
std::vector<LoadTime> undisturbed(std::vector<LoadTime> curve) {
  std::erase_if(curve, [](const LoadTime& at) {
    return !(at.bytes > 0 && at.seconds > 0) || !std::isfinite(at.bytes) || !std::isfinite(at.seconds);
  });
  std::ranges::stable_sort(curve, {}, &LoadTime::bytes);
  double least = HUGE_VAL;  // of all larger sets
  for (std::size_t i = curve.size(); i-- > 0;) {
    const double own = curve[i].seconds;
    curve[i].seconds = own > disturbed * least ? HUGE_VAL : std::min(own, least);
    least = std::min(least, own);
  }
  std::erase_if(curve, [](const LoadTime& at) { return at.seconds == HUGE_VAL; });
  return curve;
}

std::vector<Plateau> plateaus_of(std::span<const LoadTime> curve) {
  std::vector<Plateau> plateaus;
  for (std::size_t i = 0; i < curve.size();) {
    std::size_t end = i;
    while (end + 1 < curve.size() && curve[end + 1].seconds <= flat * curve[i].seconds) ++end;
    // A hair less: sizes are whole lines.
    const double span = 0.99 * (plateaus.empty() ? least_first_span : least_span);
    if (curve[end].bytes < span * curve[i].bytes) {
      ++i;
      continue;
    }
    if (!plateaus.empty() && curve[i].seconds < rise * curve[plateaus.back().first].seconds)
      plateaus.back().last = end;
    else
      plateaus.push_back({i, end});
    i = end + 1;
  }
  return plateaus;
}

double median_of(std::span<const LoadTime> curve, const Plateau& plateau) {
  return curve[(plateau.first + plateau.last) / 2].seconds;  // they are in order
}

/// Where between two sizes the time reaches `seconds`; sizes grow by factors.
double crossing(const LoadTime& below, const LoadTime& above, double seconds) {
  const double share = (seconds - below.seconds) / (above.seconds - below.seconds);
  return below.bytes * std::pow(above.bytes / below.bytes, share);
}

}  // namespace

std::vector<CacheStep> steps_of(std::vector<LoadTime> given) {
  const std::vector<LoadTime> curve = undisturbed(std::move(given));
  const auto plateaus = plateaus_of(curve);
  std::vector<CacheStep> steps;
  for (std::size_t p = 1; p < plateaus.size(); ++p) {
    CacheStep step{.capacity = 0,
                   .before = median_of(curve, plateaus[p - 1]),
                   .after = median_of(curve, plateaus[p]),
                   .from = curve[plateaus[p - 1].last].bytes,
                   .to = curve[plateaus[p].first].bytes};
    const double reached = step.before + (step.after - step.before) / 4;
    std::size_t above = plateaus[p - 1].first;
    while (curve[above].seconds <= reached) ++above;
    step.capacity = crossing(curve[above - 1], curve[above], reached);
    steps.push_back(step);
  }
  return steps;
}

std::optional<double> last_capacity_beyond(const std::vector<CacheStep>& steps, double inner) {
  if (steps.empty() || steps.back().capacity <= own_level * inner) return std::nullopt;
  return steps.back().capacity;
}

}  // namespace uotbench
