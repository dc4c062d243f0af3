// perf's own names of events that every PMU may have, and of the kernel's software events (perf-list(1)).
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace uotbench {

struct PerfName {
  std::uint32_t type = 0;    ///< PERF_TYPE_HARDWARE, PERF_TYPE_HW_CACHE or PERF_TYPE_SOFTWARE
  std::uint64_t config = 0;  ///< as perf_event_open(2) has it
};

const std::map<std::string, PerfName>& perf_names();

}  // namespace uotbench
