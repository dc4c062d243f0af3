// Names of perf events: the generic ones, and those that a user writes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "harness/worker/counters/perf_pmu.hpp"

namespace uotbench {

// perf's own names of events that every PMU may have, and of the kernel's software events (perf-list(1)).

struct PerfName {
  std::uint32_t type = 0;    ///< PERF_TYPE_HARDWARE, PERF_TYPE_HW_CACHE or PERF_TYPE_SOFTWARE
  std::uint64_t config = 0;  ///< as perf_event_open(2) has it
};

const std::map<std::string, PerfName>& perf_names();

// What an event's name means to perf_event_open on a machine.

struct PerfEvent {
  /// How one PMU is asked.
  struct Code {
    std::uint32_t type = 0;
    PerfConfig config;
    std::vector<int> cpus = {};  ///< socket-wide: where it is counted
  };
  std::vector<Code> codes;  ///< several are added up: a hybrid CPU's two kinds of core, or all that '*' means
  bool socket_wide = false;
  /// Happens in the kernel: where only user mode is counted it is always 0.
  bool in_kernel = false;
  bool hardware = true;  ///< false: the kernel's own events, which need no PMU
  double scale = 1;      ///< what one count is worth, in base units: "seconds", "bytes", "Joules"
  std::string unit;      ///< which; empty: it is a count
};

/// Why there can be no event of this name on any machine; empty: there may be.
std::string no_perf_event(const std::string& name);

/// `name` is perf's: cycles, L1-dcache-load-misses, page-faults, rNNNN (raw, hexadecimal), PMU/TERMS/ with
/// the terms of PerfPmu::event(); '*' in a PMU's name means all that match. Throws UsageError in one
/// line with the nearest name. Reads /sys below `root`, changes nothing.
PerfEvent parse_perf_event(const std::string& name, const std::filesystem::path& root = "/");

}  // namespace uotbench
