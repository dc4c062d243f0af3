// An axis, and a point on several.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "results/base/value.hpp"
#include "results/record/axes/settings.hpp"

namespace uotbench {

// An axis: a named parameter with a frozen default. Families and variants declare them, workers describe
// them, sweeps give them values.

/// Axes whose role is `size` are integers 1..2^31 and always part of a case's id.
inline constexpr std::int64_t largest_size = std::int64_t{1} << 31;

struct Axis {
  enum class Kind { integer, number, text };

  std::string name;
  Kind kind = Kind::integer;
  Role role = Role::tunable;  ///< what it is for; a family's axes that are no sizes become `problem`
  /// Frozen: changing it means renaming the axis, or stored ids would change their meaning. None: a value
  /// must be given, or the family derives it from the other axes (`derived`).
  Value standard = {};
  std::vector<Value> values = {};    ///< accepted values; empty: any of the kind
  std::optional<double> least = {};  ///< smallest accepted number
  std::optional<double> most = {};   ///< largest accepted number
  bool derived = false;              ///< none means: ask the family
  std::string about = {};            ///< one line for `list`
};

/// 4096, 0.05, or the text itself ("nan" and "inf" are texts): a value of which only the text is known.
Value scalar_from(const std::string& text);
/// A value written as text, as the axis takes it; the text itself where it is none of the kind
/// (`axis_violation` then says so).
Value value_from(const Axis& axis, const std::string& text);

/// What the axis accepts, in words: "f32, f64", "an integer >= 1".
std::string accepted(const Axis& axis);

// A point: one value for every axis.

class Point {
 public:
  Point() = default;
  /// If an axis is there twice, the last value counts.
  explicit Point(std::initializer_list<std::pair<std::string, Value>> values) {
    for (const auto& [axis, value] : values) set(axis, value);
  }

  /// Each throws Error naming the axis where it is missing or of another type.
  std::size_t size(std::string_view axis) const { return static_cast<std::size_t>(integer(axis)); }
  std::int64_t integer(std::string_view axis) const;
  double number(std::string_view axis) const;
  std::string text(std::string_view axis) const;

  bool has(std::string_view axis) const { return !value(axis).is_none(); }
  /// None where there is no such axis.
  const Value& value(std::string_view axis) const;
  void set(const std::string& axis, Value value);

  /// By name, in the alphabet's order.
  const Facts& values() const { return values_; }

  bool operator==(const Point&) const = default;

 private:
  const Value& at(std::string_view axis) const;

  Facts values_;
};

// What a ceiling measures of the machine.

struct Measures {
  std::string rate;  ///< by the name that tables of ceilings give it: read, copy, flops
  int arrays = 0;    ///< of N elements, which its working set is made of; 0: it moves no bytes
};

}  // namespace uotbench
