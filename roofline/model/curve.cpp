#include "roofline/model/curve.hpp"

#include <algorithm>
#include <cmath>

#include "roofline/model/caches.hpp"

namespace uotbench {
namespace {

// Working sets are whole vectors for every thread: a little less than what was asked for.
constexpr double slack = 1.05;
constexpr double inside_any_l1 = 16 << 10, memory_anywhere = 256 << 20;

double point_bytes(const Roof& point) { return *point.working_set; }

/// When what is read off between two points was measured.
std::optional<double> when_between(const Roof& below, const Roof& above, double bytes) {
  if (bytes <= slack * point_bytes(below)) return below.when;
  if (point_bytes(above) <= slack * bytes) return above.when;
  return below.when && above.when ? std::optional(std::min(*below.when, *above.when)) : std::nullopt;
}

/// Which cache a step is the end of, by both of its sizes; absent: none within a factor of 2.
std::optional<std::size_t> cache_at(double capacity, const Caches& caches, std::int64_t threads,
                                    const std::string& place) {
  std::optional<std::size_t> best;
  double nearest = std::log(2.);
  const auto& levels = caches.levels();
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const double measured = caches.capacity(levels[i], threads, place);
    const double reported = measured * levels[i].told / levels[i].bytes;
    for (const double bytes : {measured, reported})
      if (const double away = std::abs(std::log(capacity / bytes)); away <= nearest) nearest = away, best = i;
  }
  return best;
}

}  // namespace

void Curve::add(const Roof& point) {
  const auto place = std::ranges::lower_bound(points_, point_bytes(point), {}, point_bytes);
  if (place == points_.end() || point_bytes(*place) != point_bytes(point))
    points_.insert(place, point);
  else if (place->value < point.value)
    *place = point;
}

std::optional<Roof> Curve::at(double bytes, std::int64_t threads) const {
  if (points_.empty() || !(bytes > 0)) return std::nullopt;
  const auto above = std::ranges::lower_bound(points_, bytes, {}, point_bytes);
  if (above == points_.begin()) {
    const double least = point_bytes(*above);
    const bool is_near =
        bytes * widest_gap * slack >= least || least <= inside_any_l1 * slack * static_cast<double>(threads);
    return is_near ? std::optional(*above) : std::nullopt;
  }
  const Roof& below = *(above - 1);
  if (above == points_.end()) {
    const double most = point_bytes(below);
    const bool is_near = bytes <= widest_gap * slack * most || most * slack >= memory_anywhere;
    return is_near ? std::optional(below) : std::nullopt;
  }
  if (point_bytes(*above) == bytes) return *above;
  if (point_bytes(*above) > widest_gap * slack * point_bytes(below)) return std::nullopt;
  const double share =
      std::log(bytes / point_bytes(below)) / std::log(point_bytes(*above) / point_bytes(below));
  Roof roof = share < 0.5 ? below : *above;
  roof.value = below.value * std::pow(above->value / below.value, share);
  roof.working_set = bytes;
  roof.when = when_between(below, *above, bytes);
  if (below.noise && above->noise) roof.noise = std::max(*below.noise, *above->noise);
  return roof;
}

std::vector<LevelPlateau> level_plateaus(const Curve& curve, const Caches& caches, std::int64_t threads,
                                         const std::string& place) {
  std::vector<LoadTime> times;
  for (const auto& point : curve.points()) times.push_back({point_bytes(point), 1 / point.value});
  const auto steps = steps_of(times);
  std::vector<LevelPlateau> plateaus;
  if (steps.empty()) return plateaus;

  const auto& levels = caches.levels();
  constexpr std::size_t none = ~std::size_t{0};
  std::size_t inside = none;  // the cache whose step is the start of the plateau
  double from = point_bytes(curve.points().front());
  bool first = true;
  for (const auto& step : steps) {
    const auto found = cache_at(step.capacity, caches, threads, place);
    const bool is_next = found && (first ? *found == 0 : inside != none && *found == inside + 1);
    plateaus.push_back({.level = is_next ? levels[*found].name : "", .from = from, .to = step.from});
    inside = found.value_or(none);
    from = step.to;
    first = false;
  }
  const double most = point_bytes(curve.points().back());
  bool is_memory = inside != none && inside + 1 == levels.size();
  if (!levels.empty()) {
    const double measured = caches.capacity(levels.back(), threads, place);
    const double reported = measured * levels.back().told / levels.back().bytes;
    const double capacity = std::max(measured, reported);
    if (!is_memory && most >= streaming_caches / slack * capacity) {
      is_memory = true;
      if (from < capacity) plateaus.push_back({.level = "", .from = from, .to = capacity});
      from = std::max(from, capacity);
    }
  }
  plateaus.push_back({.level = is_memory ? "DRAM" : "", .from = from, .to = most});
  return plateaus;
}

}  // namespace uotbench
