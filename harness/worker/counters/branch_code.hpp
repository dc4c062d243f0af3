// Branches in machine code of x86-64 (Intel SDM vol. 2, appendix A).
#pragma once

#include <cstdint>

namespace uotbench {

/// A jump to an address in the code is no branch: where it leads is known once it is decoded. A call of one
/// is kept, for the return from it.
enum class BranchKind : std::uint8_t { none, direct_call, conditional, indirect_jump, indirect_call, ret };

struct BranchCode {
  BranchKind kind = BranchKind::none;
  std::uint8_t bytes = 0;  ///< of the instruction, where it is conditional; else 0
};

/// Of a whole instruction that begins here: its operation.
const unsigned char* behind_prefixes(const unsigned char* instruction);

/// Of a whole instruction that begins here.
BranchCode branch_code(const unsigned char* instruction);

}  // namespace uotbench
