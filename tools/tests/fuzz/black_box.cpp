#include "tools/tests/fuzz/black_box.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <cstring>

extern "C" void __sanitizer_set_death_callback(void (*)()) __attribute__((weak));

namespace uotbench::fuzz {
namespace {

constexpr std::array caught{SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGPROF};

// What a signal's handler may touch.
struct Watched {
  const char* input = nullptr;
  std::size_t size = 0;
  const char *file = nullptr, *told = nullptr;
};
Watched watched;
std::array<struct sigaction, caught.size()> before;
std::array<char, 1 << 16> stack;  // the program's own may be what ran out

void say(const char* text) {
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text, std::strlen(text));
}

void keep() {
  if (!watched.input) return;
  const int file = ::open(watched.file, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (file >= 0) {
    [[maybe_unused]] const auto written = ::write(file, watched.input, watched.size);
    ::close(file);
  }
  say("\n"), say(watched.told), say(": it ends the program, or takes too long; the input: "),
      say(watched.file), say("\n");
  watched.input = nullptr;
}

void on_signal(int number) {
  keep();
  for (std::size_t i = 0; i < caught.size(); ++i)
    if (caught[i] == number) ::sigaction(number, &before[i], nullptr);
  ::raise(number);
}

void limit_cpu(int seconds) {
  const itimerval timer{{0, 0}, {seconds, 0}};
  ::setitimer(ITIMER_PROF, &timer, nullptr);
}

}  // namespace

BlackBox::BlackBox() {
  const stack_t other{.ss_sp = stack.data(), .ss_flags = 0, .ss_size = stack.size()};
  ::sigaltstack(&other, nullptr);
  struct sigaction action {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_ONSTACK | SA_NODEFER;
  for (std::size_t i = 0; i < caught.size(); ++i) ::sigaction(caught[i], &action, &before[i]);
  if (__sanitizer_set_death_callback) __sanitizer_set_death_callback(keep);
}

BlackBox::~BlackBox() {
  rest();
  for (std::size_t i = 0; i < caught.size(); ++i) ::sigaction(caught[i], &before[i], nullptr);
}

void BlackBox::watch(std::string_view input, const std::string& file, const std::string& told, int seconds) {
  watched = {input.data(), input.size(), file.c_str(), told.c_str()};
  limit_cpu(seconds);
}

void BlackBox::rest() {
  limit_cpu(0);
  watched.input = nullptr;
}

}  // namespace uotbench::fuzz
