// CUDA's functions on numbers that C++ does not have, or has by another name. Fast ones are as exact here as
// their slow sisters: results agree with a GPU's within a tolerance, not bit by bit.
#pragma once

#include <math.h>

#include <cmath>
#include <cstdint>

#include "harness/simt/runtime/language.hpp"

namespace uotbench::simt {

// libm has these names too, of the same functions; where the compiler knows how, it puts in instructions.
UOTBENCH_SHIM float fast_exp(float x) { return ::expf(x); }
UOTBENCH_SHIM float fast_exp10(float x) { return ::powf(10.f, x); }
UOTBENCH_SHIM float fast_log(float x) { return ::logf(x); }
UOTBENCH_SHIM float fast_log2(float x) { return ::log2f(x); }
UOTBENCH_SHIM float fast_log10(float x) { return ::log10f(x); }
UOTBENCH_SHIM float fast_pow(float x, float y) { return ::powf(x, y); }
UOTBENCH_SHIM float fast_sin(float x) { return ::sinf(x); }
UOTBENCH_SHIM float fast_cos(float x) { return ::cosf(x); }
UOTBENCH_SHIM float fast_tan(float x) { return ::tanf(x); }

}  // namespace uotbench::simt

// Macros: glibc declares functions of these names, for itself.
#define __expf(x) (::uotbench::simt::fast_exp(x))
#define __exp10f(x) (::uotbench::simt::fast_exp10(x))
#define __logf(x) (::uotbench::simt::fast_log(x))
#define __log2f(x) (::uotbench::simt::fast_log2(x))
#define __log10f(x) (::uotbench::simt::fast_log10(x))
#define __powf(x, y) (::uotbench::simt::fast_pow(x, y))
#define __sinf(x) (::uotbench::simt::fast_sin(x))
#define __cosf(x) (::uotbench::simt::fast_cos(x))
#define __tanf(x) (::uotbench::simt::fast_tan(x))

UOTBENCH_SHIM float rsqrtf(float x) { return 1.f / ::sqrtf(x); }
UOTBENCH_SHIM double rsqrt(double x) { return 1. / ::sqrt(x); }
UOTBENCH_SHIM float __frsqrt_rn(float x) { return static_cast<float>(1. / ::sqrt(static_cast<double>(x))); }
UOTBENCH_SHIM float __fdividef(float x, float y) { return x / y; }
UOTBENCH_SHIM float __frcp_rn(float x) { return 1.f / x; }
UOTBENCH_SHIM float __fsqrt_rn(float x) { return ::sqrtf(x); }
UOTBENCH_SHIM float __fadd_rn(float x, float y) { return x + y; }
UOTBENCH_SHIM float __fmul_rn(float x, float y) { return x * y; }
UOTBENCH_SHIM float __fdiv_rn(float x, float y) { return x / y; }
UOTBENCH_SHIM float __fmaf_rn(float x, float y, float z) { return ::fmaf(x, y, z); }
UOTBENCH_SHIM float __saturatef(float x) { return x > 0.f ? (x < 1.f ? x : 1.f) : 0.f; }
UOTBENCH_SHIM float fdividef(float x, float y) { return x / y; }

// Those of CUDA are not templates, so that arguments of two types find one.
#define UOTBENCH_MIN_MAX(T)                                         \
  constexpr UOTBENCH_SHIM T min(T x, T y) { return y < x ? y : x; } \
  constexpr UOTBENCH_SHIM T max(T x, T y) { return x < y ? y : x; }
UOTBENCH_MIN_MAX(int)
UOTBENCH_MIN_MAX(unsigned)
UOTBENCH_MIN_MAX(long)
UOTBENCH_MIN_MAX(unsigned long)
UOTBENCH_MIN_MAX(long long)
UOTBENCH_MIN_MAX(unsigned long long)
#undef UOTBENCH_MIN_MAX
UOTBENCH_SHIM unsigned min(int x, unsigned y) { return min(static_cast<unsigned>(x), y); }
UOTBENCH_SHIM unsigned min(unsigned x, int y) { return min(x, static_cast<unsigned>(y)); }
UOTBENCH_SHIM unsigned max(int x, unsigned y) { return max(static_cast<unsigned>(x), y); }
UOTBENCH_SHIM unsigned max(unsigned x, int y) { return max(x, static_cast<unsigned>(y)); }
// The one that is a number wins against a NaN.
UOTBENCH_SHIM float min(float x, float y) { return ::fminf(x, y); }
UOTBENCH_SHIM float max(float x, float y) { return ::fmaxf(x, y); }
UOTBENCH_SHIM double min(double x, double y) { return ::fmin(x, y); }
UOTBENCH_SHIM double max(double x, double y) { return ::fmax(x, y); }
UOTBENCH_SHIM double min(float x, double y) { return ::fmin(x, y); }
UOTBENCH_SHIM double min(double x, float y) { return ::fmin(x, y); }
UOTBENCH_SHIM double max(float x, double y) { return ::fmax(x, y); }
UOTBENCH_SHIM double max(double x, float y) { return ::fmax(x, y); }

UOTBENCH_SHIM int __popc(unsigned x) { return __builtin_popcount(x); }
UOTBENCH_SHIM int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
UOTBENCH_SHIM int __ffs(int x) { return __builtin_ffs(x); }
UOTBENCH_SHIM int __ffsll(long long x) { return __builtin_ffsll(x); }
UOTBENCH_SHIM int __clz(int x) { return x ? __builtin_clz(static_cast<unsigned>(x)) : 32; }
UOTBENCH_SHIM int __clzll(long long x) {
  return x ? __builtin_clzll(static_cast<unsigned long long>(x)) : 64;
}
UOTBENCH_SHIM unsigned __brev(unsigned x) {
  x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
  x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
  x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
  return __builtin_bswap32(x);
}
UOTBENCH_SHIM int __mul24(int x, int y) {
  return static_cast<int>((static_cast<unsigned>(x) << 8 >> 8) * (static_cast<unsigned>(y) << 8 >> 8));
}
UOTBENCH_SHIM unsigned __umulhi(unsigned x, unsigned y) {
  return static_cast<unsigned>(static_cast<std::uint64_t>(x) * y >> 32);
}

UOTBENCH_SHIM int __float_as_int(float x) { return __builtin_bit_cast(int, x); }
UOTBENCH_SHIM unsigned __float_as_uint(float x) { return __builtin_bit_cast(unsigned, x); }
UOTBENCH_SHIM float __int_as_float(int x) { return __builtin_bit_cast(float, x); }
UOTBENCH_SHIM float __uint_as_float(unsigned x) { return __builtin_bit_cast(float, x); }
UOTBENCH_SHIM long long __double_as_longlong(double x) { return __builtin_bit_cast(long long, x); }
UOTBENCH_SHIM double __longlong_as_double(long long x) { return __builtin_bit_cast(double, x); }
UOTBENCH_SHIM int __float2int_rn(float x) { return static_cast<int>(::rintf(x)); }
UOTBENCH_SHIM int __float2int_rd(float x) { return static_cast<int>(::floorf(x)); }
UOTBENCH_SHIM int __float2int_ru(float x) { return static_cast<int>(::ceilf(x)); }
UOTBENCH_SHIM int __float2int_rz(float x) { return static_cast<int>(x); }
UOTBENCH_SHIM float __int2float_rn(int x) { return static_cast<float>(x); }

// Hints to caches that are not there.
template <class T>
UOTBENCH_SHIM T __ldg(const T* at) {
  return *at;
}
template <class T>
UOTBENCH_SHIM T __ldcs(const T* at) {
  return *at;
}
template <class T>
UOTBENCH_SHIM T __ldcg(const T* at) {
  return *at;
}
template <class T>
UOTBENCH_SHIM T __ldca(const T* at) {
  return *at;
}
template <class T>
UOTBENCH_SHIM T __ldlu(const T* at) {
  return *at;
}
template <class T>
UOTBENCH_SHIM T __ldcv(const T* at) {
  return *const_cast<const volatile T*>(at);
}
template <class T>
UOTBENCH_SHIM void __stcs(T* at, T value) {
  *at = value;
}
template <class T>
UOTBENCH_SHIM void __stcg(T* at, T value) {
  *at = value;
}
template <class T>
UOTBENCH_SHIM void __stwb(T* at, T value) {
  *at = value;
}
template <class T>
UOTBENCH_SHIM void __stwt(T* at, T value) {
  *at = value;
}
