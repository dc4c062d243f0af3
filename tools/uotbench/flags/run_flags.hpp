// The flags of `uotbench run`, and what they make of a sweep.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/sweep/language/sweep_file.hpp"
#include "harness/sweep/plan/plan.hpp"

namespace CLI {
class App;
}

namespace uotbench {

struct RunFlags {
  std::vector<std::string> variants;
  SweepOverrides measure;  ///< but axes, workers, counters and speedup_over, which are texts here
  std::string sweep, cpu_affinity, memory, save_arrays, shard, stop_after, under, counters, speedup_over;
  std::string by_hand;  ///< the worker that started this program
  std::vector<std::string> axes, workers;
  std::optional<std::string> output, seed;
  Selection selection;
  std::optional<int> device;
  bool force = false, resume = false, dry_run = false, verify_only = false, quiet = false, once = false;
  bool stored_ceilings = false;  ///< what cases need besides is not measured
};

/// Declares them, with their help.
void declare(CLI::App& command, RunFlags& flags);

/// The sweep of the file or of the command line (without cases where --case alone names them), with the flags
/// in it: the run file holds what was done. Throws UsageError.
Sweep read_sweep(const RunFlags& flags);

/// The CPUs threads take, in order. Throws UsageError where --cpu-affinity names one that may not be used.
std::vector<int> chosen_cpus(const RunFlags& flags);

}  // namespace uotbench
