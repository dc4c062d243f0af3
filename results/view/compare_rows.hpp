// How rows of a comparison are made, whatever is compared.
#pragma once

#include <map>
#include <set>
#include <string>

#include "results/record/axes/case_parts.hpp"
#include "results/view/compare.hpp"

namespace uotbench {

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
