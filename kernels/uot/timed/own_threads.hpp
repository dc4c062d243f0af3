// Threads that a kernel starts itself, for variants that compare that with OpenMP.
#pragma once

#include <fmt/format.h>

#include <barrier>
#include <functional>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "harness/worker/team.hpp"
#include "results/base/error.hpp"

namespace uotbench::uot {

class OwnThreads {
 public:
  /// act(part) is what part 0 .. team.threads() - 1 does in a run; it must not throw. `keep`: the threads of
  /// the first run wait at a barrier for the next one; otherwise every run starts its own and joins them.
  OwnThreads(const Team& team, bool keep, std::function<void(int)> act)
      : team_(team), keep_(keep), act_(std::move(act)), turn_(team.threads()) {}

  /// The calling thread replaces those that could not be started, so that the others can leave.
  ~OwnThreads() {
    stop_ = true;
    (void)turn_.arrive(team_.threads() - static_cast<int>(threads_.size()));
  }

  /// Every part once, part 0 by the calling thread. Throws Error where a thread cannot be started, after
  /// which it is not to be called again.
  void run() {
    if (keep_) {
      if (threads_.empty()) start([this](int part) { take_turns(part); });
      turn_.arrive_and_wait();
      act_(0);
      turn_.arrive_and_wait();
    } else {
      start(act_);
      act_(0);
      threads_.clear();  // joins them
    }
  }

 private:
  /// A thread that inherits the caller's one CPU does not get it before the caller waits for something.
  void start(const std::function<void(int)>& act) {
    team_.unpinned([&] {
      for (int part = 1; part < team_.threads(); ++part) start(part, act);
    });
  }

  void start(int part, const std::function<void(int)>& act) try {
    threads_.emplace_back([this, act, part] {
      team_.enter(part);
      act(part);
    });
  } catch (const std::system_error& error) {
    throw Error(
        fmt::format("thread {} of {} cannot be started: {}", part + 1, team_.threads(), error.what()));
  }

  void take_turns(int part) {
    for (turn_.arrive_and_wait(); !stop_; turn_.arrive_and_wait()) {
      act_(part);
      turn_.arrive_and_wait();
    }
  }

  const Team& team_;
  const bool keep_;
  const std::function<void(int)> act_;
  bool stop_ = false;                  // written before the turn that shows it
  std::barrier<> turn_;                // passed by all where a run begins, and where it ends
  std::vector<std::jthread> threads_;  // last: joined before what they use is gone
};

}  // namespace uotbench::uot
