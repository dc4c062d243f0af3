#include <fmt/format.h>

#include <compare>

#include "harness/sweep/language/sweep_file.hpp"
#include "results/base/error.hpp"

namespace uotbench {

/// The values of a point's axes.
class Condition::Axes : public Expression::Values {
 public:
  Axes(const Expression& expression, std::span<const Value* const> values)
      : expression_(expression), values_(values) {}

  const Value& operator[](std::size_t axis) const { return *values_[axis]; }
  double number(std::size_t axis) const override {
    if (!values_[axis]->is_number())
      throw Expression::NoValue(fmt::format("{} ({}) is no number", expression_.names()[axis], shown(axis)));
    return values_[axis]->number();
  }
  std::string shown(std::size_t axis) const override { return value_text(*values_[axis]); }

 private:
  const Expression& expression_;
  std::span<const Value* const> values_;
};

Condition::Condition(std::string text, std::string where)
    : expression_(std::move(text), std::move(where), Expression::Kind::condition) {
  if (axes().empty()) expression_.fail("names no axis: it would hold always or never");
}

bool Condition::holds(std::span<const Value* const> values) const try {
  return truth(expression_.root(), Axes(expression_, values));
} catch (const Expression::NoValue& why) {
  expression_.fail(why.what());
}

bool Condition::truth(std::size_t node, const Axes& axes) const {
  using Op = Expression::Op;
  const auto& n = expression_[node];
  if (n.op == Op::both) return truth(n.left, axes) && truth(n.right, axes);
  if (n.op == Op::either) return truth(n.left, axes) || truth(n.right, axes);
  const Operand a = operand(n.left, axes), b = operand(n.right, axes);
  if (a.is_text != b.is_text)
    expression_.fail(fmt::format(
        "{} is compared with {}: a text with a number; write texts in quotes, as in dtype == 'f32'",
        expression_.told(n.left, axes), expression_.told(n.right, axes)));
  const auto order = a.is_text ? std::partial_ordering(a.text <=> b.text) : a.number <=> b.number;
  switch (n.op) {
    case Op::less:
      return order < 0;
    case Op::at_most:
      return order <= 0;
    case Op::more:
      return order > 0;
    case Op::at_least:
      return order >= 0;
    case Op::equal:
      return order == 0;
    default:
      return order != 0;
  }
}

Condition::Operand Condition::operand(std::size_t node, const Axes& axes) const {
  const auto& n = expression_[node];
  if (n.op == Expression::Op::text) return {.is_text = true, .text = n.text};
  if (n.op == Expression::Op::name && axes[n.left].text())
    return {.is_text = true, .text = *axes[n.left].text()};
  return {.number = expression_.number(node, axes)};
}

}  // namespace uotbench
