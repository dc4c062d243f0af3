// Numbers in registers, one or a vector of them at a time.
#pragma once

#include <cstddef>
#include <experimental/simd>
#include <type_traits>

#include "harness/protocol/point.hpp"
#include "kernels/common/hide.hpp"

namespace uotbench {

/// Numbers in a value: 1, or what a vector holds.
template <class Value>
constexpr std::size_t lanes() {
  if constexpr (std::is_arithmetic_v<Value>)
    return 1;
  else
    return Value::size();
}

template <class Value>
auto lane(const Value& value, std::size_t i) {
  if constexpr (std::is_arithmetic_v<Value>)
    return value;
  else
    return value[i];
}

/// A number that the compiler does not know and cannot join with others to a vector; a vector as it is.
template <class Value>
Value hidden(Value value) {
  if constexpr (std::is_arithmetic_v<Value>) hide(value);
  return value;
}

/// Of a register of each thread, in the point's form.
inline std::size_t lanes_at(const Point& at) {
  namespace simd = std::experimental;
  if (at.text("form") == "scalar") return at.size("threads");
  return at.size("threads") *
         (at.text("dtype") == "f64" ? simd::native_simd<double>::size() : simd::native_simd<float>::size());
}

inline Axis vector_or_scalar() {
  return {.name = "form",
          .kind = Axis::Kind::text,
          .standard = "vector",
          .values = {"vector", "scalar"},
          .about = "numbers processed at a time: what a register holds, or one"};
}

}  // namespace uotbench
