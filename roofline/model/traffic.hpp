// Modelled against counted: whether a variant moves the bytes that its work model says.
#pragma once

#include <optional>
#include <string>

#include "results/record/counters.hpp"
#include "results/record/run_file/run_file.hpp"

namespace uotbench {

/// Of the bytes between memory and the last cache, write-backs counted.
struct Traffic {
  double counted = 0;           ///< bytes: DRAM.read_bytes + DRAM.write_bytes; 0 where they have no values
  double modelled = 0;          ///< bytes read, written, and fetched only to be overwritten
  std::optional<double> ratio;  ///< counted over modelled
  std::string reason;           ///< why there is none, one line
  CounterOrigin origin;         ///< of the counts
  std::string doubt;            ///< what the ratio says where it is not about 1, in words; else empty
};

/// The ratio is told only of working sets of at least 4x the last cache, as a Work is that of a stream: of
/// the caches that were simulated (the first line's "caches") where the counts are, else of the machine's.
Traffic traffic_of(const Run& run, const Record& record);

/// Which simulated caches have the size that the system reports, where that is doubtful and was not measured,
/// by the first line of a run; and the command that measures it. Empty: none.
std::string doubtful_simulated_caches(const RunHeader& header);

}  // namespace uotbench
