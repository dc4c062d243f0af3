// Which level of the memory hierarchy holds a working set, and the capacities of caches from the time of a
// load.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "results/record/run_header.hpp"

namespace uotbench {

/// The traffic of a Work is that of a working set of at least so many last-level caches
/// (results/record/work.hpp).
inline constexpr double streaming_caches = 4;

/// A level of cache, as a run's first line tells of it: what the system told (machine.hashed.caches) and,
/// where that is doubtful (machine.doubtful_caches), what was probed (machine.probed_caches). Where the probe
/// of a doubtful cache found no step, loads from its largest set were as fast as from any smaller one: that
/// set then stands for DRAM, and the level has the size that makes it so.
struct CacheLevel {
  std::string name;            ///< L1, L2, …
  double bytes = 0;            ///< of one of them: as probed or assumed, else as told
  int cores = 1;               ///< that share one
  int instances = 1;           ///< that the usable CPUs have
  double told = 0;             ///< bytes of one of them, as the system tells
  std::string probed_by = {};  ///< which kernel on which worker, and when; empty: the told size is taken
  bool assumed = false;        ///< what probed it found no step
  bool was_doubtful = false;   ///< the reported size is doubtful, and this one was measured
  bool doubtful = false;       ///< the reported size is (machine.doubtful_caches), and none was measured

  bool is_shared_with_guests() const { return was_doubtful && bytes * 2 < told; }
};

/// "L3 28.2 MiB measured (ceiling/chase@native-v4, 2026-01-31T12:00:00Z), 480 MiB reported: it is shared with
/// other guests", or
/// "L3 128.0 MiB assumed, because no step was found up to 512.0 MiB (ceiling/read@…), …". Shared it is where
/// the reported size was doubtful and less than half of it was found.
std::string text_of_probed(const CacheLevel& level);

class Caches {
 public:
  /// No levels where the facts name none.
  explicit Caches(const MachineFacts& machine);

  /// Innermost first.
  const std::vector<CacheLevel>& levels() const { return levels_; }
  /// Bytes that this many threads have in the caches of a level: every instance that one of them sits beside,
  /// counted once. With place = close the threads fill one instance's cores before the next; with spread they
  /// take instances in turn.
  double capacity(const CacheLevel& level, std::int64_t threads, const std::string& place) const;
  /// The same, but of each instance no more than the threads' share: threads over cores.
  double share(const CacheLevel& level, std::int64_t threads, const std::string& place) const;
  /// The innermost level whose capacity holds `bytes` (of all threads together), else "DRAM".
  std::string level_of(double bytes, std::int64_t threads, const std::string& place) const;
  /// The same, where the sizes as reported and as measured say the same and are not nearly filled; else
  /// empty: it is not clear.
  std::string clear_level_of(double bytes, std::int64_t threads, const std::string& place) const;
  /// The name of the level outside `level`: L2 of L1, …, DRAM of the last.
  std::string outside(const std::string& level) const;

 private:
  std::vector<CacheLevel> levels_;
};

/// Of caches as a machine's facts list them (machine.hashed.caches).
Caches listed_caches(const Document& list);

/// "bytes", "ways" of a cache ("L1D", "L2", "L3") that was simulated (RunHeader::caches); 0: not known.
double simulated_fact(const Document& caches, const char* cache, const char* fact);

// Capacities of caches from the time of a load over the size of its working set.

/// The time of a load that waits for the one before it (ceiling/chase), somewhere in a working set.
struct LoadTime {
  double bytes = 0;    ///< of the working set
  double seconds = 0;  ///< of a load
};

/// Where a level of memory ends.
struct CacheStep {
  double capacity = 0;  ///< bytes
  double before = 0;    ///< seconds of a load from the level
  double after = 0;     ///< seconds of a load from beyond it
  double from = 0;      ///< bytes of the largest set on the plateau before
  double to = 0;        ///< bytes of the smallest set on the plateau after
};

/// The steps of a curve, inner levels first; none where there are none.
///
/// A level of memory is a plateau of the curve, as lat_mem_rd shows it (McVoy and Staelin, "lmbench: portable
/// tools for performance analysis", USENIX 1996, section 6.1). Here a plateau is a stretch of sizes that
/// spans a factor of 2.8 (the first, of which a part may be missing: 2) and over which the time grows by 20%
/// at most; of two plateaus in a row that differ by less than 50% the second belongs to the first. Between
/// two others is a step. Its capacity is the size at which the time has risen by a quarter of the step,
/// interpolated between the sizes measured: a cache of C bytes that replaces lines at random misses 1 - C/S
/// of the loads from S > C bytes, a quarter of them at S = 4/3 C, and one that replaces the oldest misses all
/// from C on.
///
/// A larger set is never faster: a time that is 10% above that of a larger set was disturbed and is left out.
/// A rise at the end after which no plateau follows is no step: its level was not reached.
std::vector<CacheStep> steps_of(std::vector<LoadTime> curve);

/// The capacity of the last step beyond a level of `inner` bytes, which a probe of the last level of cache
/// looks for; absent: there is none. A step up to 1.5 times `inner` is that of the inner level itself.
std::optional<double> last_capacity_beyond(const std::vector<CacheStep>& steps, double inner);

}  // namespace uotbench
