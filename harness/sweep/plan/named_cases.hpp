// Cases by their ids alone: an id says all that a sweep file would have to say.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "harness/sweep/language/sweep_file.hpp"
#include "harness/sweep/workers/worker_pool.hpp"

namespace uotbench {

// The axis that leads to a folder of the user's data.

/// Where it is given, a family may read other axes from there, those that are `derived`: sizes, which must be
/// given elsewhere, and axes with a default, which holds elsewhere.
inline constexpr const char* path_axis = "path";

struct NamedCases {
  std::vector<CaseGroup> entries;                               ///< one for each id that can be planned here
  std::vector<std::pair<std::string, std::string>> impossible;  ///< id, and why it cannot
};

/// What the ids name, as far as this machine's workers know it: an unknown worker, variant, axis or value
/// makes a case impossible; a worker that cannot run here does not (it is planned, and skipped).
NamedCases named_cases(const std::vector<std::string>& ids, WorkerPool& pool);

}  // namespace uotbench
