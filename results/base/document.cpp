#include "results/base/document.hpp"

#include <fmt/format.h>

#include <limits>

#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/base/value.hpp"

namespace uotbench {

Document::Document(Json json) : json_(std::make_shared<const Json>(std::move(json))) {}

const Json& Document::json() const {
  static const Json none = nullptr;
  return json_ ? *json_ : none;
}

bool Document::is_null() const { return json().is_null(); }

std::string Document::line() const { return to_line(json()); }

bool operator==(const Document& a, const Document& b) { return a.json() == b.json(); }

ObjectDocument::ObjectDocument(Json json) : object_(std::move(json)) {}

ObjectDocument::ObjectDocument(std::initializer_list<std::pair<std::string, Value>> values) {
  Json object = Json::object();
  for (const auto& [name, value] : values) object[name] = to_json(value);
  object_ = std::move(object);
}

const Json& ObjectDocument::json() const {
  static const Json none = Json::object();
  return object_.is_null() ? none : object_.json();
}

bool ObjectDocument::empty() const { return json().empty(); }

bool ObjectDocument::contains(const std::string& name) const { return json().contains(name); }

const Json* ObjectDocument::find(const std::string& name) const {
  const auto found = json().find(name);
  return found == json().end() ? nullptr : &*found;
}

std::optional<double> ObjectDocument::number(const std::string& name) const {
  const Json* const found = find(name);
  return found && found->is_number() ? std::optional(found->get<double>()) : std::nullopt;
}

std::vector<std::string> ObjectDocument::names() const {
  std::vector<std::string> names;
  for (const auto& [name, value] : json().items()) names.push_back(name);
  return names;
}

Value ObjectDocument::value(const std::string& name) const {
  constexpr std::uint64_t most = std::numeric_limits<std::int64_t>::max();
  const Json* const found = find(name);
  if (!found || !(found->is_string() || found->is_number())) return {};
  return found->is_number_unsigned() && found->get<std::uint64_t>() > most ? Value() : value_from(*found);
}

std::string ObjectDocument::text(const std::string& name) const {
  const Json* const found = find(name);
  return found ? value_text(*found) : "";
}

bool ObjectDocument::is_set(const std::string& name) const {
  const Json* const found = find(name);
  return found && *found == true;
}

Document ObjectDocument::document() const { return json(); }

std::string ObjectDocument::line() const { return to_line(json()); }

void ObjectDocument::set(const std::string& name, const Value& value) {
  Json object = json();
  object[name] = to_json(value);
  object_ = std::move(object);
}

ObjectDocument ObjectDocument::without(const std::vector<std::string>& names) const {
  Json object = json();
  for (const auto& name : names) object.erase(name);
  return ObjectDocument(std::move(object));
}

bool ObjectDocument::equals(const ObjectDocument& other) const { return json() == other.json(); }

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
