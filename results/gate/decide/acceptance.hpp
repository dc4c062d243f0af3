// Slowdowns that were declared as intended, with a reason.
#pragma once

#include <string>
#include <vector>

#include "results/gate/gate.hpp"

namespace uotbench {

/// Whether `what` names the case: its id, whole or without its worker, its variant, or a pattern of one of
/// these with '*' (uot/*).
bool names_case(const std::string& what, const std::string& id);

/// `what`: of names_case.
struct Acceptance {
  std::string what, reason = {};
  std::string by = {};  ///< where it was said: "commit 1a2b3c4d", "results/baselines/gate.jsonl"
};

/// "uot/map_uot/M:64/N:64 the judge found it wrong before": the text of a Perf-Accept trailer. Throws
/// UsageError where the case or the reason is missing.
Acceptance acceptance_from_trailer(const std::string& text, const std::string& by);

bool accepts(const Acceptance& acceptance, const std::string& id);

/// Marks the cases that are accepted; acceptances that match no case become notes of the report.
void apply(const std::vector<Acceptance>& acceptances, GateReport& report);

}  // namespace uotbench
