#include "tools/uotbench/running/machine_sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "results/base/error.hpp"
#include "results/record/axes/case_parts.hpp"
#include "roofline/model/ceilings.hpp"

namespace uotbench {
namespace {

// Bytes. Up to here a curve is measured at each doubling, and in all dtypes.
constexpr double fine_sets = 256 << 20;

/// What most kernels are held against.
bool is_quick(const Measures& measures) {
  constexpr const char* usual[]{"read", "rmw", "copy", "flops"};
  return std::ranges::find(usual, measures.rate) != std::end(usual);
}

bool can_repeat(const VariantInfo& kernel) {
  return std::ranges::any_of(kernel.axes, [](const Axis& axis) { return axis.name == "repeat"; });
}

struct Placed {
  std::int64_t threads;
  std::string place;
};

std::vector<std::int64_t> threads_of(const MachineSweep& wanted) {
  if (!wanted.threads.empty()) return wanted.threads;
  std::set<std::int64_t> shown;
  for (const auto& each : wanted.shown) shown.insert(each.threads);
  if (!shown.empty()) return {shown.begin(), shown.end()};
  return thread_counts(static_cast<std::int64_t>(wanted.cpus.size()), wanted.quick);
}

/// Spread where it gives other CPUs.
std::vector<Placed> placements(const MachineSweep& wanted) {
  std::vector<Placed> list;
  for (const auto threads : threads_of(wanted)) {
    list.push_back({threads, "close"});
    const auto first = [&](const std::vector<int>& cpus) {
      return std::set(cpus.begin(), cpus.begin() + std::min(threads, static_cast<std::int64_t>(cpus.size())));
    };
    if (!wanted.quick && first(wanted.cpus) != first(wanted.spread_cpus)) list.push_back({threads, "spread"});
  }
  return list;
}

}  // namespace

std::vector<VariantInfo> ceiling_kernels(WorkerPool& pool, const std::vector<std::string>& workers) {
  std::vector<VariantInfo> kernels;
  std::set<std::string> known;
  const auto add = [&](const WorkerInfo& worker_info) {
    if (!worker_info.device.is_null()) return;
    for (const auto& [name, variant] : worker_info.variants)
      if (variant.measures && known.insert(name).second) kernels.push_back(variant);
  };
  for (const auto& worker : workers) add(pool.worker_info(worker));
  if (!kernels.empty()) return kernels;
  const std::string standard = pool.default_worker("ceiling/*");
  if (standard.empty()) throw Error("no worker holds a variant that measures a ceiling");
  const WorkerInfo& worker_info = pool.worker_info(standard);
  add(worker_info);
  if (kernels.empty())
    throw Error(worker_info.failure
                    ? worker_info.failure->reason
                    : fmt::format("worker {} holds no variant that measures a ceiling", standard));
  return kernels;
}

ArraySizes array_sizes(double working_set, const VariantInfo& kernel, double width, std::int64_t threads) {
  // Larger inputs take seconds to make and to verify.
  constexpr double largest_input = 32 << 20;
  constexpr std::int64_t vectors = 64;
  const double array = working_set / kernel.measures->arrays;
  const double times = can_repeat(kernel) ? std::max(1., std::ceil(array / largest_input)) : 1;
  const auto each = static_cast<std::int64_t>(array / times / (width * static_cast<double>(threads)));
  return {.N = std::max<std::int64_t>(1, each / vectors) * vectors * threads,
          .repeat = static_cast<std::int64_t>(times)};
}

std::vector<double> curve_sets(const Caches& caches, std::int64_t threads, const std::string& place,
                               double memory, bool quick) {
  constexpr double kibibyte = 1 << 10, mebibyte = 1 << 20;
  const double beyond_caches = *ceiling_set(caches, "DRAM", threads, place);
  const double most = std::min(std::max((quick ? 64 : 4096) * mebibyte, beyond_caches), memory / 4);
  std::vector<double> sets;
  for (double set = 4 * kibibyte * static_cast<double>(threads); set < most;
       set *= quick || set >= fine_sets ? 4 : 2)
    sets.push_back(set);
  sets.push_back(most);
  return sets;
}

std::set<ShownSet> shown_by(const Plan& plan, WorkerPool& pool, const Caches& caches) {
  std::set<ShownSet> shown;
  const auto add = [&](double bytes, std::int64_t threads) {
    constexpr double apart = 1.05;
    if (bytes > 0 && std::ranges::none_of(shown, [&](const ShownSet& other) {
          return other.threads == threads && bytes < apart * other.bytes && other.bytes < apart * bytes;
        }))
      shown.insert({bytes, threads});
  };
  for (const auto& group : plan.groups)
    for (const auto& one : group.cases) {
      if (one.decided || !pool.worker_info(one.worker).device.is_null()) continue;
      const Settings settings = settings_of(one.point);
      const auto threads = settings.cpus();
      const double bytes = settings.cold ? *ceiling_set(caches, "DRAM", threads, settings.place) : one.memory;
      add(bytes, threads);
      if (!settings.cold) add(bytes / 2, threads);
    }
  return shown;
}

std::vector<std::int64_t> thread_counts(std::int64_t all, bool quick) {
  std::vector<std::int64_t> counts{1};
  if (!quick)
    while (2 * counts.back() < all) counts.push_back(2 * counts.back());
  if (all > 1) counts.push_back(all);
  return counts;
}

Sweep sweep_for(const Caches& caches, const MachineSweep& wanted) {
  std::vector<std::pair<std::string, double>> dtypes{{"f32", 4}};
  if (!wanted.quick) dtypes.emplace_back("f64", 8);
  const auto placed = placements(wanted);
  // Bytes are bytes: a machine of many CPUs need not move them in f64 for every number of threads.
  const auto either_end = [&](std::int64_t threads) {
    return threads == placed.front().threads || threads == placed.back().threads;
  };

  // Those that move as many arrays have one N for a working set.
  std::map<std::pair<int, bool>, std::vector<const VariantInfo*>> movers;
  std::vector<const VariantInfo*> computers;
  for (const auto& kernel : wanted.kernels) {
    if ((wanted.quick && !is_quick(*kernel.measures)) || is_of_pattern(kernel.measures->rate)) continue;
    if (kernel.measures->arrays > 0)
      movers[{kernel.measures->arrays, can_repeat(kernel)}].push_back(&kernel);
    else
      computers.push_back(&kernel);
  }
  const auto sets_of = [&](const Placed& one) {
    if (wanted.shown.empty()) return curve_sets(caches, one.threads, one.place, wanted.memory, wanted.quick);
    std::vector<double> sets;
    for (const auto& shown : wanted.shown)
      if (shown.threads == one.threads) sets.push_back(shown.bytes);
    return sets;
  };
  Sweep sweep;
  const auto add = [&](std::vector<std::string> variants, std::vector<AxisValues> axes) {
    sweep.cases.push_back({.variants = std::move(variants),
                           .workers = {},
                           .axes = std::move(axes),
                           .conditions = {},
                           .pointer = {}});
  };
  for (const auto& [alike, kernels] : movers) {
    const bool repeats = alike.second;
    std::vector<std::vector<Value>> points;
    std::set<std::tuple<std::int64_t, std::int64_t, std::string, std::int64_t, std::string>>
        known;  // tiny sets are alike
    for (const auto& one : placed)
      for (const double set : sets_of(one))
        for (const auto& [dtype, width] : dtypes) {
          const auto [N, repeat] = array_sizes(set, *kernels.front(), width, one.threads);
          const bool is_wanted =
              width == 4 || (either_end(one.threads) && (!wanted.shown.empty() || set <= fine_sets));
          if (!is_wanted || !known.emplace(N, repeat, dtype, one.threads, one.place).second) continue;
          std::vector<Value> point{N, dtype, one.threads, one.place};
          if (repeats) point.insert(point.begin() + 1, repeat);
          points.push_back(std::move(point));
        }
    std::vector<std::string> names, axes{"N", "dtype", "threads", "place"};
    if (repeats) axes.insert(axes.begin() + 1, "repeat");
    for (const auto* kernel : kernels) names.push_back(kernel->name);
    if (!points.empty()) add(std::move(names), {{.names = std::move(axes), .tuples = std::move(points)}});
  }
  AxisValues points{.names = {"dtype", "threads", "place"}, .tuples = {}};
  for (const auto& [threads, place] : placed)
    for (const auto& [dtype, width] : dtypes) points.tuples.push_back({dtype, threads, place});
  for (const auto* kernel : computers) {
    // Elements that show what became of every lane of a few threads.
    std::vector<AxisValues> axes{{.names = {"N"}, .tuples = {{4096}}}, points};
    for (const auto& axis : kernel->axes) {
      if (axis.role != Role::tunable || axis.values.empty()) continue;
      axes.push_back({.names = {axis.name}, .tuples = {}});
      for (const auto& value : wanted.quick ? std::vector{axis.standard} : axis.values)
        axes.back().tuples.push_back({value});
    }
    add({kernel->name}, std::move(axes));
  }
  sweep.name = "machine";
  // Time ends the sampling of most sets. Of gigabytes three samples a process are taken, for a median.
  sweep.measure = {.rounds = 2, .min_samples = 6, .max_noise = 0.02, .max_time = wanted.quick ? 0.1 : 0.15};
  sweep.workers = wanted.workers;
  return made_sweep(std::move(sweep), "uotbench machine",
                    "what this machine can do at most, over the working set");
}

}  // namespace uotbench
