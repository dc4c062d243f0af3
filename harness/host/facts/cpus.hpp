// Which CPUs this process may use.
#pragma once

#include <string>
#include <vector>

namespace uotbench {

/// Logical CPU numbers (as the system counts) that the cgroup and the affinity mask allow. The first T are T
/// distinct physical cores as long as there are that many, the fastest kind of core first, neighbours
/// together; the cores' second hardware threads follow.
std::vector<int> usable_cpus();

/// The same CPUs, each next one as far from those before it as this machine allows.
std::vector<int> spread_out(const std::vector<int>& cpus);

/// "0-3,8" -> 0, 1, 2, 3, 8, in the order given. Throws std::invalid_argument for anything else, an empty
/// list and a CPU listed twice.
std::vector<int> parse_cpu_list(const std::string& text);

}  // namespace uotbench
