// The roofline model (Williams, Waterman, Patterson 2009) with measured roofs: what a case's work takes at
// least on its machine. Derived on reading, never stored.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "results/view/view.hpp"
#include "roofline/model/caches.hpp"
#include "roofline/model/ceilings.hpp"

namespace uotbench {

/// How flops are counted. `paper`: as Eq. 1 of the MAP-UOT paper, which counts the addition to the loop's
/// index along with the addition and the multiplication of a cell: 6 M N where the model has 4 M N.
enum class Counting { model, paper };

/// Flops per second that `intensity` (flops per byte) allows under a bandwidth and a peak.
double attainable(double intensity, double bandwidth, double peak);
/// The intensity where the two limits meet: flops per byte.
double ridge(double bandwidth, double peak);
/// Flops of the work as `counting` has them.
double flops_of(const Work& work, Counting counting = Counting::model);
/// Flops per byte moved (write-allocate left out); absent where nothing moves.
std::optional<double> intensity_of(const Work& work, Counting counting = Counting::model);

/// What a case's roofs depend on.
struct Setting {
  std::int64_t threads = 1;
  std::string place = "close";
  std::string dtype = "f32";
  auto operator<=>(const Setting&) const = default;
};
Setting setting_of(const Record& record);
/// For a person: "f32, 2 threads", "f64, 1 thread, spread".
std::string text_of(const Setting& setting);

/// One machine's roofs as a case with this setting sees them.
class Roofs {
 public:
  /// Those of `ceilings` that were measured with these threads and this place (specified ones fit all; where
  /// nothing was measured spread, close and spread are the same CPUs). Of several workers the best counts: a
  /// roof belongs to the machine, not to a build. Bytes are bytes: bandwidths of another dtype stand in.
  Roofs(const Ceilings& ceilings, const Setting& setting);

  bool empty() const { return bandwidths_.empty() && flops_.empty() && operations_.empty(); }
  /// Those with a bandwidth, innermost first.
  std::vector<std::string> levels() const;
  /// The best of any kernel; null where the level has none.
  const Roof* bandwidth(const std::string& level) const;
  /// That of a kernel at a level; null where there is none.
  const Roof* bandwidth(const std::string& level, const std::string& kernel) const;
  /// The peak flop rate; form: vector or scalar. Null where it was not measured.
  const Roof* peak(const std::string& form = "vector") const;

  /// The best rate of an operation; null where none was measured.
  const Roof* rate(const std::string& operation) const;

  /// Seconds that moving the bytes of `work` takes at `level`, each stream at the rate of the kernel that
  /// does the same and nothing else: what is read and written without write-allocate at that of rmw or
  /// copy_nt, what is read and written with it at that of copy, what is only written at that of write or
  /// write_nt, the rest at that of read. Where that kernel was not measured, as in a specification, the
  /// level's best takes its place. Absent: no bandwidth for the level.
  std::optional<double> memory_floor(const Work& work, const std::string& level) const;
  /// The kernels whose rates `memory_floor` takes, the one that moves the most bytes first.
  std::vector<std::string> kernels_for(const Work& work, const std::string& level) const;
  /// Seconds that the flops take at the vector peak; absent where no peak is known.
  std::optional<double> compute_floor(const Work& work) const;

 private:
  struct Stream {
    double bytes;
    const Roof* roof;
  };
  std::vector<Stream> streams_of(const Work& work, const std::string& level) const;
  const Roof* first_of(const std::string& level, std::initializer_list<const char*> kernels) const;

  std::vector<Roof> bandwidths_, flops_, operations_;
};

/// "gpu" where the worker's build facts in a run's first line name a "device", else "cpu".
std::string device_of(const Json& header, const std::string& worker);
/// The ceilings that a record stands under: of its worker's device and, in merged runs, of its own machine.
/// Null where there are none.
const Ceilings* ceilings_for(const std::vector<Ceilings>& ceilings, const Run& run, const Record& record);

/// The level that a case's data come from: where its working set lives, DRAM for cold caches and where the
/// working set is not told. Under a specification DRAM: it is of another machine, whose caches nobody told.
std::string level_of(const Record& record, const Ceilings& ceilings, const Caches& caches);

/// The level that the case's data come from and the operations of its work, as far as these ceilings do not
/// have their rates, for a person; empty: they have all. A level further out is no roof: data in L2 are not
/// bound by DRAM.
std::string unmeasured(const Record& record, const Ceilings& ceilings, const Caches& caches);

/// What a case looks like under its roofs: at least it takes as long as the slowest of its memory traffic,
/// its flops and its operations, which overlap. Absent without a time, a work model or fitting roofs, be it
/// of one operation.
std::optional<RoofView> roof_of(const CaseView& member, const Ceilings& ceilings, const Caches& caches);

/// The roofs that `roof_of` held the case against; empty where it has none.
std::vector<Roof> limits_of(const CaseView& member, const Ceilings& ceilings);

/// `view_of`, with every case's `roof`, and warnings for those above it and for roofs shown that are
/// doubtful. `instead`: these ceilings and not the run's own. `over`: as view_of has it.
RunView view_under_roofs(const Run& run, const std::vector<Ceilings>& instead = {},
                         const Json& over = nullptr);
RunView view_under_roofs(Run&&, const std::vector<Ceilings>& = {}, const Json& = nullptr) = delete;

}  // namespace uotbench
