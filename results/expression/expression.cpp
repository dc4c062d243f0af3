#include "results/expression/expression.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

#include "results/base/error.hpp"
#include "results/base/text.hpp"

namespace uotbench {
namespace {

constexpr std::size_t longest_text = 1000;   // evaluating recurses along chains of operators, too
constexpr std::size_t longest_quoted = 100;  // a message is to be read

/// What an aggregate may call, and with how many arguments.
constexpr std::pair<const char*, int> callable[]{
    {"max", 1}, {"min", 1}, {"mean", 1}, {"median", 1}, {"rank", 2}};

std::string in_message(const std::string& text) { return cut(on_one_line(text), longest_quoted); }

}  // namespace

/// Recursive descent; every rule says whether it made a truth or a value, so that "M + (N < 2)" is refused
/// where it is read.
class ExpressionParser {
  using Op = Expression::Op;
  using Kind = Expression::Kind;

 public:
  ExpressionParser(Expression& into, Kind kind)
      : e_(into),
        text_(into.text_),
        conditions_(kind == Kind::condition),
        aggregates_(kind == Kind::aggregate) {}

  std::size_t whole() {
    const Part part = conditions_ ? either() : sum();
    blanks();
    if (at_ < text_.size()) wrong(conditions_ ? "an operator or the end" : "+, -, *, / or the end");
    if (conditions_ && !part.truth) wrong("a comparison such as M <= 1024");
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
    e_.fail(fmt::format("at {}: expected {}",
                        at_ < text_.size() ? fmt::format("\"{}\"", in_message(text_.substr(at_))) : "its end",
                        accepted));
  }

  std::size_t add(Expression::Node node) {
    e_.nodes_.push_back(std::move(node));
    return e_.nodes_.size() - 1;
  }
  Part join(Op op, const Part& left, const Part& right, bool of_truths, bool truth) {
    if (left.truth != of_truths || right.truth != of_truths)
      wrong(of_truths ? "comparisons on both sides of && and ||"
                      : "numbers, texts or axes on both sides of an operator");
    return {add({.op = op,
                 .left = left.node,
                 .right = right.node,
                 .begin = e_.nodes_[left.node].begin,
                 .end = e_.nodes_[right.node].end}),
            truth};
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
      else if (conditions_ && take("%"))
        left = join(Op::modulo, left, unary(), false, false);
      else
        return left;
    }
  }
  Part unary() {
    if (++depth_ > deepest) e_.fail(fmt::format("nests more than {} deep", deepest));
    blanks();
    const std::size_t begin = at_;
    const Part part = take("-") ? negated(unary(), begin) : primary();
    --depth_;
    return part;
  }
  Part negated(const Part& part, std::size_t begin) {
    if (part.truth) wrong("a number after -");
    return {add({.op = Op::negate, .left = part.node, .begin = begin, .end = e_.nodes_[part.node].end}),
            false};
  }
  Part primary() {
    if (take("(")) {
      const Part inside = conditions_ ? either() : sum();
      if (!take(")")) wrong(conditions_ ? "\")\"" : "+, -, *, / or \")\"");
      return inside;
    }
    blanks();
    const char first = at_ < text_.size() ? text_[at_] : '\0';
    if (conditions_ && first == '\'') return quoted();
    if ((first >= '0' && first <= '9') || first == '.') return number();
    const std::size_t begin = at_;
    const auto letter = [&](unsigned char c) {
      return c < 128 && (std::isalnum(c) || c == '_' || (c == '.' && !conditions_));
    };
    while (at_ < text_.size() && letter(static_cast<unsigned char>(text_[at_]))) ++at_;
    if (at_ == begin)
      wrong(conditions_ ? "an axis, a number, 'a text' or \"(\"" : "a name, a number or \"(\"");
    const std::string name = text_.substr(begin, at_ - begin);
    if (aggregates_ && take("(")) return called(name, begin);
    const auto known = std::ranges::find(e_.names_, name);
    const auto index = static_cast<std::size_t>(known - e_.names_.begin());
    if (known == e_.names_.end()) e_.names_.push_back(name);
    return {add({.op = Op::name, .left = index, .begin = begin, .end = at_}), false};
  }
  Part called(const std::string& function, std::size_t begin) {
    const auto known =
        std::ranges::find_if(callable, [&](const auto& each) { return each.first == function; });
    if (known == std::end(callable)) {
      std::vector<std::string> names;
      for (const auto& each : callable) names.push_back(each.first);
      e_.fail(fmt::format("no function is called \"{}\"; there are: {}", in_message(function),
                          fmt::join(names, ", ")));
    }
    if (inside_call_) e_.fail(fmt::format("{} is within another function: one is enough", function));
    inside_call_ = true;
    const std::size_t left = sum().node;
    std::size_t right = left;
    if (known->second == 2) {
      if (!take(",")) wrong("\",\" and a second argument");
      right = sum().node;
    }
    if (!take(")")) wrong("+, -, *, / or \")\"");
    inside_call_ = false;
    return {add({.op = Op::call, .left = left, .right = right, .text = function, .begin = begin, .end = at_}),
            false};
  }
  Part quoted() {
    const std::size_t begin = at_;
    const auto end = text_.find('\'', at_ + 1);
    if (end == std::string::npos) wrong("a text that ends with '");
    at_ = end + 1;
    return {
        add({.op = Op::text, .text = text_.substr(begin + 1, end - begin - 1), .begin = begin, .end = at_}),
        false};
  }
  Part number() {
    const std::size_t begin = at_;
    double value = 0;
    const auto [rest, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error != std::errc()) wrong("a number");
    at_ = static_cast<std::size_t>(rest - text_.data());
    return {add({.op = Op::number, .number = value, .begin = begin, .end = at_}), false};
  }

  Expression& e_;
  const std::string& text_;
  bool conditions_, aggregates_, inside_call_ = false;
  std::size_t at_ = 0;
  int depth_ = 0;
};

Expression::Expression(std::string text, std::string where, Kind kind)
    : text_(std::move(text)), where_(std::move(where)) {
  if (text_.size() > longest_text)
    throw UsageError(
        fmt::format("{}: expected at most {} characters, got {}", where_, longest_text, text_.size()));
  root_ = ExpressionParser(*this, kind).whole();
}

void Expression::fail(const std::string& what) const {
  throw UsageError(fmt::format("{}: \"{}\": {}", where_, in_message(text_), what));
}

std::string Expression::part(std::size_t node) const {
  const Node& n = nodes_[node];
  const std::string text = text_.substr(n.begin, n.end - n.begin);
  return in_message(text.substr(0, text.find_last_not_of(' ') + 1));
}

double Expression::Values::call(const Expression&, const Node& node) const {
  throw NoValue(fmt::format("{} has nothing to range over here", node.text));
}

double Expression::number(std::size_t node, const Values& values) const {
  const Node& n = nodes_[node];
  if (n.op == Op::number) return n.number;
  if (n.op == Op::name) return values.number(n.left);
  if (n.op == Op::call) return values.call(*this, n);
  if (n.op == Op::text) throw NoValue(fmt::format("{} is no number", told(node, values)));
  const double a = number(n.left, values);
  if (n.op == Op::negate) return -a;
  const double b = number(n.right, values);
  double result = 0;
  switch (n.op) {
    case Op::times:
      result = a * b;
      break;
    case Op::plus:
      result = a + b;
      break;
    case Op::minus:
      result = a - b;
      break;
    case Op::divide:
      if (b == 0)
        throw NoValue(fmt::format("{} / {} divides by 0", told(n.left, values), told(n.right, values)));
      result = a / b;
      break;
    default:
      if (b == 0 || a != std::trunc(a) || b != std::trunc(b))
        throw NoValue(fmt::format("{} % {} wants integers, and no 0 on the right", told(n.left, values),
                                  told(n.right, values)));
      result = std::fmod(a, b);
  }
  if (!std::isfinite(result)) throw NoValue(fmt::format("{} is more than a number can hold", part(node)));
  return result;
}

std::string Expression::told(std::size_t node, const Values& values) const {
  const Node& n = nodes_[node];
  if (n.op == Op::text) return fmt::format("'{}'", in_message(n.text));
  if (n.op == Op::name) return fmt::format("{} ({})", in_message(names_[n.left]), values.shown(n.left));
  return fmt::format("{}", number(node, values));
}

}  // namespace uotbench
