#include "harness/protocol/axis.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

namespace uotbench {
namespace {

std::string joined(const std::vector<Value>& values) {
  std::vector<std::string> texts;
  for (const auto& value : values) texts.push_back(value_text(value));
  return fmt::format("{}", fmt::join(texts, ", "));
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

}  // namespace uotbench
