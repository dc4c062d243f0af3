// Threads and phases of OpenMP, as GCC's run-time library is asked for them (the linker's --wrap sends the
// calls through here): who is which thread, where all have waited for all, and which locks were taken.
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
  if (!traced) region.session->refuse_all("OpenMP started more threads than are traced");
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

/// Calls run(take_part, region), which starts a team's threads with them.
template <class Run>
void in_team(void (*act)(void*), void* data, Run run) {
  // Of a region in a region, a team of one is the same thread; others are strangers, who are noticed.
  if (!self.on || self.in_region) return run(act, data);
  self.on->start_region();
  Region region{act, data, self.on, self.epoch + 1, self.epoch + 1};
  run(take_part, static_cast<void*>(&region));
  self.on->end_region(region.last - region.epoch);
  self.epoch = region.last + 1;
}

void not_repeatable() {
  if (self.on && self.on->threads() > 1)
    self.on->refuse(
        "which thread does what differs from run to run (tasks, sections, single, or a schedule other than "
        "static); threads=1 or schedule(static) can be counted");
}

/// Nor is it known what these order.
void not_followed() {
  not_repeatable();
  if (self.on && self.on->threads() > 1)
    self.on->refuse_all("what tasks, doacross loops and copyprivate order is not followed");
}

// Whose addresses stand for OpenMP's own locks.
char atomic_lock, critical_lock, ordered_lock;

}  // namespace
}  // namespace uotbench::trace

extern "C" {

void __real_GOMP_parallel(void (*act)(void*), void* data, unsigned threads, unsigned flags);
void __real_GOMP_barrier();
void __real_GOMP_loop_end();
void __real_GOMP_sections_end();

void __wrap_GOMP_parallel(void (*act)(void*), void* data, unsigned threads, unsigned flags) {
  uotbench::trace::in_team(act, data, [&](void (*its)(void*), void* its_data) {
    __real_GOMP_parallel(its, its_data, threads, flags);
  });
}

void __wrap_GOMP_barrier() {
  __real_GOMP_barrier();
  uotbench::trace::all_have_waited();
}

void __wrap_GOMP_loop_end() {
  __real_GOMP_loop_end();
  uotbench::trace::all_have_waited();
}

void __wrap_GOMP_sections_end() {
  __real_GOMP_sections_end();
  uotbench::trace::all_have_waited();
}

// Region and loop in one call.
#define UOTBENCH_CHUNKS(name)                                                                        \
  void __real_GOMP_parallel_loop_##name(void (*act)(void*), void* data, unsigned threads, long from, \
                                        long to, long step, long chunk, unsigned flags);             \
  void __wrap_GOMP_parallel_loop_##name(void (*act)(void*), void* data, unsigned threads, long from, \
                                        long to, long step, long chunk, unsigned flags) {            \
    uotbench::trace::not_repeatable();                                                               \
    uotbench::trace::in_team(act, data, [&](void (*its)(void*), void* its_data) {                    \
      __real_GOMP_parallel_loop_##name(its, its_data, threads, from, to, step, chunk, flags);        \
    });                                                                                              \
  }
#define UOTBENCH_RUNTIME(name)                                                                       \
  void __real_GOMP_parallel_loop_##name(void (*act)(void*), void* data, unsigned threads, long from, \
                                        long to, long step, unsigned flags);                         \
  void __wrap_GOMP_parallel_loop_##name(void (*act)(void*), void* data, unsigned threads, long from, \
                                        long to, long step, unsigned flags) {                        \
    uotbench::trace::not_repeatable();                                                               \
    uotbench::trace::in_team(act, data, [&](void (*its)(void*), void* its_data) {                    \
      __real_GOMP_parallel_loop_##name(its, its_data, threads, from, to, step, flags);               \
    });                                                                                              \
  }
UOTBENCH_CHUNKS(dynamic)
UOTBENCH_CHUNKS(guided)
UOTBENCH_CHUNKS(nonmonotonic_dynamic)
UOTBENCH_CHUNKS(nonmonotonic_guided)
UOTBENCH_RUNTIME(runtime)
UOTBENCH_RUNTIME(nonmonotonic_runtime)
UOTBENCH_RUNTIME(maybe_nonmonotonic_runtime)
void __real_GOMP_parallel_sections(void (*act)(void*), void* data, unsigned threads, unsigned count,
                                   unsigned flags);
void __wrap_GOMP_parallel_sections(void (*act)(void*), void* data, unsigned threads, unsigned count,
                                   unsigned flags) {
  uotbench::trace::not_repeatable();
  uotbench::trace::in_team(act, data, [&](void (*its)(void*), void* its_data) {
    __real_GOMP_parallel_sections(its, its_data, threads, count, flags);
  });
}

// Locks: `object` is what is acquired and released.
#define UOTBENCH_LOCK(start, end, parameters, arguments, object) \
  void __real_##start parameters;                                \
  void __real_##end parameters;                                  \
  void __wrap_##start parameters {                               \
    __real_##start arguments;                                    \
    uotbench::trace::meet(true, object);                         \
  }                                                              \
  void __wrap_##end parameters {                                 \
    uotbench::trace::meet(false, object);                        \
    __real_##end arguments;                                      \
  }
UOTBENCH_LOCK(GOMP_atomic_start, GOMP_atomic_end, (), (), &uotbench::trace::atomic_lock)
UOTBENCH_LOCK(GOMP_critical_start, GOMP_critical_end, (), (), &uotbench::trace::critical_lock)
UOTBENCH_LOCK(GOMP_critical_name_start, GOMP_critical_name_end, (void** name), (name), name)
UOTBENCH_LOCK(GOMP_ordered_start, GOMP_ordered_end, (), (), &uotbench::trace::ordered_lock)
UOTBENCH_LOCK(omp_set_lock, omp_unset_lock, (void* lock), (lock), lock)
UOTBENCH_LOCK(omp_set_nest_lock, omp_unset_nest_lock, (void* lock), (lock), lock)
#define UOTBENCH_TRY(name, taken)                          \
  int __real_##name(void* lock);                           \
  int __wrap_##name(void* lock) {                          \
    const int result = __real_##name(lock);                \
    if (result taken 0) uotbench::trace::meet(true, lock); \
    return result;                                         \
  }
UOTBENCH_TRY(omp_test_lock, !=)
UOTBENCH_TRY(omp_test_nest_lock, !=)
UOTBENCH_TRY(pthread_mutex_lock, ==)
UOTBENCH_TRY(pthread_mutex_trylock, ==)
int __real_pthread_mutex_unlock(void* mutex);
int __wrap_pthread_mutex_unlock(void* mutex) {
  uotbench::trace::meet(false, mutex);
  return __real_pthread_mutex_unlock(mutex);
}
// Of a static object in a function.
int __real___cxa_guard_acquire(void* guard);
void __real___cxa_guard_release(void* guard);
int __wrap___cxa_guard_acquire(void* guard) {
  const int result = __real___cxa_guard_acquire(guard);
  uotbench::trace::meet(true, guard);
  return result;
}
void __wrap___cxa_guard_release(void* guard) {
  uotbench::trace::meet(false, guard);
  __real___cxa_guard_release(guard);
}

// Passed on with whatever arguments they have (at most 16 words, in registers or on the stack).
#define UOTBENCH_PASS_ON(name, note)                                                                   \
  void __real_##name();                                                                                \
  void* __wrap_##name() {                                                                              \
    void* const arguments = __builtin_apply_args();                                                    \
    uotbench::trace::note();                                                                           \
    __builtin_return(__builtin_apply(reinterpret_cast<void (*)(...)>(__real_##name), arguments, 128)); \
  }
#define UOTBENCH_LOOPS(prefix, suffix)                                    \
  UOTBENCH_PASS_ON(prefix##dynamic_##suffix, not_repeatable)              \
  UOTBENCH_PASS_ON(prefix##guided_##suffix, not_repeatable)               \
  UOTBENCH_PASS_ON(prefix##runtime_##suffix, not_repeatable)              \
  UOTBENCH_PASS_ON(prefix##nonmonotonic_dynamic_##suffix, not_repeatable) \
  UOTBENCH_PASS_ON(prefix##nonmonotonic_guided_##suffix, not_repeatable)  \
  UOTBENCH_PASS_ON(prefix##nonmonotonic_runtime_##suffix, not_repeatable) \
  UOTBENCH_PASS_ON(prefix##maybe_nonmonotonic_runtime_##suffix, not_repeatable)
UOTBENCH_LOOPS(GOMP_loop_, start)
UOTBENCH_LOOPS(GOMP_loop_ull_, start)
UOTBENCH_PASS_ON(GOMP_single_start, not_repeatable)
UOTBENCH_PASS_ON(GOMP_sections_start, not_repeatable)
UOTBENCH_PASS_ON(GOMP_single_copy_start, not_followed)
UOTBENCH_PASS_ON(GOMP_doacross_post, not_followed)
UOTBENCH_PASS_ON(GOMP_doacross_wait, not_followed)
UOTBENCH_PASS_ON(GOMP_task, not_followed)
UOTBENCH_PASS_ON(GOMP_taskloop, not_followed)
}
