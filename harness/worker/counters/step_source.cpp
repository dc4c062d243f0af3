#include "harness/worker/counters/step_source.hpp"

#include <fmt/format.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <ctime>
#include <filesystem>
#include <functional>
#include <limits>
#include <utility>

#include "harness/protocol/settings.hpp"
#include "harness/worker/timing/lifetime.hpp"
#include "results/base/error.hpp"

#if defined(__x86_64__)
#include <x86gprintrin.h>
#endif

namespace uotbench {

#if defined(__x86_64__)
namespace {

constexpr std::uintptr_t longest_instruction = 15;  // bytes, on any x86

/// What is known of the byte at which an instruction begins.
struct Stepped {
  std::uint32_t count = 0;
  bool jumped_to = false, jumps = false;
};

/// The code of one object, and a Stepped for each byte of it; pages of it that no step touches take no
/// memory.
class SteppedCode {
 public:
  SteppedCode(std::string object, std::uintptr_t base, std::uintptr_t begin, std::size_t bytes)
      : object_(std::move(object)), base_(base), begin_(begin), bytes_(bytes) {
    void* const pages = ::mmap(nullptr, bytes * sizeof(Stepped), PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (pages == MAP_FAILED) throw std::bad_alloc();
    steps_ = static_cast<Stepped*>(pages);
  }
  ~SteppedCode() {
    if (steps_) ::munmap(steps_, bytes_ * sizeof(Stepped));
  }
  SteppedCode(SteppedCode&& other) noexcept
      : object_(std::move(other.object_)),
        base_(other.base_),
        begin_(other.begin_),
        bytes_(other.bytes_),
        entered_(other.entered_),
        steps_(std::exchange(other.steps_, nullptr)) {}
  SteppedCode& operator=(SteppedCode&&) = delete;

  Stepped* at(std::uintptr_t address) {
    return address - begin_ < bytes_ ? &steps_[address - begin_] : nullptr;
  }
  void enter() { entered_ = true; }

  /// A basic block: what is always executed together.
  void add_blocks(std::vector<CounterLine>& blocks) const {
    if (!entered_) return;
    for (std::uintptr_t at = 0; at < bytes_;) {
      if (steps_[at].count == 0) {
        ++at;
        continue;
      }
      std::vector<std::uintptr_t> starts{at};
      for (;;) {
        const std::uintptr_t last = starts.back(), next = next_after(last);
        if (steps_[last].jumps || next == 0 || steps_[next].jumped_to ||
            steps_[next].count != steps_[last].count)
          break;
        starts.push_back(next);
      }
      blocks.push_back(block_of(starts));
      at = starts.back() + 1;
    }
  }

 private:
  /// The next that was executed within the length of an instruction; 0: none.
  std::uintptr_t next_after(std::uintptr_t at) const {
    for (std::uintptr_t next = at + 1; next <= std::min(at + longest_instruction, bytes_ - 1); ++next)
      if (steps_[next].count > 0) return next;
    return 0;
  }

  CounterLine block_of(const std::vector<std::uintptr_t>& starts) const {
    const auto* const code = reinterpret_cast<const unsigned char*>(begin_);
    std::string text =
        fmt::format("{}+{:#x}, {} instructions: ", object_, begin_ - base_ + starts.front(), starts.size());
    const std::uintptr_t end = std::min(starts.back() + longest_instruction, bytes_);
    for (std::uintptr_t at = starts.front(); at < end; ++at) text += fmt::format("{:02x}", code[at]);
    return {std::move(text), static_cast<double>(starts.size()) * steps_[starts.front()].count};
  }

  std::string object_;
  std::uintptr_t base_, begin_;
  std::size_t bytes_;
  bool entered_ = false;
  Stepped* steps_ = nullptr;
};

/// Of this thread: on a busy machine a step takes no more of it than on an idle one.
double cpu_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// What the signal handler writes to. Of the one thread that steps.
struct Steps {
  std::vector<SteppedCode> code;
  SteppedCode* here = nullptr;  ///< where the last step was
  Stepped* last = nullptr;
  std::uintptr_t last_at = 0;
  std::uint64_t total = 0;
  double end = 0;  ///< seconds of this thread's CPU time, as cpu_seconds() has them
  bool gave_up = false;

  void take(std::uintptr_t at) {
    if (at == last_at) return;  // a string instruction (rep stos) stops after each element, and is one
    ++total;
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
};

Steps* stepping = nullptr;
constexpr std::uint64_t trap_flag = 0x100;

void on_step(int, siginfo_t*, void* context) {
  auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  if (!stepping) {
    registers[REG_EFL] &= ~static_cast<greg_t>(trap_flag);
    return;
  }
  stepping->take(static_cast<std::uintptr_t>(registers[REG_RIP]));
  constexpr std::uint64_t often = 1 << 16;
  if (stepping->total % often == 0 && cpu_seconds() > stepping->end) {
    stepping->gave_up = true;
    registers[REG_EFL] &= ~static_cast<greg_t>(trap_flag);
  }
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
    __writeeflags(__readeflags() & ~trap_flag);
    stepping = nullptr;
    ::sigaction(SIGTRAP, &before, nullptr);
  };
  __writeeflags(__readeflags() | trap_flag);
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
    return event == instructions ? "" : fmt::format("step counts {}, not \"{}\"", instructions, event);
  }

  std::string refusal(const Variant&, const Point& point) const override {
    return settings_of(point).cpus() > 1 ? "step follows one thread: threads and ranks must be 1" : "";
  }

  EventCounts count(Instance& instance, const Team&, const CountRequest& request) override {
    Lifetime lifetime(instance, request.steps);
    lifetime.before(1);
    instance.timed();  // what the first one does once
    lifetime.before(1);
    Steps steps;
    ::dl_iterate_phdr(add_code, &steps.code);
    steps.end = cpu_seconds() + most_seconds;
    step_through(steps, [&] { instance.timed(); });
    EventCounts counts;
    for (const auto& event : request.events)
      counts[event] = event == instructions ? instructions_of(steps) : EventCount{.reason = unknown(event)};
    return counts;
  }

 private:
  static constexpr const char* instructions = "instructions";
  static constexpr int most_seconds = 30;

  static EventCount instructions_of(const Steps& steps) {
    if (steps.gave_up)
      return {.reason = fmt::format(
                  "one call executes more than the {:.0f} million instructions that can be stepped through "
                  "in {} s of CPU time: count a smaller problem",
                  1e-6 * static_cast<double>(steps.total), most_seconds)};
    EventCount count{.value = static_cast<double>(steps.total), .exact = true};
    for (const auto& code : steps.code) code.add_blocks(count.lines);
    std::ranges::stable_sort(count.lines, std::greater{}, &CounterLine::value);
    keep_largest(count, static_cast<double>(steps.total));
    return count;
  }

  /// What makes up nearly all: of the rest each is less than what one more digit of a time shows.
  static void keep_largest(EventCount& count, double total) {
    constexpr double enough = 0.995;
    constexpr std::size_t most = 64;  // in every record
    double kept = 0;
    std::size_t number = 0;
    while (number < std::min(count.lines.size(), most) && kept < enough * total)
      kept += count.lines[number++].value;
    count.lines.resize(number);
  }
};

}  // namespace

std::unique_ptr<CounterSource> step_source() { return std::make_unique<StepSource>(); }
#else
std::unique_ptr<CounterSource> step_source() { return nullptr; }
#endif

}  // namespace uotbench
