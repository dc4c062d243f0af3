#include "harness/simt/executor/scheduler.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>
#include <numeric>
#include <utility>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#endif

namespace uotbench::simt {
namespace {

using boost::context::detail::jump_fcontext;
using boost::context::detail::make_fcontext;

bool same_place(const Fiber& a, const Fiber& b) {
  return a.where.line() == b.where.line() && a.where.column() == b.where.column() && a.kind == b.kind &&
         std::strcmp(a.where.file_name(), b.where.file_name()) == 0;
}

}  // namespace

Stacks::~Stacks() { release(); }

void Stacks::release() {
  if (memory_) ::munmap(reinterpret_cast<void*>(memory_), count_ * stride());
  memory_ = count_ = 0;
}

void Stacks::provide(std::size_t count, std::size_t bytes) {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const std::size_t size = std::max((bytes + page - 1) / page * page, 4 * page);
  if (count <= count_ && size == size_) return;
  release();
  size_ = size;
  guard_ = 4 * page;
  const std::size_t wanted = std::bit_ceil(std::max<std::size_t>(count, 32));
  void* const memory = ::mmap(nullptr, wanted * stride(), PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  memory_ = reinterpret_cast<std::uintptr_t>(memory);
  count_ = wanted;
  for (std::size_t i = 0; i < count_; ++i)
    if (::mprotect(reinterpret_cast<void*>(memory_ + i * stride()), guard_, PROT_NONE) != 0) {
      release();
      throw std::bad_alloc();
    }
}

void* Stacks::top(std::size_t number) const {
  // Not all at the same place of a page, or they would fight for the same lines of a cache.
  const std::size_t shift = number % 32 * 64;
  return reinterpret_cast<void*>(memory_ + (number + 1) * stride() - shift);
}

bool Stacks::guards(std::uintptr_t address) const {
  return span().holds(address) && (address - memory_) % stride() < guard_;
}

constinit Scheduler* scheduler = nullptr;
constinit Fiber* running = nullptr;

void Scheduler::forget_failure() {
#ifdef __SANITIZE_ADDRESS__
  if (failure_.kind != Failure::Kind::none) {  // functions that never returned did not take their marks back
    const trace::Span span = stacks_.span();
    __asan_unpoison_memory_region(reinterpret_cast<const void*>(span.begin), span.end - span.begin);
  }
#endif
  failure_ = {};
}

void Scheduler::prepare(std::size_t stack) {
  const std::size_t threads = static_cast<std::size_t>(block.x) * block.y * block.z;
  stacks_.provide(threads, stack);
  if (fibers_.size() != threads) fibers_.resize(threads);
  for (std::size_t i = 0; i < threads; ++i) {
    Fiber& fiber = fibers_[i];
    fiber.thread = static_cast<int>(i);
    fiber.x = static_cast<unsigned>(i % block.x);
    fiber.y = static_cast<unsigned>(i / block.x % block.y);
    fiber.z = static_cast<unsigned>(i / block.x / block.y);
    fiber.context = make_fcontext(stacks_.top(i), stacks_.size() - 4096, &Scheduler::enter);
  }
  warps_.assign((threads + 31) / 32, Warp{});
  for (std::size_t i = 0; i < warps_.size(); ++i) {
    const std::size_t lanes = std::min<std::size_t>(threads - i * 32, 32);
    warps_[i].lanes = lanes == 32 ? ~0u : (1u << lanes) - 1;
  }
}

void Scheduler::arrange(Order order, std::mt19937_64& random) {
  warp_order_.resize(warps_.size());
  std::iota(warp_order_.begin(), warp_order_.end(), 0);
  std::iota(lane_order_.begin(), lane_order_.end(), std::uint8_t{0});
  if (order == Order::descending) {
    std::reverse(warp_order_.begin(), warp_order_.end());
    std::reverse(lane_order_.begin(), lane_order_.end());
  } else if (order == Order::shuffled) {
    std::shuffle(warp_order_.begin(), warp_order_.end(), random);
    std::shuffle(lane_order_.begin(), lane_order_.end(), random);
  }
}

// A fiber runs the kernel again for every block, on the same stack.
void Scheduler::enter(boost::context::detail::transfer_t from) {
  Scheduler& self = *scheduler;
  *self.left_ = from.fctx;
  for (;;) {
    self.call.run(self.call.arguments);
    Fiber& fiber = *running;
    self.warps_[static_cast<std::size_t>(fiber.warp())].ended |= 1u << fiber.lane();
    --self.live_;
    self.yield(fiber);
  }
}

// Whoever is switched to notes where the one before it is to go on.
void Scheduler::change(boost::context::detail::fcontext_t& from, boost::context::detail::fcontext_t to) {
  left_ = &from;
  const auto back = jump_fcontext(to, nullptr);
  *left_ = back.fctx;
}

/// The next of the lanes that are to run; null: all have.
Fiber* Scheduler::next() {
  while (turn_ != 0) {
    const std::uint32_t bit = 1u << lane_order_[position_++];
    if (!(turn_ & bit)) continue;
    turn_ &= ~bit;
    Fiber& fiber = fibers_[first_of_turn_ + static_cast<std::size_t>(std::countr_zero(bit))];
    fiber.atomics = 0;
    turns_ = turns_ + 1;
    running = &fiber;
    if (observer) observer->run(fiber.thread);
    return &fiber;
  }
  running = nullptr;
  return nullptr;
}

// Lanes go on from one to the next, and only the last of them back outside.
void Scheduler::yield(Fiber& fiber) {
  if (observer) observer->rest();
  const Fiber* const other = next();
  change(fiber.context, other ? other->context : outside_);
}

void Scheduler::leave(const Failure& failure) {
  failure_ = failure;
  left_ = &running->context;  // for good: it is made anew for the next launch
  jump_fcontext(outside_, nullptr);
  __builtin_unreachable();
}

std::uint64_t Scheduler::wait_in_warp(Fiber& fiber) {
  warps_[static_cast<std::size_t>(fiber.warp())].waiting |= 1u << fiber.lane();
  yield(fiber);
  return fiber.value;
}

std::uint64_t Scheduler::wait_in_block(Fiber& fiber) {
  warps_[static_cast<std::size_t>(fiber.warp())].barrier |= 1u << fiber.lane();
  ++at_barrier_;
  if (first_at_barrier_ < 0)
    first_at_barrier_ = fiber.thread;
  else if (other_at_barrier_ < 0 && !same_place(fiber, fibers_[static_cast<std::size_t>(first_at_barrier_)]))
    other_at_barrier_ = fiber.thread;
  yield(fiber);
  return fiber.value;
}

bool Scheduler::run_block() {
  live_ = static_cast<int>(fibers_.size());
  at_barrier_ = 0;
  first_at_barrier_ = other_at_barrier_ = -1;
  for (Warp& warp : warps_) warp = {warp.lanes, warp.lanes, 0, 0, 0};
  for (Fiber& fiber : fibers_) {
    fiber.copies.clear();
    fiber.commits = 0;
  }
  if (observer) observer->begin_block();
  for (;;) {
    for (const int number : warp_order_)
      if (!run_warp(number)) return false;
    if (at_barrier_ != live_ || other_at_barrier_ >= 0) {
      failure_ = stuck();
      return false;
    }
    if (at_barrier_ > 0 && live_ != static_cast<int>(fibers_.size())) {
      failure_ = {.kind = Failure::Kind::missing_at_barrier, .thread = first_at_barrier_};
      return false;
    }
    if (observer && !observer->end_interval()) {
      failure_ = {.kind = Failure::Kind::traced};
      return false;
    }
    if (live_ == 0) return true;
    release();
  }
}

bool Scheduler::run_warp(int number) {
  Warp& warp = warps_[static_cast<std::size_t>(number)];
  while (warp.ready) {
    turn_ = std::exchange(warp.ready, 0);
    first_of_turn_ = static_cast<std::size_t>(number) * 32;
    position_ = 0;
    change(outside_, next()->context);
    if (failure_.kind != Failure::Kind::none) {
      if (observer) observer->rest();
      running = nullptr;
      return false;
    }
    if (warp.waiting && !complete(number)) return false;
  }
  return true;
}

// Of the collectives that lanes wait at, those to which all have come that are to.
bool Scheduler::complete(int number) {
  Warp& warp = warps_[static_cast<std::size_t>(number)];
  const Fiber* const fibers = &fibers_[static_cast<std::size_t>(number) * 32];
  const std::uint32_t live = warp.lanes & ~warp.ended;
  for (std::uint32_t left = warp.waiting; left;) {
    const Fiber& first = fibers[std::countr_zero(left)];
    left &= left - 1;
    const std::uint32_t lanes = first.mask & live;
    if (lanes & ~warp.waiting) continue;
    bool agreed = true;
    for (std::uint32_t rest = lanes; rest && agreed; rest &= rest - 1) {
      const Fiber& fiber = fibers[std::countr_zero(rest)];
      agreed = fiber.mask == first.mask && fiber.kind == first.kind;
    }
    if (!agreed) continue;
    if (!exchange(number, lanes)) return false;
    warp.waiting &= ~lanes;
    warp.ready |= lanes;
    left &= ~lanes;
    if (observer) observer->met(number, lanes);
  }
  return true;
}

void Scheduler::release() {
  const Meeting kind = fibers_[static_cast<std::size_t>(first_at_barrier_)].kind;
  if (kind != Meeting::barrier) {
    std::uint64_t count = 0;
    for (const Warp& warp : warps_)
      for (std::uint32_t rest = warp.barrier; rest; rest &= rest - 1)
        count += fibers_[static_cast<std::size_t>(&warp - warps_.data()) * 32 +
                         static_cast<std::size_t>(std::countr_zero(rest))]
                     .value;
    const bool all = count == static_cast<std::uint64_t>(live_);
    const std::uint64_t result = kind == Meeting::barrier_count ? count
                                 : kind == Meeting::barrier_and ? all
                                                                : count > 0;
    for (Fiber& fiber : fibers_) fiber.value = result;
  }
  for (Warp& warp : warps_) warp.ready = std::exchange(warp.barrier, 0);
  at_barrier_ = 0;
  first_at_barrier_ = other_at_barrier_ = -1;
}

// Nobody can run on: who is to blame?
Failure Scheduler::stuck() const {
  using Kind = Failure::Kind;
  for (std::size_t number = 0; number < warps_.size(); ++number) {
    const Warp& warp = warps_[number];
    if (!warp.waiting) continue;
    const int begin = static_cast<int>(number) * 32;
    // A lane waits for one that waits elsewhere. Two that name each other are told first.
    Failure failure{.kind = Kind::deadlock};
    for (std::uint32_t rest = warp.waiting; rest; rest &= rest - 1) {
      const int lane = std::countr_zero(rest);
      const Fiber& fiber = fibers_[static_cast<std::size_t>(begin + lane)];
      for (std::uint32_t others = fiber.mask & warp.lanes & ~warp.ended; others; others &= others - 1) {
        const int other_lane = std::countr_zero(others);
        const Fiber& other = fibers_[static_cast<std::size_t>(begin + other_lane)];
        const bool waits = warp.waiting >> other_lane & 1;
        if (waits && other.kind == fiber.kind && other.mask == fiber.mask) continue;
        if (waits && (other.mask >> lane & 1)) {
          return {.kind = other.kind == fiber.kind ? Kind::other_mask : Kind::other_collective,
                  .thread = begin + lane,
                  .other = begin + other_lane};
        }
        if (failure.thread < 0) {
          failure.thread = begin + lane;
          failure.other = begin + other_lane;
        }
      }
    }
    return failure;
  }
  return {.kind = Kind::other_barrier, .thread = first_at_barrier_, .other = other_at_barrier_};
}

}  // namespace uotbench::simt
