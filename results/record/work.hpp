// Work of a kernel, and the unit that is measured.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace uotbench {

// What is timed and counted at a time: the one owner of these names.

/// An iteration, a whole solve from the inputs to a solution, or the part of an iteration that a variant is
/// about.
enum class Unit { iteration, solve, part };

namespace units_of_timing {
inline constexpr std::array<std::pair<Unit, const char*>, 3> names{
    {{Unit::iteration, "iteration"}, {Unit::solve, "solve"}, {Unit::part, "part"}}};
}  // namespace units_of_timing

/// As records and messages have it.
constexpr const char* name_of(Unit unit) {
  for (const auto& [value, name] : units_of_timing::names)
    if (value == unit) return name;
  return "?";
}

/// Nothing for a name that is none of them.
constexpr std::optional<Unit> unit_from(std::string_view name) {
  for (const auto& [value, text] : units_of_timing::names)
    if (name == text) return value;
  return std::nullopt;
}

// The model of a variant's work, per iteration (or solve, or part): what it computes and the streaming
// traffic it causes for a working set of at least 4x the last-level cache (Williams, Waterman, Patterson
// 2009, section 3). A solver knows what it did only afterwards: then it is counted while it runs.

/// The work of one array element, for the latency model of element-wise operations and stencils (X. He,
/// "Accelerated linear algebra compiler for computationally efficient numerical models", PLOS ONE 2023,
/// doi 10.1371/journal.pone.0282265, section 4.1): operations and elements, not bytes.
struct ElementWork {
  double elements = 0;  ///< N_e, an iteration
  double flops = 0;     ///< alpha
  double memory = 0;    ///< beta_lo: array elements read and written, each once
  double cached = 0;    ///< beta_hi: elements read again, from caches
};

/// Operations of one kind that have a ceiling of their own, e.g. {"exp", 3. * M * N}. A variant of the family
/// `ceiling` whose work is operations measures the rate of that name.
struct Operations {
  std::string name;
  double count = 0;
};

/// Flops and bytes per iteration. Write-allocate (reading a line only to overwrite it) is kept apart:
/// whether it happens depends on the machine and the store instruction, not on the algorithm.
struct Work {
  double flops = 0;
  double bytes_read = 0;
  double bytes_written = 0;
  double write_allocate = 0;
  /// Part of bytes_written: non-temporal stores to lines that the kernel does not read. They bypass the
  /// caches; ordinary stores there would be write_allocate.
  double bytes_nontemporal = 0;
  /// Bytes that the iterations touch again and again: what decides which cache they live in. Workers declare
  /// it; absent: not declared.
  std::optional<double> working_set = {};
  std::optional<ElementWork> element = {};  ///< where the variant is of that kind
  /// Each name once. Flops are counted separately.
  std::vector<Operations> operations = {};
  bool counted = false;  ///< by the run itself, while it computed; else it is the model's
  /// Whether another run of the same case does exactly this work. Only then a gate compares it.
  bool repeats = true;

  /// Bytes moved per iteration, write-allocate left out.
  double bytes() const { return bytes_read + bytes_written; }
};

/// That of this number of iterations, or of a part of one. What an element takes, and what they touch, stays.
Work operator*(Work work, double iterations);
/// Both together; of a less.
Work operator+(Work a, const Work& b);
inline Work operator-(const Work& a, const Work& b) { return a + b * -1; }

// The parts that a kernel reports of what is timed: pricing and pivots of a solve, the row and the column
// step of an iteration. They are disjoint; what none of them covers is "other".

/// One part, in the samples of one process.
struct PhaseSamples {
  std::string name;
  std::vector<double> seconds;  ///< one value per sample, what this part of it took, per unit
  double entered = 0;           ///< how often, per unit: the mean over the samples
};

}  // namespace uotbench
