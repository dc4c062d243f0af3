#include "results/base/json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <tuple>

namespace uotbench {

Json::Json(const char* text) : Json(std::string(text)) {}
Json::Json(std::string text) : type_(Type::text), text_(new std::string(std::move(text))) {}
Json::Json(std::string_view text) : Json(std::string(text)) {}
Json::Json(const std::filesystem::path& path) : Json(path.string()) {}
Json::Json(Array array) : type_(Type::array), array_(new Array(std::move(array))) {}
Json::Json(Object object) : type_(Type::object), object_(new Object(std::move(object))) {}

Json::Json(std::initializer_list<Item> items) {
  const auto is_member = [](const Item& item) {
    return item.value_.is_array() && item.value_.size() == 2 && item.value_.front().is_string();
  };
  if (!std::ranges::all_of(items, is_member)) {
    *this = array(items);
    return;
  }
  *this = object();
  for (const Item& item : items) (*this)[item.value_.front().text()] = std::move(item.value_.back());
}

Json Json::array(std::initializer_list<Item> items) {
  Array array;
  array.reserve(items.size());
  for (const Item& item : items) array.push_back(std::move(item.value_));
  return array;
}

Json Json::object() { return Object(); }

Json::Json(const Json& other) : type_(other.type_), unsigned_(other.unsigned_) {
  if (type_ == Type::text) text_ = new std::string(*other.text_);
  if (type_ == Type::array) array_ = new Array(*other.array_);
  if (type_ == Type::object) object_ = new Object(*other.object_);
}

void Json::release() {
  if (type_ == Type::text) delete text_;
  if (type_ == Type::array) delete array_;
  if (type_ == Type::object) delete object_;
}

const char* Json::type_name() const {
  switch (type_) {
    case Type::null:
      return "null";
    case Type::boolean:
      return "boolean";
    case Type::text:
      return "string";
    case Type::array:
      return "array";
    case Type::object:
      return "object";
    default:
      return "number";
  }
}

void Json::refuse(const char* wanted) const {
  throw Exception(fmt::format("type must be {}, but is {}", wanted, type_name()));
}

void Json::refuse_use(const char* what) const {
  throw Exception(fmt::format("cannot use {} with {}", what, type_name()));
}

void Json::refuse_range() const { throw Exception(fmt::format("{} is out of range", dump())); }

double Json::number_as_double() const {
  if (type_ == Type::integer) return static_cast<double>(integer_);
  if (type_ == Type::unsigned_integer) return static_cast<double>(unsigned_);
  if (type_ != Type::real) refuse("number");
  return real_;
}

std::int64_t Json::number_as_integer() const {
  if (type_ == Type::integer) return integer_;
  if (type_ == Type::unsigned_integer && std::in_range<std::int64_t>(unsigned_))
    return static_cast<std::int64_t>(unsigned_);
  const double value = number_as_double();
  if (!(value >= -0x1p63 && value < 0x1p63)) refuse_range();
  return static_cast<std::int64_t>(value);
}

std::uint64_t Json::number_as_unsigned() const {
  if (type_ == Type::unsigned_integer) return unsigned_;
  if (type_ == Type::integer && integer_ >= 0) return static_cast<std::uint64_t>(integer_);
  const double value = number_as_double();
  if (!(value > -1 && value < 0x1p64)) refuse_range();
  return static_cast<std::uint64_t>(value);
}

const std::string& Json::text() const {
  if (!is_string()) refuse("string");
  return *text_;
}

const Json::Object& Json::items() const {
  static const Object none;
  if (is_null()) return none;
  if (!is_object()) refuse("object");
  return *object_;
}

Json::Object& Json::items() {
  if (is_null()) *this = object();
  if (!is_object()) refuse("object");
  return *object_;
}

Json::Array& Json::elements() {
  if (is_null()) *this = array();
  if (!is_array()) refuse("array");
  return *array_;
}

std::size_t Json::size() const {
  if (is_object()) return object_->size();
  return is_array() ? array_->size() : is_null() ? 0 : 1;
}

const Json* Json::member(std::string_view key) const {
  if (!is_object()) return nullptr;
  const auto found = std::ranges::find(*object_, key, &Object::value_type::first);
  return found == object_->end() ? nullptr : &found->second;
}

const Json& Json::at(std::string_view key) const {
  if (!is_object()) refuse_use("at()");
  if (const Json* const found = member(key)) return *found;
  throw Exception(fmt::format("key '{}' not found", key));
}

Json& Json::at(std::string_view key) { return const_cast<Json&>(std::as_const(*this).at(key)); }

Json& Json::operator[](std::string_view key) {
  Object& members = items();
  if (const Json* const found = member(key)) return const_cast<Json&>(*found);
  return members.emplace_back(key, Json()).second;
}

Json::const_iterator Json::find(std::string_view key) const {
  if (!is_object()) return end();
  return const_iterator(object_->data() +
                        (std::ranges::find(*object_, key, &Object::value_type::first) - object_->begin()));
}

Json::iterator Json::find(std::string_view key) {
  return begin() + (std::as_const(*this).find(key) - std::as_const(*this).begin());
}

std::size_t Json::erase(std::string_view key) {
  const auto found = std::ranges::find(items(), key, &Object::value_type::first);
  if (found == object_->end()) return 0;
  object_->erase(found);
  return 1;
}

Json::iterator Json::erase(const_iterator place) {
  const auto at = place - std::as_const(*this).begin();
  if (is_object())
    object_->erase(object_->begin() + at);
  else
    elements().erase(elements().begin() + at);
  return begin() + at;
}

void Json::erase(std::size_t index) {
  std::ignore = at(index);  // throws where there is none
  elements().erase(elements().begin() + static_cast<std::ptrdiff_t>(index));
}

Json::iterator Json::insert(const_iterator place, Json value) {
  const auto at = is_null() ? 0 : place - std::as_const(*this).begin();
  elements().insert(elements().begin() + at, std::move(value));
  return begin() + at;
}

void Json::update(const Json& other) {
  if (!other.is_object()) other.refuse("object");
  const Object members = other.items();  // `other` may be a part of this
  for (const auto& [key, value] : members) (*this)[key] = value;
}

void Json::merge_patch(const Json& patch) {
  if (!patch.is_object()) {
    *this = patch;
    return;
  }
  if (!is_object()) *this = object();
  for (const auto& [key, value] : patch.items())
    if (value.is_null())
      erase(key);
    else
      (*this)[key].merge_patch(value);
}

const Json& Json::at(std::size_t index) const {
  if (!is_array()) refuse_use("at()");
  if (index >= array_->size()) throw Exception(fmt::format("array index {} is out of range", index));
  return (*array_)[index];
}

Json& Json::at(std::size_t index) { return const_cast<Json&>(std::as_const(*this).at(index)); }

const Json& Json::front() const {
  if (begin() == end()) refuse_use("front()");
  return *begin();
}

const Json& Json::back() const {
  if (begin() == end()) refuse_use("back()");
  return *(end() - 1);
}

bool Json::equals(const Json& other) const {
  if (type_ != other.type_) {
    if (!is_number() || !other.is_number()) return false;
    if (is_number_float() || other.is_number_float()) return number<double>() == other.number<double>();
    return is_number_unsigned() ? std::cmp_equal(unsigned_, other.integer_)
                                : std::cmp_equal(integer_, other.unsigned_);
  }
  switch (type_) {
    case Type::null:
      return true;
    case Type::boolean:
      return boolean_ == other.boolean_;
    case Type::real:
      return real_ == other.real_;
    case Type::text:
      return *text_ == *other.text_;
    case Type::array:
      return *array_ == *other.array_;
    case Type::object:
      return *object_ == *other.object_;
    default:
      return unsigned_ == other.unsigned_;
  }
}

bool Json::is_before(const Json& other) const {
  if (is_number() && other.is_number()) {
    if (is_number_float() || other.is_number_float()) return number<double>() < other.number<double>();
    if (is_number_unsigned())
      return other.is_number_unsigned() ? unsigned_ < other.unsigned_
                                        : std::cmp_less(unsigned_, other.integer_);
    return other.is_number_unsigned() ? std::cmp_less(integer_, other.unsigned_) : integer_ < other.integer_;
  }
  if (type_ != other.type_) return type_ < other.type_;
  switch (type_) {
    case Type::boolean:
      return boolean_ < other.boolean_;
    case Type::text:
      return *text_ < *other.text_;
    case Type::array:
      return std::ranges::lexicographical_compare(*array_, *other.array_, std::less<>());
    case Type::object:
      return *object_ < *other.object_;
    default:
      return false;
  }
}

void append_to(std::string& pointer, std::string_view key) {
  pointer += '/';
  for (const char c : key)
    if (c == '~')
      pointer += "~0";
    else if (c == '/')
      pointer += "~1";
    else
      pointer += c;
}

const Json* find_at(const Json& json, std::string_view pointer) {
  if (pointer.empty()) return &json;
  if (!json.is_structured() || pointer.front() != '/') return nullptr;
  const auto end = std::min(pointer.find('/', 1), pointer.size());
  const std::string_view rest = pointer.substr(end);
  if (json.is_array()) {
    std::size_t index = json.size();
    std::from_chars(pointer.data() + 1, pointer.data() + end, index);
    return index < json.size() ? find_at(json[index], rest) : nullptr;
  }
  for (const auto& [key, value] : json.items()) {
    std::string step;
    append_to(step, key);
    if (step == pointer.substr(0, end)) return find_at(value, rest);
  }
  return nullptr;
}

Json* find_at(Json& json, std::string_view pointer) {
  return const_cast<Json*>(find_at(std::as_const(json), pointer));
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
  return found.is_string() ? found.text() : "";
}

}  // namespace uotbench
