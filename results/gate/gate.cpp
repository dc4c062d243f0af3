#include "results/gate/gate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "results/base/error.hpp"
#include "results/base/object_document.hpp"
#include "results/base/pattern.hpp"
#include "results/gate/text.hpp"

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

}  // namespace uotbench
