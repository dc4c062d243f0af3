#include "tools/uotbench/views/gate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/base/units.hpp"
#include "results/gate/gate.hpp"
#include "results/gate/tell/formats.hpp"
#include "tools/uotbench/views/text_layout.hpp"

namespace uotbench {
namespace {

Style style_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::ok:
      return Style::plain;
    case Verdict::improved:
      return Style::good;
    case Verdict::regressed:
    case Verdict::missing:
    case Verdict::failed:
      return Style::bad;
    default:
      return Style::warning;
  }
}

/// What went wrong first, then what is unknown, then what is good to know.
constexpr Verdict order[]{Verdict::regressed,    Verdict::failed,   Verdict::missing, Verdict::incomparable,
                          Verdict::inconclusive, Verdict::improved, Verdict::added,   Verdict::ok};

std::string shown_name(Verdict verdict) {
  std::string name = name_of(verdict);
  if (style_of(verdict) == Style::bad)
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::toupper(c); });
  return name;
}

/// What was timed of a case whose reason is of something else: a counter decided. Empty: it says the ratio.
std::string time_beside(const GateCase& one) {
  if (!one.time || one.time->ratio <= 0) return "";
  const std::string ratio = ratio_text(*one.time);
  if (one.reason.find(ratio) != std::string::npos) return "";
  std::string text = "time " + ratio;
  if (one.baseline_seconds && one.candidate_seconds)
    text += fmt::format(", {} -> {}", format_seconds(*one.baseline_seconds),
                        format_seconds(*one.candidate_seconds));
  return text + fmt::format(": {}", name_of(one.time->verdict));
}

// What a gate would take, and what it can find on this machine.

constexpr const char* unknown = "-";

double screen_seconds(const GatePlanRow& row, const GateRules& rules) {
  return 2 * static_cast<double>(rules.look) * row.process;
}
double confirmation_seconds(const GatePlanRow& row, const GateRules& rules) {
  return 3 * static_cast<double>(rules.look * rules.confirm_looks) * row.process;
}

std::string percent(double fraction) { return fmt::format("{:.1f}%", 100 * fraction); }

/// Infinite where so few pairs confirm nothing.
std::string finds(const std::optional<double>& noise, const GateRules& rules) {
  const double ratio = noise ? detectable_ratio(*noise, rules.look, rules) : HUGE_VAL;
  return std::isfinite(ratio) ? ratio_words(ratio) : unknown;
}

std::string pairs_text(double ratio, const std::optional<double>& noise, const GateRules& rules) {
  if (!noise) return unknown;
  const auto pairs = pairs_to_find(ratio, *noise, rules);
  return pairs ? fmt::format("{}", *pairs) : "> 2000";
}

Json pairs_json(double ratio, const std::optional<double>& noise, const GateRules& rules) {
  const auto pairs = noise ? pairs_to_find(ratio, *noise, rules) : std::nullopt;
  return pairs ? Json(*pairs) : Json(nullptr);
}

}  // namespace

std::string text_of(const GateReport& report, const Terminal& terminal) {
  std::string text;
  for (const Verdict verdict : order)
    for (const auto& one : report.cases) {
      if (one.verdict != verdict || plainly_ok(one)) continue;
      const std::string head = shown_name(one.verdict) + "  ";
      text += paragraph(styled(head, style_of(one.verdict), terminal), one.id, terminal);
      text += paragraph("    ", on_one_line(one.reason), terminal);
      if (const std::string time = time_beside(one); !time.empty())
        text += paragraph("    ", on_one_line(time), terminal);
    }
  if (report.control) text += paragraph("control: ", on_one_line(*report.control), terminal, Style::warning);
  if (report.undecided)
    text += paragraph("undecided: ", on_one_line(*report.undecided), terminal, Style::warning);
  std::vector<std::string> doubts;  // workers' words are in them: no line of its own, no control characters
  for (const auto& warning : report.warnings) doubts.push_back(on_one_line(warning));
  text += warnings(doubts, terminal);
  for (const auto& note : report.notes)
    text += paragraph("note: ", on_one_line(note), terminal, Style::faint);
  for (const auto& line : lines_of(report)) text += paragraph("note: ", line, terminal, Style::faint);
  return text + fmt::format("{}: {} ({})\n", report.sweep, headline_of(report), format_wait(report.elapsed));
}

std::optional<std::size_t> pairs_to_find(double ratio, double noise, const GateRules& rules) {
  constexpr std::size_t most = 2000;
  const auto finds = [&](std::size_t pairs) {
    GateRules so_many = rules;  // the confirmation's looks are as large
    so_many.look = pairs;
    return detectable_ratio(noise, pairs, so_many) <= ratio;
  };
  if (!finds(most)) return std::nullopt;
  std::size_t low = fewest_pairs(rules, 1), high = most;
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (finds(middle))
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

std::string plan_text(const std::vector<GatePlanRow>& rows, const GateRules& rules,
                      const Terminal& terminal) {
  using enum Table::Holds;
  Table table{.columns = {{"case", words},
                          {"a process", numbers},
                          {"screen", numbers},
                          {"confirmation", numbers},
                          {"noise", numbers},
                          {"finds", numbers}}};
  double total = 0, longest = 0;
  for (const auto& row : rows) {
    if (!row.obstacle.empty()) {
      table.row({row.id, unknown, unknown, unknown, unknown, {unknown, Style::warning, row.obstacle}});
      continue;
    }
    total += screen_seconds(row, rules);
    longest = std::max(longest, confirmation_seconds(row, rules));
    table.row({row.id, format_seconds(row.process), format_wait(screen_seconds(row, rules)),
               format_wait(confirmation_seconds(row, rules)), row.noise ? percent(*row.noise) : unknown,
               finds(row.noise, rules_for(rules, row.id))});
  }
  return text_rows(std::move(table), terminal) +
         fmt::format(
             "{} pairs of each case take {}; each case that is flagged takes up to {} more.\n"
             "finds: the smallest slowdown that is found in 80 of 100 gates, estimated from the noise of "
             "a few processes.\n",
             rules.look, format_wait(total), format_wait(longest));
}

Json plan_json(const std::vector<GatePlanRow>& rows, const GateRules& rules) {
  Json cases = Json::array();
  double total = 0;
  for (const auto& row : rows) {
    Json one{{"id", row.id}};
    if (!row.obstacle.empty()) {
      one["obstacle"] = row.obstacle;
    } else {
      total += screen_seconds(row, rules);
      one["process"] = row.process;
      one["screen"] = screen_seconds(row, rules);
      one["confirmation"] = confirmation_seconds(row, rules);
      one["noise"] = row.noise ? Json(*row.noise) : Json(nullptr);
      one["detectable"] = row.noise ? Json(detectable_ratio(*row.noise, rules.look, rules_for(rules, row.id)))
                                    : Json(nullptr);
    }
    cases.push_back(one);
  }
  return {{"pairs", rules.look}, {"screen", total}, {"cases", cases}};
}

std::string self_check_text(const GateReport& report, const GateRules& rules, const Terminal& terminal) {
  using enum Table::Holds;
  Table table{.columns = {{"case", words},
                          {"time", numbers},
                          {"noise", numbers},
                          {"ratio", numbers},
                          {"finds", numbers},
                          {"pairs for 1.05", numbers},
                          {"pairs for 1.10", numbers},
                          {"verdict", words}}};
  std::size_t alarms = 0, flagged = 0, timed = 0;
  for (const auto& one : report.cases) {
    if (!one.time || !one.time->noise) {
      table.row({one.id,
                 unknown,
                 unknown,
                 unknown,
                 unknown,
                 unknown,
                 unknown,
                 {name_of(one.verdict), Style::warning, one.reason}});
      continue;
    }
    ++timed;
    alarms += one.time->verdict == Verdict::regressed;
    flagged += one.time->confirming > 0;
    table.row({one.id,
               one.baseline_seconds ? format_seconds(*one.baseline_seconds) : unknown,
               percent(*one.time->noise),
               fmt::format("{:.3f}", one.time->ratio),
               detectable_text(*one.time),
               pairs_text(1.05, one.time->noise, rules),
               pairs_text(1.10, one.time->noise, rules),
               {name_of(one.verdict), one.verdict == Verdict::ok ? Style::plain : Style::warning}});
  }
  return text_rows(std::move(table), terminal) +
         fmt::format(
             "{} false alarms in {} comparisons of this build with itself; {} flagged by the screen and "
             "measured again ({}).\n",
             alarms, timed, flagged, format_wait(report.elapsed));
}

Json self_check_json(const GateReport& report, const GateRules& rules) {
  Json json = to_json(report);
  Json pairs = Json::object();
  for (const auto& one : report.cases)
    if (one.time)
      pairs[one.id] = {{"1.05", pairs_json(1.05, one.time->noise, rules)},
                       {"1.10", pairs_json(1.10, one.time->noise, rules)}};
  json["pairs_to_find"] = pairs;
  return json;
}

}  // namespace uotbench
