// Numbers of 16 bits: __half (IEEE 754 binary16) and __nv_bfloat16 (the upper half of a float), as storage
// with conversions. They round to nearest, ties to even; arithmetic is that of float, rounded once, which for
// + - * / is what a GPU gives (float has more than twice the digits plus two).
#pragma once

#include <bit>
#include <cstdint>

#include "harness/simt/runtime/language.hpp"

namespace uotbench::simt {

constexpr UOTBENCH_SHIM std::uint16_t half_bits(float value) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = bits >> 16 & 0x8000u, magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return 0x7fff;                                       // CUDA's only NaN
  if (magnitude >= 0x477ff000u) return static_cast<std::uint16_t>(sign | 0x7c00u);  // 65520 and above
  if (magnitude < 0x38800000u) {                                                    // below 2^-14: subnormal
    // In units of 2^-24, which adding 0.5 makes the float's last digit: the addition rounds.
    const float shifted = std::bit_cast<float>(magnitude) + 0.5f;
    return static_cast<std::uint16_t>(sign | (std::bit_cast<std::uint32_t>(shifted) - 0x3f000000u));
  }
  // 13 digits go; half of the last that stays is added, one less where that one is even.
  return static_cast<std::uint16_t>(sign |
                                    ((magnitude - 0x38000000u + 0xfffu + (magnitude >> 13 & 1u)) >> 13));
}
constexpr UOTBENCH_SHIM float half_value(std::uint16_t half) {
  const std::uint32_t sign = static_cast<std::uint32_t>(half & 0x8000u) << 16, magnitude = half & 0x7fffu;
  if (magnitude >= 0x7c00u) return std::bit_cast<float>(sign | 0x7f800000u | (magnitude & 0x3ffu) << 13);
  if (magnitude >= 0x0400u) return std::bit_cast<float>(sign | ((magnitude << 13) + 0x38000000u));
  const float value = static_cast<float>(magnitude) * 0x1p-24f;
  return sign ? -value : value;
}
constexpr UOTBENCH_SHIM std::uint16_t bfloat16_bits(float value) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return 0x7fff;
  return static_cast<std::uint16_t>((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}
constexpr UOTBENCH_SHIM float bfloat16_value(std::uint16_t number) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(number) << 16);
}

}  // namespace uotbench::simt

#define UOTBENCH_NUMBER(NAME, BITS, VALUE)                                                 \
  struct NAME {                                                                            \
    std::uint16_t bits;                                                                    \
    NAME() = default;                                                                      \
    constexpr UOTBENCH_SHIM NAME(float value) : bits(uotbench::simt::BITS(value)) {}       \
    constexpr UOTBENCH_SHIM NAME(double value) : NAME(static_cast<float>(value)) {}        \
    constexpr UOTBENCH_SHIM NAME(int value) : NAME(static_cast<float>(value)) {}           \
    constexpr UOTBENCH_SHIM operator float() const { return uotbench::simt::VALUE(bits); } \
  };                                                                                       \
  UOTBENCH_SHIM NAME operator+(NAME x, NAME y) { return NAME(float(x) + float(y)); }       \
  UOTBENCH_SHIM NAME operator-(NAME x, NAME y) { return NAME(float(x) - float(y)); }       \
  UOTBENCH_SHIM NAME operator*(NAME x, NAME y) { return NAME(float(x) * float(y)); }       \
  UOTBENCH_SHIM NAME operator/(NAME x, NAME y) { return NAME(float(x) / float(y)); }       \
  UOTBENCH_SHIM NAME& operator+=(NAME& x, NAME y) { return x = x + y; }                    \
  UOTBENCH_SHIM NAME& operator-=(NAME& x, NAME y) { return x = x - y; }                    \
  UOTBENCH_SHIM NAME& operator*=(NAME& x, NAME y) { return x = x * y; }                    \
  UOTBENCH_SHIM NAME& operator/=(NAME& x, NAME y) { return x = x / y; }

UOTBENCH_NUMBER(__half, half_bits, half_value)
UOTBENCH_NUMBER(__nv_bfloat16, bfloat16_bits, bfloat16_value)
#undef UOTBENCH_NUMBER

struct alignas(4) __half2 {
  __half x, y;
};
struct alignas(4) __nv_bfloat162 {
  __nv_bfloat16 x, y;
};
using half = __half;
using half2 = __half2;
using nv_bfloat16 = __nv_bfloat16;
using nv_bfloat162 = __nv_bfloat162;

UOTBENCH_SHIM __half __float2half(float x) { return __half(x); }
UOTBENCH_SHIM __half __float2half_rn(float x) { return __half(x); }
UOTBENCH_SHIM float __half2float(__half x) { return float(x); }
UOTBENCH_SHIM __half2 __halves2half2(__half x, __half y) { return {x, y}; }
UOTBENCH_SHIM __half2 __floats2half2_rn(float x, float y) { return {__half(x), __half(y)}; }
UOTBENCH_SHIM __half2 __float2half2_rn(float x) { return {__half(x), __half(x)}; }
UOTBENCH_SHIM __half2 __float22half2_rn(float2 v) { return {__half(v.x), __half(v.y)}; }
UOTBENCH_SHIM float2 __half22float2(__half2 v) { return {float(v.x), float(v.y)}; }
UOTBENCH_SHIM __half __low2half(__half2 v) { return v.x; }
UOTBENCH_SHIM __half __high2half(__half2 v) { return v.y; }
UOTBENCH_SHIM float __low2float(__half2 v) { return float(v.x); }
UOTBENCH_SHIM float __high2float(__half2 v) { return float(v.y); }
UOTBENCH_SHIM unsigned short __half_as_ushort(__half x) { return x.bits; }
UOTBENCH_SHIM __half __ushort_as_half(unsigned short bits) { return __builtin_bit_cast(__half, bits); }

UOTBENCH_SHIM __nv_bfloat16 __float2bfloat16(float x) { return __nv_bfloat16(x); }
UOTBENCH_SHIM __nv_bfloat16 __float2bfloat16_rn(float x) { return __nv_bfloat16(x); }
UOTBENCH_SHIM float __bfloat162float(__nv_bfloat16 x) { return float(x); }
UOTBENCH_SHIM __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) { return {x, y}; }
UOTBENCH_SHIM __nv_bfloat162 __floats2bfloat162_rn(float x, float y) {
  return {__nv_bfloat16(x), __nv_bfloat16(y)};
}
UOTBENCH_SHIM __nv_bfloat162 __float2bfloat162_rn(float x) { return {__nv_bfloat16(x), __nv_bfloat16(x)}; }
UOTBENCH_SHIM __nv_bfloat162 __float22bfloat162_rn(float2 v) {
  return {__nv_bfloat16(v.x), __nv_bfloat16(v.y)};
}
UOTBENCH_SHIM float2 __bfloat1622float2(__nv_bfloat162 v) { return {float(v.x), float(v.y)}; }
UOTBENCH_SHIM __nv_bfloat16 __low2bfloat16(__nv_bfloat162 v) { return v.x; }
UOTBENCH_SHIM __nv_bfloat16 __high2bfloat16(__nv_bfloat162 v) { return v.y; }
UOTBENCH_SHIM float __low2float(__nv_bfloat162 v) { return float(v.x); }
UOTBENCH_SHIM float __high2float(__nv_bfloat162 v) { return float(v.y); }
UOTBENCH_SHIM unsigned short __bfloat16_as_ushort(__nv_bfloat16 x) { return x.bits; }
UOTBENCH_SHIM __nv_bfloat16 __ushort_as_bfloat16(unsigned short bits) {
  return __builtin_bit_cast(__nv_bfloat16, bits);
}
