#include "harness/worker/base/arena.hpp"

#include <sys/mman.h>
#include <ucontext.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <new>
#include <system_error>

#include "results/base/error.hpp"

namespace uotbench {
namespace {

// Larger than the sets of any cache reach, so that an offset says where a line falls.
constexpr std::size_t base_alignment = std::size_t{64} << 20;
constexpr std::size_t line = 64;
constexpr std::size_t stack_bytes = std::size_t{8} << 20;

// Plain and constant-initialised: `new` is called before any constructor has run. The range stays reserved
// when an arena ends, as what was taken from it may be given back later.
char* first = nullptr;
std::size_t reserved = 0;
std::atomic<std::size_t> taken{0};
std::atomic<bool> open{false};
const Arena* there = nullptr;

bool inside(const void* memory) {
  const auto at = static_cast<const char*>(memory);
  return first && at >= first && at < first + reserved;
}

void* cut(std::size_t bytes, std::size_t alignment) noexcept {
  const std::size_t step = alignment < line ? line : alignment;
  const std::size_t whole = (bytes + line - 1) / line * line + (bytes == 0 ? line : 0);
  for (std::size_t from = taken.load();;) {
    const std::size_t at = (from + step - 1) / step * step;
    if (whole > reserved || at > reserved - whole) return nullptr;
    if (taken.compare_exchange_weak(from, at + whole)) return first + at;
  }
}

// The tally: plain, too, and nothing here may call `new`.
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

static void* memory_of(std::size_t bytes, std::size_t alignment) noexcept {
  if (open.load(std::memory_order_relaxed))
    if (void* const memory = cut(bytes, alignment)) return memory;
  if (alignment <= alignof(std::max_align_t)) return std::malloc(bytes == 0 ? 1 : bytes);
  return std::aligned_alloc(alignment, (bytes / alignment + 1) * alignment);
}

void* take_memory(std::size_t bytes, std::size_t alignment) noexcept {
  void* const memory = memory_of(bytes, alignment);
  note_taken(memory, bytes);
  return memory;
}

void give_back(void* memory) noexcept {
  note_given(memory);
  if (!inside(memory)) std::free(memory);
}

Arena::Arena(std::size_t bytes) {
  if (first) throw Error("a process counts with simulated caches once: its addresses are used up");
  const std::size_t asked = bytes + 2 * stack_bytes;
  void* const pages = ::mmap(nullptr, asked + base_alignment, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (pages == MAP_FAILED) throw std::bad_alloc();
  const auto at = reinterpret_cast<std::uintptr_t>(pages);
  first = static_cast<char*>(pages) + (base_alignment - at % base_alignment) % base_alignment;
  reserved = asked;
  there = this;
  open = true;
}

Arena::~Arena() {
  open = false;
  there = nullptr;
}

const Arena* Arena::current() { return there; }
const char* Arena::data() const { return first; }
std::size_t Arena::size() const { return reserved; }

void Arena::run(const std::function<void()>& act) {
  // The same thread on another stack. A second thread would be counted beside the one that waits for it.
  struct Errand {
    const std::function<void()>& act;
    ucontext_t before{}, inside{};
    std::exception_ptr thrown{};
  } errand{act};
  static thread_local Errand* current = nullptr;  // makecontext hands over numbers only
  current = &errand;
  const auto body = [] {
    Errand& its = *current;
    try {
      its.act();
    } catch (...) {
      its.thrown = std::current_exception();
    }
  };
  void* const stack = cut(stack_bytes, 4096);
  if (!stack) throw std::bad_alloc();
  if (::getcontext(&errand.inside) != 0)
    throw std::system_error(errno, std::generic_category(), "getcontext");
  errand.inside.uc_stack.ss_sp = stack;
  errand.inside.uc_stack.ss_size = stack_bytes;
  errand.inside.uc_link = &errand.before;
  ::makecontext(&errand.inside, body, 0);
  if (::swapcontext(&errand.before, &errand.inside) != 0)
    throw std::system_error(errno, std::generic_category(), "swapcontext");
  if (errand.thrown) std::rethrow_exception(errand.thrown);
}

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

// Every form of `new` and `delete` comes down to these.
void* operator new(std::size_t bytes) {
  if (void* const memory = uotbench::take_memory(bytes, alignof(std::max_align_t))) return memory;
  throw std::bad_alloc();
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  if (void* const memory = uotbench::take_memory(bytes, static_cast<std::size_t>(alignment))) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { uotbench::give_back(memory); }
void operator delete(void* memory, std::size_t) noexcept { uotbench::give_back(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { uotbench::give_back(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { uotbench::give_back(memory); }
