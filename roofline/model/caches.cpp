#include "roofline/model/caches.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "results/base/json.hpp"
#include "results/base/units.hpp"

namespace uotbench {
namespace {

/// How many of `count` instances have one of the threads.
double touched(const CacheLevel& level, std::int64_t threads, const std::string& place) {
  const double wanted = place == "spread" ? static_cast<double>(threads)
                                          : std::ceil(static_cast<double>(threads) / level.cores);
  return std::clamp(wanted, 1., static_cast<double>(level.instances));
}

/// Bytes of the largest working set that a probe loaded from; 0 where it tells of none.
double largest_set(const Json& probe) {
  double largest = 0;
  if (const Json loads = probe.value("loads", Json()); loads.is_array())
    for (const auto& load : loads)
      if (load.is_array() && !load.empty() && load[0].is_number())
        largest = std::max(largest, load[0].get<double>());
  return largest;
}

bool is_doubtful(const CacheLevel& level, const MachineFacts& machine) {
  const Json& doubtful = machine.doubtful_caches();
  return doubtful.is_array() && std::ranges::any_of(doubtful, [&](const Json& one) {
           const Json number = one.is_object() ? one.value("level", Json()) : Json();
           return number.is_number_integer() && level.name == "L" + to_line(number);
         });
}

/// What was probed of its level, in the place of what was told.
void take_probed(CacheLevel& level, const MachineFacts& machine) {
  level.doubtful = is_doubtful(level, machine);
  const Json& probed = machine.probed_caches();
  if (!probed.is_array()) return;
  for (const auto& one : probed) {
    if (!one.is_object()) continue;
    const Json number = one.value("level", Json()), bytes = one.value("bytes", Json());
    if (!number.is_number_integer() || level.name != "L" + to_line(number)) continue;
    if (bytes.is_number() && bytes.get<double>() > 0) {
      level.bytes = bytes.get<double>();
    } else {
      const double largest = largest_set(one);
      if (text_in(one, "doubt").empty() || !(largest > 0)) continue;
      level.bytes = std::min(level.told, largest / streaming_caches);
      level.assumed = true;
    }
    level.doubtful = false;
    level.was_doubtful = !text_in(one, "doubt").empty();
    level.probed_by = text_in(one, "source");
    if (const std::string made = text_in(one, "made"); !made.empty())
      level.probed_by += (level.probed_by.empty() ? "" : ", ") + made;
  }
}

}  // namespace

std::string text_of_probed(const CacheLevel& level) {
  const std::string how = level.assumed ? fmt::format("assumed, because no step was found up to {}",
                                                      format_bytes(level.bytes * streaming_caches))
                                        : "measured";
  return fmt::format("{} {} {} ({}), {} reported{}", level.name, format_bytes(level.bytes), how,
                     level.probed_by, format_bytes(level.told),
                     level.is_shared_with_guests() ? ": it is shared with other guests" : "");
}

Caches::Caches(const MachineFacts& machine) {
  const Json& hashed = machine.hashed();
  const Json caches = hashed.value("caches", Json());
  if (!caches.is_array()) return;
  const auto number = [](const Json& json, const char* key, int otherwise) {
    return json.contains(key) ? whole_number<int>(json[key]).value_or(otherwise) : otherwise;
  };
  // Hardware threads of a core are used last: what n CPUs share, n / (CPUs a core) cores share.
  const int cpus = std::max(1, number(hashed, "logical_cpus", 1));
  const int cores = std::clamp(number(hashed, "physical_cores", cpus), 1, cpus);
  for (const auto& cache : caches) {
    if (!cache.is_object() || !cache.contains("bytes") || !cache["bytes"].is_number()) continue;
    CacheLevel level{.name = fmt::format("L{}", number(cache, "level", 0)),
                     .bytes = cache["bytes"].get<double>(),
                     .cores = std::max(1, number(cache, "shared_by", 1) * cores / cpus),
                     .instances = std::max(1, number(cache, "count", 1)),
                     .told = cache["bytes"].get<double>()};
    take_probed(level, machine);
    // Of two kinds of core the one whose caches there are more of.
    const auto same =
        std::ranges::find_if(levels_, [&](const CacheLevel& other) { return other.name == level.name; });
    if (same == levels_.end())
      levels_.push_back(level);
    else if (same->instances < level.instances)
      *same = level;
  }
  std::ranges::sort(levels_, {}, &CacheLevel::name);
}

/// A working set of almost a cache's size is partly evicted: other data, and lines that meet in a set, take
/// room.
constexpr double clearly_inside = 0.75;

std::string Caches::clear_level_of(double bytes, std::int64_t threads, const std::string& place) const {
  for (const auto& level : levels_) {
    const double measured = capacity(level, threads, place), reported = measured * level.told / level.bytes;
    if (!level.doubtful && bytes <= clearly_inside * std::min(measured, reported)) return level.name;
    if (bytes <= std::max(measured, reported) / clearly_inside) return "";
  }
  return levels_.empty() ? "" : "DRAM";
}

double Caches::capacity(const CacheLevel& level, std::int64_t threads, const std::string& place) const {
  return level.bytes * touched(level, threads, place);
}

double Caches::share(const CacheLevel& level, std::int64_t threads, const std::string& place) const {
  return std::min(capacity(level, threads, place), level.bytes * static_cast<double>(threads) / level.cores);
}

std::string Caches::level_of(double bytes, std::int64_t threads, const std::string& place) const {
  for (const auto& level : levels_)
    if (bytes <= capacity(level, threads, place)) return level.name;
  return "DRAM";
}

std::string Caches::outside(const std::string& level) const {
  const auto found = std::ranges::find(levels_, level, &CacheLevel::name);
  return found == levels_.end() || found + 1 == levels_.end() ? "DRAM" : (found + 1)->name;
}

Caches listed_caches(const Document& list) { return Caches(Json{{"hashed", {{"caches", list.json()}}}}); }

double simulated_fact(const Document& caches, const char* cache, const char* fact) {
  const Json value = value_in(caches.json(), cache, fact);
  return value.is_number() ? value.get<double>() : 0;
}

// Capacities of caches from the time of a load over the size of its working set.

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
