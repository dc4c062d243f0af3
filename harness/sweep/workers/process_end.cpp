#include "harness/sweep/workers/process_end.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <cstring>

#include "results/base/units.hpp"

namespace uotbench {

ProcessEnd end_of(int status) {
  if (!WIFSIGNALED(status)) {
    const int code = WEXITSTATUS(status);
    return {.code = code, .signal = 0, .text = fmt::format("exited with code {}", code)};
  }
  const int signal = WTERMSIG(status);
  const char* abbreviation = ::sigabbrev_np(signal);
  return {
      .code = {},
      .signal = signal,
      .text = fmt::format("killed by SIG{} ({})", abbreviation ? abbreviation : "?", ::strsignal(signal))};
}

std::string cause_of(int signal) {
  if (signal == SIGILL) return ": built for an instruction set that this CPU lacks?";
  constexpr rlim_t small_stack = 1 << 20;
  rlimit stack{};
  if (signal == SIGSEGV && ::getrlimit(RLIMIT_STACK, &stack) == 0 && stack.rlim_cur < small_stack)
    return fmt::format(": stack limit {} (ulimit -s) too small?",
                       format_bytes(static_cast<double>(stack.rlim_cur)));
  return "";
}

}  // namespace uotbench
