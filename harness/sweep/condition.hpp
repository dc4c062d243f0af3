// The conditions of a sweep, such as "Tx*Ty <= 1024 && M % rows == 0": which combinations of axis values are
// meant. A grammar of its own, checked when it is read; nothing is executed.
//
//   condition   any || any ...            any   each && each ...
//   each        sum < sum   (also <= > >= == !=), or (condition)
//   sum         product + product - ...   product   unary * unary / unary % ...
//   unary       -unary, a number, 'text', an axis, or (sum)
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "results/json.hpp"

namespace uotbench {

class Condition {
 public:
  /// Throws UsageError "WHERE: TEXT: what is wrong" (position, what was found, what is accepted).
  Condition(std::string text, std::string where);

  /// The axes it names, each once.
  const std::vector<std::string>& axes() const { return axes_; }
  const std::string& text() const { return text_; }
  /// Where it stands, e.g. tiling.json: /cases/0/where/1.
  const std::string& where() const { return where_; }

  /// Whether it holds for these values of `axes()`, numbers or texts. Numbers are doubles; / is exact
  /// division, % wants integers. Throws UsageError for what has no answer: 1/0, 3 % 0, 0.5 % 2, 'f32' < 3.
  bool holds(std::span<const Json* const> values) const;

 private:
  friend class ConditionParser;
  enum class Op {
    number,
    text,
    axis,
    negate,
    times,
    divide,
    modulo,
    plus,
    minus,
    less,
    at_most,
    more,
    at_least,
    equal,
    unequal,
    both,
    either
  };
  struct Node {
    Op op;
    std::size_t left = 0, right = 0;  ///< nodes; of an axis: its index
    double number = 0;
    std::string text = {};
  };
  struct Value {
    bool is_text = false;
    double number = 0;
    std::string_view text = {};
  };

  bool truth(std::size_t node, std::span<const Json* const> values) const;
  Value value(std::size_t node, std::span<const Json* const> values) const;
  double number(std::size_t node, std::span<const Json* const> values) const;
  std::string told(std::size_t node, std::span<const Json* const> values) const;
  [[noreturn]] void fail(const std::string& what) const;

  std::string text_, where_;
  std::vector<std::string> axes_;
  std::vector<Node> nodes_;
  std::size_t root_ = 0;
};

}  // namespace uotbench
