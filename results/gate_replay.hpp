// Sittings of the gate that never happened: its decision is fed with recorded or made-up times, whose truth
// is known.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "results/dice.hpp"
#include "results/gate_decision.hpp"
#include "results/gate_trace.hpp"

namespace uotbench {

struct PlayedCase {
  std::function<double()> next;  ///< the time of the next fresh process, seconds, as if of the baseline
  double slowdown = 1;           ///< of the candidate, as a ratio
  double of_copy = 1;            ///< of the control arm: not 1 where a sitting is at fault
};

struct Played {
  std::vector<std::optional<TimeVerdict>> verdicts;
  std::optional<std::size_t> control_case;
};

/// A whole sitting. Arms take turns as in a live one: of two pairs, the first is in random order and the
/// second in the reverse (ABBA or BAAB; ABCCBA and so on with the control), so that a drift cancels.
Played play(const GateRules& rules, const std::vector<PlayedCase>& cases, Dice& dice);

/// What became of cases of known truth. A comparison is a case in a sitting.
struct ReplayCounts {
  std::size_t comparisons = 0, ok = 0, regressed = 0, improved = 0, inconclusive = 0;
  std::size_t pairs = 0;  ///< in sum

  void add(const TimeVerdict& verdict);
};

struct Replayed {
  std::string id;
  double noise = 0;  ///< of a process; results/gate_trace.hpp
  ReplayCounts same, slowed;
};

/// `sittings` of all of a trace's cases, each from a random place on (the end goes on with the beginning),
/// with about every second case slowed by `slowdown`. In the trace's order. Throws Error where a slowdown is
/// not positive.
std::vector<Replayed> replay(const GateTrace& trace, const GateRules& rules, double slowdown,
                             std::size_t sittings, std::uint64_t seed);

}  // namespace uotbench
