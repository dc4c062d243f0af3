#include "harness/call/stopping_signal.hpp"

namespace uotbench {
namespace {

std::atomic_flag one_waits = ATOMIC_FLAG_INIT;
std::atomic<std::atomic<bool>*> to_stop = nullptr;
struct sigaction programs_own;  // read by the handler, which is installed later

static_assert(std::atomic<std::atomic<bool>*>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);

void stop_and_pass_on(int signal, siginfo_t* about, void* context) {
  if (std::atomic<bool>* const stop = to_stop) *stop = true;
  if (programs_own.sa_flags & SA_SIGINFO)
    programs_own.sa_sigaction(signal, about, context);
  else
    programs_own.sa_handler(signal);
}

bool has_handler(const struct sigaction& action) {
  return (action.sa_flags & SA_SIGINFO) || (action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN);
}

}  // namespace

StoppingSignal::StoppingSignal(int signal, std::atomic<bool>& stop) {
  if (signal == 0 || one_waits.test_and_set()) return;
  if (::sigaction(signal, nullptr, &programs_own) != 0 || !has_handler(programs_own)) {
    one_waits.clear();
    return;
  }
  signal_ = signal;
  to_stop = &stop;
  struct sigaction ours = programs_own;
  ours.sa_flags |= SA_SIGINFO;
  ours.sa_sigaction = stop_and_pass_on;
  ::sigaction(signal, &ours, nullptr);
}

StoppingSignal::~StoppingSignal() {
  if (signal_ == 0) return;
  ::sigaction(signal_, &programs_own, nullptr);
  to_stop = nullptr;
  one_waits.clear();
}

}  // namespace uotbench
