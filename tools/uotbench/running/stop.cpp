#include "tools/uotbench/running/stop.hpp"

#include <initializer_list>

namespace uotbench {

// A signal handler can reach nothing but globals.
volatile sig_atomic_t stop_now = 0;
volatile sig_atomic_t stop_soon = 0;

void stop_on_signals() {
  for (const int signal : {SIGINT, SIGTERM, SIGUSR1, SIGHUP})
    if (::signal(signal, [](int) { stop_now = 1; }) == SIG_IGN) ::signal(signal, SIG_IGN);  // nohup
}

void finish_what_is_under_way() {
  for (const int signal : {SIGTERM, SIGUSR1})
    ::signal(signal, [](int) {
      if (stop_soon) stop_now = 1;
      stop_soon = 1;
    });
}

}  // namespace uotbench
