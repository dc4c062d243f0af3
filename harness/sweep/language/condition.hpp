// The conditions of a sweep, such as "Tx*Ty <= 1024 && M % rows == 0": which combinations of axis values are
// meant. The grammar is that of results/expression/expression.hpp; nothing is executed.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "results/base/value.hpp"
#include "results/expression/expression.hpp"

namespace uotbench {

class Condition {
 public:
  /// Throws UsageError "WHERE: TEXT: what is wrong" (position, what was found, what is accepted).
  Condition(std::string text, std::string where);

  /// The axes it names, each once.
  const std::vector<std::string>& axes() const { return expression_.names(); }
  const std::string& text() const { return expression_.text(); }
  /// Where it stands, e.g. tiling.json: /cases/0/where/1.
  const std::string& where() const { return expression_.where(); }

  /// Whether it holds for these values of `axes()`, numbers or texts. Numbers are doubles; / is exact
  /// division, % wants integers. Throws UsageError for what has no answer: 1/0, 3 % 0, 0.5 % 2, 'f32' < 3.
  bool holds(std::span<const Value* const> values) const;

 private:
  class Axes;
  struct Operand {
    bool is_text = false;
    double number = 0;
    std::string_view text = {};
  };

  bool truth(std::size_t node, const Axes& axes) const;
  Operand operand(std::size_t node, const Axes& axes) const;

  Expression expression_;
};

}  // namespace uotbench
