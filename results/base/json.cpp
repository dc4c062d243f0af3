#include "results/base/json.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "results/base/error.hpp"

namespace uotbench {
namespace {

constexpr int deepest = 64;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Reads one text. What it has read of unfinished lists and objects waits on two stacks, so that each list
/// and object is made once, of its final size: growing one copies its keys.
class PlainReader {
 public:
  explicit PlainReader(std::string_view text) : at_(text.data()), end_(at_ + text.size()) {}

  std::optional<Json> whole() {
    Json value;
    if (!read(value, 0) || (skip_blanks(), at_ != end_)) return std::nullopt;
    return value;
  }

 private:
  void skip_blanks() {
    while (at_ != end_ && *at_ == ' ') ++at_;
  }

  bool take(char wanted) {
    skip_blanks();
    if (at_ == end_ || *at_ != wanted) return false;
    ++at_;
    return true;
  }

  bool take_word(std::string_view word) {
    if (!std::string_view(at_, end_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }

  bool read(Json& value, int depth) {
    skip_blanks();
    if (at_ == end_) return false;
    switch (*at_) {
      case '{':
        return depth < deepest && read_object(value, depth + 1);
      case '[':
        return depth < deepest && read_list(value, depth + 1);
      case '"': {
        std::string_view text;
        if (!read_text(text)) return false;
        value = std::string(text);
        return true;
      }
      case 't':
        value = true;
        return take_word("true");
      case 'f':
        value = false;
        return take_word("false");
      case 'n':
        value = nullptr;
        return take_word("null");
      default:
        return read_number(value);
    }
  }

  bool read_text(std::string_view& text) {
    if (!take('"')) return false;
    const char* const begin = at_;
    while (at_ != end_ && *at_ != '"') {
      if (*at_ < 0x20 || *at_ == 0x7f || *at_ == '\\') return false;  // beyond ASCII, a char is below 0
      ++at_;
    }
    text = {begin, at_};
    return take('"');
  }

  bool take_digits() {
    const char* const begin = at_;
    while (at_ != end_ && is_digit(*at_)) ++at_;
    return at_ != begin;
  }

  /// RFC 8259, section 6; from_chars alone would take more.
  bool read_number(Json& value) {
    const char* const begin = at_;
    const bool negative = *at_ == '-';
    if (negative) ++at_;
    const char* const digits = at_;
    if (!take_digits() || (*digits == '0' && at_ - digits > 1)) return false;
    bool whole = true;
    if (at_ != end_ && *at_ == '.') {
      ++at_;
      whole = false;
      if (!take_digits()) return false;
    }
    if (at_ != end_ && (*at_ == 'e' || *at_ == 'E')) {
      ++at_;
      whole = false;
      if (at_ != end_ && (*at_ == '+' || *at_ == '-')) ++at_;
      if (!take_digits()) return false;
    }
    if (!whole) return number_from<double>(begin, value);
    return negative ? number_from<std::int64_t>(begin, value) : number_from<std::uint64_t>(begin, value);
  }

  /// What does not fit is left to the other parser, which knows what becomes of it.
  template <class Number>
  bool number_from(const char* begin, Json& value) {
    Number number{};
    if (std::from_chars(begin, at_, number).ec != std::errc{}) return false;
    value = number;
    return true;
  }

  bool read_list(Json& value, int depth) {
    const std::size_t first = items_.size();
    if (!take('[')) return false;
    if (!take(']')) {
      do {
        Json item;
        if (!read(item, depth)) return false;
        items_.push_back(std::move(item));
      } while (take(','));
      if (!take(']')) return false;
    }
    const auto begin = items_.begin() + static_cast<std::ptrdiff_t>(first);
    value = Json::array_t(std::move_iterator(begin), std::move_iterator(items_.end()));
    items_.erase(begin, items_.end());
    return true;
  }

  bool read_object(Json& value, int depth) {
    const std::size_t first = members_.size();
    if (!take('{')) return false;
    if (!take('}')) {
      do {
        std::string_view key;
        Json member;
        if (!(skip_blanks(), read_text(key)) || !take(':') || !read(member, depth)) return false;
        for (std::size_t i = first; i < members_.size(); ++i)
          if (members_[i].first == key) return false;
        members_.emplace_back(key, std::move(member));
      } while (take(','));
      if (!take('}')) return false;
    }
    Json::object_t object;
    object.reserve(members_.size() - first);
    // As a vector: the map would look for each key once more.
    for (std::size_t i = first; i < members_.size(); ++i)
      static_cast<Json::object_t::Container&>(object).emplace_back(std::string(members_[i].first),
                                                                   std::move(members_[i].second));
    members_.erase(members_.begin() + static_cast<std::ptrdiff_t>(first), members_.end());
    value = std::move(object);
    return true;
  }

  const char *at_, *const end_;
  std::vector<Json> items_;
  std::vector<std::pair<std::string_view, Json>> members_;
};

}  // namespace

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

std::optional<Json> parse_plain(std::string_view text) { return PlainReader(text).whole(); }

std::string json_fault(const Json::exception& error) {
  // "[json.exception.parse_error.101] parse error at line 3, column 5: syntax error while parsing value - …"
  const std::string_view text = error.what();
  const auto syntax = text.find("syntax error while ");
  return std::string(text.substr(syntax == std::string_view::npos ? text.find("] ") + 2 : syntax));
}

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
