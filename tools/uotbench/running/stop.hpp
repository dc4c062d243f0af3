// Being asked to stop: at once, or when what is under way is done.
#pragma once

#include <csignal>

namespace uotbench {

/// Set once somebody wants the program to end now.
extern volatile sig_atomic_t stop_now;
/// Set once somebody wants it to end when the group under way is finished.
extern volatile sig_atomic_t stop_soon;

/// SIGINT, SIGTERM, SIGUSR1 and SIGHUP, unless they are ignored: now.
void stop_on_signals();
/// From here on SIGTERM and SIGUSR1, which batch systems send some time before they kill, mean soon; and now
/// when they come a second time.
void finish_what_is_under_way();

}  // namespace uotbench
