#include "results/base/json_parts.hpp"

namespace uotbench {

Json value_in(const Json& json, const char* key) {
  return json.is_object() ? json.value(key, Json()) : Json();
}

Json value_in(const Json& json, const char* object, const char* key) {
  return value_in(value_in(json, object), key);
}

Json object_in(const Json& json, const char* key) {
  Json found = value_in(json, key);
  return found.is_object() ? found : Json::object();
}

std::string text_in(const Json& json, const char* key) {
  const Json found = value_in(json, key);
  return found.is_string() ? found.get<std::string>() : "";
}

}  // namespace uotbench
