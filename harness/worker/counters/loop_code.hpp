// What the machine code of a loop says about it: where it may be left, and what it counts with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace uotbench {

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
