#include "roofline/model/caches.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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
           return number.is_number_integer() && level.name == fmt::format("L{}", number.get<int>());
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
    if (!number.is_number_integer() || level.name != fmt::format("L{}", number.get<int>())) continue;
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
    return json.contains(key) && json[key].is_number() ? json[key].get<int>() : otherwise;
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

}  // namespace uotbench
