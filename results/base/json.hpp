// JSON values (json_value.hpp), how texts become values, and small questions to them. A header that only
// mentions the type includes json_fwd.hpp.
#pragma once

#include <concepts>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "results/base/json_value.hpp"

namespace uotbench {

/// Compact text on one line; bytes that are not UTF-8 (a kernel's message, say) become U+FFFD.
std::string to_line(const Json& value);

/// As Json::parse; absent where that would throw.
std::optional<Json> parse_shallow(std::string_view text);

/// The same of a text of printable ASCII without escapes, with no key twice: quicker. Absent for all others,
/// be they JSON or not.
std::optional<Json> parse_plain(std::string_view text);

/// As parse_shallow, its texts and keys as visible() has them: they can be shown, wherever they end up.
std::optional<Json> parse_visible(std::string_view text);

/// Of a text from a person: throws UsageError with the line and the column of what is no JSON, and for a key
/// that is there twice, a nesting over 64 deep, a text longer than any path. `name` is that of its file.
Json parse_strictly(const std::string& text, const std::string& name);
Json read_strictly(const std::filesystem::path& path);

// JSON pointers (RFC 6901), such as /measure/rounds.

/// Adds a key or an index.
void append_to(std::string& pointer, std::string_view key);
/// The value there; null: there is none.
Json* find_at(Json& json, std::string_view pointer);
const Json* find_at(const Json& json, std::string_view pointer);

// Small questions to JSON that other programs may have written: what is absent or of another type is no
// error.

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

/// The value under `key`; absent where there is none, or null. Throws Json::Exception for another type.
template <class T>
std::optional<T> optional_from(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found == json.end() || found->is_null() ? std::nullopt : std::optional(found->template get<T>());
}

/// The number, its fraction cut off; absent where it is none, or does not fit.
template <std::integral T>
std::optional<T> whole_number(const Json& value) try {
  return value.is_number() ? std::optional(value.get<T>()) : std::nullopt;
} catch (const Json::Exception&) {
  return std::nullopt;
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
