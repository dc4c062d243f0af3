// Code that is executed by single steps: its basic blocks, and parts of what a call executes, spread evenly
// over it, which have the order of its instructions, and so of its blocks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
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

/// How long the call will be is not known while it is executed. So all of it is kept at first, part by part;
/// when there are too many parts, every second one is dropped, and the next ones are twice as far apart. The
/// same call has the same parts each time.
class SampledSteps {
 public:
  /// Instructions of a part: more than a core has under way at a time (about 500). A prime, because parts
  /// whose distance is a multiple of a loop's length would all begin at the same place of the loop.
  static constexpr std::size_t part_steps = 1021;
  /// Of a long call 10 to 19 parts are left, of all its phases: about 10,000 to 20,000 instructions.
  static constexpr std::size_t most_parts = 20;

  SampledSteps() : at_(part_steps * most_parts) {}

  /// The next instruction of the call is at this address. For signal handlers: it takes no memory.
  void take(std::uintptr_t at);

  /// Those that are kept, in their order; the last may be shorter.
  std::vector<std::span<const std::uintptr_t>> parts() const;

 private:
  void end_part();

  std::vector<std::uintptr_t> at_;  ///< part after part
  std::uint64_t taken_ = 0;         ///< instructions of the call
  std::uint64_t begin_ = 0;         ///< where the part begins that comes next, or is being filled
  std::uint64_t spacing_ = part_steps;
  std::size_t whole_ = 0;   ///< parts
  std::size_t filled_ = 0;  ///< instructions of the part after them
};

/// A line for each part: the blocks in the order in which they were executed, as block_sequence_text() writes
/// them, and their instructions. Blocks that are not in `blocks` are left out. A block at the end of a part
/// is in it as a whole; one that has begun before a part is not in it.
std::vector<CounterLine> sequence_lines(const SampledSteps& steps, const std::vector<SteppedBlock>& blocks);

}  // namespace uotbench
