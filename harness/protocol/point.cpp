#include "harness/protocol/point.hpp"

#include <fmt/format.h>

#include <map>

#include "results/error.hpp"

namespace uotbench {
namespace {

std::string percent_encoded(const std::string& text) {
  std::string out;
  for (const unsigned char c : text) {
    const bool plain = (c < 128 && std::isalnum(c)) || c == '_' || c == '.' || c == '+' || c == '-';
    out += plain ? std::string(1, static_cast<char>(c)) : fmt::format("%{:02X}", c);
  }
  return out;
}

}  // namespace

const Json& Point::at(const char* axis) const {
  const auto found = values_.find(axis);
  if (found == values_.end() || found->is_null()) throw Error(fmt::format("the point has no axis {}", axis));
  return *found;
}

std::int64_t Point::integer(const char* axis) const {
  const Json& value = at(axis);
  if (!value.is_number_integer())
    throw Error(fmt::format("axis {}: {} is not an integer", axis, to_line(value)));
  return value.get<std::int64_t>();
}

double Point::number(const char* axis) const {
  const Json& value = at(axis);
  if (!value.is_number()) throw Error(fmt::format("axis {}: {} is not a number", axis, to_line(value)));
  return value.get<double>();
}

std::string Point::text(const char* axis) const {
  const Json& value = at(axis);
  if (!value.is_string()) throw Error(fmt::format("axis {}: {} is not a text", axis, to_line(value)));
  return value.get<std::string>();
}

std::string value_text(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_float()) return fmt::format("{}", value.get<double>());
  return to_line(value);
}

std::string case_id(std::string_view variant, const std::vector<Axis>& axes, const Json& point,
                    const Json& derived, std::string_view worker) {
  std::string id(variant);
  std::map<std::string, std::string> changed;
  for (const auto& axis : axes) {
    const Json& value = point.at(axis.name);
    const std::string text = percent_encoded(value_text(value));
    const Json standard = axis.derived && derived.contains(axis.name) ? derived.at(axis.name) : axis.standard;
    if (axis.kind == Axis::Kind::size) {
      id += fmt::format("/{}:{}", axis.name, text);
    } else if (value != standard) {
      changed.emplace(axis.name, text);
    }
  }
  for (const auto& [name, text] : changed) id += fmt::format("/{}:{}", name, text);
  return fmt::format("{}@{}", id, worker);
}

}  // namespace uotbench
