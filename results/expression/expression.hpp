// Arithmetic that sweeps, metrics and claims write: expressions, and formulas whose values have units.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace uotbench {

// Arithmetic as people write it into JSON files: what formulas over counters and the conditions of sweeps
// share. Read and checked; nothing is executed.
//
//   condition   any || any ...            any   each && each ...
//   each        sum < sum   (also <= > >= == !=), or (condition)
//   sum         product + product - ...   product   unary * unary / unary % ...
//   unary       -unary, a number, 'text', a name, or (sum)
//
// A formula is a sum, without texts and %. An aggregate is a formula that may call max(sum), min, mean,
// median and rank(sum, sum): what they range over is the caller's.

class Expression {
 public:
  enum class Op {
    number,
    text,
    name,
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
    either,
    call
  };
  struct Node {
    Op op;
    std::size_t left = 0, right = 0;  ///< nodes; of a name: its index; of a call: what it is given
    double number = 0;
    std::string text = {};           ///< a quoted text; of a call: the function
    std::size_t begin = 0, end = 0;  ///< where it is in the text
  };
  enum class Kind { formula, condition, aggregate };

  /// At most 1000 characters, nested at most 64 deep. Throws UsageError "WHERE: "TEXT": what is wrong"
  /// (position, what was found, what is accepted); a long TEXT is shortened there.
  Expression(std::string text, std::string where, Kind kind);

  const std::string& text() const { return text_; }
  const std::string& where() const { return where_; }
  /// The names in it, each once.
  const std::vector<std::string>& names() const { return names_; }
  const Node& operator[](std::size_t node) const { return nodes_[node]; }
  std::size_t root() const { return root_; }
  /// A part of the text, shortened, for messages.
  std::string part(std::size_t node) const;
  /// Throws UsageError "WHERE: "TEXT": what".
  [[noreturn]] void fail(const std::string& what) const;

  /// What has no answer, and why, in one line.
  class NoValue : public std::runtime_error {
    using std::runtime_error::runtime_error;
  };
  /// The values of names, by their index.
  class Values {
   public:
    virtual ~Values() = default;
    /// Throws NoValue where it is no number.
    virtual double number(std::size_t name) const = 0;
    /// For messages: f32, 100.
    virtual std::string shown(std::size_t name) const = 0;
    /// Of a call in an aggregate. Throws NoValue.
    virtual double call(const Expression& expression, const Node& node) const;
  };
  /// Of a node that is no comparison. / is exact division, % wants integers. Throws NoValue: 1/0, 3 % 0,
  /// 0.5 % 2, a text, more than a double holds.
  double number(std::size_t node, const Values& values) const;
  /// An operand as a message calls it: rows (0), 0.5.
  std::string told(std::size_t node, const Values& values) const;

 private:
  friend class ExpressionParser;

  std::string text_, where_;
  std::vector<std::string> names_;
  std::vector<Node> nodes_;
  std::size_t root_ = 0;
};

// Formulas over counted quantities, such as "L1D.misses / L1D.accesses": data of counter groups, read and
// checked, never executed. Numbers, names (letters, digits, '_', '.'), + - * / and parentheses.

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
