#include "results/base/object_document.hpp"

#include "results/base/json.hpp"
#include "results/base/value_json.hpp"

namespace uotbench {

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

void ObjectDocument::set(const std::string& name, const Value& value) {
  Json object = json();
  object[name] = to_json(value);
  object_ = std::move(object);
}

bool ObjectDocument::equals(const ObjectDocument& other) const { return json() == other.json(); }

}  // namespace uotbench
