// The OpenMP threads of one case: how many, pinned where, in which floating-point mode.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "harness/worker/parallel.hpp"
#include "results/record/axes/settings.hpp"

namespace uotbench {

class Team {
 public:
  /// Sets OpenMP's thread count, pins thread t to cpus[t] (no pinning where there are fewer CPUs than
  /// threads), and gives every thread the same mode: denormals kept (FTZ and DAZ off), as NumPy has it, or
  /// flushed. Throws Error where OpenMP gives fewer threads.
  Team(int threads, std::vector<int> cpus, bool flushes = false);
  Team(const Settings& settings, std::vector<int> cpus)
      : Team(static_cast<int>(settings.threads), std::move(cpus), settings.flushes) {}

#ifdef __SSE__
  static constexpr bool can_flush = true;
#else
  static constexpr bool can_flush = false;
#endif
  bool flushes() const { return flushes_; }
  /// Every thread keeps denormals from now on.
  void keep_denormals() const;

  int threads() const { return threads_; }
  const std::vector<int>& cpus() const { return cpus_; }
  bool pinned() const { return cpus_.size() >= static_cast<std::size_t>(threads_); }

  /// Makes the calling thread, one that a kernel started itself, like thread `index` of the team: pinned
  /// there, in the same mode.
  void enter(int index) const;

  /// Runs `act` with the calling thread free to use all the team's CPUs. Threads that it starts inherit the
  /// caller's mask: started from a pinned thread they would all share one core, those of a library for good,
  /// a kernel's own until they enter().
  void unpinned(const std::function<void()>& act) const;

 private:
  int threads_;
  std::vector<int> cpus_;
  bool flushes_;
};

/// Moves everything out of the caches: every thread writes its part of a buffer that is four times the
/// caches' total size. Throws std::bad_alloc.
class Evictor {
 public:
  Evictor();
  void evict();

 private:
  std::vector<char> buffer_;
};

// Which threads share a cache of the last level.

/// Thread t runs on cpus[t]. How many threads in a row have a last-level cache in common, where each that
/// many have one of their own; `threads`, all of them, where they have one together, where such rows are of
/// different lengths, and where the system does not report it. `root`: a folder as the kernel of Linux fills
/// it.
int threads_a_last_cache(const std::vector<int>& cpus, int threads,
                         const std::string& root = "/sys/devices/system/cpu");

}  // namespace uotbench
