// What an explanation takes from the rest of the run: the CPU, and the latency that ceiling/chase measured.
#pragma once

#include <optional>
#include <string>

#include "results/record/record.hpp"
#include "results/record/run_file/run_file.hpp"

namespace uotbench {

/// "AuthenticAMD", 25, 17 of a CPU; empty and 0: not known.
struct CpuModel {
  std::string vendor;
  int family = 0, model = 0;
  std::string fingerprint;  ///< of the machine
};
CpuModel cpu_of(const Run& run, const Record& record);

/// Seconds of a load that waits for the one before it, in a working set like this one; absent: not measured.
std::optional<double> load_latency(const Run& run, const Record& record, double working_set);

/// At least what a line takes to come from another core's cache: a load of the cache that they share. The
/// smallest working set of ceiling/chase in the run that is clearly beyond L2; absent: not measured.
std::optional<double> shared_latency(const Run& run, const Record& record);

}  // namespace uotbench
