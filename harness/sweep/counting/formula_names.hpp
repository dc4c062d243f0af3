// The names that formulas may use, and their units: formulas over the events of a source while a case is
// counted, and metrics, which are computed when a run is read.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "results/expression/expression.hpp"

namespace uotbench {

class FormulaNames {
 public:
  /// What is there besides events or counters. results/view/metrics.hpp says what the names at reading are.
  enum class When { counting, reading };

  explicit FormulaNames(When when);
  void add(const std::string& name, const UnitOfMeasure& unit) { units_.insert_or_assign(name, unit); }

  /// Throws UsageError where the formula names what is not here, or does not come to `unit`.
  void require(const Formula& formula, const UnitOfMeasure& unit, const std::string& where) const;
  /// Throws UsageError where a formula could not name it, or would take it for something else.
  void require_free(const std::string& name, const std::string& where) const;

 private:
  /// Null: nothing has this name.
  const UnitOfMeasure* unit_of(const std::string& name) const;

  When when_;
  std::vector<std::string> builtin_;
  /// Of names that only a run knows, too, once they were asked for.
  mutable std::map<std::string, UnitOfMeasure> units_;
};

}  // namespace uotbench
