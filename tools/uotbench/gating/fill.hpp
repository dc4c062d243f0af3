// The commits of a range, measured one after the other, and where their runs are kept.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "harness/sweep/revisions/project.hpp"
#include "harness/sweep/revisions/trunk.hpp"
#include "results/record/run_file/run_file.hpp"
#include "tools/uotbench/flags/gate_flags.hpp"

namespace uotbench {

// Where run files are that a command makes on its way.

/// Outside of the repository, where they would be files that git does not know: in uotbench's cache, a folder
/// for each command ("bisect"). Older ones are removed in the end. Throws UsageError where there is no place
/// for a cache.
std::filesystem::path cached_runs_folder(const std::string& command);

// A history's gaps: commits built and measured, one after the other.

/// The commits of A..B along B's first parents, the oldest first; "A.." is up to HEAD. Throws UsageError for
/// another form, a revision that is not there, or none between them.
std::vector<TrunkCommit> commits_of_range(const Repository& repository, const std::string& range);

/// Of this number of commits in their order the ends, then the middles of what is left: stopped early, a
/// history still spans all of them.
std::vector<std::size_t> order_of_filling(std::size_t count);

struct MeasuredCommit {
  std::optional<Run> run;
  std::string why = {};  ///< there is none
};

/// Builds the commit as its project says, and runs the sweep of the flags with its workers into `output`. A
/// commit that does not build, or has none of the cases, has no run. Throws Interrupted.
MeasuredCommit measure_commit(const GateFlags& flags, const Project& project, const std::string& commit,
                              const std::filesystem::path& output);

}  // namespace uotbench
