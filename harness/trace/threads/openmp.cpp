// Threads and phases of OpenMP, as GCC's run-time library is asked for them (the linker's --wrap sends the
// calls through here): who is which thread, and where all have waited for all.
#include <omp.h>

#include "harness/trace/threads/session.hpp"

namespace uotbench::trace {
namespace {

struct Region {
  void (*act)(void*);
  void* data;
  Session* session;
  std::uint64_t epoch;
  std::uint64_t last;  ///< epoch that any thread has come to
};

/// What one thread of a region does.
void take_part(void* data) {
  Region& region = *static_cast<Region*>(data);
  const Self before = self;
  const int thread = omp_get_thread_num();
  const bool traced = thread < region.session->threads();
  if (!traced) region.session->refuse("OpenMP started more threads than are traced");
  self = {
      .on = traced ? region.session : nullptr, .thread = thread, .in_region = true, .epoch = region.epoch};
  region.act(region.data);
  std::uint64_t last = __atomic_load_n(&region.last, __ATOMIC_RELAXED);
  while (last < self.epoch && !__atomic_compare_exchange_n(&region.last, &last, self.epoch, false,
                                                           __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
  self = before;
}

void all_have_waited() {
  if (self.on) ++self.epoch;
}

void not_repeatable() {
  if (self.on && self.on->threads() > 1)
    self.on->refuse(
        "which thread does what differs from run to run (tasks, sections, single, or a schedule other than "
        "static); threads=1 or schedule(static) can be counted");
}

}  // namespace
}  // namespace uotbench::trace

extern "C" {

void __real_GOMP_parallel(void (*act)(void*), void* data, unsigned threads, unsigned flags);
void __real_GOMP_barrier();
void __real_GOMP_loop_end();

void __wrap_GOMP_parallel(void (*act)(void*), void* data, unsigned threads, unsigned flags) {
  using namespace uotbench::trace;
  // Of a region in a region, a team of one is the same thread; others are strangers, who are noticed.
  if (!self.on || self.in_region) return __real_GOMP_parallel(act, data, threads, flags);
  Region region{act, data, self.on, self.epoch + 1, self.epoch + 1};
  __real_GOMP_parallel(take_part, &region, threads, flags);
  self.epoch = region.last + 1;
}

void __wrap_GOMP_barrier() {
  __real_GOMP_barrier();
  uotbench::trace::all_have_waited();
}

void __wrap_GOMP_loop_end() {
  __real_GOMP_loop_end();
  uotbench::trace::all_have_waited();
}

// Passed on with whatever arguments they have (at most 16 words, in registers or on the stack).
#define UOTBENCH_PASS_ON(name)                                                                         \
  void __real_##name();                                                                                \
  void* __wrap_##name() {                                                                              \
    void* const arguments = __builtin_apply_args();                                                    \
    uotbench::trace::not_repeatable();                                                                 \
    __builtin_return(__builtin_apply(reinterpret_cast<void (*)(...)>(__real_##name), arguments, 128)); \
  }
#define UOTBENCH_LOOPS(prefix, suffix)                    \
  UOTBENCH_PASS_ON(prefix##dynamic_##suffix)              \
  UOTBENCH_PASS_ON(prefix##guided_##suffix)               \
  UOTBENCH_PASS_ON(prefix##runtime_##suffix)              \
  UOTBENCH_PASS_ON(prefix##nonmonotonic_dynamic_##suffix) \
  UOTBENCH_PASS_ON(prefix##nonmonotonic_guided_##suffix)  \
  UOTBENCH_PASS_ON(prefix##nonmonotonic_runtime_##suffix) \
  UOTBENCH_PASS_ON(prefix##maybe_nonmonotonic_runtime_##suffix)
UOTBENCH_LOOPS(GOMP_loop_, start)
UOTBENCH_LOOPS(GOMP_loop_ull_, start)
UOTBENCH_PASS_ON(GOMP_single_start)
UOTBENCH_PASS_ON(GOMP_sections_start)
UOTBENCH_PASS_ON(GOMP_task)
UOTBENCH_PASS_ON(GOMP_taskloop)
}
