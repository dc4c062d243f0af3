#include "results/gate/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "results/base/error.hpp"
#include "results/base/object_document.hpp"
#include "results/base/pattern.hpp"
#include "results/base/text.hpp"

namespace uotbench {
namespace {

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

}  // namespace uotbench
