#include "results/gate/decide/decision.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <limits>
#include <numbers>

#include "results/base/error.hpp"
#include "results/gate/decide/baselines.hpp"
#include "results/gate/gate.hpp"
#include "results/statistics/statistics.hpp"

namespace uotbench {
namespace {

/// Throws Error naming a time that is not positive and finite, and the case from 0.
void check_times(const std::vector<PairedTimes>& pairs, std::size_t which) {
  const auto check = [&](const char* arm, double seconds) {
    if (!(seconds > 0 && std::isfinite(seconds)))
      throw Error(fmt::format("gate: case {}: the {} took {} s; a time is positive", which, arm, seconds));
  };
  for (const auto& pair : pairs) {
    check("baseline", pair.baseline);
    check("candidate", pair.candidate);
    if (pair.control) check("control", *pair.control);
  }
}

/// Ratio, interval, noise (absent below 6 pairs) and number of pairs; no verdict.
TimeVerdict summary_of(const PairedSeries& pairs) {
  TimeVerdict summary;
  summary.ratio = pairs.ratio();
  summary.interval = pairs.interval();
  summary.pairs = pairs.size();
  // As few as the interval needs: a spread of less is an accident.
  if (pairs.size() >= 6) summary.noise = scaled_mad(pairs.changes());
  return summary;
}

double times(std::size_t looks, double p) { return std::min(1., static_cast<double>(looks) * p); }

void check(const GateRules& rules) {
  const auto share = [](double value) { return value > 0 && value < 1; };
  if (!(rules.delta >= 0 && std::isfinite(rules.delta)) || rules.look == 0 || rules.screen_looks == 0 ||
      rules.confirm_looks == 0 || !share(rules.flag) || !share(rules.confirm) ||
      !(rules.plainly_ok > 1 + rules.delta))
    throw Error(
        fmt::format("gate's rules: delta {} (at least 0), {} pairs a look, {} and {} looks (at least 1), "
                    "levels {} and {} "
                    "(within 0 and 1), ok below {} (more than 1 + delta)",
                    rules.delta, rules.look, rules.screen_looks, rules.confirm_looks, rules.flag,
                    rules.confirm, rules.plainly_ok));
}

}  // namespace

struct GateDecision::State {
  enum class Stage {
    screening,
    ok,           ///< nothing was found, and a large slowdown is excluded
    spent,        ///< screened to the end, without either
    flagged,      ///< waits for its confirmation, or is in it
    confirmed,    ///< slower or faster, for good
    unconfirmed,  ///< flagged, and not confirmed by the last look
    dropped,
  };

  struct Case {
    GateRules rules;  ///< its own
    Stage stage = Stage::screening;
    bool slower = false;                      ///< what it was flagged for; else faster
    PairedSeries screened, fresh;             ///< before and after it was flagged
    PairedSeries copy;                        ///< with `fresh`: the baseline and its copy
    std::size_t looks = 0;                    ///< of its stage
    double p = 1;                             ///< the smallest of the confirmation's looks
    double copy_slower = 1, copy_faster = 1;  ///< the same for the control arm
    bool was_flagged = false;
  };

  GateRules rules;  ///< of all: how many looks and pairs
  std::vector<Case> cases;
  std::string ended;                      ///< why; empty: it goes on
  std::optional<std::size_t> spoiled_by;  ///< the case whose copy differs most surely

  static bool is_ok(const Case& one, const PairedSeries& pairs) {
    const auto interval = pairs.interval();
    return interval && interval->coverage >= 0.95 && interval->high < one.rules.plainly_ok;
  }
  bool any(Stage stage) const {
    return std::ranges::any_of(cases, [&](const Case& one) { return one.stage == stage; });
  }
  void screen(Case& one);
  void confirm();
  void watch_control();
  std::string outcome(const Case& one, const TimeVerdict& verdict) const;
  std::optional<TimeVerdict> verdict(std::size_t which) const;
  std::vector<double> adjusted() const;
};

/// A look at the screen. It only chooses which cases are measured again, so its level is not divided by looks
/// or cases: a false flag costs time.
void GateDecision::State::screen(Case& one) {
  ++one.looks;
  const auto changes = one.screened.changes();
  const double bound = std::log1p(one.rules.delta);
  const bool slower = signed_rank_above(changes, bound) <= rules.flag;
  if (slower || signed_rank_below(changes, -bound) <= rules.flag) {
    one.stage = Stage::flagged;
    one.was_flagged = true;
    one.slower = slower;
    one.looks = 0;
  } else if (is_ok(one, one.screened)) {
    one.stage = Stage::ok;
  } else if (one.looks >= rules.screen_looks) {
    one.stage = Stage::spent;
  }
}

/// Of every case that was ever flagged, in order. All were flagged before the first was confirmed, so the
/// family is complete; a p only falls from look to look, so what Holm rejects now he rejects at the end, too.
std::vector<double> GateDecision::State::adjusted() const {
  std::vector<double> p;
  for (const auto& one : cases)
    if (one.was_flagged) p.push_back(times(rules.confirm_looks, one.p));
  return holm(p);
}

void GateDecision::State::confirm() {
  for (auto& one : cases) {
    if (one.stage != Stage::flagged) continue;
    const double bound = std::log1p(one.rules.delta);
    ++one.looks;
    const auto changes = one.fresh.changes(), copy = one.copy.changes();
    one.p =
        std::min(one.p, one.slower ? signed_rank_above(changes, bound) : signed_rank_below(changes, -bound));
    one.copy_slower = std::min(one.copy_slower, signed_rank_above(copy, bound));
    one.copy_faster = std::min(one.copy_faster, signed_rank_below(copy, -bound));
  }
  const auto p = adjusted();
  auto next = p.begin();
  for (auto& one : cases) {
    if (!one.was_flagged) continue;
    const double here = *next++;
    if (one.stage != Stage::flagged) continue;
    if (here < rules.confirm)
      one.stage = Stage::confirmed;
    else if (one.looks >= rules.confirm_looks)
      one.stage = Stage::unconfirmed;
  }
  watch_control();
}

/// The control arm is the baseline's copy: what is found there is the session's fault. Both directions of all
/// flagged cases are one family, at the level of the confirmation.
void GateDecision::State::watch_control() {
  std::vector<double> p;
  std::vector<std::size_t> of;
  for (std::size_t which = 0; which < cases.size(); ++which) {
    const auto& one = cases[which];
    if (!one.was_flagged) continue;
    for (const double each : {one.copy_slower, one.copy_faster}) {
      p.push_back(times(rules.confirm_looks, each));
      of.push_back(which);
    }
  }
  const auto adjusted = holm(p);
  const auto least = std::ranges::min_element(adjusted);
  if (least != adjusted.end() && *least < rules.confirm)
    spoiled_by = of[static_cast<std::size_t>(least - adjusted.begin())];
}

std::string GateDecision::State::outcome(const Case& one, const TimeVerdict& verdict) const {
  const std::string measured = ratio_text(verdict);
  const std::string found = verdict.detectable
                                ? fmt::format("; {} would have been", ratio_words(*verdict.detectable))
                                : std::string();
  switch (one.stage) {
    case Stage::confirmed:
      if (spoiled_by)
        return fmt::format(
            "{}, confirmed by {} fresh pairs, but a copy of the baseline differed from it, too", measured,
            verdict.confirming);
      return fmt::format("{}, confirmed by {} fresh pairs, p = {:.1g}", measured, verdict.confirming,
                         *verdict.p);
    case Stage::ok:
      return fmt::format("no change found in {} pairs: {}{}", verdict.pairs, measured, found);
    case Stage::unconfirmed:
      return fmt::format("seemed {}, but {} fresh pairs did not confirm it (p = {:.1g}): {}",
                         one.slower ? "slower" : "faster", verdict.confirming, *verdict.p, measured) +
             (verdict.verdict == Verdict::ok
                  ? ""
                  : fmt::format(", not surely below {}", ratio_words(one.rules.plainly_ok)));
    case Stage::spent:
      return fmt::format("too noisy: {} in {} pairs, neither a change nor surely below {}{}", measured,
                         verdict.pairs, ratio_words(one.rules.plainly_ok), found);
    case Stage::flagged:
      if (spoiled_by)
        return fmt::format("seemed {}, but a copy of the baseline differed from it, too: {}",
                           one.slower ? "slower" : "faster", measured);
      return fmt::format("seemed {}, not confirmed: {}: {} in {} pairs", one.slower ? "slower" : "faster",
                         ended.empty() ? "still measured" : ended, measured, verdict.pairs);
    case Stage::screening:
    case Stage::dropped:
      break;
  }
  return fmt::format("{}: {} in {} pairs", ended.empty() ? "still measured" : ended, measured, verdict.pairs);
}

std::optional<TimeVerdict> GateDecision::State::verdict(std::size_t which) const {
  const auto& one = cases[which];
  if (one.stage == Stage::dropped || one.screened.size() + one.fresh.size() == 0) return std::nullopt;
  PairedSeries all = one.screened;
  all.append(one.fresh);
  // A case was flagged because its screen looked slow: only what was measured afterwards is not exaggerated.
  const PairedSeries& of = one.stage == Stage::confirmed ? one.fresh : all;
  TimeVerdict result = summary_of(of);
  result.pairs = all.size();
  result.confirming = one.fresh.size();
  if (result.noise) {
    const double found = detectable_ratio(*result.noise, one.screened.size(), one.rules);
    if (std::isfinite(found)) result.detectable = found;
  }
  if (one.was_flagged && one.fresh.size() > 0) {
    std::size_t before = 0;
    for (std::size_t other = 0; other < which; ++other) before += cases[other].was_flagged;
    result.p = adjusted()[before];
  }
  if (one.stage == Stage::confirmed && !spoiled_by)
    result.verdict = one.slower ? Verdict::regressed : Verdict::improved;
  else if (one.stage == Stage::ok || (one.stage == Stage::unconfirmed && is_ok(one, all)))
    result.verdict = Verdict::ok;
  result.reason = outcome(one, result);
  return result;
}

GateRules with_delta(GateRules rules, double delta) {
  rules.delta = delta;
  rules.plainly_ok = std::max(GateRules{}.plainly_ok, 1 + 2 * delta);
  return rules;
}

GateRules rules_for(const GateRules& rules, const std::string& id) {
  GateRules its = rules;
  for (const auto& [what, delta] : rules.delta_of)
    if (names_case(what, id)) its = with_delta(its, delta);
  return its;
}

GateDecision::GateDecision(const GateRules& rules, std::size_t cases) {
  check(rules);
  State::Case first;
  first.rules = rules;
  state_ = std::make_unique<State>(
      State{.rules = rules, .cases = std::vector<State::Case>(cases, first), .ended = {}, .spoiled_by = {}});
}
GateDecision::GateDecision(const GateRules& rules, const std::vector<std::string>& ids)
    : GateDecision(rules, ids.size()) {
  for (std::size_t which = 0; which < ids.size(); ++which) {
    state_->cases[which].rules = rules_for(rules, ids[which]);
    check(state_->cases[which].rules);
  }
}
GateDecision::~GateDecision() = default;
GateDecision::GateDecision(GateDecision&&) noexcept = default;
GateDecision& GateDecision::operator=(GateDecision&&) noexcept = default;

std::vector<GateDecision::Wanted> GateDecision::wanted() const {
  std::vector<Wanted> wanted;
  if (!state_->ended.empty() || state_->spoiled_by) return wanted;
  // All are screened before any is confirmed: how many were flagged must be known before the first p is
  // judged.
  const bool screening = state_->any(State::Stage::screening);
  for (std::size_t which = 0; which < state_->cases.size(); ++which)
    if (state_->cases[which].stage == (screening ? State::Stage::screening : State::Stage::flagged))
      wanted.push_back({.which = which, .pairs = state_->rules.look, .control = !screening});
  return wanted;
}

void GateDecision::look(const std::vector<std::vector<PairedTimes>>& measured) {
  const auto asked = wanted();
  if (measured.size() != asked.size())
    throw Error(fmt::format("gate: measurements of {} cases, {} are wanted", measured.size(), asked.size()));
  for (std::size_t i = 0; i < asked.size(); ++i) check_times(measured[i], asked[i].which);
  for (std::size_t i = 0; i < asked.size(); ++i) {
    auto& one = state_->cases[asked[i].which];
    for (const auto& pair : measured[i]) {
      (asked[i].control ? one.fresh : one.screened).add(pair.baseline, pair.candidate);
      if (asked[i].control && pair.control) one.copy.add(pair.baseline, *pair.control);
    }
    if (!asked[i].control) state_->screen(one);
  }
  if (!asked.empty() && asked.front().control) state_->confirm();
}

void GateDecision::drop(std::size_t which) { state_->cases.at(which).stage = State::Stage::dropped; }

void GateDecision::end(const std::string& why) { state_->ended = why.empty() ? "ended" : why; }

std::vector<std::optional<TimeVerdict>> GateDecision::verdicts() const {
  std::vector<std::optional<TimeVerdict>> all;
  for (std::size_t which = 0; which < state_->cases.size(); ++which) all.push_back(state_->verdict(which));
  return all;
}

std::size_t GateDecision::unconfirmed() const {
  return static_cast<std::size_t>(
      std::ranges::count(state_->cases, State::Stage::flagged, &State::Case::stage));
}

std::optional<std::size_t> GateDecision::control_case() const { return state_->spoiled_by; }

std::optional<std::string> GateDecision::control() const {
  if (!state_->spoiled_by) return std::nullopt;
  const auto& one = state_->cases[*state_->spoiled_by];
  return fmt::format("a copy of the baseline took {} the baseline's time in {} pairs",
                     ratio_text(summary_of(one.copy)), one.copy.size());
}

double detectable_ratio(double noise, std::size_t pairs, const GateRules& rules) {
  if (pairs < fewest_pairs(rules, 1)) return std::numeric_limits<double>::infinity();
  const boost::math::normal standard;
  const double flag = quantile(complement(standard, rules.flag));
  const double confirm =
      quantile(complement(standard, rules.confirm / static_cast<double>(rules.confirm_looks)));
  // In standard errors of a screen of `pairs`; 3/pi: results/statistics/statistics.hpp. The confirmation
  // has all its looks.
  const double more =
      std::sqrt(static_cast<double>(rules.confirm_looks * rules.look) / static_cast<double>(pairs));
  const auto power = [&](double shift) {
    return cdf(standard, shift - flag) * cdf(standard, shift * more - confirm);
  };
  double low = 0, high = 100;
  for (int step = 0; step < 60; ++step) {
    const double middle = (low + high) / 2;
    (power(middle) < 0.8 ? low : high) = middle;
  }
  const double error = noise / std::sqrt(static_cast<double>(pairs) * 3 / std::numbers::pi);
  return (1 + rules.delta) * std::exp(high * error);
}

std::size_t fewest_pairs(const GateRules& rules, std::size_t cases) {
  // n pairs of one sign have p = 2^-n.
  const double confirm =
      rules.confirm / static_cast<double>(rules.confirm_looks * std::max<std::size_t>(1, cases));
  const double level = std::min(rules.flag, confirm);
  std::size_t pairs = 1;
  while (std::exp2(-static_cast<double>(pairs)) >= level) ++pairs;
  return pairs;
}

}  // namespace uotbench
