// CUDA's vector types, with its alignments (CUDA C++ Programming Guide, built-in vector types).
#pragma once

#include "harness/simt/runtime/qualifiers.hpp"

#define UOTBENCH_VECTORS(T, NAME, ALIGN2, ALIGN4)                                     \
  struct NAME##1 {                                                                    \
    T x;                                                                              \
  };                                                                                  \
  struct alignas(ALIGN2) NAME##2 {                                                    \
    T x, y;                                                                           \
  };                                                                                  \
  struct NAME##3 {                                                                    \
    T x, y, z;                                                                        \
  };                                                                                  \
  struct alignas(ALIGN4) NAME##4 {                                                    \
    T x, y, z, w;                                                                     \
  };                                                                                  \
  constexpr UOTBENCH_SHIM NAME##1 make_##NAME##1(T x) { return {x}; }                 \
  constexpr UOTBENCH_SHIM NAME##2 make_##NAME##2(T x, T y) { return {x, y}; }         \
  constexpr UOTBENCH_SHIM NAME##3 make_##NAME##3(T x, T y, T z) { return {x, y, z}; } \
  constexpr UOTBENCH_SHIM NAME##4 make_##NAME##4(T x, T y, T z, T w) { return {x, y, z, w}; }

UOTBENCH_VECTORS(signed char, char, 2, 4)
UOTBENCH_VECTORS(unsigned char, uchar, 2, 4)
UOTBENCH_VECTORS(short, short, 4, 8)
UOTBENCH_VECTORS(unsigned short, ushort, 4, 8)
UOTBENCH_VECTORS(int, int, 8, 16)
UOTBENCH_VECTORS(unsigned, uint, 8, 16)
UOTBENCH_VECTORS(long long, longlong, 16, 16)
UOTBENCH_VECTORS(unsigned long long, ulonglong, 16, 16)
UOTBENCH_VECTORS(float, float, 8, 16)
UOTBENCH_VECTORS(double, double, 16, 16)

#undef UOTBENCH_VECTORS

struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
  constexpr dim3(uint3 size) : x(size.x), y(size.y), z(size.z) {}
  constexpr operator uint3() const { return {x, y, z}; }
};
