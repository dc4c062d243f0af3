// Vectors that are stored past the caches, so that no line is fetched only to be overwritten.
#pragma once

#include <cstring>
#include <experimental/simd>
#include <string>

#ifdef __SSE2__
#include <immintrin.h>
#endif

#include "harness/worker/variant.hpp"

namespace uotbench {

/// Writes a vector past the caches. `to` is aligned to the vector.
template <class T, class Abi>
void write_past(T* to, const std::experimental::simd<T, Abi>& pack) {
  [[maybe_unused]] constexpr std::size_t bytes = sizeof(pack);
#ifdef __AVX512F__
  if constexpr (bytes == 64) {
    __m512i bits;
    std::memcpy(&bits, &pack, bytes);
    return _mm512_stream_si512(reinterpret_cast<__m512i*>(to), bits);
  }
#endif
#ifdef __AVX__
  if constexpr (bytes == 32) {
    __m256i bits;
    std::memcpy(&bits, &pack, bytes);
    return _mm256_stream_si256(reinterpret_cast<__m256i*>(to), bits);
  }
#endif
#ifdef __SSE2__
  if constexpr (bytes == 16) {
    __m128i bits;
    std::memcpy(&bits, &pack, bytes);
    return _mm_stream_si128(reinterpret_cast<__m128i*>(to), bits);
  }
#endif
  pack.copy_to(to, std::experimental::vector_aligned);  // what fills no vector
}

/// Waits until what was written past the caches is seen by all threads.
inline void written_past() {
#ifdef __SSE2__
  _mm_sfence();
#endif
}

/// For VariantSpec::refuse.
inline std::string without_writes_past(const Point&) {
#ifdef __SSE2__
  return "";
#else
  return "this build has no stores that go past the caches";
#endif
}

}  // namespace uotbench
