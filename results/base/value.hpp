// A value of an axis or a fact: nothing, an integer, a number or a text. Kernels see this type, never JSON:
// a JSON library would cost each of their files two seconds of compiling.
#pragma once

#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace uotbench {

class Value {
 public:
  Value() = default;
  Value(std::nullptr_t) {}
  template <std::integral Integer>
  Value(Integer integer) : value_(int64_from(integer)) {}
  template <std::floating_point Real>
  Value(Real number) : value_(static_cast<double>(number)) {}
  Value(const char* text) : value_(std::string(text)) {}
  /// std::string itself and nothing that merely converts to one: a JSON value does, by throwing.
  template <std::same_as<std::string> Text>
  Value(Text text) : value_(std::move(text)) {}
  Value(bool) = delete;  // it would become an integer; say "on" or "off"

  bool is_none() const { return value_.index() == 0; }
  /// Null where it is of another type.
  const std::int64_t* integer() const { return std::get_if<std::int64_t>(&value_); }
  const double* real() const { return std::get_if<double>(&value_); }
  const std::string* text() const { return std::get_if<std::string>(&value_); }

  bool is_number() const { return integer() || real(); }
  /// Of an integer or a number; 0 for the others.
  double number() const { return integer() ? static_cast<double>(*integer()) : real() ? *real() : 0; }

  /// 1.0 is 1. Nothing comes before numbers, numbers before texts.
  friend std::partial_ordering operator<=>(const Value& a, const Value& b);
  friend bool operator==(const Value& a, const Value& b) { return (a <=> b) == 0; }

 private:
  template <std::integral Integer>
  static std::int64_t int64_from(Integer integer) {
    if constexpr (std::unsigned_integral<Integer>)
      return from_unsigned(integer);
    else
      return integer;
  }
  /// Throws Error for what an int64 cannot hold.
  static std::int64_t from_unsigned(std::uint64_t integer);

  std::variant<std::monostate, std::int64_t, double, std::string> value_;
};

/// What a kernel or a machine says of itself, by name, in the order it is to be read.
using Facts = std::vector<std::pair<std::string, Value>>;

/// As an id has it before encoding: 4096, 0.05 (the shortest form that reads back equal), or the text itself.
/// Equal for equal values: 1.0 is 1. "null" where there is none.
std::string value_text(const Value& value);

}  // namespace uotbench
