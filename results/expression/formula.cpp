#include <fmt/format.h>

#include <cctype>
#include <cmath>

#include "results/base/error.hpp"
#include "results/expression/expression.hpp"

namespace uotbench {
namespace {

constexpr std::size_t longest_unit = 100;

[[noreturn]] void refuse_unit(std::string_view text, const std::string& where) {
  throw UsageError(
      fmt::format("{}: expected a unit (1, a word, or words with * / ^, such as bytes/accesses), got \"{}\"",
                  where, text.substr(0, longest_unit)));
}

std::string told_unit(const UnitOfMeasure& unit) {
  return unit == UnitOfMeasure() ? "has no unit" : fmt::format("is in {}", unit.text());
}

}  // namespace

UnitOfMeasure::UnitOfMeasure(std::string_view text, const std::string& where) {
  std::size_t at = 0;
  const auto refuse_unless = [&](bool right) {
    if (!right) refuse_unit(text, where);
  };
  refuse_unless(!text.empty() && text.size() <= longest_unit);
  for (int sign = 1;; sign = text[at++] == '/' ? -1 : 1) {
    const std::size_t begin = at;
    while (at < text.size() && (std::isalpha(static_cast<unsigned char>(text[at])) || text[at] == '_')) ++at;
    if (at == begin) {
      refuse_unless(at < text.size() && text[at] == '1');
      ++at;
    } else {
      int power = 1;
      const std::string base(text.substr(begin, at - begin));
      if (at < text.size() && text[at] == '^') {
        refuse_unless(at + 1 < text.size() && text[at + 1] >= '1' && text[at + 1] <= '9');
        power = text[at + 1] - '0';
        at += 2;
      }
      multiply(base, sign * power);
    }
    if (at == text.size()) return;
    refuse_unless(text[at] == '*' || text[at] == '/');
  }
}

std::string UnitOfMeasure::text() const {
  const auto term = [](const std::string& base, int power) {
    return power == 1 ? base : fmt::format("{}^{}", base, power);
  };
  std::string above, below;
  for (const auto& [base, power] : powers_) {
    if (power > 0)
      above += (above.empty() ? "" : "*") + term(base, power);
    else
      below += "/" + term(base, -power);
  }
  return (above.empty() ? "1" : above) + below;
}

UnitOfMeasure& UnitOfMeasure::multiply(const std::string& base, int power) {
  if ((powers_[base] += power) == 0) powers_.erase(base);
  return *this;
}

UnitOfMeasure UnitOfMeasure::operator*(const UnitOfMeasure& other) const {
  UnitOfMeasure product = *this;
  for (const auto& [base, power] : other.powers_) product.multiply(base, power);
  return product;
}

UnitOfMeasure UnitOfMeasure::operator/(const UnitOfMeasure& other) const {
  UnitOfMeasure quotient = *this;
  for (const auto& [base, power] : other.powers_) quotient.multiply(base, -power);
  return quotient;
}

/// What the names of a formula were counted to be.
class Formula::Counts : public Expression::Values {
 public:
  using Find = std::function<std::optional<double>(const std::string& name)>;

  Counts(const Formula& formula, const Find& find) : formula_(formula), find_(find) {}

  double number(std::size_t name) const override {
    const auto value = find_(formula_.names()[name]);
    if (!value) throw Expression::NoValue(short_name(name) + " has no value");
    if (!std::isfinite(*value)) throw Expression::NoValue(short_name(name) + " is no finite number");
    return *value;
  }
  std::string shown(std::size_t name) const override { return fmt::format("{:.6g}", number(name)); }

 private:
  std::string short_name(std::size_t name) const { return formula_.names()[name].substr(0, 100); }

  const Formula& formula_;
  const Find& find_;
};

Formula::Formula(std::string text, std::string where)
    : expression_(std::move(text), std::move(where), Expression::Kind::formula) {}

Formula::Result Formula::value(
    const std::function<std::optional<double>(const std::string& name)>& find) const try {
  return {.value = expression_.number(expression_.root(), Counts(*this, find))};
} catch (const Expression::NoValue& why) {
  return {.reason = why.what()};
}

std::optional<UnitOfMeasure> unit_in(const Expression& expression, std::size_t node,
                                     const std::vector<std::optional<UnitOfMeasure>>& of_names) {
  using Op = Expression::Op;
  const auto& n = expression[node];
  if (n.op == Op::number) return UnitOfMeasure();
  if (n.op == Op::name) return of_names[n.left];
  const auto a = unit_in(expression, n.left, of_names);
  if (n.op == Op::call && n.text == "rank") return UnitOfMeasure();
  if (n.op == Op::negate || n.op == Op::call) return a;
  const auto b = unit_in(expression, n.right, of_names);
  if (!a || !b) return std::nullopt;
  if (n.op == Op::times) return *a * *b;
  if (n.op == Op::divide) return *a / *b;
  if (*a != *b)
    expression.fail(fmt::format("{} {}, but {} {}: what is added has one unit", expression.part(n.left),
                                told_unit(*a), expression.part(n.right), told_unit(*b)));
  return a;
}

UnitOfMeasure Formula::unit(const std::function<UnitOfMeasure(const std::string& name)>& find) const {
  std::vector<std::optional<UnitOfMeasure>> of_names;
  for (const auto& name : names()) of_names.emplace_back(find(name));
  return *unit_in(expression_, expression_.root(), of_names);
}

}  // namespace uotbench
