#include "harness/sweep/condition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "harness/protocol/point.hpp"
#include "results/error.hpp"

namespace uotbench {

/// Recursive descent; every rule says whether it made a truth or a value, so that "M + (N < 2)" is refused
/// where it is read.
class ConditionParser {
  using Op = Condition::Op;

 public:
  explicit ConditionParser(Condition& into) : c_(into), text_(into.text_) {}

  std::size_t whole() {
    const Part part = either();
    blanks();
    if (at_ < text_.size()) wrong("an operator or the end");
    if (!part.truth) wrong("a comparison such as M <= 1024");
    return part.node;
  }

 private:
  struct Part {
    std::size_t node;
    bool truth;
  };
  /// Copied ( by the hundred would exhaust the stack.
  static constexpr int deepest = 64;

  void blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }
  bool take(std::string_view token) {
    blanks();
    if (!std::string_view(text_).substr(at_).starts_with(token)) return false;
    at_ += token.size();
    return true;
  }
  [[noreturn]] void wrong(const std::string& accepted) const {
    c_.fail(fmt::format("at {}; accepted there: {}",
                        at_ < text_.size() ? fmt::format("\"{}\"", text_.substr(at_)) : "its end", accepted));
  }

  std::size_t add(Condition::Node node) {
    c_.nodes_.push_back(std::move(node));
    return c_.nodes_.size() - 1;
  }
  Part join(Op op, const Part& left, const Part& right, bool of_truths, bool truth) {
    if (left.truth != of_truths || right.truth != of_truths)
      wrong(of_truths ? "comparisons on both sides of && and ||"
                      : "numbers, texts or axes on both sides of an operator");
    return {add({.op = op, .left = left.node, .right = right.node}), truth};
  }

  Part either() {
    Part left = both();
    while (take("||")) left = join(Op::either, left, both(), true, true);
    return left;
  }
  Part both() {
    Part left = comparison();
    while (take("&&")) left = join(Op::both, left, comparison(), true, true);
    return left;
  }
  Part comparison() {
    const Part left = sum();
    constexpr std::pair<std::string_view, Op> operators[]{{"<=", Op::at_most}, {">=", Op::at_least},
                                                          {"==", Op::equal},   {"!=", Op::unequal},
                                                          {"<", Op::less},     {">", Op::more}};
    for (const auto& [token, op] : operators)
      if (take(token)) return join(op, left, sum(), false, true);
    return left;
  }
  Part sum() {
    Part left = product();
    for (;;) {
      if (take("+"))
        left = join(Op::plus, left, product(), false, false);
      else if (take("-"))
        left = join(Op::minus, left, product(), false, false);
      else
        return left;
    }
  }
  Part product() {
    Part left = unary();
    for (;;) {
      if (take("*"))
        left = join(Op::times, left, unary(), false, false);
      else if (take("/"))
        left = join(Op::divide, left, unary(), false, false);
      else if (take("%"))
        left = join(Op::modulo, left, unary(), false, false);
      else
        return left;
    }
  }
  Part unary() {
    if (++depth_ > deepest) c_.fail(fmt::format("nests more than {} deep", deepest));
    const Part part = take("-") ? join_negated(unary()) : primary();
    --depth_;
    return part;
  }
  Part join_negated(const Part& part) {
    if (part.truth) wrong("a number after -");
    return {add({.op = Op::negate, .left = part.node}), false};
  }
  Part primary() {
    if (take("(")) {
      const Part inside = either();
      if (!take(")")) wrong("\")\"");
      return inside;
    }
    blanks();
    const char first = at_ < text_.size() ? text_[at_] : '\0';
    if (first == '\'') return quoted();
    if ((first >= '0' && first <= '9') || first == '.') return number();
    const std::size_t start = at_;
    const auto letter = [](unsigned char c) { return c < 128 && (std::isalnum(c) || c == '_'); };
    while (at_ < text_.size() && letter(static_cast<unsigned char>(text_[at_]))) ++at_;
    if (at_ == start) wrong("an axis, a number, 'a text' or \"(\"");
    const std::string name = text_.substr(start, at_ - start);
    const auto known = std::ranges::find(c_.axes_, name);
    const auto index = static_cast<std::size_t>(known - c_.axes_.begin());
    if (known == c_.axes_.end()) c_.axes_.push_back(name);
    return {add({.op = Op::axis, .left = index}), false};
  }
  Part quoted() {
    const auto end = text_.find('\'', at_ + 1);
    if (end == std::string::npos) wrong("a text that ends with '");
    const std::string text = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return {add({.op = Op::text, .text = text}), false};
  }
  Part number() {
    double value = 0;
    const auto [rest, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error != std::errc()) wrong("a number");
    at_ = static_cast<std::size_t>(rest - text_.data());
    return {add({.op = Op::number, .number = value}), false};
  }

  Condition& c_;
  const std::string& text_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

Condition::Condition(std::string text, std::string where) : text_(std::move(text)), where_(std::move(where)) {
  // Evaluating recurses along chains of operators, too.
  if (text_.size() > 1000)
    throw UsageError(fmt::format("{}: found {} characters; accepted: at most 1000", where_, text_.size()));
  root_ = ConditionParser(*this).whole();
  if (axes_.empty()) fail("names no axis: it would hold always or never");
}

void Condition::fail(const std::string& what) const {
  throw UsageError(fmt::format("{}: \"{}\": {}", where_, text_, what));
}

bool Condition::holds(std::span<const Json* const> values) const { return truth(root_, values); }

bool Condition::truth(std::size_t node, std::span<const Json* const> values) const {
  const Node& n = nodes_[node];
  if (n.op == Op::both) return truth(n.left, values) && truth(n.right, values);
  if (n.op == Op::either) return truth(n.left, values) || truth(n.right, values);
  const Value a = value(n.left, values), b = value(n.right, values);
  if (a.is_text != b.is_text)
    fail(fmt::format(
        "{} is compared with {}: a text with a number; texts stand in quotes, as in dtype == 'f32'",
        told(n.left, values), told(n.right, values)));
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

Condition::Value Condition::value(std::size_t node, std::span<const Json* const> values) const {
  const Node& n = nodes_[node];
  if (n.op == Op::text) return {.is_text = true, .text = n.text};
  if (n.op == Op::axis && values[n.left]->is_string())
    return {.is_text = true, .text = values[n.left]->get_ref<const std::string&>()};
  return {.number = number(node, values)};
}

double Condition::number(std::size_t node, std::span<const Json* const> values) const {
  const Node& n = nodes_[node];
  if (n.op == Op::number) return n.number;
  if (n.op == Op::text || (n.op == Op::axis && !values[n.left]->is_number()))
    fail(fmt::format("{} is no number", told(node, values)));
  if (n.op == Op::axis) return values[n.left]->get<double>();
  const double a = number(n.left, values);
  if (n.op == Op::negate) return -a;
  const double b = number(n.right, values);
  switch (n.op) {
    case Op::times:
      return a * b;
    case Op::plus:
      return a + b;
    case Op::minus:
      return a - b;
    case Op::divide:
      if (b == 0) fail(fmt::format("{} / {} divides by 0", told(n.left, values), told(n.right, values)));
      return a / b;
    default:
      if (b == 0 || a != std::trunc(a) || b != std::trunc(b))
        fail(fmt::format("{} % {} wants integers, and no 0 on the right", told(n.left, values),
                         told(n.right, values)));
      return std::fmod(a, b);
  }
}

/// A part of the condition as a message calls it: rows (0), 0.5.
std::string Condition::told(std::size_t node, std::span<const Json* const> values) const {
  const Node& n = nodes_[node];
  if (n.op == Op::text) return fmt::format("'{}'", n.text);
  if (n.op == Op::axis) return fmt::format("{} ({})", axes_[n.left], value_text(*values[n.left]));
  return fmt::format("{}", number(node, values));
}

}  // namespace uotbench
