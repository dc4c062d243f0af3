// a / b of vectors by an estimate of 1/b and a step of Newton's, where the compiler's target has one: several
// times the rate of divisions.
#pragma once

#include <experimental/simd>
#include <type_traits>
#if defined(__AVX__)
#include <immintrin.h>
#endif

namespace uotbench::sinkhorn_log {

/// 1 / b, off by at most 2e-7 (f32); divided where the type is double. b is normal, and so is 1/b.
template <class Pack>
[[gnu::always_inline]] inline Pack inverse(Pack b) {
  if constexpr (std::is_same_v<typename Pack::value_type, float>) {
#if defined(__AVX512F__)
    if constexpr (sizeof(Pack) == 64) {
      const Pack estimate(_mm512_rcp14_ps(static_cast<__m512>(b)));
      return estimate + estimate * (1 - b * estimate);
    }
#endif
#if defined(__AVX__)
    if constexpr (sizeof(Pack) == 32) {
      const Pack estimate(_mm256_rcp_ps(static_cast<__m256>(b)));
      return estimate + estimate * (1 - b * estimate);
    }
#endif
  }
  return 1 / b;
}

template <class Pack>
Pack quotient(Pack a, Pack b) {
  if constexpr (std::is_same_v<typename Pack::value_type, double>) return a / b;
  return a * inverse(b);
}

}  // namespace uotbench::sinkhorn_log
