// The roofline model (Williams, Waterman, Patterson 2009) with measured roofs: what a case's work takes at
// least on its machine. Derived on reading, never stored.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "results/view.hpp"
#include "roofline/caches.hpp"
#include "roofline/ceilings.hpp"

namespace uotbench {

/// How flops are counted. `paper`: as Eq. 1 of the MAP-UOT paper, which counts the addition to the loop's
/// index along with every addition and multiplication of a cell: 6 M N where the model has 4 M N.
enum class Counting { model, paper };

/// Flops per second that `intensity` (flops per byte) allows under a bandwidth and a peak.
double attainable(double intensity, double bandwidth, double peak);
/// The intensity where the two limits meet: flops per byte.
double ridge(double bandwidth, double peak);
/// Flops per byte moved (write-allocate left out); 0 where nothing moves.
double intensity_of(const Work& work, Counting counting = Counting::model);

/// One machine's roofs as a case with these threads sees them.
struct Setting {
  std::int64_t threads = 1;
  std::string place = "close";
  std::string dtype = "f32";
};
Setting setting_of(const Record& record);

class Roofs {
 public:
  /// Those of `ceilings` that were measured with these threads and this place (specified ones fit all). Of
  /// several workers the best counts: a roof belongs to the machine, not to a build.
  Roofs(const Ceilings& ceilings, const Setting& setting);

  bool empty() const { return bandwidths_.empty() && flops_.empty(); }
  /// Innermost first.
  std::vector<std::string> levels() const;
  /// The best of any kernel; null where the level has none.
  const Roof* bandwidth(const std::string& level) const;
  /// That of a kernel at a level; null where there is none.
  const Roof* bandwidth(const std::string& level, const std::string& kernel) const;
  /// The peak flop rate; form: vector or scalar. Null where it was not measured.
  const Roof* peak(const std::string& form = "vector") const;

  /// Seconds that moving the bytes of `work` takes at `level`: what is read and written in place moves at the
  /// rate of rmw, what is written elsewhere with write-allocate at that of copy and write, without it at that
  /// of copy_nt and write_nt, all else at that of read. Where a kernel was not measured (a specification) the
  /// best bandwidth takes its place. Absent: no bandwidth for the level.
  std::optional<double> memory_floor(const Work& work, const std::string& level) const;
  /// Seconds that the flops take at the vector peak; absent where no peak is known.
  std::optional<double> compute_floor(const Work& work) const;

 private:
  std::vector<Roof> bandwidths_, flops_;
};

/// What a case looks like under the roofs. Absent without a time, a work model or fitting roofs.
std::optional<RoofView> roof_of(const CaseView& member, const std::vector<Ceilings>& ceilings,
                                const Caches& caches);

/// `view_of`, with every case's `roof`, and a warning where the ceilings do not fit. `instead`: these
/// ceilings and not the run's own.
RunView view_under_roofs(const Run& run, const std::vector<Ceilings>& instead = {});
RunView view_under_roofs(Run&&, const std::vector<Ceilings>& = {}) = delete;

}  // namespace uotbench
