#include "harness/simt/executor/failure.hpp"

#include <fmt/format.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>

#include "harness/simt/executor/scheduler.hpp"
#include "harness/simt/runtime/runtime_api.hpp"
#include "harness/trace/base/source_lines.hpp"

namespace uotbench::simt {
namespace {

const char* name_of(Meeting kind) {
  constexpr const char* names[] = {
      "__syncthreads()",     "__syncthreads_count()", "__syncthreads_and()", "__syncthreads_or()",
      "__syncwarp()",        "__shfl_sync()",         "__shfl_up_sync()",    "__shfl_down_sync()",
      "__shfl_xor_sync()",   "__ballot_sync()",       "__any_sync()",        "__all_sync()",
      "__match_any_sync()",  "__reduce_add_sync()",   "__reduce_add_sync()", "__reduce_min_sync()",
      "__reduce_min_sync()", "__reduce_max_sync()",   "__reduce_max_sync()", "__reduce_and_sync()",
      "__reduce_or_sync()",  "__reduce_xor_sync()",   "mma_tf32()",          "mma_bf16()"};
  return names[static_cast<int>(kind)];
}

/// FILE:LINE, FILE in the project as source_lines() tells it, whatever folder the compiler was called in.
std::string text_of(const std::source_location& where) {
  std::string file = std::filesystem::path(where.file_name()).lexically_normal().string();
  while (file.starts_with("../")) file.erase(0, 3);
  return fmt::format("{}:{}", file, where.line());
}

/// "0-3,7"
std::string ranges(const std::vector<int>& numbers) {
  std::string text;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t end = i;
    while (end + 1 < numbers.size() && numbers[end + 1] == numbers[end] + 1) ++end;
    text += fmt::format("{}{}", text.empty() ? "" : ",", numbers[i]);
    if (end > i) text += fmt::format("-{}", numbers[end]);
    i = end + 1;
  }
  return text;
}

class Report {
 public:
  Report(const Failure& failure, const Scheduler& scheduler) : failure_(failure), scheduler_(scheduler) {}

  std::vector<int> threads() const;
  std::string text() const;
  std::string at() const;
  /// "thread (3,1,0) (warp 1, lane 3)", "threads (0,0,0) to (7,0,0) (warp 0, lanes 0-7)"
  std::string names(const std::vector<int>& threads) const;

 private:
  const Fiber& fiber(int thread) const { return scheduler_.fibers()[static_cast<std::size_t>(thread)]; }
  std::string name(int thread) const { return names({thread}); }
  /// "__syncthreads() in FILE:LINE"
  std::string meeting(int thread) const {
    return fmt::format("{} in {}", name_of(fiber(thread).kind), text_of(fiber(thread).where));
  }
  /// Threads of the block that wait where that one does, at a barrier.
  std::vector<int> beside(int thread) const;
  std::vector<int> ended() const;

  const Failure& failure_;
  const Scheduler& scheduler_;
};

std::vector<int> Report::beside(int thread) const {
  std::vector<int> threads;
  for (const Fiber& other : scheduler_.fibers())
    if (scheduler_.warps()[static_cast<std::size_t>(other.warp())].barrier >> other.lane() & 1)
      if (meeting(other.thread) == meeting(thread)) threads.push_back(other.thread);
  return threads;
}

std::vector<int> Report::ended() const {
  std::vector<int> threads;
  for (const Fiber& one : scheduler_.fibers())
    if (scheduler_.warps()[static_cast<std::size_t>(one.warp())].ended >> one.lane() & 1)
      threads.push_back(one.thread);
  return threads;
}

std::vector<int> Report::threads() const {
  switch (failure_.kind) {
    case Failure::Kind::traced:
      return scheduler_.observer->fault().threads;
    case Failure::Kind::other_barrier:
    case Failure::Kind::missing_at_barrier:
      return beside(failure_.thread);
    default:
      return {failure_.thread};
  }
}

std::string Report::names(const std::vector<int>& threads) const {
  if (threads.empty()) return "";
  const auto index = [&](int thread) {
    const Fiber& one = fiber(thread);
    return fmt::format("({},{},{})", one.x, one.y, one.z);
  };
  std::vector<int> warps, lanes;
  for (const int thread : threads) {
    if (warps.empty() || warps.back() != thread / 32) warps.push_back(thread / 32);
    lanes.push_back(thread % 32);
  }
  if (threads.size() == 1)
    return fmt::format("thread {} (warp {}, lane {})", index(threads[0]), warps[0], lanes[0]);
  if (threads.size() == 2) return fmt::format("{} and {}", name(threads[0]), name(threads[1]));
  if (warps.size() == 1)
    return fmt::format("threads {} to {} (warp {}, lanes {})", index(threads.front()), index(threads.back()),
                       warps[0], ranges(lanes));
  return fmt::format("{} threads from {} to {} (warps {})", threads.size(), index(threads.front()),
                     index(threads.back()), ranges(warps));
}

std::string Report::at() const {
  if (failure_.where.line() != 0) return text_of(failure_.where);
  const bool traced = failure_.kind == Failure::Kind::traced;
  if (const std::uint64_t place = traced ? scheduler_.observer->fault().place : failure_.place; place != 0)
    return trace::source_lines({place}).front();
  return traced ? "" : text_of(fiber(failure_.thread).where);  // where it waits
}

/// A trace's own words, and the second place of a race.
std::string text_of(const trace::Fault& fault) {
  if (fault.other_place == 0) return fault.text;
  return fmt::format("{}; the other one is in {}", fault.text,
                     trace::source_lines({fault.other_place}).front());
}

std::string Report::text() const {
  using Kind = Failure::Kind;
  const int thread = failure_.thread, other = failure_.other;
  switch (failure_.kind) {
    case Kind::none:
      break;
    case Kind::traced:
      return text_of(scheduler_.observer->fault());
    case Kind::not_in_mask:
      return fmt::format("calls a warp collective with the mask {:#010x}, which lacks its own lane",
                         static_cast<std::uint32_t>(failure_.number));
    case Kind::bad_width:
      return fmt::format("shuffles with a width of {}; expected 1, 2, 4, 8, 16 or 32", failure_.number);
    case Kind::inactive_source: {
      const Warp& warp = scheduler_.warps()[static_cast<std::size_t>(fiber(thread).warp())];
      const std::uint32_t source = 1u << failure_.number;
      return fmt::format("{} reads from lane {}, which {}", name_of(fiber(thread).kind), failure_.number,
                         !(warp.lanes & source) ? "the block does not have"
                         : warp.ended & source
                             ? "has ended"
                             : fmt::format("is not in the mask {:#010x}", fiber(thread).mask));
    }
    case Kind::partial_warp:
      return fmt::format("{} needs all 32 lanes of its warp, of which {} are left",
                         name_of(fiber(thread).kind), failure_.number);
    case Kind::other_barrier:
      return fmt::format(
          "divergent barrier: waits at {}, but {} at {}; all threads of a block have to come to "
          "the same one",
          meeting(thread), names(beside(other)), meeting(other));
    case Kind::missing_at_barrier:
      return fmt::format(
          "divergent barrier: waits at {}, but {} ended before it; all threads of a block have to come to it",
          meeting(thread), names(ended()));
    case Kind::other_mask:
      return fmt::format(
          "{} with the mask {:#010x}, but {} comes to {} with {:#010x}; all lanes have to give "
          "the same mask",
          name_of(fiber(thread).kind), fiber(thread).mask, name(other), meeting(other), fiber(other).mask);
    case Kind::other_collective:
      return fmt::format("waits at {}, but {} at {}; all lanes of a mask have to come to the same collective",
                         meeting(thread), name(other), meeting(other));
    case Kind::deadlock:
      return fmt::format("deadlock: waits at {} (mask {:#010x}) for {}, which waits at {}", meeting(thread),
                         fiber(thread).mask, name(other), meeting(other));
    case Kind::grid_sync:
      return "grid-wide synchronisation is refused: blocks run one after another here, so that none can wait "
             "for "
             "another";
    case Kind::nested:
      return "launches another kernel, which is not possible here";
    case Kind::trap:
      return "__trap()";
    case Kind::spinning:
      return fmt::format(
          "{} atomics without coming to a barrier: it waits for a thread that does not run, as "
          "threads run one after another here",
          failure_.number);
    case Kind::endless:
      return fmt::format(
          "ran for {} ms without coming to a barrier: a loop without end, or it waits for a thread "
          "that does not run, as threads run one after another here",
          failure_.number);
    case Kind::stack_overflow:
      return fmt::format(
          "stack overflow: more than the {} bytes that a thread has for local variables and calls",
          scheduler_.stacks().size());
    case Kind::bad_address:
      return fmt::format("accesses address {:#x}, where no memory is", failure_.address);
    case Kind::division:
      return "divides an integer by zero, or the least one by -1";
    case Kind::bad_copy:
      return fmt::format(
          "asynchronous copy of {} bytes; expected 4, 8 or 16, and both addresses multiples of it",
          failure_.number);
  }
  return "nothing is wrong";
}

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

KernelError error_of(const Failure& failure, const Scheduler& scheduler, const std::string& kernel) {
  const Report report(failure, scheduler);
  KernelError::Site site{kernel, report.at(), scheduler.index, report.threads()};
  const std::string at = site.at.empty() ? "" : ", " + site.at;
  const std::string threads = site.threads.empty() ? "" : ", " + report.names(site.threads);
  const std::string text = fmt::format("kernel {}{}, block ({},{},{}){}: {}", kernel, at, site.block[0],
                                       site.block[1], site.block[2], threads, report.text());
  return {text, std::move(site)};
}

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
