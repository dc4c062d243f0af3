// The flags of `uotbench bisect`, and what they mean.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/uotbench/flags/gate_flags.hpp"

namespace CLI {
class App;
}

namespace uotbench {

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
