// Runs the threads of a block as fibers, one after another: each until it meets others, or ends. All of it
// belongs to one OS thread. Here are the fibers' stacks and the block's shared memory, too.
#pragma once

#include <sys/mman.h>

#include <array>
#include <boost/context/detail/fcontext.hpp>
#include <cstddef>
#include <cstdint>
#include <new>
#include <random>
#include <source_location>
#include <vector>

#include "harness/simt/executor/device.hpp"
#include "harness/simt/executor/executor.hpp"
#include "harness/simt/executor/failure.hpp"
#include "harness/simt/runtime/runtime_api.hpp"
#include "harness/simt/runtime/warp.hpp"
#include "harness/trace/warps/warps.hpp"

namespace uotbench::simt {

// Stacks of fibers, each with a page below it that must not be touched.

class Stacks {
 public:
  Stacks() = default;
  ~Stacks();
  Stacks(const Stacks&) = delete;
  Stacks& operator=(const Stacks&) = delete;

  /// At least `count` stacks of at least `bytes`; what is there stays where it fits. Throws std::bad_alloc.
  void provide(std::size_t count, std::size_t bytes);
  void* top(std::size_t number) const;
  std::size_t size() const { return size_; }  ///< bytes of one
  trace::Span span() const { return {memory_, memory_ + count_ * stride()}; }
  /// Whether it is one of the pages that must not be touched.
  bool guards(std::uintptr_t address) const;
  std::size_t guard() const { return guard_; }

 private:
  std::size_t stride() const { return size_ + guard_; }
  void release();

  std::uintptr_t memory_ = 0;
  std::size_t count_ = 0, size_ = 0, guard_ = 0;
};

// A block's dynamic shared memory, with a page behind it that must not be touched.

class SharedMemory {
 public:
  SharedMemory() = default;
  ~SharedMemory() {
    if (memory_) ::munmap(memory_, size + guard);
  }
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;

  /// That number of bytes, right before that page but for what makes them begin at one of the 32 banks'
  /// first. Throws std::bad_alloc.
  void* end_with(std::size_t bytes) {
    if (!memory_) {
      void* const memory =
          ::mmap(nullptr, size + guard, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      if (memory == MAP_FAILED) throw std::bad_alloc();
      memory_ = static_cast<char*>(memory);
      if (::mprotect(memory_ + size, guard, PROT_NONE) != 0) throw std::bad_alloc();
    }
    return memory_ + size - (bytes + 127) / 128 * 128;
  }

 private:
  static constexpr std::size_t guard = 64 * 1024;  // a page, whatever size pages have
  static constexpr std::size_t size = 256 * 1024;
  static_assert(size >= DeviceLimits::shared_by_request);
  char* memory_ = nullptr;
};

/// A copy that a thread waits for later.
struct Copy {
  void* to;
  const void* from;
  unsigned size, zeros;
  std::uint64_t place;
  std::size_t commit;  ///< the how manieth of its thread
};

/// A thread of the block.
struct Fiber {
  boost::context::detail::fcontext_t context = nullptr;
  unsigned x = 0, y = 0, z = 0;
  int thread = 0;  ///< linear index
  // What it waits at.
  Meeting kind{};
  std::uint32_t mask = 0;
  int lane_argument = 0, width = 32;
  std::uint64_t value = 0;  ///< what it brings; then what it gets
  std::source_location where;

  std::uint64_t atomics = 0;  ///< since it last ran on
  std::vector<Copy> copies;
  std::size_t commits = 0;

  int warp() const { return thread / 32; }
  int lane() const { return thread % 32; }
};

/// Lanes by what they do, a bit each; `waiting`: at a collective.
struct Warp {
  std::uint32_t lanes = 0, ready = 0, waiting = 0, barrier = 0, ended = 0;
};

class Scheduler {
 public:
  // What a launch sets.
  Call call{};
  dim3 grid, block;
  std::array<unsigned, 3> index{};  ///< of the block
  void* dynamic_shared = nullptr;
  Observer* observer = nullptr;
  std::uint64_t most_atomics = 0;

  /// Makes `threads` fibers that have not begun. Throws std::bad_alloc.
  void prepare(std::size_t stack);
  /// The order of warps and lanes, for blocks that follow; never mixed.
  void arrange(Order order, std::mt19937_64& random);
  /// False: failure() says why.
  bool run_block();
  const Failure& failure() const { return failure_; }
  /// And what the threads that it left for good have on their stacks.
  void forget_failure();

  const std::vector<Fiber>& fibers() const { return fibers_; }
  const std::vector<Warp>& warps() const { return warps_; }
  const Stacks& stacks() const { return stacks_; }
  /// How often any thread has run on: while it does not change, one thread is running.
  std::uint64_t turns() const { return turns_; }

  // From inside a thread.
  std::uint64_t wait_in_warp(Fiber& fiber);
  std::uint64_t wait_in_block(Fiber& fiber);
  /// Leaves the running thread for good; from its own code, or from a signal handler that interrupted it.
  [[noreturn]] void leave(const Failure& failure);

 private:
  static void enter(boost::context::detail::transfer_t from);
  void change(boost::context::detail::fcontext_t& from, boost::context::detail::fcontext_t to);
  Fiber* next();
  void yield(Fiber& fiber);
  bool run_warp(int number);
  bool complete(int number);
  bool exchange(int number, std::uint32_t lanes);
  static void multiply(const Fiber* lanes);
  bool shuffle(int number, std::uint32_t lanes);
  void reduce(int number, std::uint32_t lanes);
  void release();
  Failure stuck() const;

  std::vector<Fiber> fibers_;
  std::vector<Warp> warps_;
  std::vector<int> warp_order_;
  std::array<std::uint8_t, 32> lane_order_{};
  Stacks stacks_;
  boost::context::detail::fcontext_t outside_ = nullptr;
  boost::context::detail::fcontext_t* left_ = nullptr;  ///< of the thread that ran last
  std::uint32_t turn_ = 0;                              ///< lanes of a warp that are still to run
  std::size_t first_of_turn_ = 0, position_ = 0;        ///< that warp's first thread; in lane_order_
  int live_ = 0, at_barrier_ = 0;
  int first_at_barrier_ = -1, other_at_barrier_ = -1;  ///< threads; other: at another barrier than the first
  volatile std::uint64_t turns_ = 0;
  Failure failure_;
};

/// The program's, and the thread that runs in it, null outside of kernels.
extern constinit Scheduler* scheduler;
extern constinit Fiber* running;

/// In a function that kernels call: the instruction that calls it, a byte of which is before the one it
/// returns to.
#define UOTBENCH_PLACE (reinterpret_cast<std::uint64_t>(__builtin_return_address(0)) - 1)

}  // namespace uotbench::simt
