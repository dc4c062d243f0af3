// A JSON value (RFC 8259). nlohmann/json only reads and writes texts, in json_text.cpp: its templates cost a
// compiler more than the files that would use them.
#pragma once

#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <iosfwd>
#include <iterator>
#include <optional>
#include <ranges>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "results/base/json_fwd.hpp"

namespace uotbench {

namespace json_detail {

template <class T>
concept Text = std::convertible_to<const T&, std::string_view> && !std::same_as<T, std::nullptr_t>;
/// A std::map with texts as keys, or one of its kind.
template <class T>
concept Map = Text<typename T::key_type> &&
    std::same_as<typename T::mapped_type&, decltype(T()[typename T::key_type()])>;
template <class T>
concept List = !std::same_as<T, Json> && !std::same_as<T, std::filesystem::path> &&
               std::ranges::range<const T> && !Text<T> && !Map<T>;
template <class T>
concept Number = (std::integral<T> && !std::same_as<T, char>) || std::floating_point<T>;
/// What a value is converted to without being asked.
template <class T>
concept Held = (Number<T> && !std::same_as<T, bool>) || std::same_as<T, std::string> || Map<T> ||
               std::same_as<T, std::vector<typename T::value_type>>;

template <class J>
class Iterator;

}  // namespace json_detail

/// null, true or false, a number, a text, an array, or an object, whose keys keep the order they were written
/// in. Numbers are kept as the text or the type has them: negative or int as int64, others without a fraction
/// as uint64, the rest as double. Equal are numbers of equal value, and objects with the same members in the
/// same order.
class Json {
 public:
  enum class Type : unsigned char { null, boolean, integer, unsigned_integer, real, text, array, object };
  using Array = std::vector<Json>;
  using Object = std::vector<std::pair<std::string, Json>>;
  using iterator = json_detail::Iterator<Json>;
  using const_iterator = json_detail::Iterator<const Json>;
  using value_type = Json;

  /// A value is of another type than the one asked for, or lacks a key; what() says it in one line.
  class Exception : public std::runtime_error {
    using std::runtime_error::runtime_error;
  };
  /// A text is no JSON.
  class ParseError : public Exception {
   public:
    ParseError(const std::string& what, std::size_t byte) : Exception(what), byte(byte) {}
    std::size_t byte;  ///< where, from 1; 0: it nests too deep
  };

  /// What braces hold: {"a", 1} is an array, {{"a", 1}, {"b", 2}} an object.
  class Item;

  Json() noexcept {}
  Json(std::nullptr_t) noexcept {}
  template <std::same_as<bool> T>
  Json(T value) noexcept : type_(Type::boolean), boolean_(value) {}
  template <json_detail::Number T>
  requires(!std::same_as<T, bool>) Json(T value)
  noexcept {
    if constexpr (std::floating_point<T>)
      type_ = Type::real, real_ = static_cast<double>(value);
    else if constexpr (std::signed_integral<T>)
      type_ = Type::integer, integer_ = value;
    else
      type_ = Type::unsigned_integer, unsigned_ = value;
  }
  Json(const char* text);
  Json(std::string text);
  Json(std::string_view text);
  Json(const std::filesystem::path& path);
  Json(Array array);
  Json(Object object);
  template <json_detail::Map T>
  Json(const T& map) : Json(Object()) {
    for (const auto& [key, value] : map) object_->emplace_back(key, value);
  }
  template <json_detail::List T>
  Json(const T& list) : Json(Array()) {
    for (const auto& value : list) array_->emplace_back(static_cast<std::ranges::range_value_t<T>>(value));
  }
  Json(std::initializer_list<Item> items);
  static Json array(std::initializer_list<Item> items = {});
  static Json object();

  Json(const Json& other);
  Json(Json&& other) noexcept : type_(other.type_), unsigned_(other.unsigned_) { other.type_ = Type::null; }
  Json& operator=(Json other) noexcept {
    swap(other);
    return *this;
  }
  ~Json() {
    if (type_ >= Type::text) release();
  }
  void swap(Json& other) noexcept {
    std::swap(type_, other.type_);
    std::swap(unsigned_, other.unsigned_);
  }

  Type type() const { return type_; }
  /// "null", "boolean", "number", "string", "array" or "object".
  const char* type_name() const;
  bool is_null() const { return type_ == Type::null; }
  bool is_boolean() const { return type_ == Type::boolean; }
  bool is_number() const { return is_number_integer() || is_number_float(); }
  bool is_number_integer() const { return type_ == Type::integer || is_number_unsigned(); }
  bool is_number_unsigned() const { return type_ == Type::unsigned_integer; }
  bool is_number_float() const { return type_ == Type::real; }
  bool is_string() const { return type_ == Type::text; }
  bool is_array() const { return type_ == Type::array; }
  bool is_object() const { return type_ == Type::object; }
  bool is_structured() const { return is_array() || is_object(); }

  /// The value as a bool, a number, a std::string, a list of such, or a map by texts. Throws Exception for
  /// another type. Numbers become each other; a fraction is cut off, and what does not fit throws, too.
  template <class T>
  T get() const;
  /// As get<T>(), where a number, a std::string, a list or a map is asked for.
  template <json_detail::Held T>
  operator T() const {
    return get<T>();
  }
  /// The text itself. Throws Exception where it is none.
  const std::string& text() const;
  /// The members of an object; null has none. Throws Exception for another type.
  const Object& items() const;
  /// The members of an object, null becoming an empty one. Throws Exception for another type.
  Object& items();
  /// The elements of an array, null becoming an empty one. Throws Exception for another type.
  Array& elements();

  /// Elements of an array, members of an object; null has none, all else is one.
  std::size_t size() const;
  bool empty() const { return size() == 0; }

  // Of an object.

  bool contains(std::string_view key) const { return member(key); }
  /// Throws Exception where this is no object, or has no such key.
  const Json& at(std::string_view key) const;
  Json& at(std::string_view key);
  /// A value is no key: as a number it would be an index. Use its text().
  template <std::same_as<Json> T>
  void at(const T& key) const = delete;
  template <std::same_as<Json> T>
  void operator[](const T& key) const = delete;
  template <std::same_as<Json> T>
  void erase(const T& key) = delete;
  /// As at(key).
  const Json& operator[](std::string_view key) const { return at(key); }
  /// Null becomes an object; a key that is not there is added, with null.
  Json& operator[](std::string_view key);
  const_iterator find(std::string_view key) const;
  iterator find(std::string_view key);
  /// The value under `key`, else `fallback`. Throws Exception where this is no object, or the value is of
  /// another type.
  template <class T>
  auto value(std::string_view key, const T& fallback) const {
    using Result = std::conditional_t<json_detail::Text<T>, std::string, T>;
    if (!is_object()) refuse_use("value()");
    const Json* const found = member(key);
    return found ? found->get<Result>() : Result(fallback);
  }
  /// Of an object. Returns how many there were.
  std::size_t erase(std::string_view key);
  /// Takes over the members of another object.
  void update(const Json& other);
  /// RFC 7396: a member that is null is removed.
  void merge_patch(const Json& patch);

  // Of an array.

  const Json& at(std::size_t index) const;
  Json& at(std::size_t index);
  const Json& operator[](std::size_t index) const { return at(index); }
  Json& operator[](std::size_t index) { return at(index); }
  /// Null becomes an array.
  void push_back(Json value) { elements().push_back(std::move(value)); }
  template <class... T>
  Json& emplace_back(T&&... value) {
    return elements().emplace_back(std::forward<T>(value)...);
  }
  iterator insert(const_iterator place, Json value);
  iterator erase(const_iterator place);
  void erase(std::size_t index);

  // The elements of an array, or the values of an object; all else has none.

  const_iterator begin() const;
  const_iterator end() const;
  iterator begin();
  iterator end();
  /// Throw Exception where there is none.
  const Json& front() const;
  const Json& back() const;
  Json& front() { return const_cast<Json&>(std::as_const(*this).front()); }
  Json& back() { return const_cast<Json&>(std::as_const(*this).back()); }

  friend bool operator==(const Json& a, const Json& b) { return a.equals(b); }
  template <class T>
  requires(!std::same_as<T, Json> && std::constructible_from<Json, const T&>) friend bool operator==(
      const Json& a, const T& b) {
    if constexpr (json_detail::Text<T>)
      return a.is_string() && std::string_view(*a.text_) == std::string_view(b);
    else
      return a.equals(Json(b));
  }
  /// By type, then by value.
  friend bool operator<(const Json& a, const Json& b) { return a.is_before(b); }
  /// Throws Exception where `a` is no number.
  template <json_detail::Number T>
  friend std::partial_ordering operator<=>(const Json& a, T b) {
    return a.get<double>() <=> static_cast<double>(b);
  }
  friend std::ostream& operator<<(std::ostream& out, const Json& json);

  /// Throws ParseError for what is no JSON, or nests over 64 deep.
  static Json parse(std::string_view text);
  static Json parse(std::istream& in);
  /// On one line, or with `indent` spaces per level. Bytes that are not UTF-8 become U+FFFD, numbers that
  /// JSON does not have null.
  std::string dump(int indent = -1) const;

 private:
  const Json* member(std::string_view key) const;
  bool equals(const Json& other) const;
  bool is_before(const Json& other) const;
  void release();
  [[noreturn]] void refuse(const char* wanted) const;
  [[noreturn]] void refuse_use(const char* what) const;

  template <json_detail::Number T>
  T number() const {
    if constexpr (std::floating_point<T>) {
      return static_cast<T>(number_as_double());
    } else if constexpr (std::unsigned_integral<T>) {
      const std::uint64_t value = number_as_unsigned();
      if (!std::in_range<T>(value)) refuse_range();
      return static_cast<T>(value);
    } else {
      const std::int64_t value = number_as_integer();
      if (!std::in_range<T>(value)) refuse_range();
      return static_cast<T>(value);
    }
  }
  double number_as_double() const;
  std::int64_t number_as_integer() const;
  std::uint64_t number_as_unsigned() const;
  [[noreturn]] void refuse_range() const;

  Type type_ = Type::null;
  union {
    std::uint64_t unsigned_ = 0;
    std::int64_t integer_;
    double real_;
    bool boolean_;
    std::string* text_;
    Array* array_;
    Object* object_;
  };
};

namespace json_detail {

/// Over the elements of an array, or the values of an object.
template <class J>
class Iterator {
  using Member =
      std::conditional_t<std::is_const_v<J>, const Json::Object::value_type, Json::Object::value_type>;

 public:
  using value_type = Json;
  using difference_type = std::ptrdiff_t;
  using reference = J&;
  using pointer = J*;
  using iterator_category = std::random_access_iterator_tag;

  Iterator() = default;
  explicit Iterator(J* element) : element_(element) {}
  explicit Iterator(Member* member) : member_(member) {}
  operator Iterator<const Json>() const requires(!std::is_const_v<J>) {
    return member_ ? Iterator<const Json>(member_) : Iterator<const Json>(element_);
  }

  J& operator*() const { return member_ ? member_->second : *element_; }
  J* operator->() const { return &**this; }
  J& operator[](difference_type n) const { return *(*this + n); }
  J& value() const { return **this; }
  /// Of an object.
  const std::string& key() const { return member_->first; }

  Iterator& operator+=(difference_type n) {
    member_ ? static_cast<void>(member_ += n) : static_cast<void>(element_ += n);
    return *this;
  }
  Iterator& operator-=(difference_type n) { return *this += -n; }
  Iterator& operator++() { return *this += 1; }
  Iterator& operator--() { return *this += -1; }
  Iterator operator++(int) {
    const Iterator before = *this;
    ++*this;
    return before;
  }
  Iterator operator--(int) {
    const Iterator before = *this;
    --*this;
    return before;
  }
  friend Iterator operator+(Iterator a, difference_type n) { return a += n; }
  friend Iterator operator+(difference_type n, Iterator a) { return a += n; }
  friend Iterator operator-(Iterator a, difference_type n) { return a -= n; }
  friend difference_type operator-(const Iterator& a, const Iterator& b) {
    return a.member_ ? a.member_ - b.member_ : a.element_ - b.element_;
  }
  friend bool operator==(const Iterator&, const Iterator&) = default;
  friend auto operator<=>(const Iterator&, const Iterator&) = default;

 private:
  J* element_ = nullptr;      ///< of an array
  Member* member_ = nullptr;  ///< of an object
};

}  // namespace json_detail

/// Made in the braces of an expression, and moved out of it.
class Json::Item {
 public:
  template <class T>
  requires std::constructible_from<Json, T> Item(T&& value) : value_(std::forward<T>(value)) {}
  Item(std::initializer_list<Item> items) : value_(items) {}

 private:
  friend class Json;
  mutable Json value_;
};

template <class T>
T Json::get() const {
  if constexpr (std::same_as<T, Json>) {
    return *this;
  } else if constexpr (std::same_as<T, bool>) {
    if (!is_boolean()) refuse("boolean");
    return boolean_;
  } else if constexpr (json_detail::Number<T>) {
    return number<T>();
  } else if constexpr (std::same_as<T, std::string>) {
    return text();
  } else if constexpr (json_detail::Map<T>) {
    if (!is_object()) refuse("object");
    T map;
    for (const auto& [key, value] : items()) map.emplace(key, value.template get<typename T::mapped_type>());
    return map;
  } else {
    static_assert(json_detail::List<T>, "JSON holds no value of this type");
    if (!is_array()) refuse("array");
    T list;
    for (const Json& value : *array_) list.insert(list.end(), value.get<typename T::value_type>());
    return list;
  }
}

inline Json::const_iterator Json::begin() const {
  return is_object() ? const_iterator(object_->data())
                     : const_iterator(is_array() ? array_->data() : nullptr);
}
inline Json::const_iterator Json::end() const {
  return begin() + static_cast<std::ptrdiff_t>(is_structured() ? size() : 0);
}
inline Json::iterator Json::begin() {
  return is_object() ? iterator(object_->data()) : iterator(is_array() ? array_->data() : nullptr);
}
inline Json::iterator Json::end() {
  return begin() + static_cast<std::ptrdiff_t>(is_structured() ? size() : 0);
}

}  // namespace uotbench
