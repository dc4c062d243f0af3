// Ceilings that were measured too low: what a case exceeds is measured again beside it.
#pragma once

#include <string>
#include <vector>

#include "harness/sweep/workers/crew.hpp"
#include "results/base/json.hpp"
#include "results/record/run_file/run_file.hpp"
#include "roofline/model/ceilings.hpp"

namespace uotbench {

/// A ceiling, and the cases that were faster than it allows.
struct Exceeded {
  Roof roof;
  std::vector<std::string> ids;
};

/// The ceilings of the CPUs that cases of this run exceed by more than 5%, without those that were measured
/// again in it already. Specified ceilings are a maker's word: nobody measures them.
std::vector<Exceeded> exceeded_ceilings(const Run& run);

/// The sweep that measures these again, as `uotbench machine` does: each on the worker and the working set
/// that they were measured with. Those whose worker holds no such kernel any more are left out.
Json sweep_again(const std::vector<Exceeded>& exceeded, Crew& crew);

/// Measures them now and appends what is found to the file, a line of kind "ceiling" each; returns how many.
/// Throws Interrupted, and Error where the file cannot be written.
std::size_t measure_again(const std::vector<Exceeded>& exceeded, Crew& crew, RunFile& file, bool quiet);

}  // namespace uotbench
