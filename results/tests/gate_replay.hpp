// Sessions of the gate that never happened: its decision is fed with recorded or made-up times, whose truth
// is known.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "results/base/error.hpp"
#include "results/gate/decide/decision.hpp"
#include "results/tests/gate_noise.hpp"
#include "results/tests/read_trace.hpp"

namespace uotbench {

struct PlayedCase {
  std::function<double()> next;  ///< the time of the next fresh process, seconds, as if of the baseline
  double slowdown = 1;           ///< of the candidate, as a ratio
  double of_copy = 1;            ///< of the control arm: not 1 where a session is at fault
};

struct Played {
  std::vector<std::optional<TimeVerdict>> verdicts;
  std::optional<std::size_t> control_case;
};

/// Arms take turns as in a live session.
inline std::vector<PairedTimes> played_pairs(const PlayedCase& one, const GateDecision::Wanted& wanted,
                                             Dice& dice) {
  const std::array<double, 3> slowdown = {1, one.slowdown, one.of_copy};
  const std::size_t arms = wanted.control ? 3 : 2;
  std::vector<PairedTimes> pairs;
  std::array<std::size_t, 3> order = {0, 1, 2};
  for (std::size_t pair = 0; pair < wanted.pairs; ++pair) {
    if (pair % 2 == 0)
      for (std::size_t left = arms; left > 1; --left) std::swap(order[left - 1], order[dice.below(left)]);
    else
      std::reverse(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(arms));
    std::array<double, 3> seconds{};
    for (std::size_t turn = 0; turn < arms; ++turn) seconds[order[turn]] = one.next() * slowdown[order[turn]];
    pairs.push_back({.baseline = seconds[0], .candidate = seconds[1], .control = {}});
    if (wanted.control) pairs.back().control = seconds[2];
  }
  return pairs;
}

/// A whole session. Arms take turns as in a live one: of two pairs, the first is in random order and the
/// second in the reverse (ABBA or BAAB; ABCCBA and so on with the control), so that a drift cancels.
inline Played play(const GateRules& rules, const std::vector<PlayedCase>& cases, Dice& dice) {
  GateDecision decision(rules, cases.size());
  for (auto wanted = decision.wanted(); !wanted.empty(); wanted = decision.wanted()) {
    std::vector<std::vector<PairedTimes>> measured;
    for (const auto& one : wanted) measured.push_back(played_pairs(cases[one.which], one, dice));
    decision.look(measured);
  }
  return {.verdicts = decision.verdicts(), .control_case = decision.control_case()};
}

/// What became of cases of known truth. A comparison is a case in a session.
struct ReplayCounts {
  std::size_t comparisons = 0, ok = 0, regressed = 0, improved = 0, inconclusive = 0;
  std::size_t pairs = 0;  ///< in sum

  void add(const TimeVerdict& verdict) {
    ++comparisons;
    ok += verdict.verdict == Verdict::ok;
    regressed += verdict.verdict == Verdict::regressed;
    improved += verdict.verdict == Verdict::improved;
    inconclusive += verdict.verdict == Verdict::inconclusive;
    pairs += verdict.pairs;
  }
};

struct Replayed {
  std::string id;
  double noise = 0;  ///< of a process; results/tests/read_trace.hpp
  ReplayCounts same, slowed;
};

/// `sessions` of all of a trace's cases, each from a random place on (the end goes on with the beginning),
/// with about every second case slowed by `slowdown`. In the trace's order. Throws Error where a slowdown is
/// not positive.
inline std::vector<Replayed> replay(const GateTrace& trace, const GateRules& rules, double slowdown,
                                    std::size_t sessions, std::uint64_t seed) {
  if (!(slowdown > 0)) throw Error(fmt::format("a slowdown of {}: it is a ratio above 0", slowdown));
  std::vector<Replayed> counts;
  for (const auto& one : trace.cases) {
    counts.emplace_back();
    counts.back().id = one.id;
    counts.back().noise = noise_of(one);
  }
  Dice dice(seed);
  for (std::size_t session = 0; session < sessions; ++session) {
    const double place = dice.uniform();  // the same for all: they share what the machine did
    std::vector<PlayedCase> cases;
    std::vector<std::size_t> at;
    for (const auto& one : trace.cases)
      at.push_back(static_cast<std::size_t>(place * static_cast<double>(one.seconds.size())));
    for (std::size_t which = 0; which < trace.cases.size(); ++which)
      cases.push_back({.next = [&values = trace.cases[which].seconds,
                                &now = at[which]] { return values[now++ % values.size()]; },
                       .slowdown = dice.chance(0.5) ? slowdown : 1.});
    const auto played = play(rules, cases, dice);
    for (std::size_t which = 0; which < cases.size(); ++which)
      if (const auto& verdict = played.verdicts[which])
        (cases[which].slowdown != 1 ? counts[which].slowed : counts[which].same).add(*verdict);
  }
  return counts;
}

}  // namespace uotbench
