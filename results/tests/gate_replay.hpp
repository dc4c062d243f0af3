// Sessions of the gate that never happened, from recorded or made-up times.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/gate/decide/decision.hpp"
#include "results/gate/tell/formats.hpp"
#include "results/statistics/statistics.hpp"
#include "results/tests/gate_noise.hpp"

namespace uotbench {

// A recorded trace of the gate, read back, and how noisy it is.

inline const Json& trace_member(const Json& object, const char* key, const std::string& where) {
  if (!object.contains(key))
    throw UsageError(fmt::format("{}: has no \"{}\"; it is no trace of the gate", where, key));
  return object[key];
}

inline std::string trace_text(const Json& object, const char* key, const std::string& where) {
  const Json& value = trace_member(object, key, where);
  if (!value.is_string())
    throw UsageError(fmt::format("{}: /{} is {}, not a text", where, key, value.type_name()));
  return value;
}

inline std::vector<double> trace_seconds(const Json& recorded, const std::string& where) {
  const auto wrong = [&](const std::string& found) {
    throw UsageError(fmt::format("{}: {}; expected a list of times above 0, in seconds", where, found));
  };
  if (!recorded.is_object() || !recorded.contains("seconds")) wrong("has no \"seconds\"");
  const Json& list = recorded["seconds"];
  if (!list.is_array() || list.empty()) wrong("\"seconds\" is no list, or empty");
  std::vector<double> seconds;
  for (const auto& value : list) {
    if (!value.is_number() || !(value.get<double>() > 0) || !std::isfinite(value.get<double>()))
      wrong(fmt::format("value {} is {}", seconds.size() + 1, to_line(value)));
    seconds.push_back(value);
  }
  return seconds;
}

/// Throws UsageError naming the file, the key, what was found and what was expected.
inline GateTrace read_gate_trace(const std::filesystem::path& file) {
  const std::string where = file.string();
  std::ifstream stream(file);
  if (!stream) throw UsageError(fmt::format("{}: cannot be read", where));
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  const Json json = parse_shallow(text).value_or(nullptr);
  if (!json.is_object()) throw UsageError(fmt::format("{}: is no JSON object", where));
  GateTrace trace;
  trace.about = trace_text(json, "about", where);
  trace.recorded = trace_text(json, "recorded", where);
  trace.machine = trace_member(json, "machine", where);
  const Json& cases = trace_member(json, "cases", where);
  if (!cases.is_object() || cases.empty())
    throw UsageError(fmt::format("{}: /cases is {}, not an object with a case or more", where,
                                 cases.is_object() ? "empty" : cases.type_name()));
  for (const auto& [id, recorded] : cases.items())
    trace.cases.push_back({.id = id, .seconds = trace_seconds(recorded, fmt::format("{}: {}", where, id))});
  return trace;
}

/// The robust standard deviation of the logarithm of one process's time, from neighbours (a pair's over the
/// root of 2: what drifts slowly is no part of it), that nine in ten stretches of 48 processes do not exceed:
/// wherever a session begins, a screen has as many. Throws Error below 3 values.
inline double noise_of(const GateTrace::Case& recorded) {
  std::vector<double> changes;
  for (std::size_t i = 1; i < recorded.seconds.size(); ++i)
    changes.push_back(std::log(recorded.seconds[i] / recorded.seconds[i - 1]));
  if (changes.size() < 2) throw Error(fmt::format("{}: noise of fewer than 3 processes", recorded.id));
  const std::size_t stretch = std::min<std::size_t>(changes.size(), 47);
  std::vector<double> noises;
  for (std::size_t begin = 0; begin + stretch <= changes.size(); ++begin)
    noises.push_back(scaled_mad(std::span(changes).subspan(begin, stretch)) / std::sqrt(2.));
  std::sort(noises.begin(), noises.end());
  return noises[(noises.size() - 1) * 9 / 10];
}

// Sessions of the gate that never happened: its decision is fed with recorded or made-up times, whose truth
// is known.

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
  double noise = 0;  ///< of a process; results/tests/gate_replay.hpp
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

// How often the gate finds what is there, and what is not, by kind of noise and size of the change; beside
// it, what comparing a new session with a stored one would say.

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
