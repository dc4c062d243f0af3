#include "harness/protocol/point.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "results/base/document.hpp"
#include "results/base/error.hpp"

namespace uotbench {
namespace {

std::string joined(const std::vector<Value>& values) {
  std::vector<std::string> texts;
  for (const auto& value : values) texts.push_back(value_text(value));
  return fmt::format("{}", fmt::join(texts, ", "));
}

using Entry = Facts::value_type;

Error wrong_type(std::string_view axis, const Value& value, const char* wanted) {
  return Error(fmt::format("axis {}: {} is not {}", axis, json_text(value), wanted));
}

}  // namespace

Value scalar_from(const std::string& text) {
  const char* const end = text.data() + text.size();
  std::int64_t integer = 0;
  if (const auto [rest, error] = std::from_chars(text.data(), end, integer);
      error == std::errc() && rest == end)
    return integer;
  double number = 0;
  if (const auto [rest, error] = std::from_chars(text.data(), end, number);
      error == std::errc() && rest == end && std::isfinite(number))
    return number;
  return text;
}

Value value_from(const Axis& axis, const std::string& text) {
  if (axis.kind == Axis::Kind::text) return text;
  Value value = scalar_from(text);
  return value.real() && axis.kind != Axis::Kind::number ? Value(text) : value;
}

std::string accepted(const Axis& axis) {
  if (!axis.values.empty()) return joined(axis.values);
  const auto range = [&]() -> std::string {
    if (axis.least && axis.most) return fmt::format(" {}..{}", *axis.least, *axis.most);
    if (axis.least) return fmt::format(" >= {}", *axis.least);
    return axis.most ? fmt::format(" <= {}", *axis.most) : "";
  };
  if (axis.role == Role::size)
    return fmt::format("an integer {}..{}", axis.least.value_or(1),
                       axis.most ? fmt::format("{}", *axis.most) : "2^31");
  switch (axis.kind) {
    case Axis::Kind::integer:
      return "an integer" + range();
    case Axis::Kind::number:
      return "a number" + range();
    case Axis::Kind::text:
      return "a text";
  }
  return "?";
}

const Value& Point::value(std::string_view axis) const {
  static const Value none;
  const auto found = std::ranges::lower_bound(values_, axis, {}, &Entry::first);
  return found != values_.end() && found->first == axis ? found->second : none;
}

void Point::set(const std::string& axis, Value value) {
  const auto place = std::ranges::lower_bound(values_, axis, {}, &Entry::first);
  if (place != values_.end() && place->first == axis)
    place->second = std::move(value);
  else
    values_.emplace(place, axis, std::move(value));
}

const Value& Point::at(std::string_view axis) const {
  const Value& found = value(axis);
  if (found.is_none()) throw Error(fmt::format("the point has no axis {}", axis));
  return found;
}

std::int64_t Point::integer(std::string_view axis) const {
  const Value& value = at(axis);
  if (!value.integer()) throw wrong_type(axis, value, "an integer");
  return *value.integer();
}

double Point::number(std::string_view axis) const {
  const Value& value = at(axis);
  if (!value.is_number()) throw wrong_type(axis, value, "a number");
  return value.number();
}

std::string Point::text(std::string_view axis) const {
  const Value& value = at(axis);
  if (!value.text()) throw wrong_type(axis, value, "a text");
  return *value.text();
}

}  // namespace uotbench
