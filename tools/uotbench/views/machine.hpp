// This machine as text: what `uotbench doctor` finds, its ceilings, and the variants that its workers hold.
#pragma once

#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/host/facts/terminal.hpp"
#include "harness/host/findings/doctor.hpp"
#include "harness/sweep/workers/worker_pool.hpp"
#include "results/record/run_header.hpp"
#include "roofline/model/ceilings.hpp"

namespace uotbench {

// What is missing or in the way.

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

// Ceilings.

/// Bandwidths by working set and kernel, with the names of levels where they are clear (in ceilings of before
/// by level), the ridge (the intensity from which on arithmetic is the limit), and peak flop rates. `caches`:
/// of the same machine.
std::string text_of(const Ceilings& ceilings, const Caches& caches, const Terminal& terminal = {});

/// Of the caches that were probed: the reported size, and the measured one or why there is none. Empty: none
/// was probed.
std::string text_of_probes(const MachineFacts& machine, const Terminal& terminal = {});

// Variants and their axes.

/// A variant and the workers that hold it.
struct ListedVariant {
  VariantInfo info;
  std::vector<std::string> workers;
};

/// A row a variant.
std::string table_of(const std::map<std::string, ListedVariant>& variants, const Terminal& terminal = {});

/// The variant, its workers, and a row for each of its axes: `axes` are the family's and its own.
std::string axes_of(const ListedVariant& variant, const std::vector<Axis>& axes,
                    const Terminal& terminal = {});

/// What a family computes: its formulas, the files of a problem, and its axes.
std::string page_of(const FamilyInfo& family, const Terminal& terminal);

}  // namespace uotbench
