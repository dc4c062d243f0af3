// The components of a time and what they come to together: the ECM model (Stengel, Treibig, Hager, Wellein,
// "Quantifying performance bottlenecks of stencil computations using the execution-cache-memory model",
// ICS 2015, doi 10.1145/2751205.2751240), with transfer times measured instead of taken from data sheets.
#pragma once

#include <string>
#include <string_view>
#include <vector>

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
/// The same where lines come from the cache of another core, whose thread wrote them.
inline constexpr const char* shared_lines = "lines that other threads wrote";

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

}  // namespace uotbench
