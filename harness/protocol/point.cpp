#include "harness/protocol/point.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "results/base/document.hpp"
#include "results/base/error.hpp"

namespace uotbench {
namespace {

using Entry = Facts::value_type;

Error wrong_type(std::string_view axis, const Value& value, const char* wanted) {
  return Error(fmt::format("axis {}: {} is not {}", axis, json_text(value), wanted));
}

}  // namespace

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
