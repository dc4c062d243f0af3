#include "harness/simt/runtime/atomics.hpp"

#include <algorithm>

#include "harness/simt/executor/scheduler.hpp"

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

}  // namespace uotbench::simt
