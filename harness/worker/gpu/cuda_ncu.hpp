// Nsight Compute's ncu as a source of counts: it runs this worker once more, by hand, for one iteration of
// the case.
#pragma once

#include <filesystem>
#include <memory>

#include "harness/worker/counters/counters.hpp"

namespace uotbench {

struct NcuOptions {
  std::string ncu = "ncu";             ///< looked up on PATH where it has no slash
  std::filesystem::path program = {};  ///< the worker to be run; empty: this one
  bool phases = true;    ///< whether it marks the iteration (NVTX), which selects what ncu counts
  double seconds = 300;  ///< ncu may take no longer
};

/// Events are ncu's own metrics, e.g. dram__bytes_read.sum, in its base units (bytes, nanoseconds).
std::unique_ptr<CounterSource> ncu_source(const NcuOptions& options);

}  // namespace uotbench
