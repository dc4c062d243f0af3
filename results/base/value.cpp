#include "results/base/value.hpp"

#include <fmt/format.h>

#include <limits>

#include "results/base/error.hpp"

namespace uotbench {

std::int64_t Value::from_unsigned(std::uint64_t integer) {
  if (integer > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
    throw Error(fmt::format("{} is too large: a value is at most 2^63 - 1", integer));
  return static_cast<std::int64_t>(integer);
}

std::partial_ordering operator<=>(const Value& a, const Value& b) {
  if (a.integer() && b.integer()) return *a.integer() <=> *b.integer();
  if (a.is_number() && b.is_number()) return a.number() <=> b.number();
  if (a.text() && b.text()) return *a.text() <=> *b.text();
  const auto rank = [](const Value& value) { return value.is_none() ? 0 : value.is_number() ? 1 : 2; };
  return rank(a) <=> rank(b);
}

std::string value_text(const Value& value) {
  if (value.text()) return *value.text();
  if (value.integer()) return fmt::format("{}", *value.integer());
  return value.real() ? fmt::format("{}", *value.real()) : "null";
}

}  // namespace uotbench
