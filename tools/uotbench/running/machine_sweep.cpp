#include "tools/uotbench/running/machine_sweep.hpp"

#include <algorithm>
#include <set>

#include "roofline/model/ceilings.hpp"

namespace uotbench {
namespace {

/// Kernels that move as many arrays: what their N is to be for a working set.
struct Kernels {
  int arrays;
  std::vector<std::string> names;
};

std::vector<Kernels> kernels(bool quick) {
  if (quick) return {{1, {"ceiling/read", "ceiling/rmw"}}, {2, {"ceiling/copy"}}};
  return {{1, {"ceiling/read", "ceiling/write", "ceiling/write_nt", "ceiling/rmw"}},
          {2, {"ceiling/copy", "ceiling/copy_nt"}},
          {3, {"ceiling/triad"}}};
}

struct Placed {
  std::int64_t threads;
  std::string place;
};

/// Spread where it gives other CPUs.
std::vector<Placed> placements(const MachineSweep& wanted) {
  const auto all = static_cast<std::int64_t>(wanted.cpus.size());
  std::vector<Placed> list;
  for (const auto threads : wanted.threads.empty() ? thread_counts(all, wanted.quick) : wanted.threads) {
    list.push_back({threads, "close"});
    const auto first = [&](const std::vector<int>& cpus) {
      return std::set(cpus.begin(), cpus.begin() + std::min(threads, static_cast<std::int64_t>(cpus.size())));
    };
    if (!wanted.quick && first(wanted.cpus) != first(wanted.spread_cpus)) list.push_back({threads, "spread"});
  }
  return list;
}

/// Elements of each array: whole cache lines for every thread, so that parts begin and end with vectors.
std::int64_t elements(double working_set, int arrays, double width, std::int64_t threads) {
  constexpr std::int64_t vectors = 64;
  const auto each = static_cast<std::int64_t>(working_set / (arrays * width * static_cast<double>(threads)));
  return std::max<std::int64_t>(1, each / vectors) * vectors * threads;
}

}  // namespace

std::vector<std::int64_t> thread_counts(std::int64_t all, bool quick) {
  std::vector<std::int64_t> counts{1};
  if (!quick)
    while (2 * counts.back() < all) counts.push_back(2 * counts.back());
  if (all > 1) counts.push_back(all);
  return counts;
}

Json sweep_for(const Caches& caches, const MachineSweep& wanted) {
  std::vector<std::string> levels;
  for (const auto& level : caches.levels()) levels.push_back(level.name);
  levels.push_back("DRAM");
  std::vector<std::pair<std::string, double>> dtypes{{"f32", 4}};
  if (!wanted.quick) dtypes.emplace_back("f64", 8);
  const auto placed = placements(wanted);
  // Bytes are bytes: a machine of many CPUs need not move them in f64 for every number of threads.
  const auto either_end = [&](std::int64_t threads) {
    return threads == placed.front().threads || threads == placed.back().threads;
  };

  Json cases = Json::array();
  for (const auto& [arrays, names] : kernels(wanted.quick)) {
    Json points = Json::array();
    for (const auto& level : levels)
      for (const auto& [threads, place] : placed)
        for (const auto& [dtype, width] : dtypes)
          if (const auto set = ceiling_set(caches, level, threads, place);
              set && (width == 4 || either_end(threads)))
            points.push_back({elements(*set, arrays, width, threads), dtype, threads, place});
    cases.push_back({{"variants", names}, {"axes", {{"N,dtype,threads,place", points}}}});
  }
  Json points = Json::array();
  for (const auto& [threads, place] : placed)
    for (const auto& [dtype, width] : dtypes) points.push_back({dtype, threads, place});
  const Json forms = wanted.quick ? Json::array({"vector"}) : Json::array({"vector", "scalar"});
  // Elements that show what became of every lane of a few threads.
  cases.push_back({{"variants", Json::array({"ceiling/fma"})},
                   {"axes", {{"N", 4096}, {"dtype,threads,place", points}, {"form", forms}}}});
  Json sweep{{"name", "machine"},
             {"about", "what this machine can do at most, level by level"},
             {"measure",
              {{"rounds", wanted.quick ? 2 : 3},
               {"min_samples", 12},
               {"max_noise", "2%"},
               {"max_time", wanted.quick ? "200ms" : "300ms"}}},
             {"cases", cases}};
  if (!wanted.workers.empty()) sweep["workers"] = wanted.workers;
  return sweep;
}

}  // namespace uotbench
