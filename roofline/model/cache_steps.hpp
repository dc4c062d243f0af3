// Capacities of caches from the time of a load over the size of its working set.
#pragma once

#include <optional>
#include <vector>

namespace uotbench {

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
