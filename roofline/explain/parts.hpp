// The components of a time and what they come to together: the ECM model (Stengel, Treibig, Hager, Wellein,
// "Quantifying performance bottlenecks of stencil computations using the execution-cache-memory model",
// ICS 2015, doi 10.1145/2751205.2751240), with transfer times measured instead of taken from data sheets:
// what lines between the levels of memory cost.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "results/record/record.hpp"
#include "roofline/model/model.hpp"

namespace uotbench {

/// Where a number is from.
enum class Evidence { measured, counted, ceiling, modelled };
const char* name_of(Evidence evidence);

/// TimePart::bound where pages are waited for.
inline constexpr const char* page_faults = "page faults";
/// The same where branches were predicted wrongly.
inline constexpr const char* mispredicted_branches = "mispredicted branches";
/// With the level that they come from, the same where lines that continue no stream are waited for.
inline constexpr const char* scattered_lines_from = "scattered lines from";
/// The same where threads wait for the one that has the most to do.
inline constexpr const char* load_imbalance = "load imbalance";

struct TimePart {
  enum class Kind {
    core,      ///< T_OL: goes on while lines are transferred
    memory,    ///< T_nOL: loads and stores in L1
    transfer,  ///< of lines between two levels
    waiting    ///< while nothing else goes on: starts of regions, mispredictions, the busiest thread
  };
  Kind kind;
  std::string name;  ///< "core", "loads and stores", "L2 to L1", "region starts", "branches"
  std::string
      bound;  ///< what bounds the time where this part does: "port SPRPort05", "memory bandwidth at L3"
  double seconds = 0;
  Evidence evidence = Evidence::modelled;
  std::string from;  ///< how it is known, for a person
};

/// Of one unit (iteration, solve).
struct TimeParts {
  std::vector<TimePart> all;

  /// max(T_OL, T_nOL + transfers) + waiting: one core does not load or store while it waits for lines.
  double together() const;
  /// Those that `together` is the sum of: of core and data the longer, and what is waited for.
  std::vector<const TimePart*> added() const;
  /// The longest of these; null: there is no part.
  const TimePart* bounding() const;
  /// The same but for one that takes no time.
  TimeParts without(const TimePart& part) const;
  /// The same where cycles take this many times as long: all but memory outside of the caches is slower.
  TimeParts at_slower_clock(double times) const;

 private:
  double sum(std::initializer_list<TimePart::Kind> kinds) const;
};

/// The parts that moving the bytes of a record's work takes at these roofs: loads and stores in L1 (where
/// `with_l1`: no analysis of the code says it better), then a transfer for each level out to the data.
///
/// Kernels that do what the record does and nothing else (Roofs::memory_floor) take T_k with their data in
/// level k; a transfer into the level inside costs T_k - T_(k-1), so that the parts of such a kernel add up
/// to what it was measured to take. Where lines were counted (`counts`: the record that has them), that is
/// scaled by counted over modelled lines: the layer condition of stencils, reuse, lines fetched again. Where
/// a level between has no ceilings, the lines are those that come from the outer one.
///
/// Counted lines that continue no stream (scattered_lines) are a part of their own: a line of them takes what
/// one of a kernel takes that does the same in strides (Roofs::strided_floor), again T_k - T_(k-1). Where
/// that is not known, they are as the others.
///
/// Stores past the caches pass no level. They and the same number of bytes read are one part, which takes the
/// time of the ceiling copy_nt_back with the data where they are, or, where that was not measured, of
/// copy_nt.
///
/// Empty: no roof where the data are.
std::vector<TimePart> transfers_of(const Record& record, const Roofs& roofs, const Footprint& from,
                                   const Record* counts, bool with_l1);

/// Lines of 64 bytes between `level` ("L1", "L2", "L3") and the next one out per unit, in both directions:
/// those counted over the work model's. Lines fetched beyond the model's are taken as not written back.
/// Absent: not counted, or the model fetches none.
std::optional<double> counted_lines_ratio(const Record& counts, const std::string& level, const Work& work);

/// Counted misses of a level that continue no stream, where they are a tenth of its misses or more: fewer are
/// beginnings of streams. Absent: they are fewer, or were not counted.
std::optional<double> scattered_lines(const Record& counts, const std::string& level);

/// Whether some of what the work reads is taken as stored past the caches before.
bool reads_back(const Work& work);

}  // namespace uotbench
