// What a worker does with a case, whoever asks for it: solves it to be judged, or times it.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "harness/worker/timing/measure.hpp"
#include "harness/worker/variant.hpp"

namespace uotbench {

struct Task {
  const Variant& variant;
  const Point& point;
  const Team& team;
  std::filesystem::path inputs, outputs;  ///< folders of .npy files
};

/// The family's, for ranges that profilers see.
PhaseCategory category_of(const Task& task);

struct Solved {
  std::vector<std::string> written;        ///< the outputs that the variant says it wrote
  std::optional<std::int64_t> iterations;  ///< where it went to a solution: how many that took
  std::optional<Work> work;                ///< of an iteration, or of that solve, where it knows it only now
  Facts facts;                             ///< what the record should know of how it ran
};

/// Makes this many iterations from the inputs as they are, or one whole solve where that is the variant's
/// unit, and writes the outputs, which must be there. Throws Error where arrays are missing or damaged,
/// where so many iterations are no multiple of those that a call makes, and what the kernel throws.
Solved solve(const Task& task, int iterations);

struct Timed {
  Measured measured;
  double load_seconds;                     ///< what copying the inputs and beginning took
  std::optional<std::int64_t> iterations;  ///< of a solve
  Facts facts;
};

/// Copies the inputs and samples steady iterations; the point says whether caches are cold. Throws as solve()
/// does.
Timed time_iterations(const Task& task, SamplingPolicy policy,
                      const std::function<void(const Measured&)>& progress);

}  // namespace uotbench
