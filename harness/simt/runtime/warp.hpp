// Where threads meet: barriers of a block, collectives of a warp. A thread runs until it comes to one.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <source_location>
#include <type_traits>

#include "harness/simt/runtime/language.hpp"

namespace uotbench::simt {

enum class Meeting : std::uint8_t {
  barrier,
  barrier_count,
  barrier_and,
  barrier_or,
  sync_warp,
  shuffle,
  shuffle_up,
  shuffle_down,
  shuffle_xor,
  ballot,
  any,
  all,
  match_any,
  add_signed,
  add_unsigned,
  min_signed,
  min_unsigned,
  max_signed,
  max_unsigned,
  bit_and,
  bit_or,
  bit_xor,
  multiply_tf32,
  multiply_bf16
};

/// Waits for all threads of the block; what their predicates come to.
int meet_block(Meeting kind, int predicate, std::source_location where);
/// Waits for all lanes of `mask`; what the collective gives this one. `lane` and `width`: of shuffles.
std::uint64_t meet_warp(Meeting kind, unsigned mask, std::uint64_t value, int lane, int width,
                        std::source_location where);

/// The registers of a lane for a tensor core (tensor.hpp).
struct Operands {
  float* c;
  const unsigned *a, *b;
};
/// Waits for the whole warp, whose tensor core then changes every lane's `c`.
void multiply(Meeting kind, const Operands& operands, std::source_location where);

template <class T>
UOTBENCH_SHIM std::uint64_t bits_of(T value) {
  static_assert(std::is_trivially_copyable_v<T> && (sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8),
                "CUDA shuffles values of 2, 4 or 8 bytes");
  if constexpr (sizeof(T) == 8)
    return __builtin_bit_cast(std::uint64_t, value);
  else if constexpr (sizeof(T) == 4)
    return __builtin_bit_cast(std::uint32_t, value);
  else
    return __builtin_bit_cast(std::uint16_t, value);
}
template <class T>
UOTBENCH_SHIM T value_of(std::uint64_t bits) {
  if constexpr (sizeof(T) == 8)
    return __builtin_bit_cast(T, bits);
  else if constexpr (sizeof(T) == 4)
    return __builtin_bit_cast(T, static_cast<std::uint32_t>(bits));
  else
    return __builtin_bit_cast(T, static_cast<std::uint16_t>(bits));
}
template <class T>
UOTBENCH_SHIM T shuffled(Meeting kind, unsigned mask, T value, int lane, int width,
                         std::source_location where) {
  return value_of<T>(meet_warp(kind, mask, bits_of(value), lane, width, where));
}

}  // namespace uotbench::simt

#define UOTBENCH_HERE std::source_location where = std::source_location::current()
// After a call whose value is not used: were it a kernel's last, it would become a jump, and the place that
// it came from unknown.
#define UOTBENCH_RETURNS_HERE asm volatile("")

UOTBENCH_SHIM void __syncthreads(UOTBENCH_HERE) {
  uotbench::simt::meet_block(uotbench::simt::Meeting::barrier, 0, where);
  UOTBENCH_RETURNS_HERE;
}
UOTBENCH_SHIM int __syncthreads_count(int predicate, UOTBENCH_HERE) {
  const int count = uotbench::simt::meet_block(uotbench::simt::Meeting::barrier_count, predicate, where);
  UOTBENCH_RETURNS_HERE;
  return count;
}
UOTBENCH_SHIM int __syncthreads_and(int predicate, UOTBENCH_HERE) {
  const int all = uotbench::simt::meet_block(uotbench::simt::Meeting::barrier_and, predicate, where);
  UOTBENCH_RETURNS_HERE;
  return all;
}
UOTBENCH_SHIM int __syncthreads_or(int predicate, UOTBENCH_HERE) {
  const int any = uotbench::simt::meet_block(uotbench::simt::Meeting::barrier_or, predicate, where);
  UOTBENCH_RETURNS_HERE;
  return any;
}
UOTBENCH_SHIM void __syncwarp(unsigned mask = 0xffffffffu, UOTBENCH_HERE) {
  uotbench::simt::meet_warp(uotbench::simt::Meeting::sync_warp, mask, 0, 0, 32, where);
  UOTBENCH_RETURNS_HERE;
}

template <class T>
UOTBENCH_SHIM T __shfl_sync(unsigned mask, T value, int lane, int width = 32, UOTBENCH_HERE) {
  return uotbench::simt::shuffled(uotbench::simt::Meeting::shuffle, mask, value, lane, width, where);
}
template <class T>
UOTBENCH_SHIM T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32, UOTBENCH_HERE) {
  return uotbench::simt::shuffled(uotbench::simt::Meeting::shuffle_up, mask, value, static_cast<int>(delta),
                                  width, where);
}
template <class T>
UOTBENCH_SHIM T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32, UOTBENCH_HERE) {
  return uotbench::simt::shuffled(uotbench::simt::Meeting::shuffle_down, mask, value, static_cast<int>(delta),
                                  width, where);
}
template <class T>
UOTBENCH_SHIM T __shfl_xor_sync(unsigned mask, T value, int lanes, int width = 32, UOTBENCH_HERE) {
  return uotbench::simt::shuffled(uotbench::simt::Meeting::shuffle_xor, mask, value, lanes, width, where);
}

#define UOTBENCH_WARP(KIND, VALUE) \
  uotbench::simt::meet_warp(uotbench::simt::Meeting::KIND, mask, VALUE, 0, 32, where)

UOTBENCH_SHIM unsigned __ballot_sync(unsigned mask, int predicate, UOTBENCH_HERE) {
  return static_cast<unsigned>(UOTBENCH_WARP(ballot, predicate != 0));
}
UOTBENCH_SHIM int __any_sync(unsigned mask, int predicate, UOTBENCH_HERE) {
  return static_cast<int>(UOTBENCH_WARP(any, predicate != 0));
}
UOTBENCH_SHIM int __all_sync(unsigned mask, int predicate, UOTBENCH_HERE) {
  return static_cast<int>(UOTBENCH_WARP(all, predicate != 0));
}
template <class T>
UOTBENCH_SHIM unsigned __match_any_sync(unsigned mask, T value, UOTBENCH_HERE) {
  return static_cast<unsigned>(UOTBENCH_WARP(match_any, uotbench::simt::bits_of(value)));
}
UOTBENCH_SHIM int __reduce_add_sync(unsigned mask, int value, UOTBENCH_HERE) {
  return static_cast<int>(UOTBENCH_WARP(add_signed, static_cast<unsigned>(value)));
}
UOTBENCH_SHIM unsigned __reduce_add_sync(unsigned mask, unsigned value, UOTBENCH_HERE) {
  return static_cast<unsigned>(UOTBENCH_WARP(add_unsigned, value));
}
UOTBENCH_SHIM int __reduce_min_sync(unsigned mask, int value, UOTBENCH_HERE) {
  return static_cast<int>(UOTBENCH_WARP(min_signed, static_cast<unsigned>(value)));
}
UOTBENCH_SHIM unsigned __reduce_min_sync(unsigned mask, unsigned value, UOTBENCH_HERE) {
  return static_cast<unsigned>(UOTBENCH_WARP(min_unsigned, value));
}
UOTBENCH_SHIM int __reduce_max_sync(unsigned mask, int value, UOTBENCH_HERE) {
  return static_cast<int>(UOTBENCH_WARP(max_signed, static_cast<unsigned>(value)));
}
UOTBENCH_SHIM unsigned __reduce_max_sync(unsigned mask, unsigned value, UOTBENCH_HERE) {
  return static_cast<unsigned>(UOTBENCH_WARP(max_unsigned, value));
}
UOTBENCH_SHIM unsigned __reduce_and_sync(unsigned mask, unsigned value, UOTBENCH_HERE) {
  return static_cast<unsigned>(UOTBENCH_WARP(bit_and, value));
}
UOTBENCH_SHIM unsigned __reduce_or_sync(unsigned mask, unsigned value, UOTBENCH_HERE) {
  return static_cast<unsigned>(UOTBENCH_WARP(bit_or, value));
}
UOTBENCH_SHIM unsigned __reduce_xor_sync(unsigned mask, unsigned value, UOTBENCH_HERE) {
  return static_cast<unsigned>(UOTBENCH_WARP(bit_xor, value));
}

#undef UOTBENCH_WARP
#undef UOTBENCH_RETURNS_HERE

namespace uotbench::simt {
[[gnu::const]] unsigned lane_bit() noexcept;
}
/// Which lanes run together is never promised; here each runs alone.
UOTBENCH_SHIM unsigned __activemask() { return uotbench::simt::lane_bit(); }

// No other thread runs between two meetings, so that order is kept by itself.
UOTBENCH_SHIM void __threadfence_block() { asm volatile("" ::: "memory"); }
UOTBENCH_SHIM void __threadfence() { asm volatile("" ::: "memory"); }
UOTBENCH_SHIM void __threadfence_system() { asm volatile("" ::: "memory"); }

namespace uotbench::simt {
/// What __trap() comes to.
[[noreturn]] void trap(std::source_location where);
}  // namespace uotbench::simt
[[noreturn]] UOTBENCH_SHIM void __trap(UOTBENCH_HERE) { uotbench::simt::trap(where); }
UOTBENCH_SHIM void __nanosleep(unsigned) {}

#undef UOTBENCH_HERE
