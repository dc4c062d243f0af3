// What `uotbench doctor` prints.
#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "harness/host/facts/terminal.hpp"
#include "harness/host/findings/doctor.hpp"

namespace uotbench {

/// "ok", "note", "warning" or "error".
const char* name_of(Finding::Level level);

/// The worst first, each with what it costs and what mends it; commands to paste are left whole.
std::string text_of(std::vector<Finding> findings, const Terminal& terminal = {});

// Counter sources held against kernels whose cache lines are known, as a table.

/// One counter of one source on one kernel.
struct CounterCheck {
  std::string source, counter, variant;
  double expected = 0;            ///< per iteration, from the kernel's work model
  std::optional<double> counted;  ///< absent: see `reason`
  std::string reason;
  /// More than 10% off.
  bool is_off() const { return counted && std::abs(*counted - expected) > 0.1 * expected; }
};

/// What a source is here.
struct SourceState {
  std::string name;
  std::string reason, mend;  ///< why it cannot count, and the command that mends it; empty: it can
  std::vector<CounterCheck> checks = {};
};

/// A table, and below it what cannot count, why, and what mends it.
std::string text_of(const std::vector<SourceState>& states, const Terminal& terminal);

}  // namespace uotbench
