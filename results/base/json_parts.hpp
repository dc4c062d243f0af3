// Small questions to JSON that other programs may have written: what is absent or of another type is no
// error.
#pragma once

#include <optional>
#include <string>

#include "results/base/json.hpp"

namespace uotbench {

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

/// The value under `key`; absent where there is none, or null. Throws Json::exception for another type.
template <class T>
std::optional<T> optional_from(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found == json.end() || found->is_null() ? std::nullopt : std::optional(found->get<T>());
}

/// The value under `key`; null where there is none, or where `json` is no object.
Json value_in(const Json& json, const char* key);
/// The value two keys down, e.g. of a first line its "machine"'s "fingerprint".
Json value_in(const Json& json, const char* object, const char* key);
/// The object under `key`; an empty one where there is none.
Json object_in(const Json& json, const char* key);
/// The text under `key`; empty where there is none.
std::string text_in(const Json& json, const char* key);

}  // namespace uotbench
