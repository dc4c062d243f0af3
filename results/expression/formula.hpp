// Formulas over counted quantities, such as "L1D.misses / L1D.accesses": data of counter groups, read and
// checked, never executed. Numbers, names (letters, digits, '_', '.'), + - * / and parentheses.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "results/expression/expression.hpp"

namespace uotbench {

/// Powers of base units: accesses, bytes, flops, seconds, … ; a ratio of equals has none.
class UnitOfMeasure {
 public:
  UnitOfMeasure() = default;
  /// "1", or words (letters and '_') with powers, multiplied and divided from the left: "accesses",
  /// "bytes/accesses", "bytes^2", "1/seconds". Throws UsageError "WHERE: …" for anything else.
  UnitOfMeasure(std::string_view text, const std::string& where);
  /// As it is read: "bytes/accesses"; "1" where there is none.
  std::string text() const;
  UnitOfMeasure operator*(const UnitOfMeasure& other) const;
  UnitOfMeasure operator/(const UnitOfMeasure& other) const;
  bool operator==(const UnitOfMeasure&) const = default;

 private:
  UnitOfMeasure& multiply(const std::string& base, int power);

  std::map<std::string, int> powers_;  ///< none is 0
};

/// The unit of a part of an expression, of whose names `of_names` has the units; absent: that of a name which
/// it depends on is not known. Numbers have no unit; what is added has the same. Throws UsageError naming the
/// two that do not agree.
std::optional<UnitOfMeasure> unit_in(const Expression& expression, std::size_t node,
                                     const std::vector<std::optional<UnitOfMeasure>>& of_names);

class Formula {
 public:
  /// At most 1000 characters, nested at most 64 deep. Throws UsageError "WHERE: "TEXT": what is wrong".
  Formula(std::string text, std::string where);

  const std::string& text() const { return expression_.text(); }
  /// The names in it, each once.
  const std::vector<std::string>& names() const { return expression_.names(); }

  /// What it comes to, or why it comes to nothing: a name has no value, a division by 0, no finite number.
  struct Result {
    std::optional<double> value = {};
    std::string reason = {};  ///< one line
  };
  /// `find` gives a name's value, or nothing.
  Result value(const std::function<std::optional<double>(const std::string& name)>& find) const;

  /// As unit_in().
  UnitOfMeasure unit(const std::function<UnitOfMeasure(const std::string& name)>& find) const;

 private:
  class Counts;

  Expression expression_;
};

}  // namespace uotbench
