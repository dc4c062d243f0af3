#include "results/gate/gate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "results/base/document.hpp"
#include "results/base/error.hpp"
#include "results/base/pattern.hpp"
#include "results/base/text.hpp"

namespace uotbench {
namespace {

constexpr std::array<std::pair<Verdict, const char*>, 8> verdicts{{{Verdict::ok, "ok"},
                                                                   {Verdict::improved, "improved"},
                                                                   {Verdict::regressed, "regressed"},
                                                                   {Verdict::inconclusive, "inconclusive"},
                                                                   {Verdict::missing, "missing"},
                                                                   {Verdict::added, "new"},
                                                                   {Verdict::failed, "failed"},
                                                                   {Verdict::incomparable, "incomparable"}}};

void join(std::string& text, const std::string& part) {
  if (part.empty()) return;
  if (!text.empty()) text += "; ";
  text += part;
}

/// What the counters with this verdict say, the first few of them.
std::string counters_text(const GateCase& one, Verdict verdict) {
  constexpr std::size_t shown = 3;
  std::string text;
  std::size_t found = 0;
  for (const auto& counter : one.counters) {
    if (counter.verdict != verdict || !is_of_code(counter)) continue;
    if (found < shown) join(text, text_of(counter));
    ++found;
  }
  if (found > shown) join(text, fmt::format("and {} more counters", found - shown));
  return text;
}

std::string time_text(const TimeVerdict& time) {
  return time.reason.empty() ? "time " + ratio_text(time) : time.reason;
}

/// Whether pairs found a change of a time whose code is the same in both arms: layout, or the machine.
bool unexplained(const GateCase& one) {
  return one.same_code && one.time &&
         (one.time->verdict == Verdict::regressed || one.time->verdict == Verdict::improved);
}

Verdict time_part(const GateCase& one) {
  return unexplained(one) ? Verdict::inconclusive : one.time->verdict;
}

std::string equal_counters(const GateCase& one) {
  const auto equal = std::ranges::count_if(one.counters, [](const CounterVerdict& counter) {
    return counter.verdict == Verdict::ok && (is_of_code(counter) || counter.baseline == counter.candidate);
  });
  return equal == 0 ? "" : fmt::format("{} counter{} unchanged", equal, equal == 1 ? "" : "s");
}

std::string reason_for(const GateCase& one, Verdict worst) {
  std::string reason;
  if (worst == Verdict::regressed && one.accepted) reason = "accepted: " + *one.accepted;
  if (worst == Verdict::inconclusive && unexplained(one)) {
    join(reason, time_text(*one.time) +
                     "; both builds hold the same code for it, so that it is not attributable to code");
  } else if (one.time && time_part(one) == worst) {
    join(reason, time_text(*one.time));
  }
  join(reason, counters_text(one, worst == Verdict::regressed ? Verdict::regressed : Verdict::improved));
  if (one.verdict != worst && one.time && time_part(one) == one.verdict) join(reason, time_text(*one.time));
  if (worst == Verdict::ok && !one.time) join(reason, "no time was measured");
  if (worst != Verdict::regressed) join(reason, equal_counters(one));
  return reason;
}

/// Whole numbers as they are: a count that is off by one must be seen.
std::string counter_number(double value) {
  return value == std::floor(value) && std::abs(value) < 1e15 ? fmt::format("{:.0f}", value)
                                                              : fmt::format("{:.6g}", value);
}

std::string change_text(double baseline, double candidate) {
  if (baseline == 0) return candidate == 0 ? "equal" : "none before";
  const double change = candidate / baseline - 1;
  if (change == 0) return "equal";
  return std::abs(change) < 5e-4 ? fmt::format("{:+.2g}%", 100 * change)
                                 : fmt::format("{:+.1f}%", 100 * change);
}

std::string list_of(const std::map<Verdict, std::size_t>& counts, const std::vector<Verdict>& verdicts) {
  std::string text;
  for (const Verdict verdict : verdicts)
    if (const auto found = counts.find(verdict); found != counts.end())
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", found->second, name_of(verdict));
  return text;
}

}  // namespace

const char* name_of(Verdict verdict) {
  for (const auto& [value, name] : verdicts)
    if (value == verdict) return name;
  return "?";
}

Verdict verdict_from(const std::string& name) {
  for (const auto& [value, text] : verdicts)
    if (name == text) return value;
  throw Error(fmt::format("unknown verdict \"{}\"", name));
}

bool is_of_code(const CounterVerdict& counter) { return counter.source != "model"; }

bool is_decided(const GateCase& one) {
  return one.verdict == Verdict::ok || one.verdict == Verdict::improved ||
         one.verdict == Verdict::regressed || std::ranges::any_of(one.counters, is_of_code);
}

void settle(GateCase& one) {
  if (one.verdict == Verdict::failed || one.verdict == Verdict::missing || one.verdict == Verdict::added)
    return;
  if (one.verdict == Verdict::incomparable && !one.time)
    one.time = TimeVerdict{.verdict = Verdict::incomparable, .reason = one.reason};
  if (!one.time && one.counters.empty()) {
    one.verdict = Verdict::inconclusive;
    if (one.reason.empty()) one.reason = "nothing was compared: neither a time nor a counter of both";
    return;
  }
  const auto has = [&](Verdict verdict) {
    return (one.time && time_part(one) == verdict) ||
           std::ranges::any_of(one.counters, [&](const CounterVerdict& counter) {
             return counter.verdict == verdict && is_of_code(counter);
           });
  };
  one.verdict = Verdict::ok;
  Verdict worst = Verdict::ok;
  for (const Verdict verdict :
       {Verdict::regressed, Verdict::incomparable, Verdict::inconclusive, Verdict::improved}) {
    if (!has(verdict)) continue;
    if (worst == Verdict::ok) worst = verdict;
    if (verdict == Verdict::regressed && one.accepted) continue;
    one.verdict = verdict;
    break;
  }
  if (worst == Verdict::ok && !one.time && std::ranges::none_of(one.counters, is_of_code)) {
    one.verdict = Verdict::inconclusive;
    one.reason = "nothing of the code was compared, only what its work model says";
    return;
  }
  one.reason = reason_for(one, worst);
}

int exit_code_of(const GateReport& report, bool strict, const std::string& may_be_missing) {
  constexpr int regressed = 3, inconclusive = 4, incomplete = 5, incomparable = 6, interrupted = 130;
  if (report.obstacle) return report.obstacle->exit_code;
  const auto counts = counts_of(report);
  if (counts.contains(Verdict::regressed)) return regressed;
  if (report.interrupted) return interrupted;
  const Pattern allowed(may_be_missing, "--allow-missing");
  const bool lacking = std::ranges::any_of(report.cases, [&](const GateCase& one) {
    return one.verdict == Verdict::missing && (may_be_missing.empty() || !allowed.is_in(one.id));
  });
  if (lacking || counts.contains(Verdict::failed) || compared_in(report) == 0) return incomplete;
  if (counts.contains(Verdict::incomparable)) return incomparable;
  if (std::ranges::none_of(report.cases, is_decided) || report.undecided) return inconclusive;
  return strict && counts.contains(Verdict::inconclusive) ? inconclusive : 0;
}

int exit_code_of(const GateReport& report) {
  const ObjectDocument options(report.options);
  const Value allowed = options.value("allow_missing");
  return exit_code_of(report, options.is_set("strict"), allowed.text() ? *allowed.text() : "");
}

std::map<Verdict, std::size_t> counts_of(const GateReport& report) {
  std::map<Verdict, std::size_t> counts;
  for (const auto& one : report.cases) ++counts[one.verdict];
  return counts;
}

std::size_t compared_in(const GateReport& report) {
  std::size_t compared = 0;
  for (const auto& [verdict, count] : counts_of(report))
    if (verdict != Verdict::missing && verdict != Verdict::added && verdict != Verdict::failed)
      compared += count;
  return compared;
}

std::string headline_of(const GateReport& report) {
  const auto counts = counts_of(report);
  const auto count = [&](Verdict verdict) { return counts.contains(verdict) ? counts.at(verdict) : 0; };
  const std::string before = report.interrupted ? "interrupted: " : "";
  const std::size_t all = report.cases.size();
  if (report.obstacle) return before + "nothing was compared: " + report.obstacle->reason;
  if (all == 0) return before + "nothing was compared: no case";
  if (compared_in(report) == 0)
    return fmt::format("{}nothing was compared: {}", before,
                       list_of(counts, {Verdict::failed, Verdict::missing, Verdict::added}));
  std::size_t accepted = 0;
  for (const auto& one : report.cases) accepted += one.accepted && one.verdict != Verdict::regressed;
  const std::string of = fmt::format("{} case{}", all, all == 1 ? "" : "s");
  const bool decided = std::ranges::any_of(report.cases, is_decided);
  std::string text =
      decided
          ? fmt::format(
                "{} of {} regressed",
                count(Verdict::regressed) == 0 ? "none" : fmt::format("{}", count(Verdict::regressed)), of)
          : fmt::format("no verdict on any of {}", of);
  if (const std::string bad = list_of(counts, {Verdict::failed, Verdict::missing}); !bad.empty())
    text += ", " + bad;
  if (const std::string rest = list_of(counts, {Verdict::ok, Verdict::improved, Verdict::inconclusive,
                                                Verdict::incomparable, Verdict::added});
      !rest.empty())
    text += "; " + rest;
  const auto counted = std::ranges::count_if(report.cases, [](const GateCase& one) {
    return one.verdict == Verdict::inconclusive && is_decided(one);
  });
  if (counted > 0)
    text +=
        fmt::format("; counters of {} inconclusive case{} rose nowhere", counted, counted == 1 ? "" : "s");
  if (accepted > 0) text += fmt::format("; {} regression{} accepted", accepted, accepted == 1 ? "" : "s");
  if (report.control) text += "; the control arm differed";
  return before + text;
}

std::string ratio_words(double ratio) { return fmt::format("{:.3f}x", ratio); }

std::string ratio_text(const TimeVerdict& time) {
  if (time.ratio <= 0) return "-";
  if (!time.interval) return ratio_words(time.ratio);
  return fmt::format("{} ({:.3f} to {:.3f})", ratio_words(time.ratio), time.interval->low,
                     time.interval->high);
}

std::string detectable_text(const TimeVerdict& time) {
  return time.detectable ? ratio_words(*time.detectable) : "-";
}

std::string text_of(const CounterVerdict& counter) {
  std::string text = fmt::format("{} {} -> {}", counter.name, counter_number(counter.baseline),
                                 counter_number(counter.candidate));
  if (counter.unit != "1") text += " " + counter.unit;
  text += fmt::format(" ({}, {}", change_text(counter.baseline, counter.candidate), counter.source);
  if (counter.tolerance > 0) text += fmt::format(", tolerance {:g}%", 100 * counter.tolerance);
  return on_one_line(text + ")");
}

bool allowed_missing(const GateReport& report, const GateCase& one) {
  if (one.verdict != Verdict::missing) return false;
  const Value allowed = ObjectDocument(report.options).value("allow_missing");
  return allowed.text() && allowed != "" && Pattern(*allowed.text(), "--allow-missing").is_in(one.id);
}

std::vector<std::string> lines_of(const GateReport& report) {
  std::vector<std::string> lines;
  if (!report.baseline.why.empty())
    lines.push_back(
        on_one_line(fmt::format("the baseline is {}: {}", report.baseline.about, report.baseline.why)));
  if (report.commits) {
    const auto& [count, newest] = *report.commits;
    lines.push_back(fmt::format("{} commit{} that the baseline has not", count, count == 1 ? "" : "s"));
    for (const auto& commit : newest) lines.push_back("  " + on_one_line(commit));
    if (newest.size() < count) lines.push_back(fmt::format("  and {} before these", count - newest.size()));
  }
  if (!report.changed_code.empty())
    lines.push_back("code that is not the same: " + shortened(report.changed_code, 10));
  return lines;
}

bool plainly_ok(const GateCase& one) { return one.verdict == Verdict::ok && !one.accepted; }

const char* name_of(BisectStep::Answer answer) {
  switch (answer) {
    case BisectStep::Answer::fast:
      return "fast";
    case BisectStep::Answer::slow:
      return "slow";
    case BisectStep::Answer::skipped:
      break;
  }
  return "skipped";
}

const char* name_of(BisectReport::Finding finding) {
  using enum BisectReport::Finding;
  switch (finding) {
    case culprit:
      return "culprit";
    case several:
      return "several";
    case spread:
      return "spread";
    case nothing:
      return "nothing";
    case failed:
      return "failed";
    case interrupted:
      return "interrupted";
    case undecided:
      break;
  }
  return "undecided";
}

std::vector<PlaceChange> compare_places(const Counter& before, const NamePlace& name_before,
                                        const Counter& after, const NamePlace& name_after) {
  constexpr double negligible = 1e-3;
  std::map<std::string, PlaceChange> places;
  for (const auto& line : before.lines) {
    const PlaceName name = name_before(line.at);
    PlaceChange& place = places[name.key];
    place.at = name.shown, place.text = name.text;
    place.before += line.value;
  }
  for (const auto& line : after.lines) {
    const PlaceName name = name_after(line.at);
    PlaceChange& place = places[name.key];
    place.at = name.shown, place.text = name.text;
    place.after += line.value;
  }
  const double all = std::max(before.value.value_or(0), after.value.value_or(0));
  std::vector<PlaceChange> changes;
  for (const auto& [key, place] : places)
    if (std::abs(place.after - place.before) > negligible * all) changes.push_back(place);
  std::ranges::stable_sort(changes, std::ranges::greater(),
                           [](const PlaceChange& one) { return std::abs(one.after - one.before); });
  return changes;
}

}  // namespace uotbench
