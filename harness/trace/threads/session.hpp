// The trace that is being made: which threads are in it, and what becomes of their accesses.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "harness/trace/threads/hierarchy.hpp"
#include "harness/trace/threads/log.hpp"
#include "harness/trace/threads/replay.hpp"
#include "harness/trace/threads/trace.hpp"

namespace uotbench::trace {

class Session {
 public:
  /// Throws as start() does.
  explicit Session(const Options& options);

  /// From inside the callbacks: it calls nothing that may itself be instrumented. `place`: the instruction.
  void record(int thread, std::uint64_t epoch, std::uint64_t address, unsigned size, bool write,
              std::uint64_t place, bool atomic) {
    if (!logs_) {  // one thread needs no log
      if (hierarchy_) hierarchy_->access(0, pages_.place_of(address), size, write, 0);
      return;
    }
    Mine& mine = logs_[thread];
    ++mine.accesses;
    if (mine.allowance == 0 && !allow(mine)) return;
    --mine.allowance;
    if (!mine.log.append(epoch, Access{address, size, write, sites_.number_of(place), atomic && races_}))
      refuse_all("there was no memory for the logs of several threads");
  }
  /// An acquire is noted after it happened, a release before: so its number follows that of what it saw.
  void meet(int thread, std::uint64_t epoch, bool acquires, const volatile void* object) {
    if (!logs_ || !races_) return;
    Mine& mine = logs_[thread];
    mine.accesses += 2;  // the two words
    if (mine.allowance < 2 && !allow(mine)) return;
    mine.allowance -= 2;
    const std::uint64_t number = __atomic_fetch_add(&meetings_, 1, __ATOMIC_SEQ_CST);
    if (!mine.log.append(epoch, Meeting{acquires, number, reinterpret_cast<std::uint64_t>(object)}))
      refuse_all("there was no memory for the logs of several threads");
  }

  int threads() const { return threads_; }
  /// By the thread that traces.
  void start_region() { ++regions_; }
  /// `barriers`: in it, its end left out.
  void end_region(std::uint64_t barriers) { barriers_ += barriers; }
  /// There are no counts of caches; the first reason is kept.
  void refuse(const char* reason) { keep_first(refusal_, reason); }
  /// Races cannot be found, either.
  void refuse_all(const char* reason) {
    refuse(reason);
    keep_first(race_refusal_, reason);
  }
  /// Epochs from this one on are counted apart.
  void mark(std::uint64_t epoch);
  /// Replays what is logged. Throws std::bad_alloc.
  Counts counts();

 private:
  static constexpr std::uint64_t no_mark = Log::Reader::none;

  struct alignas(64) Mine {
    Log log;
    std::uint64_t accesses = 0, allowance = 0;  // allowance: of the budget, taken in blocks
  };

  static void keep_first(const char*& kept, const char* reason) {
    const char* none = nullptr;
    __atomic_compare_exchange_n(&kept, &none, reason, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  }
  bool allow(Mine& mine);
  std::string log_obstacle() const;
  std::string obstacle() const;
  Counts counts_of_caches();
  void add_races(Counts& counts) const;
  /// Of what was played so far.
  Counts so_far() const;

  int threads_;
  double log_cap_;
  bool races_;
  std::optional<Hierarchy> hierarchy_;  // none: only races are looked for
  Pages pages_;
  Sites sites_;
  std::unique_ptr<Mine[]> logs_;
  std::int64_t budget_ = 0;  // accesses
  std::uint64_t meetings_ = 0;
  const char *refusal_ = nullptr, *race_refusal_ = nullptr;
  std::uint64_t marked_ = no_mark;
  std::uint64_t regions_ = 0, regions_at_mark_ = 0, barriers_ = 0, barriers_at_mark_ = 0;
  std::optional<Counts> before_mark_;
};

/// The calling thread's part in it.
struct Self {
  Session* on = nullptr;  ///< null: nothing is traced, or it is inside a callback
  int thread = -1;        ///< in the session; -1: in none
  bool in_region = false;
  std::uint64_t epoch = 0;
};

// Constants at start: asking for them runs no initialisation.
extern constinit thread_local Self self __attribute__((tls_model("initial-exec")));
extern Session* current;

/// An access that is not counted, while something is traced.
void unseen();

[[gnu::always_inline]] inline void record(std::uint64_t address, unsigned size, bool write,
                                          std::uint64_t place, bool atomic = false) {
  Session* const session = self.on;
  if (!session) {
    if (__atomic_load_n(&current, __ATOMIC_RELAXED)) unseen();
    return;
  }
  self.on = nullptr;  // what the recording itself accesses is not the kernel's
  session->record(self.thread, self.epoch, address, size, write, place, atomic);
  self.on = session;
}

/// The calling thread acquires or releases a lock or an atomic object.
inline void meet(bool acquires, const volatile void* object) {
  Session* const session = self.on;
  if (!session) return;
  self.on = nullptr;
  session->meet(self.thread, self.epoch, acquires, object);
  self.on = session;
}

}  // namespace uotbench::trace
