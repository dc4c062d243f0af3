// A signal that stops a solve before it goes to the program's handler, which may only note it: Python's does.
#pragma once

#include <atomic>
#include <csignal>

namespace uotbench {

class StoppingSignal {
 public:
  /// 0: none. Nothing is done where the program has no handler of this signal, or another solve waits for
  /// one.
  StoppingSignal(int signal, std::atomic<bool>& stop);
  ~StoppingSignal();
  StoppingSignal(const StoppingSignal&) = delete;
  StoppingSignal& operator=(const StoppingSignal&) = delete;

 private:
  int signal_ = 0;  ///< 0: not watched
};

}  // namespace uotbench
