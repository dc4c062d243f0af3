// Memory accesses of code compiled with -fsanitize=thread, counted element by element and played through
// simulated caches. The callbacks that such code calls are defined in this room; nothing of the sanitizer's
// own library is linked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace uotbench::trace {

struct CacheShape {
  std::uint64_t bytes = 0;
  int ways = 0;
  int line = 64;  ///< bytes
};

/// Private L1 and L2 of every core, and L3 (of no bytes: none) that cores share. True LRU, write-back,
/// write-allocate.
struct Geometry {
  CacheShape l1, l2, l3;
  int cores_of_l3 = 0;  ///< cores 0 to this have the first L3, the same number the next; 0: one is for all
};

struct Options {
  Geometry geometry;
  int threads = 1;              ///< one core each, at most 64
  bool caches = true;           ///< false: `geometry` is not simulated, and only races are looked for
  bool races = false;           ///< also data races of several threads
  double log_cap = 4e9;         ///< bytes that the logs of several threads may take; one thread needs none
  const char* arena = nullptr;  ///< memory whose addresses repeat from run to run; what is outside is
  std::size_t arena_bytes = 0;  ///<   numbered by page, as it is first touched
};

struct LineCount {
  std::string at;  ///< FILE:LINE as the compiler was given it
  double count = 0;
};

/// Two threads' accesses to the same memory, at least one of them a write, that no barrier, fork, join, lock
/// or atomic access orders (Flanagan, Freund: FastTrack, PLDI 2009), by their places in the source.
struct ThreadRace {
  struct Side {
    std::string at;  ///< FILE:LINE
    bool write = false, atomic = false;
    int thread = 0;  ///< of the first such pair
  };
  Side first, second;  ///< one of two that write, or the one that does, first
  unsigned bytes = 0;  ///< that both access, in the first such pair
  double count = 0;    ///< accesses that such a pair ends with
};

/// What cores have of each other, in lines.
struct Between {
  std::uint64_t transfers = 0;  ///< that came from another core, which had written them
  std::uint64_t crossings = 0;  ///< that came from another L3: from a core there, or changed, from it
  std::uint64_t sharing = 0;    ///< that another core's write had taken away before, of any word

  Between operator-(const Between& before) const {
    return {transfers - before.transfers, crossings - before.crossings, sharing - before.sharing};
  }
};

/// Counts over the traced time, or up to mark(), all cores together. Misses and write-backs in cache lines,
/// accesses as the code makes them before it is vectorised.
struct Counts {
  std::uint64_t reads = 0, writes = 0;
  std::uint64_t l1_read_misses = 0, l1_write_misses = 0;
  std::uint64_t l2_misses = 0, l3_misses = 0;  ///< of reads and writes together
  /// Of the misses of each level those of lines near none of the last 32 lines that their core had to fetch
  /// into it (RecentLines): no prefetcher could follow.
  std::uint64_t l1_scattered = 0, l2_scattered = 0, l3_scattered = 0;
  std::uint64_t l1_write_backs = 0, l2_write_backs = 0;
  std::uint64_t dram_lines_read = 0, dram_lines_written = 0;  ///< dirty lines left at the end are written
  /// Misses of lines that another core's write took away: the word was written since, or only its neighbours
  /// (Torrellas, Lam, Hennessy 1994, section 2).
  std::uint64_t true_sharing = 0, false_sharing = 0;
  std::uint64_t regions = 0;   ///< parallel regions of OpenMP that were started
  std::uint64_t barriers = 0;  ///< in them, at which a thread waited for all; their ends left out
  /// Accesses of the thread that makes most between two barriers, added up over all such stretches: all of
  /// them where one thread works alone, a fair share of them where all do as much.
  std::uint64_t longest_share = 0;
  std::vector<LineCount> false_sharing_lines;  ///< the most first
  Between steady = {};                         ///< since mark(); nothing without it
  std::vector<ThreadRace> races = {};          ///< the most frequent first
  std::string race_obstacle = {};  ///< why these were not found; empty: they were, if there are any
  /// Why these counts are none: a log grew over its cap, threads that OpenMP did not start; empty: they are.
  std::string obstacle;
};

/// Starts counting what the calling thread does, as thread 0, and the OpenMP threads that it starts; at most
/// one at a time. Throws std::invalid_argument for caches or threads that cannot be simulated,
/// std::logic_error where it was started already, std::bad_alloc.
void start(const Options& options);
/// What is done from here on is counted apart, in Counts::steady, in the caches as they are now: what cores
/// have of each other from one iteration to the next. At most once, by the thread that started.
void mark();
/// Stops, replays what is logged, and forgets it. To be called by the thread that started; std::logic_error
/// for others.
Counts stop();

}  // namespace uotbench::trace
