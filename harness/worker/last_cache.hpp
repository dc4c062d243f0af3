// Which threads share a cache of the last level.
#pragma once

#include <string>
#include <vector>

namespace uotbench {

/// Thread t runs on cpus[t]. How many threads in a row have a last-level cache in common, where each that
/// many have one of their own; `threads`, all of them, where they have one together, where such rows are of
/// different lengths, and where the system does not report it. `root`: a folder as the kernel of Linux fills
/// it.
int threads_a_last_cache(const std::vector<int>& cpus, int threads,
                         const std::string& root = "/sys/devices/system/cpu");

}  // namespace uotbench
