// The roofline model (Williams, Waterman, Patterson 2009) with measured roofs: what a case's work takes at
// least on its machine. Derived on reading, never stored.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "results/view/view.hpp"
#include "roofline/model/caches.hpp"
#include "roofline/model/ceilings.hpp"
#include "roofline/model/curve.hpp"

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

/// Where a case's data come from.
struct Footprint {
  std::string level;                 ///< L1, L2, …, DRAM, by the sizes of the caches
  std::optional<double> bytes = {};  ///< of the working set, of all threads; absent: only the level is known
};

/// One machine's roofs as a case with this setting sees them.
class Roofs {
 public:
  /// Those of `ceilings` that were measured with these threads and this place (specified ones fit all; where
  /// nothing was measured spread, close and spread are the same CPUs). Of several workers the best counts: a
  /// roof belongs to the machine, not to a build. Bytes are bytes: bandwidths of another dtype stand in.
  /// `caches`: of the same machine; without them no plateau of a curve has a name.
  Roofs(const Ceilings& ceilings, const Setting& setting, const Caches& caches = Caches(MachineFacts()));

  bool empty() const {
    return bandwidths_.empty() && curves_.empty() && flops_.empty() && operations_.empty();
  }
  /// The named ones with a bandwidth, innermost first: of specifications and old runs those they have, of
  /// curves their plateaus (where a curve has no step, what the caches' sizes say).
  std::vector<std::string> levels() const;
  /// Where data of the levels inside of `level` are, innermost first: of those of levels(), and of caches
  /// that no plateau shows, where their sizes are clear (Caches::clear_level_of). Not in each of these places
  /// a bandwidth is known.
  std::vector<Footprint> inside(const std::string& level) const;
  /// The best of any kernel but those of a pattern; null where the level has none. Of a plateau it is that of
  /// its middle, of DRAM that of the largest working set.
  const Roof* bandwidth(const std::string& level) const;
  /// That of a kernel at a level; null where there is none.
  const Roof* bandwidth(const std::string& level, const std::string& kernel) const;
  /// The roof of a kernel for data from there: read off its curve at the working set (Curve::at), else, in
  /// specifications and old runs, that of the level. Absent: not measured there.
  std::optional<Roof> at(const Footprint& from, const std::string& kernel) const;
  /// The best of any kernel but those of a pattern.
  std::optional<Roof> at(const Footprint& from) const;
  /// What the level of this place is called: that of a plateau of the curves, or, where they have no step, of
  /// the caches (Caches::clear_level_of); empty: it is between levels, or not clear.
  std::string level_name(const Footprint& from) const;

  /// The peak flop rate; form: vector or scalar. Null where it was not measured.
  const Roof* peak(const std::string& form = "vector") const;
  /// The best rate of an operation; null where none was measured.
  const Roof* rate(const std::string& operation) const;

  /// The roofs of `work`, each stream held against the kernel that does the same and nothing else: what is
  /// read and written without write-allocate against rmw or copy_nt, what is read and written with it against
  /// copy, what is only written against write or write_nt, non-temporal stores (Work::bytes_nontemporal)
  /// against copy_nt or, without reads, write_nt, the rest against read. Where that kernel was not
  /// measured, as in a specification, the best takes its place. The one that moves the most bytes first.
  /// Empty: no bandwidth.
  std::vector<Roof> limits(const Work& work, const Footprint& from) const;
  /// Seconds that moving the bytes of `work` takes at these roofs. Absent: no bandwidth.
  std::optional<double> memory_floor(const Work& work, const Footprint& from) const;
  /// The same, from wherever that is fastest.
  std::optional<double> least_memory_floor(const Work& work) const;
  /// The kernels of `limits` that were not measured there.
  std::vector<std::string> lacking(const Work& work, const Footprint& from) const;
  /// Seconds that the same bytes take where no line is near the one before: each stream held against
  /// strided_read, strided_rmw or strided_copy; lines that are only written against strided_rmw, which
  /// fetches and writes a line, too. Stores past the caches are left out. Absent: a kernel was not measured
  /// there.
  std::optional<double> strided_floor(const Work& work, const Footprint& from) const;
  /// The kernels of `strided_floor` that were not measured there.
  std::vector<std::string> lacking_strided(const Work& work, const Footprint& from) const;
  /// Seconds that the flops take at the vector peak; absent where no peak is known.
  std::optional<double> compute_floor(const Work& work) const;

 private:
  struct NamedCurve {
    std::string kernel, dtype;
    Curve curve;
  };
  struct Stream {
    double bytes;
    std::vector<std::string> kernels;
    std::string strided;   ///< the kernel that does the same in strides; empty: none
    double strided_bytes;  ///< what that moves for it
  };
  static std::vector<Stream> streams_of(const Work& work);
  std::optional<Roof> best_of(const Footprint& from, const Stream& stream) const;
  void name_levels();
  void add_level(const std::string& level, double bytes);

  Setting setting_;
  std::vector<NamedCurve> curves_;
  std::vector<LevelPlateau> plateaus_;
  Caches caches_;
  std::vector<Roof> of_plateaus_;  ///< as bandwidths_ of levels, read off curves
  std::vector<Roof> bandwidths_, flops_, operations_;
};

/// "gpu" where the worker's build facts in a run's first line name a "device", else "cpu".
std::string device_of(const RunHeader& header, const std::string& worker);
/// The ceilings that a record stands under: of its worker's device and, in merged runs, of its own machine.
/// Null where there are none.
const Ceilings* ceilings_for(const std::vector<Ceilings>& ceilings, const Run& run, const Record& record);

/// The place that a case's data come from: where its working set lives, DRAM for cold caches and where the
/// working set is not known. Under a specification DRAM: it is of another machine, whose caches are not
/// known.
Footprint footprint_of(const Record& record, const Ceilings& ceilings, const Caches& caches);

/// The working set and the operations of its work, as far as these ceilings do not have their rates, for a
/// person; empty: they have all. A level further out is no roof: data in L2 are not bound by DRAM.
/// `roofs`: of these ceilings and the record's setting.
std::string unmeasured(const Record& record, const Ceilings& ceilings, const Caches& caches,
                       const Roofs& roofs);
std::string unmeasured(const Record& record, const Ceilings& ceilings, const Caches& caches);

/// What a case looks like under its roofs: at least it takes as long as the slowest of its memory traffic,
/// its flops and its operations, which overlap. Absent without a time, a work model or fitting roofs, be it
/// of one operation.
std::optional<RoofView> roof_of(const CaseView& member, const Ceilings& ceilings, const Caches& caches,
                                const Roofs& roofs);
std::optional<RoofView> roof_of(const CaseView& member, const Ceilings& ceilings, const Caches& caches);

/// The roofs that `roof_of` held the case against; empty where it has none.
std::vector<Roof> limits_of(const CaseView& member, const Ceilings& ceilings, const Caches& caches);

/// `view_of`, with every case's `roof`, and warnings for those above it and for roofs shown that are
/// doubtful. `instead`: these ceilings and not the run's own. `over`: as view_of has it.
RunView view_under_roofs(const Run& run, const std::vector<Ceilings>& instead, const Json& over);
RunView view_under_roofs(const Run& run, const std::vector<Ceilings>& instead = {});
RunView view_under_roofs(Run&&, const std::vector<Ceilings>&, const Json&) = delete;
RunView view_under_roofs(Run&&, const std::vector<Ceilings>& = {}) = delete;

// Latency and effective bandwidth of element-wise operations and stencils: X. He, "Accelerated linear algebra
// compiler for computationally efficient numerical models", PLOS ONE 2023, doi 10.1371/journal.pone.0282265,
// Eq. 9 to 12. For variants that declare Work::element.

/// Seconds that the parts of an iteration take when nothing else goes on (section 4.1); overhead, which does
/// not grow with the elements, left out.
struct ElementTimes {
  double flops = 0;   ///< alpha N_e / FLOPS
  double memory = 0;  ///< beta_lo N_e s_f / BW_lo
  double cached = 0;  ///< beta_hi N_e s_f / BW_hi
};

struct ElementPrediction {
  std::string level;  ///< where its arrays live: BW_lo is this level's
  ElementTimes times;
  double least_latency = 0;    ///< Eq. 9: all parts at the same time, seconds an iteration
  double most_latency = 0;     ///< Eq. 9: one after another
  double least_bandwidth = 0;  ///< Eq. 10, bytes per second
  double most_bandwidth = 0;
  int equation = 11;     ///< 11: element-wise, flops wait for memory; 12: stencil, they overlap
  double bandwidth = 0;  ///< as that equation predicts it
  double measured = 0;   ///< beta_lo N_e s_f / latency
  double ratio() const { return measured / bandwidth; }
};

/// The hardware's parameters are measured: BW_lo the best copy at the level, BW_hi that of the level inside
/// (the same in L1), FLOPS the vector peak. Absent without Work::element, a time, or these ceilings.
/// `roofs`: of these ceilings and the case's setting.
std::optional<ElementPrediction> predicted(const CaseView& member, const Ceilings& ceilings,
                                           const Caches& caches, const Roofs& roofs);
std::optional<ElementPrediction> predicted(const CaseView& member, const Ceilings& ceilings,
                                           const Caches& caches);

}  // namespace uotbench
