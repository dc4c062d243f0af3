// The run that an explanation is read from: a stored one, or one measured for it.
#pragma once

#include <string>
#include <vector>

#include "results/record/run_file/run_file.hpp"
#include "tools/uotbench/flags/run_flags.hpp"

namespace uotbench {

/// The default of --counters.
inline constexpr const char* explained_counters = "cache,traffic,regions,false_sharing,os,blocks";

struct MeasuredCases {
  Run run;
  std::vector<std::string> ids;  ///< the cases that were asked for; the run has more
};

/// Cases as `uotbench run` takes them, timed, with their lines and their code counted, each also on one
/// thread, where code is counted. The newest run of the sweep "explain" in results/runs that has them all, of
/// these builds, is taken; `again`: a new one is measured anyway. Throws UsageError, Interrupted.
MeasuredCases measured_cases(RunFlags flags, bool again);

}  // namespace uotbench
