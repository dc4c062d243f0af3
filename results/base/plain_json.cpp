// The quick way to read JSON: of a run file's lines nearly all are plain. Without it, show, export and
// compare of 100,000 records take 6 to 35% longer (g++ 12, AMD Zen 4).
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

#include "results/base/json.hpp"

namespace uotbench {
namespace {

constexpr int deepest_plain = 64;
constexpr std::size_t most_plain = 64;  ///< members of an object: each key is compared with all before it

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
        return depth < deepest_plain && read_object(value, depth + 1);
      case '[':
        return depth < deepest_plain && read_list(value, depth + 1);
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
    value = Json::Array(std::move_iterator(begin), std::move_iterator(items_.end()));
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
        if (members_.size() - first == most_plain) return false;
        for (std::size_t i = first; i < members_.size(); ++i)
          if (members_[i].first == key) return false;
        members_.emplace_back(key, std::move(member));
      } while (take(','));
      if (!take('}')) return false;
    }
    Json::Object object;
    object.reserve(members_.size() - first);
    for (std::size_t i = first; i < members_.size(); ++i)
      object.emplace_back(std::string(members_[i].first), std::move(members_[i].second));
    members_.erase(members_.begin() + static_cast<std::ptrdiff_t>(first), members_.end());
    value = std::move(object);
    return true;
  }

  const char *at_, *const end_;
  std::vector<Json> items_;
  std::vector<std::pair<std::string_view, Json>> members_;
};

}  // namespace

std::optional<Json> parse_plain(std::string_view text) { return PlainReader(text).whole(); }

}  // namespace uotbench
