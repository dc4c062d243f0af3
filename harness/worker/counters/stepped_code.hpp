// Code that is executed by single steps, and its basic blocks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "results/record/counter.hpp"

namespace uotbench {

inline constexpr std::uintptr_t longest_instruction = 15;  // bytes, on any x86

/// What is known of the byte at which an instruction begins.
struct Stepped {
  std::uint64_t count = 0;
  bool jumped_to = false, jumps = false;
};

/// A basic block: what is always executed together.
struct SteppedBlock {
  std::uintptr_t begin = 0;      ///< where it is in this process
  std::size_t instructions = 0;  ///< of one pass
  CounterLine line;              ///< as a counter has it
};

/// The code of one object, and a Stepped for each byte of it; pages of it that no step touches take no
/// memory.
class SteppedCode {
 public:
  /// `base`: where the object is loaded; `begin`, `bytes`: its executable part.
  SteppedCode(std::string object, std::uintptr_t base, std::uintptr_t begin, std::size_t bytes);
  ~SteppedCode();
  SteppedCode(SteppedCode&& other) noexcept;
  SteppedCode& operator=(SteppedCode&&) = delete;

  /// Null: it is no code of this object.
  Stepped* at(std::uintptr_t address) {
    return address - begin_ < bytes_ ? &steps_[address - begin_] : nullptr;
  }
  void enter() { entered_ = true; }

  void add_blocks(std::vector<SteppedBlock>& blocks) const;

 private:
  std::uintptr_t next_after(std::uintptr_t at) const;
  SteppedBlock block_of(const std::vector<std::uintptr_t>& starts) const;

  std::string object_;
  std::uintptr_t base_, begin_;
  std::size_t bytes_;
  bool entered_ = false;
  Stepped* steps_ = nullptr;
};

}  // namespace uotbench
