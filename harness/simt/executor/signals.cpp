#include "harness/simt/executor/signals.hpp"

#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>

#include "harness/simt/executor/scheduler.hpp"

namespace uotbench::simt {
namespace {

constexpr std::size_t stack_size = 64 * 1024;

// What the handlers know of the launch. They run in its thread, between any two of its instructions.
struct Watch {
  trace::Span kernel;
  std::int64_t patience_ms = 0;
  timer_t timer{};
  std::uint64_t turns = 0;  ///< at the last tick
  int ticks = 0;            ///< with the same number of turns
};
Watch watch;

// A thread is given up after as many ticks as patience has, and one that was not whole; if it is then in code
// where it may hold a lock, a little later; if always so, then there.
constexpr int ticks_of_patience = 4, most_ticks = ticks_of_patience + 1000;
constexpr long soon_ns = 1'000'000;

std::uint64_t place_of(const void* context) {
  const auto& machine = static_cast<const ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
  return static_cast<std::uint64_t>(machine.gregs[REG_RIP]);
#elif defined(__aarch64__)
  return machine.pc;
#else
  static_cast<void>(machine);
  return 0;
#endif
}

/// In no thread of a kernel: as if there were no handler.
void give_back(int signal) { ::signal(signal, SIG_DFL); }

void on_fault(int signal, siginfo_t* info, void* context) {
  if (!running) return give_back(signal);
  Failure failure{.thread = running->thread,
                  .address = reinterpret_cast<std::uint64_t>(info->si_addr),
                  .place = place_of(context)};
  if (signal == SIGFPE)
    failure.kind = Failure::Kind::division;
  else if (signal == SIGILL)
    failure.kind = Failure::Kind::trap;
  else if (scheduler->stacks().guards(failure.address))
    failure.kind = Failure::Kind::stack_overflow;
  else
    failure.kind = Failure::Kind::bad_address;
  scheduler->leave(failure);
}

void on_tick(int, siginfo_t*, void* context) {
  if (!running) return;
  if (watch.turns != scheduler->turns()) {
    watch.turns = scheduler->turns();
    watch.ticks = 0;
    return;
  }
  if (++watch.ticks < ticks_of_patience) return;
  const std::uint64_t place = place_of(context);
  if (!watch.kernel.holds(place) && watch.ticks < most_ticks) {
    const itimerspec soon{{0, soon_ns}, {0, soon_ns}};
    ::timer_settime(watch.timer, 0, &soon, nullptr);
    return;
  }
  scheduler->leave({.kind = Failure::Kind::endless,
                    .thread = running->thread,
                    .number = watch.patience_ms,
                    .place = place});
}

timespec timespec_of(std::chrono::nanoseconds time) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(time);
  return {static_cast<time_t>(seconds.count()), static_cast<long>((time - seconds).count())};
}

}  // namespace

Signals::Signals(const trace::Span& kernel, std::chrono::milliseconds patience)
    : stack_(new char[stack_size]) {
  watch = {.kernel = kernel, .patience_ms = patience.count(), .turns = scheduler->turns()};
  const stack_t stack{stack_.get(), 0, stack_size};
  ::sigaltstack(&stack, &old_stack_);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    struct sigaction action {};
    action.sa_sigaction = numbers[i] == SIGVTALRM ? on_tick : on_fault;
    // Nothing is blocked: a handler that leaves never returns, which would unblock it.
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | SA_RESTART;
    ::sigaction(numbers[i], &action, &old_[i]);
  }
  sigevent event{};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = SIGVTALRM;
  event._sigev_un._tid = static_cast<pid_t>(::syscall(SYS_gettid));  // glibc 2.36 has no public name for it
  has_timer_ = ::timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer_) == 0;
  if (!has_timer_) return;
  watch.timer = timer_;
  const auto tick = timespec_of(std::max(std::chrono::nanoseconds(patience) / ticks_of_patience,
                                         std::chrono::nanoseconds(std::chrono::milliseconds(1))));
  const itimerspec ticks{tick, tick};
  ::timer_settime(timer_, 0, &ticks, nullptr);
}

Signals::~Signals() {
  if (has_timer_) ::timer_delete(timer_);
  for (std::size_t i = 0; i < numbers.size(); ++i) ::sigaction(numbers[i], &old_[i], nullptr);
  ::sigaltstack(&old_stack_, nullptr);
}

}  // namespace uotbench::simt
