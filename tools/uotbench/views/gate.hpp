// What `uotbench gate` prints: little where nothing changed.
#pragma once

#include <string>
#include <vector>

#include "harness/host/facts/terminal.hpp"
#include "results/gate/decide/decision.hpp"
#include "results/gate/gate.hpp"

namespace uotbench {

/// Details of what is not ok, warnings, notes, and one line that sums up.
std::string text_of(const GateReport& report, const Terminal& terminal = {});

/// What a gate would take, case by case.
struct GatePlanRow {
  std::string id;
  double process = 0;           ///< seconds
  std::optional<double> noise;  ///< of a pair's logarithm of the ratio, from a few processes; absent: too few
  std::string obstacle;         ///< why it cannot be timed; empty: it can
};

std::string plan_text(const std::vector<GatePlanRow>& rows, const GateRules& rules, const Terminal& terminal);
Json plan_json(const std::vector<GatePlanRow>& rows, const GateRules& rules);

/// Of a build compared with itself: its false alarms, and what can be found on this machine.
std::string self_check_text(const GateReport& report, const GateRules& rules, const Terminal& terminal);
Json self_check_json(const GateReport& report, const GateRules& rules);

/// Pairs a look that find a slowdown of `ratio` in 80 of 100 trials; absent: more than 2000.
std::optional<std::size_t> pairs_to_find(double ratio, double noise, const GateRules& rules);

}  // namespace uotbench
