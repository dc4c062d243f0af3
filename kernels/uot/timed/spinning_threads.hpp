// Threads of a kernel's own that wait in a loop for the next run and for each other, and go to sleep after
// some thousand turns: where passes take microseconds, waking one takes longer than a pass.
#pragma once

#include <fmt/format.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "harness/worker/buffer.hpp"
#include "harness/worker/team.hpp"
#include "results/base/error.hpp"

namespace uotbench::uot {

class SpinningThreads {
 public:
  /// act(part) is what part 0 .. team.threads() - 1 does in a run; it must not throw, and has to meet() at
  /// least once. Throws Error where a thread cannot be started.
  SpinningThreads(const Team& team, std::function<void(int)> act)
      : team_(team), act_(std::move(act)), turns_(team.pinned() ? turns_awake : 0) {
    for (int part = 1; part < team.threads(); ++part) try {
        threads_.emplace_back([this, part] { take_runs(part); });
      } catch (const std::system_error& error) {
        stop();
        throw Error(
            fmt::format("thread {} of {} cannot be started: {}", part + 1, team_.threads(), error.what()));
      }
  }
  ~SpinningThreads() { stop(); }

  /// Every part once, part 0 by the calling thread. Returns when part 0 is done: what the others do after
  /// they have met they may still be doing.
  void run() {
    advance(runs_);
    act_(0);
  }

  /// Called by every part: goes on when all have come.
  void meet() {
    const std::uint32_t now = meetings_.value.load(std::memory_order_relaxed);
    if (come_.value.fetch_add(1, std::memory_order_acq_rel) + 1 < static_cast<std::uint32_t>(team_.threads()))
      return wait_beyond(meetings_, now);
    come_.value.store(0, std::memory_order_relaxed);
    advance(meetings_);
  }

 private:
  static constexpr int turns_awake = 4096;  ///< about 50 us of waiting

  /// In a line of its own.
  struct alignas(cache_line) Count {
    std::atomic<std::uint32_t> value{0};
  };

  static void advance(Count& count) {
    count.value.fetch_add(1, std::memory_order_acq_rel);
    count.value.notify_all();
  }
  void wait_beyond(const Count& count, std::uint32_t seen) const {
    for (int turn = 0; turn < turns_; ++turn) {
      if (count.value.load(std::memory_order_acquire) != seen) return;
#if defined(__x86_64__)
      __builtin_ia32_pause();
#endif
    }
    count.value.wait(seen, std::memory_order_acquire);
  }

  void take_runs(int part) {
    team_.enter(part);
    for (std::uint32_t run = 0;; ++run) {
      wait_beyond(runs_, run);
      if (stops_) return;
      act_(part);
    }
  }

  void stop() {
    stops_ = true;
    advance(runs_);
    threads_.clear();  // joins them
  }

  const Team& team_;
  const std::function<void(int)> act_;
  const int turns_;
  bool stops_ = false;  // written before the run that shows it
  Count runs_, meetings_, come_;
  std::vector<std::jthread> threads_;
};

}  // namespace uotbench::uot
