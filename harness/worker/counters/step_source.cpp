#include "harness/worker/counters/step_source.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <link.h>
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <ctime>
#include <filesystem>
#include <functional>
#include <iterator>
#include <limits>
#include <memory>
#include <optional>
#include <string_view>

#include "harness/protocol/point_json.hpp"
#include "harness/worker/counters/simulated_branches.hpp"
#include "harness/worker/counters/stepped_code.hpp"
#include "harness/worker/counters/stepped_loops.hpp"
#include "harness/worker/timing/timed_case.hpp"
#include "results/base/error.hpp"

#if defined(__x86_64__)
#include <x86gprintrin.h>
#endif

namespace uotbench {

#if defined(__x86_64__)
namespace {

/// Of this thread: on a busy machine a step takes no more of it than on an idle one.
double cpu_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// What the signal handler writes to. Of the one thread that steps.
struct Steps {
  pthread_t thread = ::pthread_self();
  std::vector<SteppedCode> code;
  SampledSteps order;
  BranchSteps branches;
  SteppedLoops loops;
  SteppedCode* here = nullptr;  ///< where the last step was
  Stepped* last = nullptr;
  std::uintptr_t last_at = 0;
  std::uint64_t total = 0;
  double end = 0;  ///< seconds of this thread's CPU time, as cpu_seconds() has them
  std::uint64_t stops = 0;
  bool gave_up = false;
  bool at_full_speed = true;  ///< in loops that are known
  bool lost = false;          ///< how often a loop was passed is not known

  void take(std::uintptr_t at) {
    if (at == last_at) return;  // a string instruction (rep stos) stops after each element, and is one
    ++total;
    order.take(at);
    if (last) branches.take(last_at, at);
    Stepped* step = here ? here->at(at) : nullptr;
    for (std::size_t i = 0; !step && i < code.size(); ++i)
      if ((step = code[i].at(at))) (here = &code[i])->enter();
    const bool follows = at > last_at && at - last_at <= longest_instruction;
    if (!follows) {
      if (last) last->jumps = true;
      if (step) step->jumped_to = true;
    }
    if (step) ++step->count;
    last = step;
    last_at = at;
  }

  /// What was executed since a loop was entered, which ends at the breakpoint at `at`.
  void take_loop(std::uintptr_t at, const GeneralRegisters& registers) {
    const auto executed = loops.leave(at, registers);
    lost = !executed;
    // The loop's first instruction was taken when the CPU stopped before it.
    for (std::uint64_t step = 1; executed && step < *executed; ++step) take(loops.executed(step));
  }

  bool is_too_long() {
    constexpr std::uint64_t often = 1 << 8;
    return ++stops % often == 0 && cpu_seconds() > end;
  }
};

Steps* stepping = nullptr;
constexpr greg_t trap_flag = 0x100;

GeneralRegisters general_registers(const gregset_t& all) {
  constexpr int by_number[]{REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
                            REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};
  GeneralRegisters registers;
  for (std::size_t i = 0; i < registers.size(); ++i)
    registers[i] = static_cast<std::uint64_t>(all[by_number[i]]);
  return registers;
}

/// The CPU has stopped before an instruction, or at a breakpoint behind a loop.
void stop_at(gregset_t& all) {
  greg_t& flags = all[REG_EFL];
  if (!stepping) {
    flags &= ~trap_flag;
    return;
  }
  Steps& steps = *stepping;
  // The breakpoint is one byte long, and the CPU is behind it.
  const bool is_another = ::pthread_equal(steps.thread, ::pthread_self()) == 0;
  const bool at_breakpoint = is_another || steps.loops.watching();
  if (at_breakpoint) --all[REG_RIP];
  if (is_another) {  // another thread executes the same code: from here on the one that is counted is not
                     // stopped
    steps.lost = steps.lost || steps.loops.watching();
    steps.loops.stop_watching();
    return;
  }
  const auto at = static_cast<std::uintptr_t>(all[REG_RIP]);
  const GeneralRegisters registers = general_registers(all);
  if (at_breakpoint) steps.take_loop(at, registers);
  steps.take(at);
  steps.gave_up = steps.is_too_long();
  if (steps.lost || steps.gave_up || (steps.at_full_speed && steps.loops.enter(at, registers)))
    flags &= ~trap_flag;
  else
    flags |= trap_flag;
}

void on_step(int, siginfo_t*, void* context) {
  const int error = errno;
  stop_at(static_cast<ucontext_t*>(context)->uc_mcontext.gregs);
  errno = error;
}

/// All that this process may execute.
int add_code(dl_phdr_info* info, std::size_t, void* to) {
  auto& code = *static_cast<std::vector<SteppedCode>*>(to);
  std::error_code none;
  const std::string path = info->dlpi_name && *info->dlpi_name
                               ? info->dlpi_name
                               : std::filesystem::read_symlink("/proc/self/exe", none).string();
  for (int i = 0; i < info->dlpi_phnum; ++i)
    if (const auto& header = info->dlpi_phdr[i]; header.p_type == PT_LOAD && (header.p_flags & PF_X))
      code.emplace_back(std::filesystem::path(path).filename().string(), info->dlpi_addr,
                        info->dlpi_addr + header.p_vaddr, header.p_memsz);
  return 0;
}

/// Calls act(), of which every instruction is counted.
template <class Act>
void step_through(Steps& steps, const Act& act) {
  struct sigaction action {
  }, before{};
  action.sa_sigaction = on_step;
  action.sa_flags = SA_SIGINFO;
  sigemptyset(&action.sa_mask);
  if (::sigaction(SIGTRAP, &action, &before) != 0) throw Error("SIGTRAP cannot be handled");
  stepping = &steps;
  const auto stop = [&] {
    __writeeflags(__readeflags() & ~static_cast<unsigned long long>(trap_flag));
    stepping = nullptr;
    ::sigaction(SIGTRAP, &before, nullptr);
  };
  __writeeflags(__readeflags() | static_cast<unsigned long long>(trap_flag));
  try {
    act();
  } catch (...) {
    stop();
    throw;
  }
  stop();
}

class StepSource final : public CounterSource {
 public:
  std::string name() const override { return "step"; }

  Obstacle obstacle() const override {
    Steps steps;
    steps.end = std::numeric_limits<double>::infinity();
    volatile int sum = 0;
    step_through(steps, [&] {
      for (int i = 0; i < 10; ++i) sum = sum + i;
    });
    return steps.total < 20 ? Obstacle{"this process is not stopped after an instruction (valgrind and some "
                                       "emulators cannot do that)",
                                       ""}
                            : Obstacle{};
  }

  std::string unknown(const std::string& event) const override {
    return std::ranges::find(events, event) != std::end(events)
               ? ""
               : fmt::format("step counts {}, not \"{}\"", fmt::join(events, ", "), event);
  }

  std::string refusal(const Variant&, const Point& point) const override {
    return settings_of(point).cpus() > 1 ? "step follows one thread: threads and ranks must be 1" : "";
  }

  EventCounts count(Instance& instance, const Team&, const CountRequest& request) override {
    Lifetime lifetime(instance, request.steps);
    lifetime.before(1);
    instance.timed();  // what the first one does once
    auto stepped = std::make_unique<Steps>();
    step_through_call(*stepped, lifetime, instance);
    if (stepped->lost) {  // a loop that changes what it counts with, or is another thread's, too
      stepped = std::make_unique<Steps>();
      stepped->at_full_speed = false;
      step_through_call(*stepped, lifetime, instance);
    }
    const Steps& steps = *stepped;
    const auto blocks = steps.gave_up ? std::vector<SteppedBlock>{} : largest_blocks(steps);
    std::optional<BranchCounts> simulated;
    EventCounts counts;
    for (const auto& event : request.events) {
      if (const std::string reason = unknown(event); !reason.empty())
        counts[event] = {.reason = reason};
      else if (steps.gave_up)
        counts[event] = given_up(steps);
      else if (event == instructions)
        counts[event] = instructions_of(steps, blocks);
      else if (event == sequence)
        counts[event] = sequence_of(steps, blocks);
      else if (!steps.branches.is_whole())
        counts[event] = too_many_branches();
      else {
        if (!simulated) simulated = simulate_branches(steps.branches.all());
        counts[event] = branches_of(*simulated, event);
      }
    }
    return counts;
  }

 private:
  static constexpr const char* instructions = "instructions";
  static constexpr const char* sequence = "sequence";
  static constexpr const char* branches = "branches";
  static constexpr const char* mispredicted = "mispredicted";
  static constexpr const char* first_mispredicted = "first_mispredicted";
  static constexpr std::string_view events[]{instructions, sequence, branches, mispredicted,
                                             first_mispredicted};
  static constexpr int most_seconds = 30;

  /// The most instructions first: those that make up nearly all. Of the rest each is less than what one more
  /// digit of a time shows.
  static std::vector<SteppedBlock> largest_blocks(const Steps& steps) {
    constexpr double enough = 0.995;
    constexpr std::size_t most = 64;  // in every record
    std::vector<SteppedBlock> blocks;
    for (const auto& code : steps.code) code.add_blocks(blocks);
    std::ranges::stable_sort(blocks, std::greater{}, [](const SteppedBlock& one) { return one.line.value; });
    double kept = 0;
    std::size_t number = 0;
    while (number < std::min(blocks.size(), most) && kept < enough * static_cast<double>(steps.total))
      kept += blocks[number++].line.value;
    blocks.resize(number);
    return blocks;
  }

  static void step_through_call(Steps& steps, Lifetime& lifetime, Instance& instance) {
    lifetime.before(1);
    ::dl_iterate_phdr(add_code, &steps.code);
    steps.end = cpu_seconds() + most_seconds;
    step_through(steps, [&] { instance.timed(); });
  }

  static EventCount given_up(const Steps& steps) {
    return {.reason = fmt::format(
                "one call executes more than the {:.1f} million instructions that can be stepped through "
                "in {} s of CPU time: count a smaller problem",
                1e-6 * static_cast<double>(steps.total), most_seconds)};
  }

  static EventCount instructions_of(const Steps& steps, const std::vector<SteppedBlock>& blocks) {
    EventCount count{.value = static_cast<double>(steps.total), .exact = true};
    for (const auto& block : blocks) count.lines.push_back(block.line);
    return count;
  }

  /// Of the call, not of each iteration that it makes. The same each time, but no cost: `exact` would have
  /// gates hold it against another build's.
  static EventCount sequence_of(const Steps& steps, const std::vector<SteppedBlock>& blocks) {
    std::size_t kept = 0;
    for (const auto& part : steps.order.parts()) kept += part.size();
    return {.value = static_cast<double>(kept), .sum = false, .lines = sequence_lines(steps.order, blocks)};
  }

  static EventCount too_many_branches() {
    return {.reason = fmt::format("one call executes more than the {:.0f} million branches that are kept: "
                                  "count a smaller problem",
                                  1e-6 * static_cast<double>(BranchSteps::most))};
  }

  static EventCount branches_of(const BranchCounts& counts, const std::string& event) {
    if (event == branches) return {.value = static_cast<double>(counts.executed), .exact = true};
    const std::size_t wrong =
        event == first_mispredicted ? counts.mispredicted_at_first : counts.mispredicted;
    return {.value = static_cast<double>(wrong), .simulated = true};
  }
};

}  // namespace

std::unique_ptr<CounterSource> step_source() { return std::make_unique<StepSource>(); }
#else
std::unique_ptr<CounterSource> step_source() { return nullptr; }
#endif

}  // namespace uotbench
