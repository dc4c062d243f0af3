#include "harness/host/facts/cache_doubts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "results/base/json.hpp"

namespace uotbench {
namespace {

using nlohmann::ordered_json;

constexpr double mebi = 1 << 20;
constexpr double most_a_core = 48 * mebi, most_a_virtual_core = 16 * mebi;

int number_at(const ordered_json& json, const char* key, int otherwise) {
  const auto found = json.find(key);
  return found != json.end() && found->is_number() ? found->get<int>() : otherwise;
}

}  // namespace

std::vector<DoubtfulCache> doubtful_caches(const ordered_json& hashed) {
  std::vector<DoubtfulCache> doubtful;
  if (!hashed.is_object() || !hashed.contains("caches") || !hashed["caches"].is_array()) return doubtful;
  const int cpus = std::max(1, number_at(hashed, "logical_cpus", 1));
  const int cores = std::clamp(number_at(hashed, "physical_cores", cpus), 1, cpus);
  const bool is_virtual = hashed.contains("hypervisor") && hashed["hypervisor"].is_string();
  for (const auto& cache : hashed["caches"]) {
    if (!cache.is_object() || !cache.contains("bytes") || !cache["bytes"].is_number()) continue;
    const double bytes = cache["bytes"].get<double>();
    const int sharing = std::max(1, number_at(cache, "shared_by", 1) * cores / cpus);
    if (bytes / sharing <= (is_virtual ? most_a_virtual_core : most_a_core)) continue;
    doubtful.push_back(
        {.level = number_at(cache, "level", 0),
         .bytes = bytes,
         .why = fmt::format("{:.0f} MiB for {} core{}{}", bytes / mebi, sharing, sharing == 1 ? "" : "s",
                            is_virtual ? ": reported by the hypervisor; the cache is shared with other guests"
                                       : ", more than any processor has")});
  }
  return doubtful;
}

}  // namespace uotbench
