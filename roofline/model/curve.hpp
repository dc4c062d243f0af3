// A bandwidth over the working set: what memory gives depends on how many bytes are used, and caches show as
// plateaus of the curve.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "roofline/model/caches.hpp"
#include "roofline/model/ceilings.hpp"

namespace uotbench {

/// What one kernel moves per second, measured at some working sets with one setting (dtype, threads, place).
class Curve {
 public:
  /// A roof with a working set and no level. Of two of one working set the higher counts.
  void add(const Roof& point);

  /// The bandwidth at a working set of `bytes`: on the straight line, both axes logarithmic, between the
  /// neighbours that were measured, which are at most a factor of `widest_gap` apart. Outside the measured
  /// sizes the nearest one, which `working_set` of the result then names. It is absent where that is no
  /// answer: more than `widest_gap` below the smallest size, unless that is inside any L1 (16 KiB a thread);
  /// more than `widest_gap` above the largest, unless that is memory on any machine's core (256 MiB). `when`
  /// is that of the neighbour within 5% of `bytes`, else of the older one; absent where that is not known.
  std::optional<Roof> at(double bytes, std::int64_t threads) const;

  const std::vector<Roof>& points() const { return points_; }  ///< smallest working set first

  static constexpr double widest_gap = 4;

 private:
  std::vector<Roof> points_;
};

/// A stretch of working sets over which a curve is flat.
struct LevelPlateau {
  std::string level;        ///< L1, L2, L3 or DRAM; empty: none that is clear
  double from = 0, to = 0;  ///< bytes, both measured
};

/// The plateaus of a curve, innermost first; none where it has no step. A plateau has the name of a cache
/// where the step at its end is at that cache's size, as reported or as measured, within a factor of 2, and
/// the step at its start is at the size of the next cache inside. The last one is DRAM where it starts at the
/// step of the last cache, or, beyond what that is reported and measured to hold, where the curve reaches
/// four times as much. Everything else has no name.
std::vector<LevelPlateau> level_plateaus(const Curve& curve, const Caches& caches, std::int64_t threads,
                                         const std::string& place);

}  // namespace uotbench
