#include "harness/worker/serve/crash_frames.hpp"

#include <dlfcn.h>
#include <execinfo.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace uotbench {
namespace {

constexpr int most_frames = 64;
// Of the handler itself: a stack that overflowed has no room for it.
alignas(64) std::array<char, std::size_t{64} << 10> handlers_stack;
std::array<char, 128> beginning;  // of each line
std::array<char, 4096> program;

/// A line put together without the heap, which the crash may have spoiled.
class Line {
 public:
  void add(std::string_view text) {
    for (const char c : text)
      if (size_ < text_.size()) text_[size_++] = c;
  }
  void add_hexadecimal(std::uintptr_t number) {
    std::array<char, 2 * sizeof number> digits;
    std::size_t count = 0;
    do {
      digits[count++] = "0123456789abcdef"[number % 16];
      number /= 16;
    } while (number != 0);
    add("0x");
    while (count > 0) add({&digits[--count], 1});
  }
  void write() {
    add("\n");
    [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text_.data(), size_);
    size_ = 0;
  }

 private:
  std::array<char, 4500> text_;
  std::size_t size_ = 0;
};

/// The instruction that the signal interrupted; 0 where it is not known.
std::uintptr_t interrupted(const void* context) {
  [[maybe_unused]] const auto& machine = static_cast<const ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
  return static_cast<std::uintptr_t>(machine.gregs[REG_RIP]);
#elif defined(__aarch64__)
  return machine.pc;
#else
  return 0;
#endif
}

void print_frame(std::uintptr_t address) {
  Dl_info info{};
  if (!::dladdr(reinterpret_cast<void*>(address), &info) || !info.dli_fbase) return;
  const auto base = reinterpret_cast<std::uintptr_t>(info.dli_fbase);
  // A program that is not position-independent has its addresses in the file.
  std::uint16_t type = 0;
  std::memcpy(&type, reinterpret_cast<const char*>(base) + 16, sizeof type);  // e_type of the ELF header
  constexpr std::uint16_t executable = 2;
  // The program's own name may be one that only its folder of the start knew.
  const bool own = std::strchr(info.dli_fname, '/') == nullptr || info.dli_fname[0] == '.';
  static Line line;
  line.add(beginning.data());
  line.add(own ? program.data() : info.dli_fname);
  line.add("+");
  line.add_hexadecimal(type == executable ? address : address - base);
  line.write();
}

extern "C" void print_frames(int signal, siginfo_t*, void* context) {
  std::array<void*, most_frames> frames;
  const int count = ::backtrace(frames.data(), most_frames);
  const auto address = [&](int i) {
    return reinterpret_cast<std::uintptr_t>(frames[static_cast<std::size_t>(i)]);
  };
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, "\n", 1);  // ends what was printed before
  // What the handler and the kernel added comes first.
  int first = 0;
  while (first < count && address(first) != interrupted(context)) ++first;
  if (first == count) first = std::min(2, count);
  // All others are where calls return to: one byte before is in the call.
  for (int i = first; i < count; ++i) print_frame(address(i) - (i > first ? 1 : 0));
  if (signal == SIGQUIT) ::_exit(128 + signal);  // it was asked where it is, and is no crash: no core
  ::raise(signal);                               // delivered when this returns, to the default handler
}

}  // namespace

void print_frames_of_crashes(const std::string& name) {
#if !defined(__SANITIZE_ADDRESS__)  // a sanitizer prints its own
  const std::string words = "uotbench-worker-" + name + ": frame ";
  if (words.size() >= beginning.size()) return;
  std::ranges::copy(words, beginning.begin());
  if (::readlink("/proc/self/exe", program.data(), program.size() - 1) < 0) return;
  // Its first call loads a library, which a handler must not do.
  std::array<void*, 1> once;
  ::backtrace(once.data(), 1);
  const stack_t stack{.ss_sp = handlers_stack.data(), .ss_flags = 0, .ss_size = handlers_stack.size()};
  ::sigaltstack(&stack, nullptr);
  struct sigaction action {};
  action.sa_sigaction = print_frames;
  action.sa_flags = static_cast<int>(SA_SIGINFO | SA_ONSTACK | SA_RESETHAND);
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGQUIT})
    ::sigaction(signal, &action, nullptr);
#else
  static_cast<void>(name);
#endif
}

}  // namespace uotbench
