// Which times can be compared, and the cases that others are compared with.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "results/record/work.hpp"
#include "results/statistics/statistics.hpp"
#include "results/view/view.hpp"

namespace uotbench {

// The seconds by which two cases are compared. Every speedup, ratio and efficiency, in a table, a figure, an
// export or a report, takes its seconds from here.

/// Seconds of the same thing on both sides.
struct ComparedTimes {
  double a = 0, b = 0;
  /// Both are of one iteration, although a or b was timed per solve.
  bool of_iterations = false;

  double ratio() const { return b / a; }
};

/// Two timed cases. Equal units are compared as they were timed, and iterations with an iteration of a solve.
/// Two solves are compared per iteration where their group also holds cases timed per iteration: their number
/// of iterations is then part of the question. Absent where the units differ and a number of iterations is
/// unknown, and for parts and anything else.
std::optional<ComparedTimes> compared_times(const CaseView& a, const CaseView& b);

/// Time of b over time of a, and the interval of it over the rounds that both have.
struct ComparedRatio {
  double value = 1;
  std::optional<ConfidenceInterval> interval = {};  ///< absent below 2 rounds
  ComparedTimes times = {};
};
std::optional<ComparedRatio> compared_ratio(const CaseView& a, const CaseView& b);
/// The same of two cases of one unit as they were timed, whatever their group holds: of one variant's tiles,
/// or of one case in two runs.
std::optional<ComparedTimes> times_as_timed(const CaseView& a, const CaseView& b);
std::optional<ComparedRatio> ratio_as_timed(const CaseView& a, const CaseView& b);

/// A case's seconds next to cases of other units: of an iteration, where that is known; else of what was
/// timed.
double comparable_seconds(const CaseView& member);

// Which case every case of a view is compared with.

/// The timed cases that one reference names: of each unit the first in the plan's order.
struct BaseCases {
  std::array<const CaseView*, units_of_timing::names.size()> of_unit{};
  const CaseView* with_iterations = nullptr;  ///< the first whose seconds per iteration are known

  void add(const CaseView& member);
  bool has(Unit unit) const { return of_unit[static_cast<std::size_t>(unit)]; }
  /// The one that `member` is compared with, as compared_times can; null: none can be.
  const CaseView* base_of(const CaseView& member) const;
  /// "solve", "iteration and part".
  std::string units() const;
};

/// A timed case, and what its reference names.
struct WithBase {
  const CaseView* member;
  const std::string* first;  ///< its group's first variant
  References::Keys keys;
  const BaseCases* bases = nullptr;  ///< null: nothing timed
};

/// The timed cases of a view, in its order.
class TimedCases {
 public:
  TimedCases(const RunView& view, const References& references);
  TimedCases(const TimedCases&) = delete;
  TimedCases& operator=(const TimedCases&) = delete;

  const std::vector<WithBase>& all() const { return all_; }

 private:
  std::vector<WithBase> all_;
  std::unordered_map<std::string_view, BaseCases> bases_;  ///< by keys of `all_`
};

/// The base of every case of some runs, as figures need them; of all that a run holds, whatever is shown.
class Bases {
 public:
  /// Of each of several runs its own; `over`: as a sweep's speedup_over; null: what the run's sweep names.
  /// Throws UsageError where it is no object, and where runs name different references.
  Bases(const std::vector<const RunView*>& views, const Document& over);
  /// Null: there is none that can be compared.
  const CaseView* of(const CaseView& member) const;

 private:
  std::unordered_map<const CaseView*, const CaseView*> bases_;
};

// What cases gain over others: speedups over their bases, and efficiencies over fewer CPUs.

/// Fills in `speedup`, or `no_speedup` of timed cases; adds a note for each reason, and what to ask `next`.
void add_speedups(RunView& view);

/// Fills in `efficiency` where a variant was timed with several numbers of CPUs (processes times threads), in
/// a run over processes or of more than two such numbers.
/// Strong: of the same problem, CPU seconds of the fewest over its own; seconds where each CPU has as much to
/// do, as in a ceiling. Weak, where no other number of CPUs had the same problem: of as much work a CPU,
/// seconds of the fewest over its own.
void add_efficiencies(RunView& view);

}  // namespace uotbench
