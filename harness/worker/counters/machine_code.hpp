// What machine code of x86-64 says (Intel SDM vol. 2, appendix A): where its branches are, where a loop may
// be left, and what it counts with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

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

/// Where the instruction after one comes from.
struct Successor {
  enum class Kind {
    next,         ///< the one behind it in memory
    conditional,  ///< that, or the one at `to`
    always,       ///< the one at `to`
    unknown       ///< calls, returns, indirect jumps, and jumps that compilers do not write
  };
  Kind kind = Kind::next;
  std::uintptr_t to = 0;
  std::uintptr_t behind = 0;  ///< of jumps: the first byte after it
};

/// Of the instruction whose code is at this address in this process.
Successor successor_of(std::uintptr_t at);

/// A constant that an instruction adds to a general register (add, sub, inc, dec).
struct Added {
  std::size_t to = 0;  ///< the register's number in machine code: 0 is rax, 1 rcx, ..., 15 r15
  std::int64_t value = 0;
  bool wide = false;  ///< to all 64 bits; else to the lower 32
};

/// Absent: it does something else.
std::optional<Added> added_by(std::uintptr_t at);

}  // namespace uotbench
