// What the order of execution adds to the cycles of single blocks: instructions that wait for those of other
// blocks, and blocks that overlap.
#pragma once

#include <string>
#include <vector>

#include "results/base/json_fwd.hpp"
#include "roofline/explain/blocks.hpp"
#include "roofline/explain/in_core.hpp"

namespace uotbench {

/// All cycles of one pass through the one region in llvm-mca's --json. Throws Error for what is not that.
double cycles_from_mca(const Json& json);

/// Sets T_OL, T_nOL, the cycles and the bound by the order of execution. `each`: of code.blocks; `cycles`:
/// what the analyser says of code.sequence as straight-line code. Throws Error where they are no time.
void put_in_order(InCore& core, const HotCode& code, const std::vector<BlockCycles>& each,
                  const std::vector<std::string>& memory_units, double cycles);

/// "18.4k instructions in the order of execution take 8.12k cycles, block by block 5.72k".
std::string text_of(const InOrder& order);

}  // namespace uotbench
