// The tables that a run has in addition to its times: counters, and values that others published.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "results/base/json_fwd.hpp"
#include "results/view/published.hpp"
#include "results/view/table.hpp"
#include "results/view/view.hpp"

namespace uotbench {

// What was counted of a run's cases, as tables for a terminal, a page or a summary, and as JSON.

/// Whether a case of the run was counted, or was to be.
bool has_counters(const RunView& view);

/// Throws UsageError where nothing was counted: how to count.
void require_counters(const RunView& view);

/// Whether the source lines of kernels are listed, too: of a few cases, or of all.
enum class Lines { few, all };

/// At most five: caches and memory traffic, modelled against counted; fewer misses than a baseline's; CUDA
/// kernels' global and shared memory, and their lines; other counters and metrics. Each says its sources.
/// `over`: the baseline, as a sweep's speedup_over; null: the run's own, else each group's first variant.
/// Throws as `require_counters`.
std::vector<Table> counters_tables(const RunView& view, const Document& over, Lines lines = Lines::few);
std::vector<Table> counters_tables(const RunView& view);

/// Lines of more cases are listed only where all are asked for.
inline constexpr std::size_t few_cases = 4;

/// The same in base units: every counter, rate, ratio and metric with its source or its reason.
Json counters_json(const RunView& view, const Json& over);
Json counters_json(const RunView& view);

// What was published of a run's variants, beside what the run has of them.

/// None where the run's sweep has no published values; else flop rates and counters beside ours, and the
/// theoretical occupancy of launches that were counted. Throws UsageError where the first line is unsound.
std::vector<Table> published_tables(const RunView& view);

/// The same in base units; null where the sweep has none.
Json published_json(const RunView& view);

// Theoretical occupancy: how many warps of a launch a multiprocessor can hold at a time, of those it could.
// From launch parameters alone (NVIDIA, CUDA C++ Programming Guide, "Multiprocessor Level"): registers are
// not known where kernels run on the CPU.

/// What a kernel was launched with.
struct LaunchShape {
  double blocks = 0;        ///< in the grid
  double threads = 0;       ///< of a block
  double shared_bytes = 0;  ///< of a block, dynamic
};

/// Of a case's counters GPU.blocks, GPU.threads and GPU.shared_bytes; absent, with the reason in `why`: they
/// were not counted, or are of several launches, which may differ.
std::optional<LaunchShape> launch_shape_of(const Record& record, std::string& why);

struct Occupancy {
  int blocks = 0;          ///< that a multiprocessor holds at a time; 0: a block does not fit
  std::string limited_by;  ///< "blocks", "threads" or "shared memory": what allows no more of them
  double theoretical = 0;  ///< warps held over warps possible
  double fill = 0;         ///< blocks of the grid over blocks that the whole GPU holds, at most 1
};

Occupancy occupancy_of(const LaunchShape& launch, const Multiprocessor& multiprocessor);

}  // namespace uotbench
