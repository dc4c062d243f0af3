// Counters of a GPU by Nsight Compute: how it is run, and its report.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/worker/counters/counters.hpp"

namespace uotbench {

// What Nsight Compute's ncu writes with --csv --page raw: a table with a row for every launch of a kernel,
// and what it says of itself between == signs, before and after.

struct NcuReport {
  struct Launch {
    std::string kernel;                                   ///< as ncu prints it: its name and parameters
    std::map<std::string, std::optional<double>> values;  ///< by metric; absent: ncu gave none
  };
  std::map<std::string, std::string> units;  ///< by metric
  std::vector<Launch> launches;              ///< in the order of their start
};

/// The metric that averages are weighted by; it must be asked for with any other.
inline constexpr const char* ncu_duration = "gpu__time_duration.sum";

/// No table at all is a report without launches. Throws Error for a table that is cut short.
NcuReport read_ncu_report(const std::string& text);

/// Lines that ncu begins with ==ERROR==, without that.
std::vector<std::string> ncu_errors(const std::string& text);

/// The metric over all launches, and by kernel in `lines`. What counts (.sum, .avg over the parts of a GPU)
/// is added up. Rates, shares and ratios are averaged, each launch weighted by its duration, which a note
/// says. Anything else, e.g. .max and launch__registers_per_thread, has a value where all launches agree.
EventCount ncu_count(const NcuReport& report, const std::string& metric);

// Nsight Compute's ncu as a source of counts: it runs this worker once more, by hand, for one iteration of
// the case.

struct NcuOptions {
  std::string ncu = "ncu";             ///< looked up on PATH where it has no slash
  std::filesystem::path program = {};  ///< the worker to be run; empty: this one
  bool phases = true;    ///< whether it marks the iteration (NVTX), which selects what ncu counts
  double seconds = 300;  ///< ncu may take no longer
};

/// Events are ncu's own metrics, e.g. dram__bytes_read.sum, in its base units (bytes, nanoseconds).
std::unique_ptr<CounterSource> ncu_source(const NcuOptions& options);

}  // namespace uotbench
