// The one JSON type, whole, and how texts and members from outside are read. A header that only mentions the
// type includes json_fwd.hpp.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "results/base/json_fwd.hpp"

namespace uotbench {

/// Compact text on one line; bytes that are not UTF-8 (a kernel's message, say) become U+FFFD.
std::string to_line(const Json& value);

/// Parses text from outside; discarded where it is no JSON, or nests over 64 deep: copying and
/// writing a value recurse, and a few million brackets would end the program.
Json parse_shallow(std::string_view text);

/// As parse_shallow, its texts and keys as visible() has them: they can be shown, wherever they end up.
Json parse_visible(std::string_view text);

/// What Json::parse reads, where `text` is printable ASCII with no escape, no key twice and at most 64 levels
/// deep. Nothing for all other texts, be they JSON or not: the caller has to look again.
std::optional<Json> parse_plain(std::string_view text);

/// What the library found wrong, without its prefix: of a text "syntax error while parsing value - invalid
/// literal; …", of a value "type must be number, but is string".
std::string json_fault(const Json::exception& error);

// Small questions to JSON that other programs may have written: what is absent or of another type is no
// error.

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
