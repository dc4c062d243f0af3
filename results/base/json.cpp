#include "results/base/json.hpp"

#include <algorithm>
#include <cstdint>

#include "results/base/plain_json.hpp"
#include "results/base/visible.hpp"

namespace uotbench {

std::string to_line(const Json& value) {
  // dump() makes a writer on the heap for each of the values that keys of a hundred thousand cases are made
  // of.
  if (value.is_number_unsigned()) return std::to_string(value.get<std::uint64_t>());
  if (value.is_number_integer()) return std::to_string(value.get<std::int64_t>());
  if (value.is_string())
    if (const auto& text = value.get_ref<const std::string&>();
        is_printable_ascii(text) && text.find_first_of("\"\\") == std::string::npos)
      return '"' + text + '"';
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

namespace {

Json parse_any(std::string_view text) {
  int depth = 0, deepest = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted && c == '\\')
      ++i;
    else if (c == '"')
      quoted = !quoted;
    else if (!quoted && (c == '[' || c == '{'))
      deepest = std::max(deepest, ++depth);
    else if (!quoted && (c == ']' || c == '}'))
      --depth;
  }
  return deepest > 64 ? Json(Json::value_t::discarded) : Json::parse(text, nullptr, false);
}

Json with_visible_texts(const Json& value) {
  if (value.is_string()) return visible(value.get_ref<const std::string&>());
  if (!value.is_structured()) return value;
  Json shown = value.is_object() ? Json::object() : Json::array();
  if (value.is_object())
    for (const auto& [key, part] : value.items()) shown[visible(key)] = with_visible_texts(part);
  else
    for (const auto& part : value) shown.push_back(with_visible_texts(part));
  return shown;
}

}  // namespace

Json parse_shallow(std::string_view text) {
  auto plain = parse_plain(text);
  return plain ? *std::move(plain) : parse_any(text);
}

Json parse_visible(std::string_view text) {
  // Only what is escaped or beyond ASCII can be something else than it looks: few lines of a long file are.
  auto plain = parse_plain(text);
  return plain ? *std::move(plain) : with_visible_texts(parse_any(text));
}

}  // namespace uotbench
