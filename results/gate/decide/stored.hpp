// A run held against a stored one: a verdict on what is counted, advice on what was timed.
#pragma once

#include "results/gate/decide/decision.hpp"
#include "results/gate/gate.hpp"
#include "results/record/run_file/run_file.hpp"

namespace uotbench {

/// Cases are joined by their id; where the workers have other names, by the part before '@' (once in each).
/// Counters decide as in compare_counters, those that are simulated where both runs simulated the same
/// caches, callgrind's where the CPUs offer the same features, too. Times never regress: two sessions of the
/// same code differ, so that what looks slower is a warning, and the case inconclusive. On another machine
/// they are incomparable. Cases that both runs skipped are left out. What the baseline's file says was
/// accepted becomes notes.
///
/// Throws UsageError where `stored` is of another sweep or of a newer schema. Nothing in common is a report
/// in which nothing was compared, and says so.
GateReport gate_against(const Run& stored, const Run& now, const GateRules& rules);

}  // namespace uotbench
