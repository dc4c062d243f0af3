// What `uotbench machine` measures, as a sweep.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "harness/sweep/plan/plan.hpp"
#include "harness/sweep/workers/worker_pool.hpp"
#include "roofline/model/caches.hpp"

namespace uotbench {

/// The variants that measure a ceiling of the CPUs, as these workers hold them; else, and without names, as
/// the one that runs ceilings by default. Throws UsageError, or Error where there are none.
std::vector<VariantInfo> ceiling_kernels(WorkerPool& pool, const std::vector<std::string>& workers = {});

/// A working set that so many threads go over.
struct ShownSet {
  double bytes;
  std::int64_t threads;
  auto operator<=>(const ShownSet&) const = default;
};
/// What the cases of a plan go over, as far as they run on CPUs, and half of it, for a part of their memory
/// may be no part of their working set; of cold caches, what is far larger than any cache. Sets that differ
/// by less than 5% are one.
std::set<ShownSet> shown_by(const Plan& plan, WorkerPool& pool, const Caches& caches);

struct MachineSweep {
  std::vector<VariantInfo> kernels;    ///< what there is to measure
  bool quick = false;                  ///< what most kernels need, at a third of the sizes
  double memory = 1e12;                ///< bytes that may be used
  std::set<ShownSet> shown;            ///< nothing else is measured; empty: whole curves
  std::vector<std::int64_t> threads;   ///< empty: those of `shown`, else 1, 2, 4, … and all
  std::vector<std::string> workers;    ///< empty: the best native one
  std::vector<int> cpus, spread_cpus;  ///< in the order threads take them
};

/// 1, 2, 4, … and `all`; quick: 1 and all.
std::vector<std::int64_t> thread_counts(std::int64_t all, bool quick);

/// The working sets of a curve, bytes of all threads together: from 4 KiB a thread, inside any L1, by factors
/// of 2 (beyond 256 MiB of 4, whose iterations take up to half a second) to 4 GiB, or four times the last
/// cache where that is more, or a quarter of the memory where that is less. `quick`: by factors of 4, to 64
/// MiB or four times the last cache.
std::vector<double> curve_sets(const Caches& caches, std::int64_t threads, const std::string& place,
                               double memory, bool quick);

/// Elements of each of a kernel's arrays, and how often the array holds them (the axis `repeat`).
struct ArraySizes {
  std::int64_t N = 0, repeat = 1;
  bool operator==(const ArraySizes&) const = default;
};

/// What makes up a working set: whole cache lines for every thread, so that parts begin and end with vectors.
/// `kernel`: repeats its elements where it has the axis.
ArraySizes array_sizes(double working_set, const VariantInfo& kernel, double width, std::int64_t threads);

/// Every kernel over its working sets.
Sweep sweep_for(const Caches& caches, const MachineSweep& wanted);

}  // namespace uotbench
