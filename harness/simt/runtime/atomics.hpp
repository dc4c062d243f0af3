// Accesses to memory that are no plain loads and stores.
//
// Atomics, by which the executor also sees threads that wait for one another: they are counted. Those of a
// block and of the system are the same here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <source_location>

#include "harness/simt/runtime/language.hpp"

namespace uotbench::simt {

float atomic_add(float* at, float value);
double atomic_add(double* at, double value);
std::uint32_t atomic_add(std::uint32_t* at, std::uint32_t value);
std::uint64_t atomic_add(std::uint64_t* at, std::uint64_t value);
std::int32_t atomic_min(std::int32_t* at, std::int32_t value);
std::uint32_t atomic_min(std::uint32_t* at, std::uint32_t value);
std::int64_t atomic_min(std::int64_t* at, std::int64_t value);
std::uint64_t atomic_min(std::uint64_t* at, std::uint64_t value);
std::int32_t atomic_max(std::int32_t* at, std::int32_t value);
std::uint32_t atomic_max(std::uint32_t* at, std::uint32_t value);
std::int64_t atomic_max(std::int64_t* at, std::int64_t value);
std::uint64_t atomic_max(std::uint64_t* at, std::uint64_t value);
std::uint32_t atomic_exchange(std::uint32_t* at, std::uint32_t value);
std::uint64_t atomic_exchange(std::uint64_t* at, std::uint64_t value);
std::uint32_t atomic_compare(std::uint32_t* at, std::uint32_t expected, std::uint32_t value);
std::uint64_t atomic_compare(std::uint64_t* at, std::uint64_t expected, std::uint64_t value);
std::uint16_t atomic_compare(std::uint16_t* at, std::uint16_t expected, std::uint16_t value);
std::uint32_t atomic_and(std::uint32_t* at, std::uint32_t value);
std::uint64_t atomic_and(std::uint64_t* at, std::uint64_t value);
std::uint32_t atomic_or(std::uint32_t* at, std::uint32_t value);
std::uint64_t atomic_or(std::uint64_t* at, std::uint64_t value);
std::uint32_t atomic_xor(std::uint32_t* at, std::uint32_t value);
std::uint64_t atomic_xor(std::uint64_t* at, std::uint64_t value);
/// atomicInc and atomicDec: up to `last` and on at 0; down to 0 and on at `last`.
std::uint32_t atomic_up(std::uint32_t* at, std::uint32_t last);
std::uint32_t atomic_down(std::uint32_t* at, std::uint32_t last);

template <class To, class From>
UOTBENCH_SHIM To* same(From* at) {
  static_assert(sizeof(To) == sizeof(From));
  return reinterpret_cast<To*>(at);
}

}  // namespace uotbench::simt

UOTBENCH_SHIM float atomicAdd(float* at, float value) { return uotbench::simt::atomic_add(at, value); }
UOTBENCH_SHIM double atomicAdd(double* at, double value) { return uotbench::simt::atomic_add(at, value); }

// T: CUDA's type. BITS: the one whose operation it is here.
#define UOTBENCH_ATOMIC(NAME, FUNCTION, T, BITS)                                             \
  UOTBENCH_SHIM T NAME(T* at, T value) {                                                     \
    return static_cast<T>(                                                                   \
        uotbench::simt::FUNCTION(uotbench::simt::same<BITS>(at), static_cast<BITS>(value))); \
  }
#define UOTBENCH_ATOMICS(NAME, FUNCTION)                   \
  UOTBENCH_ATOMIC(NAME, FUNCTION, int, std::uint32_t)      \
  UOTBENCH_ATOMIC(NAME, FUNCTION, unsigned, std::uint32_t) \
  UOTBENCH_ATOMIC(NAME, FUNCTION, unsigned long long, std::uint64_t)

UOTBENCH_ATOMICS(atomicAdd, atomic_add)
UOTBENCH_ATOMICS(atomicExch, atomic_exchange)
UOTBENCH_ATOMICS(atomicAnd, atomic_and)
UOTBENCH_ATOMICS(atomicOr, atomic_or)
UOTBENCH_ATOMICS(atomicXor, atomic_xor)
UOTBENCH_ATOMIC(atomicInc, atomic_up, unsigned, std::uint32_t)
UOTBENCH_ATOMIC(atomicDec, atomic_down, unsigned, std::uint32_t)
UOTBENCH_ATOMIC(atomicMin, atomic_min, int, std::int32_t)
UOTBENCH_ATOMIC(atomicMin, atomic_min, unsigned, std::uint32_t)
UOTBENCH_ATOMIC(atomicMin, atomic_min, long long, std::int64_t)
UOTBENCH_ATOMIC(atomicMin, atomic_min, unsigned long long, std::uint64_t)
UOTBENCH_ATOMIC(atomicMax, atomic_max, int, std::int32_t)
UOTBENCH_ATOMIC(atomicMax, atomic_max, unsigned, std::uint32_t)
UOTBENCH_ATOMIC(atomicMax, atomic_max, long long, std::int64_t)
UOTBENCH_ATOMIC(atomicMax, atomic_max, unsigned long long, std::uint64_t)

#undef UOTBENCH_ATOMICS
#undef UOTBENCH_ATOMIC

UOTBENCH_SHIM int atomicSub(int* at, int value) {
  return atomicAdd(at, static_cast<int>(0u - static_cast<unsigned>(value)));
}
UOTBENCH_SHIM unsigned atomicSub(unsigned* at, unsigned value) { return atomicAdd(at, 0u - value); }

UOTBENCH_SHIM float atomicExch(float* at, float value) {
  return __builtin_bit_cast(float, uotbench::simt::atomic_exchange(uotbench::simt::same<std::uint32_t>(at),
                                                                   __builtin_bit_cast(std::uint32_t, value)));
}

#define UOTBENCH_COMPARE(T, BITS)                                                                \
  UOTBENCH_SHIM T atomicCAS(T* at, T expected, T value) {                                        \
    return static_cast<T>(uotbench::simt::atomic_compare(                                        \
        uotbench::simt::same<BITS>(at), static_cast<BITS>(expected), static_cast<BITS>(value))); \
  }
UOTBENCH_COMPARE(int, std::uint32_t)
UOTBENCH_COMPARE(unsigned, std::uint32_t)
UOTBENCH_COMPARE(unsigned long long, std::uint64_t)
UOTBENCH_COMPARE(unsigned short, std::uint16_t)
#undef UOTBENCH_COMPARE

// Asynchronous copies from global to shared memory (CUDA's cuda_pipeline_primitives.h). The form they have
// here: a copy happens when it is waited for and not before, so that a wait that is missing, or a barrier
// after it, is seen. A copy without a wait never happens.

namespace uotbench::simt {

void copy_async(void* to, const void* from, std::size_t size, std::size_t zeros, std::source_location where);
void commit_copies();
/// Makes all copies of this thread but those of its `newest` last commits, and of no commit.
void wait_for_copies(std::size_t newest);

}  // namespace uotbench::simt

/// `size` is 4, 8 or 16 bytes, to which both are aligned; the last `zeros` of them are filled with 0.
UOTBENCH_SHIM void __pipeline_memcpy_async(void* to, const void* from, std::size_t size,
                                           std::size_t zeros = 0,
                                           std::source_location where = std::source_location::current()) {
  uotbench::simt::copy_async(to, from, size, zeros, where);
  asm volatile("");
}
UOTBENCH_SHIM void __pipeline_commit() { uotbench::simt::commit_copies(); }
UOTBENCH_SHIM void __pipeline_wait_prior(std::size_t newest) {
  uotbench::simt::wait_for_copies(newest);
  asm volatile("");
}
