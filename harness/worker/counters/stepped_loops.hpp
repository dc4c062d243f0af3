// Loops that are executed at full speed in a call that is otherwise executed by single steps. A step takes
// microseconds, so most of the time would be spent in the loops that the kernel is made of.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "harness/worker/counters/machine_code.hpp"

namespace uotbench {

/// By their numbers in machine code: 0 is rax, 1 rcx, ..., 15 r15.
using GeneralRegisters = std::array<std::uint64_t, 16>;

/// Learns the innermost loops of a call while it is executed by single steps: after two passes on the same
/// way, with a register to which constants were added, and nothing else done (in both passes). From then on
/// the loop is not stopped in: the first byte of each instruction to which it may be left becomes a
/// breakpoint (int3). The register says how many passes there were. So the same instructions are counted, in
/// the same order, as by stopping after each.
///
/// For signal handlers: nothing takes memory after the constructor.
class SteppedLoops {
 public:
  SteppedLoops();
  ~SteppedLoops();
  SteppedLoops(const SteppedLoops&) = delete;
  SteppedLoops& operator=(const SteppedLoops&) = delete;

  /// The instruction at `at` comes next. True: a known loop begins with it, and its ways out are watched. The
  /// CPU need not stop until it is at one of them.
  bool enter(std::uintptr_t at, const GeneralRegisters& registers);
  bool watching() const { return watched_ != nullptr; }

  /// The CPU has come to a breakpoint at `at`. Takes the breakpoints away, and returns the number of
  /// instructions that were executed since enter(), that at its `at` included. Absent: it is no way out of
  /// the loop, or registers do not agree on the number of passes.
  std::optional<std::uint64_t> leave(std::uintptr_t at, const GeneralRegisters& registers);
  /// Address of the instruction that was executed as number `step`, from 0, before the last leave().
  std::uintptr_t executed(std::uint64_t step) const { return left_->path[step % left_->length]; }

  /// Takes the breakpoints away.
  void stop_watching();

 private:
  static constexpr std::size_t most_loops = 64, most_instructions = 512, most_exits = 16, most_pages = 256;

  struct Exit {
    std::uintptr_t at = 0;
    std::size_t from = 0;       ///< index in the path of the jump that leads there
    unsigned char covered = 0;  ///< by the breakpoint, while it is there
  };
  /// A register that a pass changes by `step`.
  struct Counter {
    std::size_t number = 0;
    std::int64_t step = 0;
    bool wide = false;
  };
  struct Loop {
    std::array<std::uintptr_t, most_instructions> path = {};
    std::array<Exit, most_exits> exit = {};
    std::array<Counter, 16> counter = {};
    std::size_t length = 0;  ///< of the path; 0: not known
    std::size_t exits = 0, counters = 0;

    std::span<Exit> ways_out() { return {exit.data(), exits}; }
  };

  void follow(std::uintptr_t at, const GeneralRegisters& registers);
  void learn(const GeneralRegisters& registers);
  bool find_exits(Loop& loop) const;
  bool find_counters(Loop& loop, const GeneralRegisters& registers) const;
  bool make_writable(std::uintptr_t at);
  /// What the path up to its instruction `end` adds.
  static Counter added_in(const Loop& loop, std::size_t number, std::size_t end);

  std::vector<Loop> loops_;
  std::size_t next_ = 0;  ///< where the next that is learned goes
  Loop* watched_ = nullptr;
  const Loop* left_ = nullptr;
  GeneralRegisters entered_ = {};  ///< when watching began

  /// The way since the last jump back, and that between the two before.
  std::array<std::uintptr_t, most_instructions> way_ = {}, way_before_ = {};
  std::size_t length_ = 0, length_before_ = 0;  ///< 0: none
  GeneralRegisters begin_ = {}, begin_before_ = {};
  std::uintptr_t last_ = 0;

  std::array<std::uintptr_t, most_pages> writable_ = {};
  std::size_t pages_ = 0;
};

}  // namespace uotbench
