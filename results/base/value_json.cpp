#include "results/base/value_json.hpp"

#include <fmt/format.h>

#include "results/base/error.hpp"
#include "results/base/json.hpp"

namespace uotbench {

Json to_json(const Value& value) {
  if (value.integer()) return *value.integer();
  if (value.real()) return *value.real();
  return value.text() ? Json(*value.text()) : Json(nullptr);
}

Json to_json(const Facts& facts) {
  Json json = Json::object();
  for (const auto& [name, value] : facts) json[name] = to_json(value);
  return json;
}

Value value_from(const Json& json) {
  if (json.is_null()) return {};
  if (json.is_string()) return json.get<std::string>();
  if (json.is_number_float()) return json.get<double>();
  if (json.is_number_unsigned()) return json.get<std::uint64_t>();
  if (json.is_number_integer()) return json.get<std::int64_t>();
  throw Error(fmt::format("{} is no number and no text", to_line(json)));
}

std::string json_text(const Value& value) { return to_line(to_json(value)); }

std::string value_text(const Json& json) {
  if (json.is_string()) return json.get<std::string>();
  return json.is_number_float() ? value_text(Value(json.get<double>())) : to_line(json);
}

}  // namespace uotbench
