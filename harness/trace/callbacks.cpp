// What code compiled with -fsanitize=thread calls (GCC's gcc/sanitizer.def lists it all). Another compiler
// may call what is not here: that is an error of the linker, not an access that is lost.
// -fsanitize-coverage=trace-pc adds one for each basic block. This file is compiled twice: for threads of the
// CPU, and, with UOTBENCH_WARPS, for those of a GPU's warps.
#ifdef UOTBENCH_WARPS
#include "harness/trace/warps/hooks.hpp"
namespace hooks = uotbench::trace::warp_hooks;
#else
#include "harness/trace/threads/session_hooks.hpp"
namespace hooks = uotbench::trace::session_hooks;
#endif

// The call in the kernel: one byte before where it returns to is inside of it, and has its line.
#define UOTBENCH_PLACE (static_cast<const char*>(__builtin_return_address(0)) - 1)
#define UOTBENCH_RECORD(at, size, write) hooks::access(at, size, write, UOTBENCH_PLACE)

extern "C" {

void __tsan_init() {}
void __tsan_func_entry(void* caller) { hooks::enter(caller); }
void __tsan_func_exit() { hooks::leave(); }
void __sanitizer_cov_trace_pc() { hooks::block(UOTBENCH_PLACE); }

#define UOTBENCH_ACCESS(size)                                                     \
  void __tsan_read##size(void* at) { UOTBENCH_RECORD(at, size, false); }          \
  void __tsan_write##size(void* at) { UOTBENCH_RECORD(at, size, true); }          \
  void __tsan_volatile_read##size(void* at) { UOTBENCH_RECORD(at, size, false); } \
  void __tsan_volatile_write##size(void* at) { UOTBENCH_RECORD(at, size, true); }
UOTBENCH_ACCESS(1)
UOTBENCH_ACCESS(2)
UOTBENCH_ACCESS(4)
UOTBENCH_ACCESS(8)
UOTBENCH_ACCESS(16)

#define UOTBENCH_UNALIGNED(size)                                                                    \
  void __tsan_unaligned_read##size(void* at) { hooks::unaligned(at, size, false, UOTBENCH_PLACE); } \
  void __tsan_unaligned_write##size(void* at) { hooks::unaligned(at, size, true, UOTBENCH_PLACE); }
UOTBENCH_UNALIGNED(2)
UOTBENCH_UNALIGNED(4)
UOTBENCH_UNALIGNED(8)
UOTBENCH_UNALIGNED(16)

void __tsan_read_range(void* at, std::uint64_t size) { hooks::range(at, size, false, UOTBENCH_PLACE); }
void __tsan_write_range(void* at, std::uint64_t size) { hooks::range(at, size, true, UOTBENCH_PLACE); }

// A constructor or destructor sets its class's table of functions.
void __tsan_vptr_update(void** at, void*) { UOTBENCH_RECORD(at, 8, true); }
void __tsan_vptr_read(void** at) { UOTBENCH_RECORD(at, 8, false); }

// Instead of the atomic instruction: it is carried out here, in the strongest order, which is right for all.
// The order that was asked for decides what other threads may rely on.
#define UOTBENCH_CHANGE(bits, name)                                                          \
  std::uint##bits##_t __tsan_atomic##bits##_##name(volatile std::uint##bits##_t* at,         \
                                                   std::uint##bits##_t value, int order) {   \
    hooks::change(at, bits / 8, UOTBENCH_PLACE);                                             \
    hooks::releases(at, order);                                                              \
    const std::uint##bits##_t before = UOTBENCH_BUILTIN_##name(at, value, __ATOMIC_SEQ_CST); \
    hooks::acquired(at, order);                                                              \
    return before;                                                                           \
  }
#define UOTBENCH_BUILTIN_exchange __atomic_exchange_n
#define UOTBENCH_BUILTIN_fetch_add __atomic_fetch_add
#define UOTBENCH_BUILTIN_fetch_sub __atomic_fetch_sub
#define UOTBENCH_BUILTIN_fetch_and __atomic_fetch_and
#define UOTBENCH_BUILTIN_fetch_or __atomic_fetch_or
#define UOTBENCH_BUILTIN_fetch_xor __atomic_fetch_xor
#define UOTBENCH_BUILTIN_fetch_nand __atomic_fetch_nand
#define UOTBENCH_COMPARE(bits, strength, weak)                                                               \
  bool __tsan_atomic##bits##_compare_exchange_##strength(volatile std::uint##bits##_t* at,                   \
                                                         std::uint##bits##_t* expected,                      \
                                                         std::uint##bits##_t value, int order, int failed) { \
    hooks::compare(at, bits / 8, UOTBENCH_PLACE);                                                            \
    hooks::releases(at, order);                                                                              \
    const bool done =                                                                                        \
        __atomic_compare_exchange_n(at, expected, value, weak, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);          \
    if (done) hooks::exchanged(at, bits / 8, UOTBENCH_PLACE);                                                \
    hooks::acquired(at, done ? order : failed);                                                              \
    return done;                                                                                             \
  }
#define UOTBENCH_ATOMIC(bits)                                                                                \
  std::uint##bits##_t __tsan_atomic##bits##_load(const volatile std::uint##bits##_t* at, int order) {        \
    hooks::load(at, bits / 8, UOTBENCH_PLACE);                                                               \
    const std::uint##bits##_t value = __atomic_load_n(at, __ATOMIC_SEQ_CST);                                 \
    hooks::acquired(at, order);                                                                              \
    return value;                                                                                            \
  }                                                                                                          \
  void __tsan_atomic##bits##_store(volatile std::uint##bits##_t* at, std::uint##bits##_t value, int order) { \
    hooks::store(at, bits / 8, UOTBENCH_PLACE);                                                              \
    hooks::releases(at, order);                                                                              \
    __atomic_store_n(at, value, __ATOMIC_SEQ_CST);                                                           \
  }                                                                                                          \
  UOTBENCH_CHANGE(bits, exchange)                                                                            \
  UOTBENCH_CHANGE(bits, fetch_add)                                                                           \
  UOTBENCH_CHANGE(bits, fetch_sub)                                                                           \
  UOTBENCH_CHANGE(bits, fetch_and)                                                                           \
  UOTBENCH_CHANGE(bits, fetch_or)                                                                            \
  UOTBENCH_CHANGE(bits, fetch_xor)                                                                           \
  UOTBENCH_CHANGE(bits, fetch_nand)                                                                          \
  UOTBENCH_COMPARE(bits, strong, false)                                                                      \
  UOTBENCH_COMPARE(bits, weak, true)
UOTBENCH_ATOMIC(8)
UOTBENCH_ATOMIC(16)
UOTBENCH_ATOMIC(32)
UOTBENCH_ATOMIC(64)

// A fence is taken to order all that fences order, whatever is read and written around them.
void __tsan_atomic_thread_fence(int order) {
  hooks::releases(nullptr, order);
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  hooks::acquired(nullptr, order);
}
void __tsan_atomic_signal_fence(int) { __atomic_signal_fence(__ATOMIC_SEQ_CST); }

// Copies and fills that are left to the C library (the linker's --wrap sends them here): what they read and
// write, by turns.
void* __real_memcpy(void* to, const void* from, std::size_t size);
void* __real_memmove(void* to, const void* from, std::size_t size);
void* __real_memset(void* to, int value, std::size_t size);
int __real_memcmp(const void* a, const void* b, std::size_t size);
}

namespace {

void record_copy(const void* to, const void* from, std::size_t size, const void* frame, const void* place) {
  if (!hooks::on()) return;
  const bool reads = !hooks::is_local(from, size, frame), writes = !hooks::is_local(to, size, frame);
  const std::size_t piece = hooks::piece(size);
  for (std::size_t done = 0; done < size; done += piece) {
    const std::size_t now = size - done < piece ? size - done : piece;
    if (reads) hooks::range(static_cast<const char*>(from) + done, now, false, place);
    if (writes) hooks::range(static_cast<const char*>(to) + done, now, true, place);
  }
}

}  // namespace

extern "C" {

void* __wrap_memcpy(void* to, const void* from, std::size_t size) {
  record_copy(to, from, size, __builtin_frame_address(0), UOTBENCH_PLACE);
  return __real_memcpy(to, from, size);
}
void* __wrap_memmove(void* to, const void* from, std::size_t size) {
  record_copy(to, from, size, __builtin_frame_address(0), UOTBENCH_PLACE);
  return __real_memmove(to, from, size);
}
void* __wrap_memset(void* to, int value, std::size_t size) {
  if (hooks::on() && !hooks::is_local(to, size, __builtin_frame_address(0)))
    hooks::range(to, size, true, UOTBENCH_PLACE);
  return __real_memset(to, value, size);
}
int __wrap_memcmp(const void* a, const void* b, std::size_t size) {
  if (hooks::on()) {
    hooks::range(a, size, false, UOTBENCH_PLACE);
    hooks::range(b, size, false, UOTBENCH_PLACE);
  }
  return __real_memcmp(a, b, size);
}
}

// What a kernel asks of the special function units: the linker's --wrap sends it here.
#ifdef UOTBENCH_WARPS
#define UOTBENCH_EXPONENTIAL(Real, name) \
  Real __real_##name(Real x);            \
  Real __wrap_##name(Real x) {           \
    hooks::exponential();                \
    return __real_##name(x);             \
  }
extern "C" {
UOTBENCH_EXPONENTIAL(float, expf)
UOTBENCH_EXPONENTIAL(float, exp2f)
UOTBENCH_EXPONENTIAL(double, exp)
UOTBENCH_EXPONENTIAL(double, exp2)
}
#endif
