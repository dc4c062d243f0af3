#include "harness/worker/base/heap_tally.hpp"

#include <algorithm>
#include <array>
#include <atomic>

namespace uotbench {
namespace {

// Plain and constant-initialised: `new` is called before any constructor has run, and nothing here may call
// it.
constexpr std::size_t most_blocks = std::size_t{1} << 15, most_threads = 1024;

struct Block {
  const void* memory;  ///< null: free, and none that was put here has been passed over
  std::size_t bytes;
  std::uint32_t thread;
  bool given;
};
struct Held {
  std::uint64_t now, most;
};

std::atomic<bool> counting{false};
std::atomic_flag locked = ATOMIC_FLAG_INIT;
std::array<Block, most_blocks> blocks;
std::array<Held, most_threads> held;
std::size_t used = 0;
HeapTally tally;
std::atomic<std::uint32_t> threads{0};
thread_local std::uint32_t number = 0;  // from 1; 0: it has none

class Lock {
 public:
  Lock() {
    while (locked.test_and_set(std::memory_order_acquire)) continue;
  }
  ~Lock() { locked.clear(std::memory_order_release); }
};

/// Where the block is, or would be put.
Block& place_of(const void* memory) {
  auto at = (reinterpret_cast<std::uintptr_t>(memory) >> 4) * 0x9e3779b97f4a7c15 >> 49;
  while (blocks[at].memory && blocks[at].memory != memory) at = (at + 1) % most_blocks;
  return blocks[at];
}

}  // namespace

void start_heap_tally() noexcept {
  const Lock lock;
  blocks.fill({});
  held.fill({});
  used = 0;
  tally = {};
  counting = true;
}

HeapTally stop_heap_tally() noexcept {
  counting = false;
  const Lock lock;
  for (const auto& one : held) tally.peak += one.most;
  return tally;
}

void note_taken(const void* memory, std::size_t bytes) noexcept {
  if (!counting.load(std::memory_order_relaxed) || !memory) return;
  if (number == 0) number = ++threads;
  const Lock lock;
  ++tally.allocations;
  if (used + 1 >= most_blocks || number >= most_threads) {
    tally.whole = false;
    return;
  }
  Block& block = place_of(memory);
  used += block.memory == nullptr;
  block = {memory, bytes, number, false};
  Held& mine = held[number];
  mine.now += bytes;
  mine.most = std::max(mine.most, mine.now);
}

void note_given(const void* memory) noexcept {
  if (!counting.load(std::memory_order_relaxed) || !memory) return;
  const Lock lock;
  Block& block = place_of(memory);
  if (block.memory != memory || block.given) return;  // it was taken before
  block.given = true;
  held[block.thread].now -= block.bytes;
}

}  // namespace uotbench
