#include "results/base/shape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "results/base/text.hpp"

namespace uotbench {
namespace {

const char* name_of(Form form) {
  switch (form) {
    case Form::text:
      return "a text";
    case Form::number:
      return "a number";
    case Form::number_or_null:
      return "a number or null";
    case Form::integer:
      return "an integer";
    case Form::yes_or_no:
      return "true or false";
    case Form::object:
      return "an object";
    case Form::list:
      return "a list";
    case Form::texts:
      return "a list of texts";
    case Form::numbers:
      return "a list of numbers";
    case Form::integers:
      return "a list of integers";
  }
  return "?";
}

/// Of the elements; nothing for what is no list of one kind.
const Form* element_of(Form list) {
  constexpr static Form text = Form::text, number = Form::number, integer = Form::integer;
  return list == Form::texts      ? &text
         : list == Form::numbers  ? &number
         : list == Form::integers ? &integer
                                  : nullptr;
}

bool has_form(const Json& json, Form form) {
  switch (form) {
    case Form::text:
      return json.is_string();
    case Form::number:
      return json.is_number();
    case Form::number_or_null:
      return json.is_number() || json.is_null();
    case Form::integer:
      return json.is_number_integer();
    case Form::yes_or_no:
      return json.is_boolean();
    case Form::object:
      return json.is_object();
    default:
      return json.is_array();
  }
}

/// As RFC 6901 escapes a key.
std::string escaped(std::string key) {
  for (const auto& [plain, code] : {std::pair{"~", "~0"}, std::pair{"/", "~1"}})
    for (std::size_t at = 0; (at = key.find(plain, at)) != std::string::npos; at += 2)
      key.replace(at, 1, code);
  return key;
}

std::string violation_at(const std::string& place, const Json& json, Form form) {
  if (!has_form(json, form)) return fmt::format("{}: expected {}, got {}", place, name_of(form), brief(json));
  if (const Form* element = element_of(form))
    for (std::size_t i = 0; i < json.size(); ++i)
      if (!has_form(json[i], *element))
        return fmt::format("{}/{}: expected {}, got {}", place, i, name_of(*element), brief(json[i]));
  return "";
}

/// `rest` of a shape's place, below `json`, which stands at `place`.
std::string violation_below(const std::string& place, std::string_view rest, const Json& json,
                            const Shape& shape) {
  if (rest.empty()) return violation_at(place, json, shape.form);
  const auto end = std::min(rest.find('/'), rest.size());
  const std::string key(rest.substr(0, end));
  rest.remove_prefix(std::min(end + 1, rest.size()));
  std::string found;
  if (key == "*" && json.is_array()) {
    for (std::size_t i = 0; i < json.size() && found.empty(); ++i)
      found = violation_below(fmt::format("{}/{}", place, i), rest, json[i], shape);
  } else if (key == "*" && json.is_object()) {
    for (const auto& [name, part] : json.items())
      if (found.empty()) found = violation_below(place + '/' + escaped(name), rest, part, shape);
  } else if (json.is_object()) {
    const auto part = json.find(key);
    const bool absent = part == json.end(), null = !absent && part->is_null();
    if (rest.empty() && absent && shape.presence == Shape::needed)
      return fmt::format("{}/{}: missing; expected {}", place, key, name_of(shape.form));
    if (absent || (null && (shape.presence == Shape::may_be_null || !rest.empty()))) return "";
    found = violation_below(place + '/' + key, rest, *part, shape);
  }
  return found;
}

const char* words_for(std::string_view type) {
  for (const auto& [name, words] : {std::pair{"null", "nothing"}, std::pair{"string", "a text"},
                                    std::pair{"number", "a number"}, std::pair{"boolean", "true or false"},
                                    std::pair{"array", "a list"}, std::pair{"object", "an object"}})
    if (type.starts_with(name)) return words;
  return "something else";
}

}  // namespace

std::string brief(const Json& json) {
  // Of a large list the beginning is enough, and all of it would be written first.
  if (json.size() > 100 && json.is_structured())
    return fmt::format("{} of {}", json.is_array() ? "a list" : "an object", json.size());
  return cut(to_line(json), 60);
}

std::string shape_violation(const Json& json, std::span<const Shape> shapes) {
  if (!json.is_object()) return fmt::format("expected an object, got {}", brief(json));
  for (const auto& shape : shapes)
    if (std::string found = violation_below("", shape.place, json, shape); !found.empty()) return found;
  return "";
}

std::string plain_words(const Json::exception& error) {
  // "[json.exception.type_error.302] type must be number, but is string", in nlohmann/json 3.
  std::string_view text = error.what();
  if (const auto end = text.find("] "); end != std::string_view::npos) text.remove_prefix(end + 2);
  const auto after = [&](std::string_view mark) {
    const auto at = text.find(mark);
    return at == std::string_view::npos ? std::string_view() : text.substr(at + mark.size());
  };
  if (const auto wanted = after("type must be "), is = after("but is "); !wanted.empty() && !is.empty())
    return fmt::format("expected {}, got {}", words_for(wanted), words_for(is));
  if (const auto is = after("actual type is "); !is.empty())
    return fmt::format("expected another type, got {}", words_for(is));
  if (text.starts_with("cannot use ")) {  // "cannot use at() with number"
    const bool list = text.find("numeric argument") != std::string_view::npos ||
                      text.find("push_back") != std::string_view::npos;
    return fmt::format("expected {}, got {}", list ? "a list" : "an object",
                       words_for(text.substr(text.rfind(' ') + 1)));
  }
  if (text.starts_with("key '")) {  // "key 'time' not found"
    const auto key = text.substr(5);
    return fmt::format("\"{}\" is missing", key.substr(0, key.rfind("' not found")));
  }
  if (text.starts_with("array index ")) return "a list is too short";
  if (text.starts_with("number overflow")) return "a number is too large";
  return std::string(text);
}

}  // namespace uotbench
