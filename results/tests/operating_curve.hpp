// How often the gate finds what is there, and what is not, by kind of noise and size of the change; beside
// it, what comparing a new session with a stored one would say.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "results/tests/gate_noise.hpp"
#include "results/tests/gate_replay.hpp"

namespace uotbench {

/// One-sided p of Mann and Whitney's test that b lies above a, by the normal approximation with the
/// correction for continuity: what tools that compare stored runs use.
inline double mann_whitney_above(const std::vector<double>& a, const std::vector<double>& b) {
  double above = 0;
  for (const double x : a)
    for (const double y : b) above += y > x ? 1 : y == x ? 0.5 : 0;
  const double m = static_cast<double>(a.size()), n = static_cast<double>(b.size());
  const double z = (above - 0.5 - m * n / 2) / std::sqrt(m * n * (m + n + 1) / 12);
  return cdf(complement(boost::math::normal(), z));
}

struct CurvePoint {
  std::size_t trials = 0, regressed = 0, improved = 0, inconclusive = 0;
  double pairs = 0;  ///< a mean
};

/// Cases of one session, of which every other is slowed; where nothing changes, all are counted.
inline CurvePoint interleaved(const Noise& noise, double ratio, const GateRules& rules, std::size_t sessions,
                              Dice& dice) {
  constexpr std::size_t cases = 8;
  ReplayCounts counts;
  for (std::size_t session = 0; session < sessions; ++session) {
    std::vector<PlayedCase> played;
    for (std::size_t which = 0; which < cases; ++which)
      played.push_back(
          {.next = noise.begin(dice), .slowdown = ratio <= 1 + rules.delta || which % 2 ? ratio : 1});
    const auto verdicts = play(rules, played, dice).verdicts;
    for (std::size_t which = 0; which < cases; ++which)
      if (played[which].slowdown == ratio) counts.add(*verdicts[which]);
  }
  return {.trials = counts.comparisons,
          .regressed = counts.regressed,
          .improved = counts.improved,
          .inconclusive = counts.inconclusive,
          .pairs = static_cast<double>(counts.pairs) / static_cast<double>(counts.comparisons)};
}

/// A session of 48 processes of the baseline, stored; another of 48 of the candidate; slower where
/// Mann-Whitney says so at 1%: of any slowdown (`delta` 0), or of more than delta.
inline CurvePoint stored(const Noise& noise, double ratio, double delta, std::size_t sessions, Dice& dice) {
  CurvePoint point{.trials = 8 * sessions, .pairs = 48};
  for (std::size_t trial = 0; trial < point.trials; ++trial) {
    std::vector<double> before(48), after(48);
    std::generate(before.begin(), before.end(), noise.begin(dice));
    std::generate(after.begin(), after.end(), noise.begin(dice));
    auto slower = after, faster = after;
    for (auto& time : slower) time *= ratio / (1 + delta);
    for (auto& time : faster) time *= ratio * (1 + delta);
    point.regressed += mann_whitney_above(before, slower) < 0.01;
    point.improved += mann_whitney_above(faster, before) < 0.01;
  }
  return point;
}

/// CSV: noise,method,ratio,trials,regressed,improved,inconclusive,pairs; shares of trials.
inline std::string operating_curve(std::size_t sessions, const std::vector<double>& ratios,
                                   const GateRules& rules, std::uint64_t seed) {
  std::string csv = "noise,method,ratio,trials,regressed,improved,inconclusive,pairs\n";
  for (const auto& noise : noise::all())
    for (const double ratio : ratios) {
      const auto line = [&](const char* method, const CurvePoint& point) {
        const double trials = static_cast<double>(point.trials);
        csv += fmt::format("{},{},{:.2f},{},{:.5g},{:.5g},{:.5g},{:.1f}\n", noise.name, method, ratio,
                           point.trials, static_cast<double>(point.regressed) / trials,
                           static_cast<double>(point.improved) / trials,
                           static_cast<double>(point.inconclusive) / trials, point.pairs);
      };
      Dice dice(seed);
      line("gate", interleaved(noise, ratio, rules, sessions, dice));
      line("stored", stored(noise, ratio, 0, std::max<std::size_t>(1, sessions / 20), dice));
      line("stored+delta", stored(noise, ratio, rules.delta, std::max<std::size_t>(1, sessions / 20), dice));
    }
  return csv;
}

}  // namespace uotbench
