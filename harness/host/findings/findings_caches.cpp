#include <fmt/format.h>

#include <algorithm>

#include "harness/host/facts/cache_doubts.hpp"
#include "harness/host/findings/findings.hpp"
#include "results/base/json.hpp"

namespace uotbench {
namespace {

using enum Finding::Level;
using nlohmann::ordered_json;

/// That of its level; null: nobody probed it.
ordered_json probe_of(const DoubtfulCache& cache, const ordered_json& probed) {
  if (probed.is_array())
    for (const auto& one : probed)
      if (one.is_object() && one.value("level", ordered_json()) == ordered_json(cache.level)) return one;
  return nullptr;
}

Finding finding_of(const DoubtfulCache& cache, const ordered_json& probed) {
  const std::string what = fmt::format("L{}: {}", cache.level, cache.why);
  const ordered_json probe = probe_of(cache, probed);
  if (probe.is_null())
    return {warning, what, "ceilings take long, and roofs may be those of another level of memory",
            "uotbench machine"};
  const ordered_json bytes = probe.value("bytes", ordered_json());
  if (bytes.is_number())
    return {ok, fmt::format("{}; probed: {:.1f} MiB", what, bytes.get<double>() / (1 << 20)), "", ""};
  return {warning, what + "; probed, without a result", "roofs may be those of another level of memory",
          "uotbench machine --probe"};
}

}  // namespace

std::vector<Finding> cache_findings(const ordered_json& hashed, const ordered_json& probed) {
  std::vector<Finding> findings;
  for (const auto& cache : doubtful_caches(hashed)) findings.push_back(finding_of(cache, probed));
  return findings;
}

}  // namespace uotbench
