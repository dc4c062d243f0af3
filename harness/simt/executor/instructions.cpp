// What a GPU does in hardware and the executor by itself: atomics, copies that are waited for later, and the
// matrix products of a tensor core.
#include <algorithm>

#include "harness/simt/executor/scheduler.hpp"
#include "harness/simt/runtime/atomics.hpp"
#include "harness/simt/runtime/half.hpp"

namespace uotbench::simt {
namespace {

// The fiber is the only one that runs, so that a plain operation is atomic.
template <class T, class Operation>
[[gnu::always_inline]] inline T atomic(T* at, std::uint64_t place, Operation operation) {
  Fiber& fiber = *running;
  if (++fiber.atomics > scheduler->most_atomics)
    scheduler->leave({.kind = Failure::Kind::spinning,
                      .thread = fiber.thread,
                      .number = static_cast<std::int64_t>(scheduler->most_atomics),
                      .place = place});
  if (scheduler->observer) scheduler->observer->access(at, sizeof(T), trace::AccessKind::atomic, place);
  const T old = *at;
  *at = operation(old);
  return old;
}

// By hand: calls of memcpy belong to the kernel, as a trace sees them.
void copy(const Copy& copy) {
  auto* const to = static_cast<volatile unsigned char*>(copy.to);
  const auto* const from = static_cast<const volatile unsigned char*>(copy.from);
  const unsigned copied = copy.size - copy.zeros;
  for (unsigned i = 0; i < copied; ++i) to[i] = from[i];
  for (unsigned i = copied; i < copy.size; ++i) to[i] = 0;
}

// What a tensor core makes of the registers of a warp (layout: tensor.hpp).

const Operands& operands_of(const Fiber& fiber) { return *reinterpret_cast<const Operands*>(fiber.value); }

/// Number `half` (0, 1) of a register of two bfloat16; the register as TF32, whose last 13 bits do not count.
double bf16_in(std::uint32_t bits, int half) {
  return bfloat16_value(static_cast<std::uint16_t>(bits >> 16 * half));
}
double tf32_in(std::uint32_t bits) { return __builtin_bit_cast(float, bits & ~0x1fffu); }

}  // namespace

#define UOTBENCH_ATOMIC(NAME, T, RESULT)                                       \
  T NAME(T* at, T value) {                                                     \
    return atomic(at, UOTBENCH_PLACE, [value](T old) -> T { return RESULT; }); \
  }
UOTBENCH_ATOMIC(atomic_add, float, old + value)
UOTBENCH_ATOMIC(atomic_add, double, old + value)
UOTBENCH_ATOMIC(atomic_add, std::uint32_t, old + value)
UOTBENCH_ATOMIC(atomic_add, std::uint64_t, old + value)
UOTBENCH_ATOMIC(atomic_min, std::int32_t, std::min(old, value))
UOTBENCH_ATOMIC(atomic_min, std::uint32_t, std::min(old, value))
UOTBENCH_ATOMIC(atomic_min, std::int64_t, std::min(old, value))
UOTBENCH_ATOMIC(atomic_min, std::uint64_t, std::min(old, value))
UOTBENCH_ATOMIC(atomic_max, std::int32_t, std::max(old, value))
UOTBENCH_ATOMIC(atomic_max, std::uint32_t, std::max(old, value))
UOTBENCH_ATOMIC(atomic_max, std::int64_t, std::max(old, value))
UOTBENCH_ATOMIC(atomic_max, std::uint64_t, std::max(old, value))
UOTBENCH_ATOMIC(atomic_and, std::uint32_t, old& value)
UOTBENCH_ATOMIC(atomic_and, std::uint64_t, old& value)
UOTBENCH_ATOMIC(atomic_or, std::uint32_t, old | value)
UOTBENCH_ATOMIC(atomic_or, std::uint64_t, old | value)
UOTBENCH_ATOMIC(atomic_xor, std::uint32_t, old ^ value)
UOTBENCH_ATOMIC(atomic_xor, std::uint64_t, old ^ value)
UOTBENCH_ATOMIC(atomic_up, std::uint32_t, old >= value ? 0 : old + 1)
UOTBENCH_ATOMIC(atomic_down, std::uint32_t, old == 0 || old > value ? value : old - 1)
#undef UOTBENCH_ATOMIC

std::uint32_t atomic_exchange(std::uint32_t* at, std::uint32_t value) {
  return atomic(at, UOTBENCH_PLACE, [value](std::uint32_t) { return value; });
}
std::uint64_t atomic_exchange(std::uint64_t* at, std::uint64_t value) {
  return atomic(at, UOTBENCH_PLACE, [value](std::uint64_t) { return value; });
}
std::uint32_t atomic_compare(std::uint32_t* at, std::uint32_t expected, std::uint32_t value) {
  return atomic(at, UOTBENCH_PLACE, [=](std::uint32_t old) { return old == expected ? value : old; });
}
std::uint64_t atomic_compare(std::uint64_t* at, std::uint64_t expected, std::uint64_t value) {
  return atomic(at, UOTBENCH_PLACE, [=](std::uint64_t old) { return old == expected ? value : old; });
}
std::uint16_t atomic_compare(std::uint16_t* at, std::uint16_t expected, std::uint16_t value) {
  return atomic(at, UOTBENCH_PLACE, [=](std::uint16_t old) { return old == expected ? value : old; });
}

void copy_async(void* to, const void* from, std::size_t size, std::size_t zeros, std::source_location where) {
  Fiber& fiber = *running;
  const auto place = UOTBENCH_PLACE;
  const bool right = (size == 4 || size == 8 || size == 16) && zeros <= size &&
                     reinterpret_cast<std::uintptr_t>(to) % size == 0 &&
                     reinterpret_cast<std::uintptr_t>(from) % size == 0;
  if (!right)
    scheduler->leave({.kind = Failure::Kind::bad_copy,
                      .thread = fiber.thread,
                      .number = static_cast<std::int64_t>(size),
                      .where = where});
  // What it reads is asked for now, with the other lanes; what it writes is there when it is waited for.
  if (scheduler->observer && zeros < size)
    scheduler->observer->access(from, static_cast<unsigned>(size - zeros), trace::AccessKind::read, place);
  fiber.copies.push_back(
      {to, from, static_cast<unsigned>(size), static_cast<unsigned>(zeros), place, fiber.commits});
}

void commit_copies() { ++running->commits; }

void wait_for_copies(std::size_t newest) {
  Fiber& fiber = *running;
  if (newest > fiber.commits) return;
  const std::size_t end = fiber.commits - newest;
  std::size_t kept = 0;
  for (const Copy& each : fiber.copies) {
    if (each.commit >= end) {
      fiber.copies[kept++] = each;
      continue;
    }
    if (scheduler->observer)
      scheduler->observer->access(each.to, each.size, trace::AccessKind::write, each.place);
    copy(each);
  }
  fiber.copies.resize(kept);
}

void Scheduler::multiply(const Fiber* lanes) {
  const bool pairs = lanes[0].kind == Meeting::multiply_bf16;
  double A[16][16], B[16][8];
  for (int lane = 0; lane < 32; ++lane) {
    const Operands& its = operands_of(lanes[lane]);
    const int row = lane / 4, four = lane % 4;
    for (int part = 0; part < 4; ++part)
      for (int half = 0; half < (pairs ? 2 : 1); ++half) {
        const int k = pairs ? 2 * four + half + 8 * (part / 2) : four + 4 * (part / 2);
        const auto number = [&](std::uint32_t bits) { return pairs ? bf16_in(bits, half) : tf32_in(bits); };
        A[row + 8 * (part % 2)][k] = number(its.a[part]);
        if (part % 2 == 0) B[k][row] = number(its.b[part / 2]);
      }
  }
  for (int lane = 0; lane < 32; ++lane)
    for (int part = 0; part < 4; ++part) {
      float& c = operands_of(lanes[lane]).c[part];
      double sum = c;
      for (int k = 0; k < (pairs ? 16 : 8); ++k)
        sum += A[lane / 4 + 8 * (part / 2)][k] * B[k][2 * (lane % 4) + part % 2];
      c = static_cast<float>(sum);
    }
}

void multiply(Meeting kind, const Operands& operands, std::source_location where) {
  meet_warp(kind, 0xffffffffu, reinterpret_cast<std::uint64_t>(&operands), 0, 32, where);
}

}  // namespace uotbench::simt
