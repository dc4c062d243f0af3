// Ceilings that are measured in a run, next to its cases: those that a case needs and that were never
// measured or not for minutes, and those that a case exceeds.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/sweep/language/sweep_file.hpp"
#include "harness/sweep/workers/worker_pool.hpp"
#include "results/record/run_file/run_builder.hpp"
#include "roofline/model/ceilings.hpp"

namespace uotbench {

/// A ceiling to measure, and the cases that it is for.
struct WantedCeiling {
  Roof roof;  ///< `value`: what the cases exceeded; 0: there was none
  std::vector<std::string> ids;
  bool known = false;  ///< it was measured, but not near these cases in time
};

/// The ceilings of the CPUs that cases of this run exceed by more than 5%, without those that were measured
/// again for these cases already. Specified ceilings are a maker's word and are not measured.
std::vector<WantedCeiling> exceeded_ceilings(const Run& run);

/// Which measurements of a ceiling count for a case: `ever` all of them; `nearby`, of bandwidths in L3 and in
/// memory, those of the same run within two minutes.
enum class Counts { ever, nearby };

/// What cases of this run on CPUs are to be held against and has no measured ceiling that counts: bandwidths
/// for their kinds of traffic at their working sets (of up to 1 GiB: beyond that the nearest counts, or,
/// where a curve of `uotbench machine` goes on, what was measured of such a set), the flop rate, the rates of
/// their operations. What was never measured comes first, then what most cases need.
std::vector<WantedCeiling> missing_ceilings(const Run& run, Counts counts);

/// The sweep that measures these: each with its own setting, at its working set, on the worker that measured
/// it before or the one that runs ceilings by default. What no worker measures is left out.
Sweep sweep_again(const std::vector<WantedCeiling>& wanted, WorkerPool& pool);

/// Measures them now and appends each to the run; returns them. Starts no new measurement after `seconds`,
/// but always makes the first. Throws Interrupted, and Error if the file cannot be written.
std::vector<CeilingAgain> measure_ceilings(const std::vector<WantedCeiling>& wanted, WorkerPool& pool,
                                           RunWriter& run, double seconds, bool quiet);

}  // namespace uotbench
