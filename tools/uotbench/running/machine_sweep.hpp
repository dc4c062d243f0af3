// What `uotbench machine` measures, as a sweep.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "harness/sweep/plan/plan.hpp"
#include "harness/sweep/workers/crew.hpp"
#include "results/base/json.hpp"
#include "roofline/model/caches.hpp"

namespace uotbench {

/// The variants that measure a ceiling of the CPUs, as these workers hold them; else, and without names, as
/// the one that runs ceilings by default. Throws UsageError, or Error where there are none.
std::vector<VariantInfo> ceiling_kernels(Crew& crew, const std::vector<std::string>& workers = {});

/// A level of memory that so many threads work from.
struct ShownLevel {
  std::string level;
  std::int64_t threads;
  auto operator<=>(const ShownLevel&) const = default;
};
/// What the cases of a plan are held against in their table, as far as they run on CPUs, by their working
/// sets.
std::set<ShownLevel> shown_by(const Plan& plan, Crew& crew, const Caches& caches);

struct MachineSweep {
  std::vector<VariantInfo> kernels;    ///< what there is to measure
  bool quick = false;                  ///< what most kernels need, in a fifth of the time
  std::set<ShownLevel> shown;          ///< nothing else is measured; empty: everything
  std::vector<std::int64_t> threads;   ///< empty: those of `shown`, else 1, 2, 4, … and all
  std::vector<std::string> workers;    ///< empty: the best native one
  std::vector<int> cpus, spread_cpus;  ///< in the order threads take them
};

/// 1, 2, 4, … and `all`; quick: 1 and all.
std::vector<std::int64_t> thread_counts(std::int64_t all, bool quick);

/// Every kernel on a working set for each level, as a sweep file has it.
Json sweep_for(const Caches& caches, const MachineSweep& wanted);

}  // namespace uotbench
