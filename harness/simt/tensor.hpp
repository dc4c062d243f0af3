// Tensor cores: the product of two small matrices, held by a warp's lanes together (PTX ISA, "Matrix
// multiply-accumulate operation using mma instruction"; compute capability 8.0 and above).
//
//   C (16 x 8) += A (16 x k) B (k x 8)     with k = 16 numbers of bfloat16, or 8 of TF32
//
// Of a lane, with row = lane / 4 and four = lane % 4:
//   c[0], c[1]  C(row, 2 four), C(row, 2 four + 1);  c[2], c[3]  the same 8 rows below
//   TF32        a = A(row, four), A(row + 8, four), A(row, four + 4), A(row + 8, four + 4)
//               b = B(four, row), B(four + 4, row)
//   bfloat16    the same with two neighbours along k, from 2 four on, in a register, the first in its lower
//               half, and 8 for 4
// On the CPU sums are made in double and rounded once.
#pragma once

#include "harness/simt/cuda.hpp"

namespace uotbench {

#ifdef __CUDACC__

/// x rounded to the 10 digits of TF32, ties away from zero.
__device__ __forceinline__ unsigned tf32_bits(float x) {
  unsigned bits;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(x));
  return bits;
}

#if __CUDA_ARCH__ >= 800
#define UOTBENCH_MMA(shape_and_types)                                                                       \
  asm volatile("mma.sync.aligned." shape_and_types " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};" \
               : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])                                             \
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]))
#else  // the host refuses to launch it
#define UOTBENCH_MMA(shape_and_types) \
  (static_cast<void>(c), static_cast<void>(a), static_cast<void>(b), __trap())
#endif

__device__ __forceinline__ void mma_tf32(float (&c)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
  UOTBENCH_MMA("m16n8k8.row.col.f32.tf32.tf32.f32");
}
__device__ __forceinline__ void mma_bf16(float (&c)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
  UOTBENCH_MMA("m16n8k16.row.col.f32.bf16.bf16.f32");
}
#undef UOTBENCH_MMA

#else

__device__ UOTBENCH_SHIM unsigned tf32_bits(float x) {
  const unsigned bits = __builtin_bit_cast(unsigned, x);
  return (bits & 0x7fffffffu) > 0x7f800000u ? bits : (bits + 0x1000u) & ~0x1fffu;
}

UOTBENCH_SHIM void mma_tf32(float (&c)[4], const unsigned (&a)[4], const unsigned (&b)[2],
                            std::source_location where = std::source_location::current()) {
  simt::multiply(simt::Meeting::multiply_tf32, {c, a, b}, where);
  asm volatile("");
}
UOTBENCH_SHIM void mma_bf16(float (&c)[4], const unsigned (&a)[4], const unsigned (&b)[2],
                            std::source_location where = std::source_location::current()) {
  simt::multiply(simt::Meeting::multiply_bf16, {c, a, b}, where);
  asm volatile("");
}

#endif

/// Two numbers in one register of mma_bf16, `first` in the lower half.
__device__ __forceinline__ unsigned bf16_pair(float first, float second) {
  return static_cast<unsigned>(__bfloat16_as_ushort(__float2bfloat16(first))) |
         static_cast<unsigned>(__bfloat16_as_ushort(__float2bfloat16(second))) << 16;
}

}  // namespace uotbench
