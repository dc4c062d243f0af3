// What an explanation takes from a run's first line.
#pragma once

#include <string>

#include "results/record/run_file/run_file.hpp"

namespace uotbench {

/// "AuthenticAMD", 25, 17 of a CPU; empty and 0: not known.
struct CpuModel {
  std::string vendor;
  int family = 0, model = 0;
  std::string fingerprint;  ///< of the machine
};
CpuModel cpu_of(const Run& run, const Record& record);

}  // namespace uotbench
