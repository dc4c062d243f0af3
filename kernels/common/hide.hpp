// A value that the compiler knows nothing of.
#pragma once

#include <experimental/simd>
#include <type_traits>

namespace uotbench {

/// Hides a number or a vector where it is: nothing is folded into it, nor is it joined with others to a wider
/// vector.
template <class Value>
[[gnu::always_inline]] inline void hide(Value& value) {
  if constexpr (sizeof(Value) > sizeof(std::experimental::native_simd<float>))  // no register holds it
    asm volatile("" : "+m"(value));
  else if constexpr (std::is_integral_v<Value>)
    asm volatile("" : "+r"(value));
  else
#if defined(__x86_64__)
    asm volatile("" : "+x"(value));
#elif defined(__aarch64__)
    asm volatile("" : "+w"(value));
#else
    asm volatile("" : "+m"(value));
#endif
}

}  // namespace uotbench
