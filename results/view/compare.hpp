// Which times can be compared, and the cases that others are compared with; two runs, or two values of one
// axis within a run, case by case: ratios of times and how certain they are.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "results/base/json_fwd.hpp"
#include "results/record/axes/case_parts.hpp"
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

/// A number that the benchmark of a case reports in addition to its time, on both sides.
struct ComparedNumber {
  std::string name, unit;
  double a = 0, b = 0;
};

/// One case on both sides. Points into the views that were compared.
struct CompareRow {
  std::string group;  ///< family and problem, without what is varied
  std::string label;  ///< what distinguishes it in its group
  std::string value;  ///< the varied axis's, of b; empty where runs are compared
  const CaseView* a;
  const CaseView* b;
  ComparedTimes times = {};  ///< the seconds: medians, or of an iteration where one side is a solve
  /// Of the ratio: within a run the interval of the paired rounds; between runs the range over their
  /// processes. Absent where there are too few.
  std::optional<Interval> interval = {};
  std::optional<double> coverage = {};  ///< of an interval; absent: a range has none
  std::vector<ComparedNumber> reported = {};

  double ratio() const { return times.ratio(); }  ///< b's seconds over a's: below 1, b is faster
};

struct MeanRatio {
  std::string value;  ///< the varied axis's, of b; empty where runs are compared
  double ratio = 0;   ///< geometric mean
  std::size_t rows = 0;
};

/// Cases that are not in `rows`, and why.
struct Unmatched {
  std::string why;  ///< "only in A", "not timed in B", …
  std::vector<std::string> cases;
};

struct Comparison {
  std::string a, b;    ///< what the sides are: a run's file and start, or a value of the varied axis
  std::string varied;  ///< the axis, or "worker", "variant"; empty where runs are compared
  std::vector<CompareRow> rows;
  std::vector<MeanRatio> means;
  std::vector<Unmatched> unmatched;
  std::vector<std::string> warnings;  ///< what makes the ratios doubtful
  std::vector<std::string> notes;     ///< other differences, usually those that are asked about
};

/// Joins cases by id; with `ignore_worker` by the part before '@'. Rows have ranges, not intervals. Throws
/// NotComparable where no case is timed in both, UsageError where ignoring the worker leaves several cases of
/// one name in a run.
Comparison compare_runs(const RunView& a, const RunView& b, bool ignore_worker = false);

/// Joins cases that are equal in all but `axis`: an axis, "worker", or "variant" (equal in problem, worker,
/// threads, cache and place; values are variants with their own axes; a worker without the base is compared
/// with another's). One value is the base: `base`, or the first of the plan. Intervals are those of pairs:
/// process r of both ran in round r. Throws UsageError for an axis or a base that is not there, NotComparable
/// where there is nothing to join.
Comparison compare_within(const RunView& run, const std::string& axis,
                          const std::optional<std::string>& base = {});

/// All of it, in base units.
Json json_of(const Comparison& comparison);

// How rows of a comparison are made, whatever is compared.

/// Makes a group's title and a row's label from what is not compared.
class RowNames {
 public:
  /// `varied`: an axis, "worker" or "variant", left out of both; empty: none.
  RowNames(const RunView& view, std::string varied);

  std::string group(const Record& record) const;
  std::string label(const Record& record) const;
  const AxisRoles& roles() const { return roles_; }

 private:
  AxisRoles roles_;
  std::string varied_;
  bool several_workers_ = false;
};

/// What is doubtful about a run that is compared: lines left out of its file, and times that are noisy.
void add_own_warnings(Comparison& comparison, const std::string& side, const RunView& view);

/// Collects rows, and cases that make none.
class ComparisonBuilder {
 public:
  /// `paired`: process r of both sides ran in the same round.
  explicit ComparisonBuilder(bool paired) : paired_(paired) {}

  /// A row; where a side has no time, a case without a partner instead. `in_a` and `in_b` say which side that
  /// is: " in A", or nothing.
  void join(CompareRow row, const std::string& in_a, const std::string& in_b);
  void alone(const std::string& why, const std::string& name);

  /// Rows by group, with their means. Throws NotComparable where there are none.
  Comparison finish();

 private:
  bool paired_;
  Comparison comparison_;
  std::map<std::string, std::size_t> unmatched_;
};

}  // namespace uotbench
