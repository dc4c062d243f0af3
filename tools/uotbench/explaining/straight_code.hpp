// Blocks in the order of execution as one straight piece of code, for llvm-mca, which ignores where jumps
// lead.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace uotbench {

/// The listings in the order of `sequence`. Calls and returns become jumps: llvm-mca 19 takes a call for 100
/// cycles, and has all that uses the stack pointer wait until a return has loaded its address.
std::vector<std::string> straight_code(const std::vector<std::vector<std::string>>& listings,
                                       const std::vector<std::size_t>& sequence);

}  // namespace uotbench
