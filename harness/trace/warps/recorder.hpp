// Where the events of the running thread go: the part of a trace that runs in every access of a kernel.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>

#include "harness/trace/warps/log.hpp"
#include "harness/trace/warps/memory.hpp"
#include "harness/trace/warps/shadow.hpp"
#include "harness/trace/warps/warps.hpp"

namespace uotbench::trace {

class WarpRecorder;

/// Of the thread that runs; null between threads, and while the recorder itself does more than to write down.
extern constinit WarpRecorder* recorder;

class WarpRecorder {
 public:
  WarpRecorder(const WarpOptions& options, void (*stop)()) : options_(options), stop_(stop) {}

  /// Throws std::bad_alloc.
  void begin_launch(int threads, bool same_kernel);
  void begin_block();
  void run(int thread);
  void rest();
  /// After rest(), as if it had not been.
  void go_on(int thread);
  /// Events of lanes of this warp are replayed: they are forgotten.
  void clear(int warp);

  /// The three that hooks call, by way of `recorder`. Faults do not return.
  void access(std::uint64_t address, unsigned size, AccessKind kind, std::uint64_t place) {
    const std::uint64_t key = place | path_ | EntryKey::of(kind, size);
    Entry* entry = &sites.guess(key);
    if (entry->key != key || address - entry->begin > entry->room || (address & (size - 1)) != 0) [[unlikely]]
      entry = settle(key, address, size, kind, place);
    const SiteNumber site = entry->sites[static_cast<int>(entry->space)];
    if (entry->then != Entry::Then::record) {
      if (entry->then == Entry::Then::ignore) return;
      if (const Race race = shadow.access(address - entry->begin + entry->shadow, size, kind, site);
          race.thread >= 0) [[unlikely]]
        report(race, size, kind, place);
    }
    append(event::of(address, site));
  }
  void block(std::uint64_t place) { append(event::of(0, number_of(place, EntryKey::block))); }
  void meet(std::uint64_t place);

  /// Calls of functions that are not inlined: what they do belongs to the call, as it does on a GPU, where
  /// lanes come together again when they return. Deeper calls than 16 are not distinguished.
  void enter(std::uint64_t place) {
    ThreadLog& log = logs_[thread_];
    if (log.depth++ < ThreadLog::deepest) enter(log, place);
  }
  void leave() {
    ThreadLog& log = logs_[thread_];
    if (log.depth == 0 || --log.depth >= ThreadLog::deepest) return;
    path_ = log.path = log.callers[log.depth];
  }

  /// The first fault is kept.
  void set_fault(Fault found);
  /// Of what is known at the end of an interval. False: there is one.
  bool check_interval();

  /// Events of the lane of this warp that made the most.
  std::size_t most_used(int warp) const {
    std::size_t most = 0;
    for (int lane = 0; lane < lanes(warp); ++lane) most = std::max(most, logs_[32 * warp + lane].used);
    return most;
  }

  ThreadLog* logs(int warp) { return &logs_[32 * warp]; }
  int threads() const { return threads_; }
  int lanes(int warp) const { return threads_ - 32 * warp < 32 ? threads_ - 32 * warp : 32; }
  bool faulty() const { return faulty_; }

  WarpSites sites;
  WarpMemory memory;
  WarpShadow shadow;
  Fault fault;
  std::uint64_t exponentials = 0;  ///< since the launch began

 private:
  void append(std::uint64_t event) {
    if (next_ == limit_) [[unlikely]]
      make_room(event);
    *next_++ = event;
  }
  SiteNumber number_of(std::uint64_t place, std::uint64_t what) {
    const std::uint64_t key = place | path_ | what;
    const Entry& entry = sites.guess(key);
    if (entry.key != key) [[unlikely]]
      return new_number(key, place);
    return entry.sites[0];
  }

  Entry* settle(std::uint64_t key, std::uint64_t address, unsigned size, AccessKind kind,
                std::uint64_t place);
  SiteNumber new_number(std::uint64_t key, std::uint64_t place);
  void enter(ThreadLog& log, std::uint64_t place);
  void make_room(std::uint64_t event);
  void set_limit();  ///< where the next event would be one too many, for whatever reason
  void store();
  [[noreturn]] void stop(std::string text, std::uint64_t place, std::vector<int> threads,
                         std::uint64_t other_place = 0);
  [[noreturn]] void report(const Race& race, unsigned size, AccessKind kind, std::uint64_t place);
  [[noreturn]] void too_many_sites(std::uint64_t place);

  const WarpOptions options_;
  void (*const stop_)();
  int threads_ = 0, most_threads_ = 0, thread_ = 0;
  std::unique_ptr<Mapped<std::uint64_t>> words_;  // of short logs
  std::unique_ptr<ThreadLog[]> logs_;
  std::uint64_t recorded_ = 0;  // of the block, by threads that rest
  std::uint64_t* next_ = nullptr;
  std::uint64_t* limit_ = nullptr;
  const std::uint64_t* met_at_ = nullptr;  // where the next event is the first after a meeting
  std::uint64_t path_ = 0;                 // of the running thread, as keys have it
  std::vector<std::uint64_t> paths_;       // callers' path and place, by number
  bool faulty_ = false;
};

inline void WarpRecorder::set_limit() {
  ThreadLog& log = logs_[thread_];
  std::uint64_t most = log.room();
  most = std::min(most, log.at_meeting + options_.most_events - log.dropped);
  if (options_.count) most = std::min(most, log.used + options_.most_recorded - recorded_);
  limit_ = log.begin() + most;
}

inline void WarpRecorder::store() {
  ThreadLog& log = logs_[thread_];
  const auto used = static_cast<std::size_t>(next_ - log.begin());
  recorded_ += used - log.used;
  log.used = used;
}

inline void WarpRecorder::go_on(int thread) {
  thread_ = thread;
  ThreadLog& log = logs_[thread];
  path_ = log.path;
  next_ = log.end();
  met_at_ = log.met ? next_ : nullptr;
  set_limit();
  shadow.run(thread);
  recorder = this;
}

inline void WarpRecorder::run(int thread) {
  logs_[thread].met = false;
  go_on(thread);
}

inline void WarpRecorder::rest() {
  recorder = nullptr;
  store();
  logs_[thread_].met = next_ == met_at_;
}

}  // namespace uotbench::trace
