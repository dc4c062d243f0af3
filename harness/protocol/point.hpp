// A point: one value for every axis.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "results/base/value.hpp"

namespace uotbench {

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

}  // namespace uotbench
