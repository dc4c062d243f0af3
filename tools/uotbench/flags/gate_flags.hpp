// Flags of `uotbench gate` and `uotbench bisect`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "results/gate/decide/decision.hpp"
#include "tools/uotbench/flags/run_flags.hpp"

namespace CLI {
class App;
}

namespace uotbench {

// The flags of `uotbench gate`, and what they mean.

struct GateFlags {
  RunFlags run;  ///< the sweep, and which of its cases
  std::string baseline_worker, candidate_worker, baseline_ref, candidate_ref, project, baseline_run;
  std::string delta, budget, inject_slowdown, allow_missing, junit, markdown, record;
  std::vector<std::string> delta_of;
  std::optional<std::string> seed;
  std::optional<int> pairs;
  bool exact_ref = false, strict = false, plan = false, self_check = false, json = false, github = false;
};

/// Declares them, with their help.
void declare(CLI::App& command, GateFlags& flags);

/// What the flags say of the comparison.
struct GateOptions {
  GateRules rules;
  std::optional<double> budget;    ///< seconds, of judging, counting and timing
  std::optional<double> slowdown;  ///< of the candidate
  std::uint64_t seed = 0;
  bool warns_without_counters = true;  ///< where none were compared; else a note says it
};

/// Throws UsageError naming the flag that is wrong, missing, or stands beside one that it excludes.
GateOptions options_of(const GateFlags& flags);

// The flags of `uotbench bisect`, and what they mean.

struct BisectFlags {
  std::string good, bad, case_id;
  GateFlags gate;  ///< what all sessions have in common
  std::vector<std::string> known_good, skip;
  bool counters_alone = false;
};

/// Declares them, with their help.
void declare(CLI::App& command, BisectFlags& flags);

/// Of the comparison of GOOD and BAD. Throws UsageError naming the flag that is wrong.
GateOptions options_of(const BisectFlags& flags);

/// The command line that goes on where this one was stopped: with another BAD, and what is known by then.
std::string line_going_on(const BisectFlags& flags, const std::string& bad,
                          const std::vector<std::string>& known_good, const std::vector<std::string>& skip);

}  // namespace uotbench
