// Where the threads of a parallel region wait for one another within it. OpenMP's barrier asks the system to
// wake those that may sleep, each time: 1 us. These look until all are there.
#pragma once

#include <atomic>
#include <thread>

#include "harness/worker/buffer.hpp"

namespace uotbench::uot {

class SpinBarrier {
 public:
  explicit SpinBarrier(int threads) : threads_(threads) {}

  int threads() const { return threads_; }
  /// Returns when every thread of the team has called it as often.
  void wait() {
    const int turn = turn_.load(std::memory_order_relaxed);
    if (there_.fetch_add(1, std::memory_order_acq_rel) + 1 == threads_) {
      there_.store(0, std::memory_order_relaxed);
      turn_.store(turn + 1, std::memory_order_release);
      return;
    }
    for (int looks = 0; turn_.load(std::memory_order_acquire) == turn; ++looks)
      if (looks > most_looks) std::this_thread::yield();  // another may be waiting for this CPU
  }

 private:
  static constexpr int most_looks = 2000;

  const int threads_;
  alignas(cache_line) std::atomic<int> there_{0};
  alignas(cache_line) std::atomic<int> turn_{0};
};

}  // namespace uotbench::uot
