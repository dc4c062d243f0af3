// Two runs, or two values of one axis within a run, case by case: ratios of times and how certain they are.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "results/base/json_fwd.hpp"
#include "results/record/axes/case_parts.hpp"
#include "results/statistics/statistics.hpp"
#include "results/view/compared_times.hpp"
#include "results/view/view.hpp"

namespace uotbench {

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
